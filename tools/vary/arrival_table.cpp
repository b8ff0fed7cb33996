// Exact numbers up to their differences from the first.
#include "tools/vary/arrival_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"
#include "tools/command.hpp"
#include "tools/files/files.hpp"
#include "tools/words/csv.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"
#include "tpn/units.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;
using tpn::json::quote;

constexpr std::string_view kColumn = "arrival";

class ArrivalReader {
 public:
  ArrivalReader(std::string name, const tpn::Document& document, const std::optional<std::uint64_t>& data_sets)
      : name_(std::move(name)), has_units_(document.time_unit == tpn::TimeUnit::second), most_(data_sets) {}

  ArrivalTable run(std::string_view text, const std::optional<std::uint64_t>& data_sets) {
    read_csv(
        text, [&](CsvRow& row) { add(row); }, [&](const CsvFault& fault) { fail(fault.line, fault.message); });
    if (times_.size() < 2) {
      fail(last_line_, fmt::format("found {} of arrival, expected two at least", plural(times_.size(), "time")));
    }
    const double span = times_.back();
    if (!(span > 0)) fail(last_line_, "found all data sets at one time, expected some later than the first");
    const double gap = span / static_cast<double>(times_.size() - 1);
    for (double& time : times_) time /= gap;
    ArrivalTable table;
    table.file = name_;
    table.mean_gap = gap;
    table.data_sets = data_sets.value_or(times_.size());
    table.times = std::make_shared<const std::vector<double>>(std::move(times_));
    return table;
  }

 private:
  [[noreturn]] void fail(std::size_t line, const std::string& message) const {
    throw FileError(fmt::format("{}:{}: {}", display_name(name_), line, message));
  }

  void add(const CsvRow& row) {
    last_line_ = row.line;
    if (width_ == 0) {
      width_ = row.fields.size();
      if (is_heading(row)) return;
    }
    if (row.fields.size() != width_) {
      fail(row.line, fmt::format("found {}, expected {}", plural(row.fields.size(), "field"), width_));
    }
    if (times_.size() == most_) return;
    if (times_.size() == kMostArrivals) {
      fail(row.line, fmt::format("found more than {} times of arrival, expected at most that many; --data-sets {} "
                                 "takes the first ones",
                                 kMostArrivals, kMostArrivals));
    }
    add_time(row.line, row.fields[place_]);
  }

  // Sets the place of the column. What is a number in the only column is none.
  bool is_heading(const CsvRow& row) {
    const auto is_column = [](std::string text) {
      std::ranges::transform(text, text.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? c - 'A' + 'a' : c; });
      return text == kColumn;
    };
    const auto columns = std::ranges::count_if(row.fields, is_column);
    if (columns == 1) {
      place_ = static_cast<std::size_t>(std::ranges::find_if(row.fields, is_column) - row.fields.begin());
      return true;
    }
    if (columns > 1) fail(row.line, fmt::format("found the column {} a second time, expected it once", quote(kColumn)));
    // What begins like a number is one, or is to be told as a mistake.
    if (width_ == 1) return row.fields.front().find_first_of("0123456789+-.") != 0;
    fail(row.line,
         fmt::format("found no column {}, expected it among columns {}", quote(kColumn), fmt::join(row.fields, ",")));
  }

  static std::optional<Rational> number_of(std::string_view text) {
    auto parsed = tpn::parse_quantity(text, tpn::Quantity::time, maxplus::kMaxDigits);
    if (auto* number = std::get_if<Rational>(&parsed)) return std::move(*number);
    return std::nullopt;
  }

  void add_time(std::size_t line, const std::string& text) {
    const auto time = number_of(text);
    if (!time || tpn::has_unit(text) != has_units_) {
      fail(line, fmt::format("found {}, expected a time {}", text.empty() ? "nothing" : quote(text),
                             has_units_ ? "with a unit, as in \"12.5 ms\": the instance has units"
                                        : "without a unit, as in 12.5: the instance has none"));
    }
    if (!first_) first_ = last_ = *time;
    if (*time < *last_) {
      fail(line, fmt::format("found {}, before the {} above it, expected times that do not go back", quote(text),
                             quote(last_text_)));
    }
    times_.push_back(double_of(*time - *first_));
    last_ = *time;
    last_text_ = text;
  }

  std::string name_;
  bool has_units_;
  std::optional<std::uint64_t> most_;  // that are read; the others are left
  std::size_t width_ = 0;
  std::size_t place_ = 0;
  std::size_t last_line_ = 1;
  std::optional<Rational> first_;
  std::optional<Rational> last_;
  std::string last_text_;
  std::vector<double> times_;
};

}  // namespace

ArrivalTable read_arrivals(std::string_view text, const std::string& name, const tpn::Document& document,
                           const std::optional<std::uint64_t>& data_sets) {
  return ArrivalReader(name, document, data_sets).run(text, data_sets);
}

}  // namespace takt::tools
