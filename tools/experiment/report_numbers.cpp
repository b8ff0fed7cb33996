// Rounding for the eye; nothing is decided by these texts.
#include "tools/experiment/report_numbers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tools/words/number_words.hpp"

namespace takt::tools {

using experiments::Estimate;
using experiments::ExpectationOutcome;
using experiments::StatisticKind;
using maxplus::Rational;

namespace {

constexpr std::size_t kShort = 15;

std::string percent_text(const Rational& share) {
  const double value = in_percent(share).value_or(0);
  std::string text = fmt::format("{:.4g}", value);
  // Rounding must not make most of it all.
  if (share < Rational(1) && text == "100") return "> 99.99 %";
  return text + " %";
}

std::string between(const Estimate& number, std::string (*text_of)(const Rational&)) {
  std::string lower = text_of(number.lower);
  const std::string upper = text_of(number.upper);
  return lower == upper ? lower : lower + " to " + upper;
}

// " = 692/3" where a decimal is not the number, and that is short.
std::string exactly(const Estimate& number, const std::string& decimal) {
  if (!number.exact() || is_exactly(number.lower, decimal)) return "";
  const std::string exact = number.lower.to_string();
  return exact.size() <= kBrief ? " = " + exact : "";
}

// " ± 0.12", of a mean; nothing without spread.
std::string margin_text(const Estimate& number) {
  if (!number.interval || number.interval->first == number.interval->second) return "";
  return fmt::format(" ± {:.2g}", (number.interval->second - number.interval->first) / 2);
}

// " (7.2 to 7.4)", in percent.
std::string share_interval_text(const Estimate& number) {
  if (!number.interval) return "";
  return fmt::format(" ({:.4g} to {:.4g})", 100 * number.interval->first, 100 * number.interval->second);
}

}  // namespace

std::string short_decimal(const Rational& number) {
  if (number.is_integer()) {
    std::string exact = number.to_string();
    if (exact.size() <= kShort) return exact;
  }
  const auto value = number.to_double();
  if (!value || std::fabs(*value) < 1e-4 || std::fabs(*value) >= 1e15) return decimal(number);
  return std::fabs(*value) < 1e5 ? fmt::format("{:.5g}", *value) : fmt::format("{:.0f}", *value);
}

std::string readable(const std::optional<Estimate>& number) {
  return number ? between(*number, short_decimal) : std::string("-");
}

std::string readable(const std::optional<Estimate>& number, StatisticKind kind) {
  if (!number) return "-";
  if (kind == StatisticKind::share) return between(*number, percent_text) + share_interval_text(*number);
  std::string text = readable(number) + margin_text(*number);
  const bool is_extreme = kind == StatisticKind::smallest || kind == StatisticKind::largest;
  if (is_extreme || kind == StatisticKind::quantile) text += exactly(*number, text);
  if (number->draw) text += fmt::format(" (draw {})", *number->draw);
  return text;
}

std::string exact_text(const std::optional<Estimate>& number) {
  if (!number) return "";
  if (number->exact()) return number->lower.to_string();
  return number->lower.to_string() + ".." + number->upper.to_string();
}

std::string plotted_text(const std::optional<Estimate>& number) {
  if (!number) return "NaN";
  const auto value = ((number->lower + number->upper) / Rational(2)).to_double();
  return value ? plotted_text(*value) : "NaN";
}

std::string plotted_text(double number) { return fmt::format("{:.10g}", number); }
std::string plotted_text(const Rational& number) { return plotted_text(number.to_double().value_or(0)); }

bool shows_intervals(const experiments::ReportedTable& table) {
  return std::ranges::any_of(table.rows, [](const experiments::ReportedRow& row) {
    return std::ranges::any_of(row.numbers, [](const auto& number) { return number && number->interval; });
  });
}

std::string_view word_of(ExpectationOutcome outcome) {
  switch (outcome) {
    case ExpectationOutcome::met:
      return "met";
    case ExpectationOutcome::not_met:
      return "not met";
    case ExpectationOutcome::undecided:
      break;
  }
  return "not decided";
}

}  // namespace takt::tools
