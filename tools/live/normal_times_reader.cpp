// Rows of CSV to rows of times.
#include "tools/live/normal_times_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <variant>

#include "live/adaptation/stage_scale.hpp"
#include "maxplus/decimal.hpp"
#include "tools/files/files.hpp"
#include "tools/words/csv.hpp"
#include "tpn/json.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

constexpr std::size_t kMostRows = 1000;

class NormalTimesReader {
 public:
  NormalTimesReader(const std::string& file, const tpn::Document& document, const Rational& ticks_per_unit)
      : file_(file),
        document_(document),
        ticks_per_unit_(ticks_per_unit),
        view_(document),
        scale_(view_, ticks_per_unit) {}

  void take(const CsvRow& row) {
    if (!has_header_) return read_header(row);
    if (row.fields.size() != columns_) {
      fail(row.line, fmt::format("{} fields", row.fields.size()), fmt::format("{}, as the header has", columns_));
    }
    const auto field = [&](Field which) -> const std::string& { return row.fields[places_[which]]; };
    if (field(operation) == "transfer" || (field(operation) == "compute" && field(stages).empty())) return;
    if (field(operation) != "compute")
      fail(row.line, "the operation " + quoted(field(operation)), "compute or transfer");
    const std::uint64_t number = data_set_of(row.line, field(data_set));
    const std::size_t at = processor_of(row.line, field(processor));
    const auto [first, last] = stages_of(row.line, field(stages));
    for (std::size_t k = first; k <= last; ++k) {
      if (scale_.can_compute(at, k)) continue;
      fail(row.line, "stage " + quoted(document_.application.stages[k].name) + " on " + quoted(field(processor)),
           "a processor that has a time for it");
    }
    const Rational from = time_of(row.line, field(start));
    const Rational to = time_of(row.line, field(end));
    if (to < from) fail(row.line, "the end " + quoted(field(end)), "one that is not before the start");
    const double ticks = Rational((to - from) * ticks_per_unit_).to_double().value_or(0);
    const std::vector<double> times = scale_.in_units(at, first, last, ticks, {});
    auto& known = rows_.try_emplace(number, document_.application.stages.size()).first->second;
    std::ranges::copy(times, known.begin() + static_cast<std::ptrdiff_t>(first));
  }

  std::vector<std::vector<double>> rows() const {
    std::vector<std::vector<double>> whole;
    for (const auto& [number, row] : rows_) {
      if (!std::ranges::all_of(row, [](const auto& time) { return time.has_value(); })) continue;
      std::vector<double>& times = whole.emplace_back();
      for (const auto& time : row) times.push_back(*time);
    }
    if (whole.empty()) {
      throw FileError(fmt::format("{}: found no data set that has passed all {} stages, expected one or more",
                                  display_name(file_), document_.application.stages.size()));
    }
    if (whole.size() > kMostRows) whole.erase(whole.begin(), whole.end() - static_cast<std::ptrdiff_t>(kMostRows));
    return whole;
  }

  [[noreturn]] void fail(std::size_t line, const std::string& found, const std::string& expected) const {
    throw FileError(fmt::format("{}:{}: found {}, expected {}", display_name(file_), line, found, expected));
  }
  bool has_header() const { return has_header_; }
  static std::string header() { return fmt::format("{}", fmt::join(kFields, ",")); }

 private:
  enum Field { data_set, operation, stages, processor, start, end, field_count };
  static constexpr std::array<std::string_view, field_count> kFields = {"data_set",  "operation", "stages",
                                                                        "processor", "start",     "end"};

  static std::string quoted(const std::string& text) {
    return tpn::json::string_text(text) ? tpn::json::quote(text) : '"' + tpn::visible(text) + '"';
  }

  void read_header(const CsvRow& row) {
    has_header_ = true;
    columns_ = row.fields.size();
    for (std::size_t k = 0; k < field_count; ++k) {
      const auto found = std::ranges::find(row.fields, kFields[k]);
      if (found == row.fields.end()) {
        fail(row.line, fmt::format("no column \"{}\"", kFields[k]), "a trace with the columns " + header());
      }
      places_[k] = static_cast<std::size_t>(found - row.fields.begin());
    }
  }

  std::uint64_t data_set_of(std::size_t line, const std::string& text) const {
    std::uint64_t number = 0;
    const char* const last = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), last, number);
    if (error != std::errc() || stop != last || text.empty()) {
      fail(line, "the data set " + quoted(text), "a whole number from 0 to 2^64 - 1");
    }
    return number;
  }

  std::size_t processor_of(std::size_t line, const std::string& name) const {
    const auto& all = document_.platform.processors;
    const auto found = std::ranges::find_if(all, [&](const tpn::Processor& one) { return stands_for(name, one.name); });
    if (found == all.end()) fail(line, "the processor " + quoted(name), "one of the instance");
    return static_cast<std::size_t>(found - all.begin());
  }

  // Names with semicolons between them, which names may hold themselves.
  std::pair<std::size_t, std::size_t> stages_of(std::size_t line, const std::string& text) const {
    const auto& all = document_.application.stages;
    for (std::size_t first = 0; first < all.size(); ++first) {
      std::string joined;
      for (std::size_t last = first; last < all.size() && joined.size() <= text.size(); ++last) {
        joined += (last == first ? "" : ";") + all[last].name;
        if (stands_for(text, joined)) return {first, last};
      }
    }
    fail(line, "the stages " + quoted(text), "stages of the instance that follow one another");
  }

  Rational time_of(std::size_t line, const std::string& text) const {
    const auto parsed = maxplus::parse_number(text);
    if (const auto* wrong = std::get_if<maxplus::NumberExpectation>(&parsed)) {
      fail(line, "the time " + quoted(text), wrong->expected);
    }
    return std::get<Rational>(parsed);
  }

  const std::string& file_;
  const tpn::Document& document_;
  Rational ticks_per_unit_;
  tpn::ProblemView view_;
  live::StageScale scale_;
  bool has_header_ = false;
  std::size_t columns_ = 0;
  std::array<std::size_t, field_count> places_{};
  std::map<std::uint64_t, std::vector<std::optional<double>>> rows_;
};

}  // namespace

std::vector<std::vector<double>> read_normal_times(std::string_view text, const std::string& file,
                                                   const tpn::Document& document, const Rational& ticks_per_unit) {
  NormalTimesReader reader(file, document, ticks_per_unit);
  read_csv(
      text, [&](const CsvRow& row) { reader.take(row); },
      [&](const CsvFault& fault) {
        throw FileError(fmt::format("{}:{}: {}", display_name(file), fault.line, fault.message));
      });
  if (!reader.has_header()) reader.fail(1, "no row", "a trace with the columns " + NormalTimesReader::header());
  return reader.rows();
}

}  // namespace takt::tools
