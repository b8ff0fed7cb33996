// Six digits to read, the whole number where it fits.
#include "tools/number_words.hpp"

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
  return fmt::format("about 1e{}", Integer(number.numerator() / number.denominator()).get_str().size() - 1);
}

std::string percent(const std::optional<Rational>& share) {
  if (!share) return "-";
  const auto value = (*share * Rational(100)).to_double();
  // Rounding must not make an idling resource look busy all the time.
  if (*share < Rational(1) && value && *value >= 99.95) return "> 99.9 %";
  return value ? fmt::format("{:.1f} %", *value) : "-";
}

std::string exact_and_decimal(const Rational& number) {
  constexpr std::size_t kReadable = 48;
  std::string exact = number.to_string();
  const std::string about = decimal(number);
  if (exact.size() > kReadable) return "about " + about;
  if (number.is_integer()) return exact;
  return fmt::format("{} ({}{})", exact, is_exactly(number, about) ? "" : "about ", about);
}

Cells cells(const Rational& number) {
  constexpr std::size_t kWidest = 24;
  std::string exact = number.to_string();
  const bool fits = exact.size() <= kWidest;
  if (number.is_integer() && fits) return {std::move(exact), ""};
  return {decimal(number), fits ? std::move(exact) : "(see --json)"};
}

std::string plural(const Integer& count, std::string_view noun) {
  return fmt::format("{} {}{}", count.get_str(), noun, count == 1 ? "" : "s");
}

std::string amount(const Rational& number, std::string_view unit) {
  return fmt::format("{} {}{}", exact_and_decimal(number), unit, number == Rational(1) ? "" : "s");
}

std::string printable(std::string_view text) {
  constexpr std::size_t kWidest = 32;
  return tpn::visible(text, kWidest);
}

}  // namespace takt::tools
