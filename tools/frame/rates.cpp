// A rate's number, its multiple and its time, exactly.
#include "tools/frame/rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tools/frame/options.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

constexpr const char* kRateForm = "a rate above 0, such as 200/s, 50k/s, 200 Hz, 12000/min or, without units, 3/2";

std::optional<RatePace> find_pace(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, long>, 3> kLong = {{{"s", 1}, {"min", 60}, {"h", 3600}}};
  constexpr std::array<std::pair<std::string_view, long>, 3> kShort = {
      {{"ms", 1000}, {"us", 1'000'000}, {"ns", 1'000'000'000}}};
  for (const auto& [known, seconds] : kLong) {
    if (known == name) return RatePace{known, seconds};
  }
  for (const auto& [known, per_second] : kShort) {
    if (known == name) return RatePace{known, Rational::fraction(1, per_second)};
  }
  return std::nullopt;
}

// What a letter behind a number multiplies it by.
constexpr std::array<std::pair<char, long>, 3> kMultiples = {{{'k', 1'000}, {'M', 1'000'000}, {'G', 1'000'000'000}}};

// A number with a multiple behind it or without: "50k", "0.2 M".
std::optional<Rational> read_multiple(std::string_view text) {
  text = trimmed(text);
  for (const auto& [letter, times] : kMultiples) {
    if (!text.ends_with(letter)) continue;
    text.remove_suffix(1);
    const auto number = read_number(trimmed(text));
    return number ? std::optional(*number * Rational(times)) : std::nullopt;
  }
  return read_number(text);
}

}  // namespace

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

std::optional<WrittenRate> read_rate(std::string_view text) {
  constexpr std::string_view kHertz = "Hz";
  WrittenRate result;
  std::string_view number = text;
  if (const std::size_t slash = text.rfind('/'); slash != std::string_view::npos) {
    result.pace = find_pace(trimmed(text.substr(slash + 1)));
    if (result.pace) number.remove_suffix(text.size() - slash);
  } else if (trimmed(text).ends_with(kHertz)) {
    result.pace = RatePace{};
    number = trimmed(text);
    number.remove_suffix(kHertz.size());
  }
  const auto rate = result.pace ? read_multiple(number) : read_number(number);
  if (!rate || rate->sign() <= 0) return std::nullopt;
  result.rate = result.pace ? *rate / result.pace->length : *rate;
  return result;
}

ValueCheck positive_rate() {
  return [](const std::string& text) -> std::string {
    return read_rate(text) ? "" : fmt::format("found \"{}\", expected {}", printable(text), kRateForm);
  };
}

Rational period_of_rate(const std::string& option, const std::string& text, const tpn::Document& document) {
  const WrittenRate rate = *read_rate(text);
  // A bare number gets the unit that it lacks, unless it may be in another.
  constexpr std::size_t kShort = 4;
  const std::string example = rate.pace || text.size() > kShort ? "200/s" : text + "/s";
  require_same_units(option, text, rate.pace.has_value(), document, example);
  return Rational(1) / rate.rate;
}

}  // namespace takt::tools
