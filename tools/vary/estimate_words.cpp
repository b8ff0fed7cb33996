// Decimal places from the margin's first digit.
#include "tools/vary/estimate_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

// A difference with its sign, its margin and what is behind these.
std::string signed_words(const Figure& difference, double unit, const std::string& behind) {
  if (difference.value == 0 && difference.margin == 0) return "none";
  return fmt::format("{}{}{}{}", difference.value > 0 ? "+" : "",
                     with_margin({difference.value / unit, difference.margin / unit}), behind,
                     is_told(difference) ? "" : " ?");
}

}  // namespace

bool is_told(const Figure& difference) { return std::abs(difference.value) > difference.margin; }

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
  const double length = double_of(scale.length);
  return fmt::format("{} {}", with_margin({time.value / length, time.margin / length}), scale.name);
}

std::string EstimateWords::longer_by(const Figure& difference, const Figure& other) const {
  if (!times_.has_units()) return signed_words(difference, 1, "");
  const TimeScale scale = times_.scale_for(rational_of(std::max(0.0, other.value)));
  return signed_words(difference, double_of(scale.length), fmt::format(" {}", scale.name));
}

std::string EstimateWords::higher_by(const Figure& difference, const Figure& other) const {
  if (!times_.has_units()) return signed_words(difference, 1, " per time unit");
  const RateUnit unit = rate_unit(rational_of(other.value));
  return signed_words(difference, 1 / static_cast<double>(unit.seconds), fmt::format("/{}", unit.name));
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

RateScale EstimateWords::rate_scale(double period) const {
  if (!times_.has_units()) return {"per time unit", 1};
  const RateUnit unit = rate_unit(rational_of(1 / period));
  return {fmt::format("per {}", unit.name), static_cast<double>(unit.seconds)};
}

std::string EstimateWords::paced(const Figure& rate) const {
  if (!times_.has_units()) return with_margin(rate) + " per time unit";
  const RateUnit unit = rate_unit(rational_of(rate.value));
  const auto seconds = static_cast<double>(unit.seconds);
  return fmt::format("{}/{}", with_margin({rate.value * seconds, rate.margin * seconds}), unit.name);
}

}  // namespace takt::tools
