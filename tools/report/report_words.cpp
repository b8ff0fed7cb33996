// Names shortened, joined and counted; numbers of six digits.
#include "tools/report/report_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>

#include "tools/files/files.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using tpn::ConstraintKind;
using tpn::PartRole;

std::string capitalized(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string percent_or_nothing(const Rational& share) { return share.sign() == 0 ? "" : percent(share); }

std::string clipped(std::string_view text, std::size_t most) {
  std::size_t length = 0;
  std::size_t kept = 0;  // bytes of one character less than `most`
  for (std::size_t characters = 0; length < text.size(); ++characters) {
    if (characters + 1 == most) kept = length;
    if (characters == most) return std::string(text.substr(0, kept)) + "…";
    length += tpn::first_character(text.substr(length)).length;
  }
  return std::string(text);
}

std::string grouped(const Integer& number) {
  std::string digits = number.get_str();
  const std::size_t first = digits.starts_with('-') ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string base64_of(std::string_view bytes) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8 | (at + k < bytes.size() ? static_cast<unsigned char>(bytes[at + k]) : 0U);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      const bool is_padding = at + k > bytes.size();
      text += is_padding ? '=' : kDigits[group >> (18 - 6 * k) & 63U];
    }
  }
  return text;
}

ReportWords::ReportWords(const ReportFindings& findings) : findings_(findings), times_(findings.document) {
  for (const tpn::Stage& stage : findings.document.application.stages) stages_.push_back(printable(stage.name));
  for (const std::string& name : findings.net.pipeline.processors) processors_.push_back(printable(name));
}

std::string ReportWords::stages(const tpn::NetPart& part) const {
  if (part.role == PartRole::source) return "source";
  if (part.role == PartRole::sink) return "sink";
  if (part.first_stage == part.last_stage) return stages_[part.first_stage];
  return stages_[part.first_stage] + "–" + stages_[part.last_stage];
}

std::string ReportWords::operation(std::size_t column, std::size_t processor, std::size_t peer) const {
  const tpn::Pipeline& pipeline = findings_.net.pipeline;
  const tpn::NetPart& part = pipeline.parts[pipeline.columns[column].part];
  if (pipeline.columns[column].kind == tpn::ColumnKind::compute) {
    if (part.role != PartRole::mapped) return stages(part);
    return stages(part) + " on " + processors_[processor];
  }
  if (processor == peer) return "within " + processors_[processor];
  return processors_[processor] + " → " + processors_[peer];
}

std::string ReportWords::operation(const tpn::Operation& operation) const {
  const tpn::Pipeline& pipeline = findings_.net.pipeline;
  const tpn::Column& column = pipeline.columns[operation.column];
  const std::size_t processor = pipeline.sender_of(operation);
  if (column.kind == tpn::ColumnKind::compute) return this->operation(operation.column, processor, processor);
  return this->operation(operation.column, processor, pipeline.receiver_of(operation));
}

std::vector<std::string> ReportWords::processors_on(const evaluators::CriticalCircuit& circuit) const {
  const tpn::Pipeline& pipeline = findings_.net.pipeline;
  std::vector<std::string> names;
  std::set<std::size_t> seen;
  const auto note = [&](std::size_t processor) {
    if (seen.insert(processor).second) names.push_back(processors_[processor]);
  };
  std::uint64_t data_set = circuit.data_set;
  for (const auto& step : circuit.steps) {
    note(pipeline.sender_of({data_set, step.column}));
    note(pipeline.receiver_of({data_set, step.column}));
    data_set += step.height;
  }
  return names;
}

std::string ReportWords::resource(const tpn::Resource& resource) const {
  return this->resource(resource.kind, resource.processor);
}

std::string ReportWords::resource(ConstraintKind kind, std::size_t processor) const {
  const std::string& name = processors_[processor];
  if (kind == ConstraintKind::processor || kind == ConstraintKind::segment) return name;
  return fmt::format("{}’s {}", name, kind == ConstraintKind::compute ? "computation" : tpn::name_of(kind));
}

PageNumber ReportWords::time(const Rational& time) const {
  Cells told = times_.cells(time);
  // Nobody has to be told what 12.5 is exactly, or where else to look.
  if (told.exact.starts_with('(') || is_exactly(time, told.readable)) told.exact.clear();
  return {told.readable, told.exact};
}

PageNumber ReportWords::number(const Rational& number) const {
  Cells told = cells(number);
  if (told.exact.starts_with('(') || is_exactly(number, told.readable)) told.exact.clear();
  return {told.readable, told.exact};
}

std::string ReportWords::span(const Rational& time) const {
  std::string text = this->time(time).readable;
  if (times_.has_units()) return text;
  return text + (time == Rational(1) ? " time unit" : " time units");
}

PageFact ReportWords::throughput(const Rational& period) const {
  const Rational rate = Rational(1) / period;
  if (times_.has_units()) return {"throughput", times_.rate(rate), ""};
  const PageNumber told = number(rate);
  return {fmt::format("throughput, {} per time unit", plural_of(times_.item())), told.readable, told.exact};
}

std::string ReportWords::file() const { return clipped(display_name(findings_.file), 60); }

std::string ReportWords::command_file() const { return shell_word(tpn::visible(findings_.file)); }

std::string ReportWords::model_options() const {
  const tpn::Model& model = findings_.net.model;
  std::string options = fmt::format("--model {}", tpn::name_of(model));
  if (model.rooms() != 0) options += fmt::format(" --rooms {}", model.rooms());
  return options;
}

}  // namespace takt::tools
