// An array opens with its first object.
#include "tools/words/json_results.hpp"

#include <cstdint>
#include <ostream>

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

constexpr std::uint64_t kMostExact = std::uint64_t{1} << 53;

std::string decimal_key(std::string_view name) { return std::string(name) + "_decimal"; }

}  // namespace

JsonResults::JsonResults(Form form, std::ostream& out)
    : form_(form), out_(out), json_(text_, tpn::IllFormed::replaced, [&out](std::string& text) {
        out << text;
        text.clear();
      }) {}

tpn::JsonWriter& JsonResults::next() {
  if (form_ == Form::array && is_empty_) json_.begin_array();
  is_empty_ = false;
  return json_;
}

void JsonResults::flush() {
  out_ << text_ << std::flush;
  text_.clear();
}

void JsonResults::finish() {
  if (is_empty_) return;
  if (form_ == Form::array) json_.end();
  out_ << text_ << '\n';
}

void write_exact(tpn::JsonWriter& json, std::string_view name, const std::optional<Rational>& number) {
  json.member(name, number ? std::optional(number->to_string()) : std::nullopt);
  json.member(decimal_key(name), number ? number->to_double() : std::nullopt);
}

void write_exact_list(tpn::JsonWriter& json, std::string_view name, const std::vector<Rational>& numbers) {
  json.key(name);
  json.begin_array(tpn::JsonLayout::compact);
  for (const Rational& number : numbers) json.value(number.to_string());
  json.end();
  json.key(decimal_key(name));
  json.begin_array(tpn::JsonLayout::compact);
  for (const Rational& number : numbers) json.value(number.to_double());
  json.end();
}

void write_reciprocal(tpn::JsonWriter& json, std::string_view name, const std::optional<Rational>& period) {
  write_exact(json, name, period && period->sign() != 0 ? std::optional(Rational(1) / *period) : std::nullopt);
}

void write_count(tpn::JsonWriter& json, std::string_view name, const Integer& count) {
  json.key(name);
  if (abs(count) <= kMostExact) {
    json.raw(count.get_str());
  } else {
    json.value(count.get_str());
  }
}

}  // namespace takt::tools
