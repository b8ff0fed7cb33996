// Times, rates and quantities in the words of a document.
#include "tools/words/time_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>

namespace takt::tools {

using maxplus::Rational;

namespace {

constexpr std::array<RateUnit, 3> kPaces = {{{"s", 1}, {"min", 60}, {"h", 3600}}};

struct SizeUnit {
  std::string_view name;
  long bytes;
};
constexpr std::array<SizeUnit, 5> kAmounts = {
    {{"TB", 1'000'000'000'000}, {"GB", 1'000'000'000}, {"MB", 1'000'000}, {"kB", 1'000}, {"B", 1}}};

// The exact number as a cell would have it: "692/3", "3.785".
std::string exact_text(const Rational& number) {
  const std::string about = decimal(number);
  return !number.is_integer() && is_exactly(number, about) ? about : number.to_string();
}

}  // namespace

RateUnit rate_unit(const Rational& per_second) {
  const RateUnit* told = &kPaces.front();
  while (per_second.sign() != 0 && per_second * Rational(told->seconds) < Rational(1) && told != &kPaces.back()) ++told;
  return *told;
}

TimeWords::Counted TimeWords::counted(const Rational& time) const {
  if (!has_units()) return {time, time == Rational(1) ? "time unit" : "time units"};
  const TimeScale scale = scale_for(time);
  return {time / scale.length, std::string(scale.name)};
}

std::string TimeWords::amount(const Rational& time, std::string_view per) const {
  const Counted told = counted(time);
  return exact_and_decimal(told.number, told.unit + std::string(per));
}

std::string TimeWords::amount_per_item(const Rational& time) const {
  const Counted told = counted(time);
  return number_then_exact(told.number, told.unit + per_item());
}

std::string TimeWords::said(const Rational& time) const { return has_units() ? amount(time) : exact_and_decimal(time); }

std::string TimeWords::readable(const Rational& time) const {
  if (!has_units()) return decimal(time);
  const TimeScale scale = scale_for(time);
  return fmt::format("{} {}", decimal(time / scale.length), scale.name);
}

Cells TimeWords::cells(const Rational& time, const TimeScale& scale) const {
  if (!has_units()) return tools::cells(time);
  const Rational number = time / scale.length;
  if (is_exactly(number, decimal(number))) return {fmt::format("{} {}", decimal(number), scale.name), ""};
  const Cells told = tools::cells(number);
  const bool is_said = told.exact.empty() || told.exact.front() == '(';
  return {fmt::format("{} {}", told.readable, scale.name),
          is_said ? told.exact : fmt::format("{} {}", told.exact, scale.name)};
}

std::string TimeWords::readable(const Rational& number, tpn::Quantity quantity) const {
  if (!has_units()) return tools::cells(number).readable;
  if (quantity == tpn::Quantity::time) return readable(number);
  // As the document would have it, where that is short and no fraction.
  constexpr std::size_t kShort = 14;
  const long slashes = quantity == tpn::Quantity::size ? 0 : 1;
  const auto written = tpn::quantity_text(number, quantity, unit_);
  if (written && written->size() - 2 <= kShort && std::ranges::count(*written, '/') == slashes) {
    return written->substr(1, written->size() - 2);
  }
  if (quantity == tpn::Quantity::speed) return decimal(number) + "/s";
  const SizeUnit* told = &kAmounts.front();
  while (number < Rational(told->bytes) && told != &kAmounts.back()) ++told;
  return fmt::format("{} {}{}", decimal(number / Rational(told->bytes)), told->name,
                     quantity == tpn::Quantity::bandwidth ? "/s" : "");
}

std::string TimeWords::brief(const Rational& time) const {
  if (!has_units()) return tools::brief(time);
  const TimeScale scale = scale_for(time);
  const Rational number = time / scale.length;
  const std::string exact = exact_text(number);
  return fmt::format("{} {}", exact.size() <= kBrief ? exact : tools::brief(number), scale.name);
}

std::string TimeWords::rate(const Rational& number) const {
  const auto items = [&](const Rational& told) { return told == Rational(1) ? item_ : plural_of(item_); };
  if (!has_units()) return number_then_exact(number, items(number) + " per time unit");
  const RateUnit told = rate_unit(number);
  const Rational told_number = number * Rational(told.seconds);
  return number_then_exact(told_number, fmt::format("{}/{}", items(told_number), told.name));
}

void write_time_unit(tpn::JsonWriter& json, const TimeWords& times) {
  if (times.has_units()) json.member("time_unit", "s");
}

}  // namespace takt::tools
