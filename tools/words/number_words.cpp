// Six digits to read, the whole number where it fits.
#include "tools/words/number_words.hpp"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "tpn/visible.hpp"

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

bool is_exactly(const Rational& number, const std::string& decimal) {
  const auto parsed = maxplus::parse_decimal(decimal);
  return std::holds_alternative<Rational>(parsed) && std::get<Rational>(parsed) == number;
}

std::string brief(const Rational& number) {
  std::string exact = number.to_string();
  if (exact.size() <= kBrief) return exact;
  if (const auto decimal = number.to_double()) return fmt::format("≈ {:.5g}", *decimal);
  return fmt::format("about 1e{}", number.floor().get_str().size() - 1);
}

Rational rational_of(double number) {
  const auto parsed = maxplus::parse_decimal(fmt::format("{:.17g}", number));
  const auto* const value = std::get_if<Rational>(&parsed);
  return value == nullptr ? Rational() : *value;
}

double double_of(const Rational& number) { return number.to_double().value_or(0); }

std::optional<double> in_percent(const Rational& share) { return (share * Rational(100)).to_double(); }

std::string percent(const std::optional<Rational>& share) {
  if (!share) return "-";
  const auto value = in_percent(*share);
  // Rounding must not make an idling resource look busy all the time.
  if (*share < Rational(1) && value && *value >= 99.95) return "> 99.9 %";
  return value ? fmt::format("{:.1f} %", *value) : "-";
}

namespace {

// What people read of a number, and what it is exactly, where that is something else of bearable length.
struct ToldNumber {
  std::string readable;
  std::string exact;
};

ToldNumber told(const Rational& number) {
  constexpr std::size_t kReadable = 48;
  std::string exact = number.to_string();
  const bool is_short = exact.size() <= kReadable;
  if (number.is_integer() && is_short) return {std::move(exact), ""};
  std::string about = decimal(number);
  if (is_exactly(number, about)) return {std::move(about), ""};
  if (!is_short) return {"about " + about, ""};
  return {std::move(about), "exactly " + exact};
}

}  // namespace

std::string exact_and_decimal(const Rational& number) {
  const ToldNumber words = told(number);
  return words.exact.empty() ? words.readable : fmt::format("{} ({})", words.readable, words.exact);
}

std::string exact_and_decimal(const Rational& number, std::string_view what) {
  const ToldNumber words = told(number);
  return fmt::format("{} {}{}", words.readable, what, words.exact.empty() ? "" : fmt::format(" ({})", words.exact));
}

std::string number_then_exact(const Rational& number, std::string_view what) {
  const ToldNumber words = told(number);
  return fmt::format("{} {}{}{}", words.readable, what, words.exact.empty() ? "" : ", ", words.exact);
}

std::string nearest_decimal(const Rational& number) {
  const auto nearest = number.to_double();
  return nearest ? fmt::format("{}", *nearest) : "";
}

std::optional<double> gain_percent(const Rational& before, const Rational& after) {
  if (after.sign() == 0) return std::nullopt;
  return in_percent(before / after - Rational(1));
}

Cells cells(const Rational& number) {
  constexpr std::size_t kWidest = 24;
  std::string exact = number.to_string();
  const bool fits = exact.size() <= kWidest;
  if (number.is_integer() && fits) return {std::move(exact), ""};
  return {decimal(number), fits ? std::move(exact) : "(see --json)"};
}

std::string plural_of(std::string_view noun) {
  const auto ends = [&](std::string_view ending) { return noun.ends_with(ending); };
  if (ends("sis")) return fmt::format("{}es", noun.substr(0, noun.size() - 2));  // analyses
  if (ends("s") || ends("x") || ends("ch") || ends("sh")) return fmt::format("{}es", noun);
  constexpr std::string_view kVowels = "aeiou";
  const bool has_y = noun.size() > 1 && ends("y") && kVowels.find(noun[noun.size() - 2]) == std::string_view::npos;
  return has_y ? fmt::format("{}ies", noun.substr(0, noun.size() - 1)) : fmt::format("{}s", noun);
}

std::string plural(const Integer& count, std::string_view noun) {
  return fmt::format("{} {}", count.get_str(), count == 1 ? std::string(noun) : plural_of(noun));
}

std::string amount(const Rational& number, std::string_view unit) {
  return exact_and_decimal(number, number == Rational(1) ? std::string(unit) : plural_of(unit));
}

std::string_view last_line(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r' || text.back() == ' ')) text.remove_suffix(1);
  return text.substr(text.rfind('\n') + 1);
}

std::string printable(std::string_view text) {
  constexpr std::size_t kWidest = 32;
  return tpn::visible(text, kWidest);
}

}  // namespace takt::tools
