// Names joined, shortened and counted.
#include "tools/drawing/words.hpp"

#include <fmt/format.h>

#include <string_view>

#include "tools/pictures/text_width.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/short_names.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using tpn::ColumnKind;
using tpn::PartRole;

namespace {

std::vector<std::string> names_in_picture(const std::vector<std::string>& names) {
  return short_names(names, [](std::size_t, const std::string& name) {
    std::size_t characters = 0;
    for (std::string_view rest = name; !rest.empty() && characters <= Words::kMostCharacters; ++characters) {
      rest.remove_prefix(tpn::first_character(rest).length);
    }
    return characters <= Words::kMostCharacters;
  });
}

}  // namespace

Words::Words(const Subject& subject) : pipeline_(subject.net.pipeline), times_(subject.document) {
  for (const tpn::Stage& stage : subject.document.application.stages) stages_.push_back(stage.name);
  stages_ = names_in_picture(stages_);
  processors_ = names_in_picture(pipeline_.processors);
}

const std::string& Words::processor(std::size_t index) const { return processors_[index]; }

std::string Words::stages(const tpn::NetPart& part) const {
  if (part.role == PartRole::source) return "source";
  if (part.role == PartRole::sink) return "sink";
  if (part.first_stage == part.last_stage) return stages_[part.first_stage];
  return stages_[part.first_stage] + "–" + stages_[part.last_stage];
}

std::string Words::operation(tpn::ColumnIndex column) const {
  const tpn::NetPart& part = pipeline_.parts[pipeline_.columns[column].part];
  if (pipeline_.columns[column].kind == ColumnKind::compute) return stages(part);
  if (part.role == PartRole::source) return "input file";
  const std::vector<std::size_t> files = files_of(pipeline_, pipeline_.columns[column]);
  if (files.size() == 1) return stages_[files.front()] + "'s file";
  std::string names;
  for (const std::size_t file : files) names += (names.empty() ? "" : ", ") + stages_[file];
  return "files of " + names;
}

std::string Words::processors(tpn::ColumnIndex column, std::uint64_t data_set) const {
  const tpn::Column& operations = pipeline_.columns[column];
  const std::size_t sender = pipeline_.sender_of({data_set, column});
  const std::string& first = processor(sender);
  if (operations.kind == ColumnKind::compute) {
    return pipeline_.parts[operations.part].role == PartRole::mapped ? "on " + first : "";
  }
  const std::size_t receiver = pipeline_.receiver_of({data_set, column});
  if (sender == receiver) return "stays on " + first;
  return first + " → " + processor(receiver);
}

std::string Words::all_processors(tpn::ColumnIndex column) const {
  const tpn::Column& operations = pipeline_.columns[column];
  if (operations.kind == ColumnKind::compute) {
    return pipeline_.parts[operations.part].role == PartRole::mapped ? "on " + sequence(operations.part) : "";
  }
  return sequence(operations.part) + " → " + sequence(operations.receiver);
}

std::string Words::all_processors(tpn::ColumnIndex column, double font_size, double width) const {
  std::string all = all_processors(column);
  if (text_width(all, font_size) <= width) return all;
  const tpn::Column& operations = pipeline_.columns[column];
  const auto both = [&](const auto& name_part) {
    if (operations.kind == ColumnKind::compute) return "on " + name_part(operations.part);
    return name_part(operations.part) + " → " + name_part(operations.receiver);
  };
  const auto first_and_number = [&](std::size_t p) {
    const auto& sequence = pipeline_.parts[p].sequence;
    const std::string& first = processor(sequence.front());
    return sequence.size() == 1 ? first : fmt::format("{}, … ({})", first, sequence.size());
  };
  const auto number = [&](std::size_t p) {
    const auto& sequence = pipeline_.parts[p].sequence;
    return sequence.size() == 1 ? processor(sequence.front()) : fmt::format("({})", sequence.size());
  };
  const std::string shorter = both(first_and_number);
  return text_width(shorter, font_size) <= width ? shorter : fitted(both(number), font_size, width);
}

std::string Words::sequence(std::size_t part) const {
  const std::vector<std::size_t>& sequence = pipeline_.parts[part].sequence;
  std::string list;
  for (std::size_t k = 0; k < sequence.size(); ++k) {
    if (k == kMostNames) return list + fmt::format(", … ({})", sequence.size());
    list += (k == 0 ? "" : ", ") + processor(sequence[k]);
  }
  return list;
}

}  // namespace takt::tools
