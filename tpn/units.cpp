// A table of units, the way through a text to its unit, and the choice of one to write.
#include "tpn/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "tpn/json.hpp"

namespace takt::tpn {

namespace {

using maxplus::Integer;
using maxplus::NumberExpectation;
using maxplus::Rational;

// One of it is above / below seconds or bytes.
struct BaseUnit {
  std::string_view name;
  long above;
  long below = 1;
  enum class Use { any, whole, none } written = Use::any;  // for which numbers the writer takes it

  Rational factor() const { return Rational::fraction(above, below); }
};

using Use = BaseUnit::Use;

// From the largest, as far as the writer takes them.
constexpr BaseUnit kTimes[] = {
    {"h", 3600, 1, Use::whole},
    {"min", 60, 1, Use::whole},
    {"s", 1},
    {"ms", 1, 1'000},
    {"us", 1, 1'000'000},
    {"ns", 1, 1'000'000'000},
    {"\u00b5s", 1, 1'000'000, Use::none},  // the sign micro
    {"\u03bcs", 1, 1'000'000, Use::none},  // the letter mu
};

constexpr BaseUnit kSizes[] = {
    {"TiB", 1L << 40, 1, Use::whole},
    {"TB", 1'000'000'000'000},
    {"GiB", 1L << 30, 1, Use::whole},
    {"GB", 1'000'000'000},
    {"MiB", 1L << 20, 1, Use::whole},
    {"MB", 1'000'000},
    {"KiB", 1L << 10, 1, Use::whole},
    {"kB", 1'000},
    {"B", 1},
    {"Tbit", 125'000'000'000, 1, Use::none},
    {"Gbit", 125'000'000, 1, Use::none},
    {"Mbit", 125'000, 1, Use::none},
    {"kbit", 125, 1, Use::none},
    {"bit", 1, 8, Use::none},
};

const BaseUnit* find_base(std::span<const BaseUnit> units, std::string_view name) {
  const auto found = std::ranges::find(units, name, &BaseUnit::name);
  return found == units.end() ? nullptr : &*found;
}

struct KnownUnit {
  Quantity quantity;
  Rational factor;
};

std::optional<KnownUnit> find_unit(std::string_view name) {
  if (const BaseUnit* time = find_base(kTimes, name)) return KnownUnit{Quantity::time, time->factor()};
  if (const BaseUnit* size = find_base(kSizes, name)) return KnownUnit{Quantity::size, size->factor()};
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const BaseUnit* time = find_base(kTimes, name.substr(slash + 1));
  if (time == nullptr) return std::nullopt;
  if (slash == 0) return KnownUnit{Quantity::speed, Rational(1) / time->factor()};
  const BaseUnit* size = find_base(kSizes, name.substr(0, slash));
  if (size == nullptr) return std::nullopt;
  return KnownUnit{Quantity::bandwidth, size->factor() / time->factor()};
}

std::size_t digits_at(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && maxplus::is_digit(text[end])) ++end;
  return end - begin;
}

// The length of the number that a text begins with; 0 if there is none.
std::size_t number_length(std::string_view text) {
  const std::size_t sign = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits_at(text, sign);
  if (whole == 0) return 0;
  std::size_t end = sign + whole;
  const auto continues_with = [&](std::string_view marks) {
    return end < text.size() && marks.find(text[end]) != std::string_view::npos;
  };
  if (continues_with("/")) {
    const std::size_t below = digits_at(text, end + 1);
    return below == 0 ? end : end + 1 + below;
  }
  if (continues_with(".")) {
    const std::size_t fractional = digits_at(text, end + 1);
    if (fractional == 0) return end;
    end += 1 + fractional;
  }
  if (!continues_with("eE")) return end;
  const std::size_t signed_exponent = end + 1 < text.size() && (text[end + 1] == '+' || text[end + 1] == '-') ? 1 : 0;
  const std::size_t exponent = digits_at(text, end + 1 + signed_exponent);
  return exponent == 0 ? end : end + 1 + signed_exponent + exponent;
}

std::string_view without_spaces(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::string_view name_of(Quantity quantity) {
  constexpr std::array<std::string_view, 4> kNames = {"a time", "a size", "a bandwidth", "a speed"};
  return kNames[static_cast<std::size_t>(quantity)];
}

std::string known_units(Quantity quantity) {
  constexpr std::array<std::string_view, 4> kKnown = {
      "in s, ms, us, ns, min or h, such as \"10 ms\"",
      "in B, kB, MB, GB, TB, KiB, MiB, GiB, TiB or bits (kbit, Mbit, ...), such as \"4 MB\"",
      "in bytes or bits per time, such as \"1.25 GB/s\" or \"100 Mbit/s\"",
      "in operations per time, such as \"2e9/s\"",
  };
  return fmt::format("{} {}", name_of(quantity), kKnown[static_cast<std::size_t>(quantity)]);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(),
                         [](char c) { return 'A' <= c && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

// The units of a quantity that are worth being suggested; of bandwidths and speeds those per second.
std::vector<std::string> names_of_units(Quantity quantity) {
  std::vector<std::string> names;
  const bool is_time = quantity == Quantity::time;
  for (const BaseUnit& unit : is_time ? std::span<const BaseUnit>(kTimes) : std::span<const BaseUnit>(kSizes)) {
    names.push_back(std::string(unit.name) + (quantity == Quantity::bandwidth ? "/s" : ""));
  }
  return names;
}

// Whether people may mean this unit by that word: the same but for its case, b for bit, or ps for /s.
bool may_mean(std::string_view word, const std::string& unit) {
  const std::string given = lower_case(word);
  const std::string name = lower_case(unit);
  const auto is_spelled = [&](const std::string& spelling) {
    return given == spelling || given == replaced(spelling, "/s", "ps");
  };
  const bool has_small_b = word.find('b') != std::string_view::npos;
  if (is_spelled(name) || (has_small_b && is_spelled(replaced(name, "bit", "b")))) return true;
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"s", "sec"},       {"s", "second"}, {"s", "seconds"}, {"ms", "msec"}, {"us", "usec"}, {"min", "minute"},
      {"min", "minutes"}, {"h", "hr"},     {"h", "hour"},    {"h", "hours"}, {"B", "byte"},  {"B", "bytes"},
  };
  return std::ranges::find(kWords, std::pair<std::string_view, std::string_view>(unit, given)) != std::end(kWords);
}

// " (did you mean "10 ms"?)" where the unit differs from one in its spelling alone.
std::string unit_suggestion(std::string_view number, std::string_view word, Quantity quantity) {
  constexpr std::size_t kLongest = 16;
  if (word.size() > kLongest || number.size() > kLongest) return "";
  std::vector<std::string> meant;
  if (quantity == Quantity::speed) return "";
  for (const std::string& name : names_of_units(quantity)) {
    if (may_mean(word, name)) meant.push_back(fmt::format("\"{} {}\"", number, name));
  }
  return meant.empty() ? "" : fmt::format(" (did you mean {}?)", json::alternatives(meant));
}

// A number as people write it before a unit.
std::optional<std::string> number_before_unit(const Rational& number) {
  auto text = json::number_text(number);
  if (text && text->starts_with('"')) text = text->substr(1, text->size() - 2);
  return text;
}

// "2e9" for "2000000000".
std::string with_exponent(const std::string& text) {
  constexpr std::size_t kZeros = 4;
  if (text.size() > maxplus::kMaxDecimalExponent) return text;
  const std::size_t zeros = text.size() - 1 - text.find_last_not_of('0');
  if (zeros < kZeros || text.find_first_not_of("0123456789") != std::string::npos) return text;
  const std::string digits = text.substr(0, text.size() - zeros);
  return fmt::format("{}{}{}e{}", digits.front(), digits.size() > 1 ? "." : "", digits.substr(1), text.size() - 1);
}

struct WrittenUnit {
  std::string name;
  Rational factor;
  Use use;
};

// Those of a quantity, the largest first.
std::vector<WrittenUnit> units_to_write(Quantity quantity) {
  std::vector<WrittenUnit> units;
  switch (quantity) {
    case Quantity::time:
      for (const BaseUnit& time : kTimes) units.push_back({fmt::format(" {}", time.name), time.factor(), time.written});
      break;
    case Quantity::size:
      for (const BaseUnit& size : kSizes) units.push_back({fmt::format(" {}", size.name), size.factor(), size.written});
      break;
    case Quantity::bandwidth:
      for (const BaseUnit& size : kSizes) {
        for (const BaseUnit& time : kTimes) {
          units.push_back({fmt::format(" {}/{}", size.name, time.name), size.factor() / time.factor(),
                           time.name == "s" ? size.written : Use::none});
        }
      }
      break;
    case Quantity::speed:
      for (const BaseUnit& time : kTimes) {
        units.push_back(
            {fmt::format("/{}", time.name), Rational(1) / time.factor(), time.name == "s" ? Use::any : Use::none});
      }
      break;
  }
  return units;
}

// That many of a unit; nothing if it cannot be written so.
std::optional<std::string> text_in(const WrittenUnit& unit, const Rational& number, Quantity quantity) {
  const auto text = number_before_unit(number);
  if (!text) return std::nullopt;
  return (quantity == Quantity::speed ? with_exponent(*text) : *text) + unit.name;
}

// What is read with the least effort costs the least: few characters, and a number from 1 to 1000.
std::size_t reading_cost(const std::string& text, const Rational& number) {
  constexpr std::size_t kUnhandy = 2;
  const Rational magnitude = number.sign() < 0 ? -number : number;
  const bool is_handy = magnitude >= Rational(1) && magnitude < Rational(1000);
  return text.size() + (is_handy ? 0 : kUnhandy);
}

// Of longer ones none is handy, and each would take its time.
bool is_short(const Rational& number) {
  constexpr std::size_t kBits = 256;
  return mpz_sizeinbase(number.numerator().get_mpz_t(), 2) <= kBits &&
         mpz_sizeinbase(number.denominator().get_mpz_t(), 2) <= kBits;
}

// The text of least cost, of equal ones in the largest unit.
std::optional<std::string> handiest_text(const Rational& number, Quantity quantity) {
  static const std::array<std::vector<WrittenUnit>, 4> kUnits = {
      units_to_write(Quantity::time), units_to_write(Quantity::size), units_to_write(Quantity::bandwidth),
      units_to_write(Quantity::speed)};
  if (number.sign() == 0) return quantity == Quantity::size ? "0 B" : "0 s";
  const std::vector<WrittenUnit>& units = kUnits[static_cast<std::size_t>(quantity)];
  const bool is_long = !is_short(number);
  std::optional<std::string> best;
  std::size_t least_cost = 0;
  for (const WrittenUnit& unit : units) {
    if (unit.use == Use::none || (is_long && unit.factor != Rational(1))) continue;
    const Rational told = number / unit.factor;
    if (unit.use == Use::whole && !told.is_integer()) continue;
    auto text = text_in(unit, told, quantity);
    if (!text) continue;
    const std::size_t cost = reading_cost(*text, told);
    if (best && cost >= least_cost) continue;
    best = std::move(text);
    least_cost = cost;
  }
  // A number at the limits of digits and exponents may fit into the unit that it was read with only.
  for (auto unit = units.begin(); !best && unit != units.end(); ++unit)
    best = text_in(*unit, number / unit->factor, quantity);
  return best;
}

}  // namespace

std::variant<Rational, NumberExpectation> parse_quantity(std::string_view text, Quantity quantity,
                                                         std::size_t max_digits) {
  const std::size_t length = number_length(text);
  const std::string_view name = without_spaces(text.substr(length));
  if (length == text.size()) return maxplus::parse_number(text, max_digits);
  if (length == 0) return NumberExpectation{fmt::format("a number, or {}", known_units(quantity))};
  const auto unit = find_unit(name);
  if (!unit) return NumberExpectation{known_units(quantity) + unit_suggestion(text.substr(0, length), name, quantity)};
  if (unit->quantity != quantity) {
    return NumberExpectation{fmt::format("{}, not {}", known_units(quantity), name_of(unit->quantity))};
  }
  auto number = maxplus::parse_number(text.substr(0, length), max_digits);
  if (auto* read = std::get_if<Rational>(&number)) *read *= unit->factor;
  return number;
}

bool has_unit(std::string_view text) { return !text.empty() && !maxplus::is_digit(text.back()); }

std::optional<std::string> quantity_text(const Rational& number, Quantity quantity, TimeUnit time_unit) {
  if (time_unit == TimeUnit::own) return json::number_text(number);
  const auto text = handiest_text(number, quantity);
  return text ? std::optional('"' + *text + '"') : std::nullopt;
}

}  // namespace takt::tpn
