// Decimal places from the margin's first digit.
#include "tools/vary/estimate_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace takt::tools {

using vary::Figure;

namespace {

// A number rounded to a power of ten.
std::string rounded(double number, int places) {
  if (places >= 0) return fmt::format("{:.{}f}", number, places);
  const double unit = std::pow(10.0, -places);
  return fmt::format("{:.0f}", std::round(number / unit) * unit);
}

// Beyond this a figure is as good as exact.
constexpr double kNoMargin = 1e-9;

}  // namespace

EstimateDigits digits_of(const Figure& figure) {
  if (!(figure.margin > kNoMargin * std::abs(figure.value))) return {fmt::format("{:.6g}", figure.value), ""};
  int places = -static_cast<int>(std::floor(std::log10(figure.margin)));
  if (figure.margin * std::pow(10.0, places) < 2) ++places;
  const double unit = std::pow(10.0, -places);
  return {rounded(figure.value, places), rounded(std::ceil(figure.margin / unit - kNoMargin) * unit, places)};
}

std::string with_margin(const Figure& figure) {
  const EstimateDigits digits = digits_of(figure);
  return digits.margin.empty() ? digits.value : fmt::format("{} +- {}", digits.value, digits.margin);
}

std::string EstimateWords::time(const Figure& time) const {
  if (!times_.has_units()) return with_margin(time);
  const TimeScale scale = times_.scale_for(rational_of(std::max(0.0, time.value)));
  const double length = scale.length.to_double().value_or(1);
  return fmt::format("{} {}", with_margin({time.value / length, time.margin / length}), scale.name);
}

std::string EstimateWords::rate_of(const Figure& period) const {
  const double rate = 1 / period.value;
  return paced({rate, rate * (period.margin / period.value)});
}

std::string EstimateWords::rate_at(double gap) const {
  const double rate = 1 / gap;
  // As if four digits were all that is known.
  const double unit = std::pow(10.0, std::floor(std::log10(rate)) - 3);
  return paced({std::round(rate / unit) * unit, 0});
}

namespace {

struct NamedPace {
  std::string_view name;
  double seconds;
};

NamedPace pace_of(double rate) {
  constexpr std::array<NamedPace, 3> kPaces = {{{"s", 1}, {"min", 60}, {"h", 3600}}};
  const auto* const found =
      std::ranges::find_if(kPaces, [&](const NamedPace& pace) { return rate * pace.seconds >= 1; });
  return found == kPaces.end() ? kPaces.back() : *found;
}

}  // namespace

RateScale EstimateWords::rate_scale(double period) const {
  if (!times_.has_units()) return {"per time unit", 1};
  const NamedPace pace = pace_of(1 / period);
  return {fmt::format("per {}", pace.name), pace.seconds};
}

std::string EstimateWords::paced(const Figure& rate) const {
  if (!times_.has_units()) return with_margin(rate) + " per time unit";
  const NamedPace pace = pace_of(rate.value);
  return fmt::format("{}/{}", with_margin({rate.value * pace.seconds, rate.margin * pace.seconds}), pace.name);
}

maxplus::Rational rational_of(double number) {
  const auto parsed = maxplus::parse_decimal(fmt::format("{:.17g}", number));
  const auto* const value = std::get_if<maxplus::Rational>(&parsed);
  return value == nullptr ? maxplus::Rational() : *value;
}

}  // namespace takt::tools
