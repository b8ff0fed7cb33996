// Reading values of a JSON tree, and the words of what is wrong with them.
#include "tpn/json.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "tpn/json_writer.hpp"
#include "tpn/visible.hpp"

namespace takt::tpn::json {

namespace {

using maxplus::Integer;
using maxplus::kMaxDecimalExponent;
using maxplus::kMaxDigits;
using maxplus::NumberExpectation;
using maxplus::Rational;

constexpr std::size_t kShownCharacters = 60;

// The steps from the root to a value, or nothing if it is not below `here`.
bool find_steps(const Value& here, const Value& wanted, std::string& pointer) {
  if (&here == &wanted) return true;
  for (std::size_t i = 0; i < here.items.size(); ++i) {
    const std::size_t length = pointer.size();
    pointer += pointer_step(here.kind == Kind::object ? here.keys[i].name : std::to_string(i));
    if (find_steps(here.items[i], wanted, pointer)) return true;
    pointer.resize(length);
  }
  return false;
}

[[noreturn]] void fail_at(const Tree& tree, Position position, const std::string& pointer, const std::string& found,
                          const std::string& expected) {
  throw ParseError(tree.file, position.line, position.column, "found " + found + ", expected " + expected, pointer);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0]++;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

bool is_letter(char c) { return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z'); }

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::ranges::transform(lower, lower.begin(), [](char c) { return 'A' <= c && c <= 'Z' ? char(c - 'A' + 'a') : c; });
  return lower;
}

// A number as mantissa * 10^exponent, the mantissa's digits without zeros at the end.
struct Decimal {
  bool negative = false;
  std::string digits;
  long exponent = 0;
};

std::optional<Decimal> as_decimal(const Rational& number) {
  Integer rest = number.denominator();
  Integer mantissa = abs(number.numerator());
  const unsigned long twos = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), Integer(2).get_mpz_t());
  const unsigned long fives = mpz_remove(rest.get_mpz_t(), rest.get_mpz_t(), Integer(5).get_mpz_t());
  if (rest != 1) return std::nullopt;
  const unsigned long places = std::max(twos, fives);
  Integer factor;
  mpz_ui_pow_ui(factor.get_mpz_t(), twos > fives ? 5 : 2, places - std::min(twos, fives));
  mantissa *= factor;
  Decimal decimal{number.sign() < 0, mantissa.get_str(), -static_cast<long>(places)};
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') {
    decimal.digits.pop_back();
    ++decimal.exponent;
  }
  return decimal;
}

// Digits with a decimal point as far as the exponent's range demands or, for small numbers, as people write.
std::string decimal_text(const Decimal& decimal) {
  constexpr long kLeadingZeros = 4;
  std::string digits = decimal.digits;
  const bool plain = decimal.exponent <= 0 && -decimal.exponent <= static_cast<long>(digits.size()) + kLeadingZeros;
  const long exponent = plain ? 0 : std::clamp<long>(decimal.exponent, -kMaxDecimalExponent, kMaxDecimalExponent);
  const long shift = decimal.exponent - exponent;
  if (shift > 0) digits.append(static_cast<std::size_t>(shift), '0');
  if (shift < 0) {
    const auto places = static_cast<std::size_t>(-shift);
    if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
    digits.insert(digits.size() - places, ".");
  }
  return (decimal.negative ? "-" : "") + digits + (exponent == 0 ? "" : "e" + std::to_string(exponent));
}

// False only where the number has more than 2 * (kMaxDigits + kMaxDecimalExponent) digits above or below.
bool has_modest_size(const Rational& number) {
  constexpr std::size_t kDigits = 2 * (kMaxDigits + kMaxDecimalExponent);
  return mpz_sizeinbase(number.numerator().get_mpz_t(), 10) <= kDigits &&
         mpz_sizeinbase(number.denominator().get_mpz_t(), 10) <= kDigits;
}

}  // namespace

void fail(const Tree& tree, const Value& at, const std::string& found, const std::string& expected) {
  fail_at(tree, at.position, pointer_of(tree, at), found, expected);
}

std::string quote(std::string_view text) {
  const std::string_view shown = text.substr(0, kShownCharacters);
  std::string quoted = *json_string(shown, IllFormed::dropped);
  if (shown.size() < text.size()) quoted.insert(quoted.size() - 1, "...");
  return quoted;
}

std::string describe(const Value& value) {
  switch (value.kind) {
    case Kind::null:
      return "null";
    case Kind::boolean:
      return value.boolean ? "true" : "false";
    case Kind::number:
      return "the number " +
             (value.text.size() <= kShownCharacters ? value.text : value.text.substr(0, kShownCharacters) + "...");
    case Kind::string:
      return "the text " + quote(value.text);
    case Kind::array:
      return "an array";
    case Kind::object:
      return "an object";
  }
  return "";
}

std::string alternatives(std::span<const std::string> names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 < names.size() ? ", " : " or ";
    list += names[i];
  }
  return list;
}

std::string one_of(std::span<const std::string_view> names) {
  std::vector<std::string> quoted;
  for (const std::string_view name : names) quoted.push_back(quote(name));
  return alternatives(quoted);
}

std::string suggestion(std::string_view name, std::span<const std::string_view> names) {
  if (name.size() > 20) return "";
  const std::string given = lower_case(name);
  for (const std::string_view known : names) {
    if (edit_distance(given, lower_case(known)) <= (name.size() < 4 ? 1u : 2u)) {
      return " (did you mean " + quote(known) + "?)";
    }
  }
  return "";
}

const Value* find(const Value& object, std::string_view key) {
  const auto found =
      std::find_if(object.keys.begin(), object.keys.end(), [key](const Key& k) { return k.name == key; });
  return found == object.keys.end() ? nullptr : &object.items[static_cast<std::size_t>(found - object.keys.begin())];
}

const Value& as_object(const Tree& tree, const Value& value, std::string_view what) {
  if (value.kind != Kind::object) fail(tree, value, describe(value), "an object: " + std::string(what));
  return value;
}

const Value& as_object(const Tree& tree, const Value& value, std::string_view what,
                       std::span<const std::string_view> allowed) {
  as_object(tree, value, what);
  for (const Key& key : value.keys) {
    if (std::ranges::find(allowed, key.name) != allowed.end()) continue;
    if (std::ranges::find(tree.remarks, key.name) != tree.remarks.end()) continue;
    fail_at(tree, key.position, pointer_of(tree, value) + pointer_step(key.name),
            "the unknown key " + quote(key.name) + suggestion(key.name, allowed),
            one_of(allowed) + " in " + std::string(what));
  }
  return value;
}

const Value& required(const Tree& tree, const Value& object, std::string_view what, std::string_view key) {
  const Value* value = find(object, key);
  if (value == nullptr) fail(tree, object, std::string(what) + " without " + quote(key), "the key " + quote(key));
  return *value;
}

const std::vector<Value>& as_array(const Tree& tree, const Value& value, std::string_view what) {
  if (value.kind != Kind::array) fail(tree, value, describe(value), "an array: " + std::string(what));
  return value.items;
}

const std::string& as_string(const Tree& tree, const Value& value, std::string_view what) {
  if (value.kind != Kind::string) fail(tree, value, describe(value), "a text: " + std::string(what));
  return value.text;
}

bool as_boolean(const Tree& tree, const Value& value) {
  if (value.kind != Kind::boolean) fail(tree, value, describe(value), "true or false");
  return value.boolean;
}

std::optional<std::string> violation(const Rational& number, Bound bound) {
  const bool whole = number.is_integer();
  switch (bound) {
    case Bound::any:
      return std::nullopt;
    case Bound::non_negative:
      return number.sign() >= 0 ? std::nullopt : std::optional("a number of at least 0");
    case Bound::positive:
      return number.sign() > 0 ? std::nullopt : std::optional("a number greater than 0");
    case Bound::whole:
      return whole && number.sign() >= 0 ? std::nullopt : std::optional("a whole number of at least 0");
    case Bound::positive_whole:
      return whole && number.sign() > 0 ? std::nullopt : std::optional("a whole number greater than 0");
  }
  return std::nullopt;
}

Rational as_number(const Tree& tree, const Value& value, Bound bound) {
  if (value.kind != Kind::number && value.kind != Kind::string) {
    fail(tree, value, describe(value), "a number such as 12, 0.5 or \"7/2\"");
  }
  auto parsed = value.kind == Kind::number ? maxplus::parse_decimal(value.text, tree.max_digits)
                                           : maxplus::parse_number(value.text, tree.max_digits);
  if (const auto* refused = std::get_if<NumberExpectation>(&parsed)) {
    const bool has_unit = value.kind == Kind::string && !value.text.empty() && is_letter(value.text.back());
    fail(tree, value, describe(value), refused->expected + (has_unit ? ", without a unit" : ""));
  }
  Rational number = std::get<Rational>(std::move(parsed));
  if (const auto expected = violation(number, bound)) fail(tree, value, describe(value), *expected);
  return number;
}

std::string pointer_of(const Tree& tree, const Value& value) {
  std::string pointer;
  const bool is_in_tree = find_steps(tree.root, value, pointer);
  maxplus::expects(is_in_tree, "a value belongs to its tree");
  return pointer;
}

Position position_of(const Tree& tree, std::string_view pointer) {
  const Value* here = &tree.root;
  while (!pointer.empty()) {
    pointer.remove_prefix(1);
    const std::string_view step = pointer.substr(0, pointer.find('/'));
    pointer.remove_prefix(step.size());
    const Value* next = nullptr;
    for (std::size_t i = 0; i < here->items.size() && next == nullptr; ++i) {
      const std::string name = pointer_step(here->kind == Kind::object ? here->keys[i].name : std::to_string(i));
      if (std::string_view(name).substr(1) == step) next = &here->items[i];
    }
    if (next == nullptr) break;
    here = next;
  }
  return here->position;
}

std::string pointer_step(std::string_view key) {
  std::string step = "/";
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return step;
}

std::string place(const Tree& tree, Position position) {
  return tree.file + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
}

std::optional<std::string> number_text(const Rational& number) {
  constexpr std::size_t kSignificantDigits = 15;
  constexpr std::int64_t kLargestInteger = std::int64_t{1} << 53;
  if (number.is_integer() && abs(number.numerator()) <= kLargestInteger) return number.to_string();
  if (!has_modest_size(number)) return std::nullopt;

  const std::optional<Decimal> decimal = as_decimal(number);
  const auto reads_back = [&number](const std::string& text) {
    const auto parsed = maxplus::parse_decimal(text);
    const auto* read = std::get_if<Rational>(&parsed);
    return read != nullptr && *read == number;
  };
  if (decimal && decimal->digits.size() <= kSignificantDigits) {
    if (std::string text = decimal_text(*decimal); reads_back(text)) return text;
  }
  if (const auto parsed = maxplus::parse_fraction(number.to_string()); std::holds_alternative<Rational>(parsed)) {
    return '"' + number.to_string() + '"';
  }
  if (decimal) {
    if (std::string text = decimal_text(*decimal); reads_back(text)) return text;
  }
  return std::nullopt;
}

std::optional<std::string> string_text(std::string_view text) { return json_string(text, IllFormed::refused); }

}  // namespace takt::tpn::json
