// An array opens with its first object.
#include "tools/words/json_results.hpp"

#include <cstdint>
#include <ostream>

#include "tools/words/number_words.hpp"

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

void write_mapped_part(tpn::JsonWriter& json, const tpn::Part& part, const tpn::Document& document) {
  const auto& stages = document.application.stages;
  json.key("stages");
  json.begin_array();
  for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) json.value(stages[k].name);
  json.end();
  write_list(json, "processors", part.processors,
             [&](std::size_t p) { json.value(document.platform.processors[p].name); });
}

void write_exact(tpn::JsonWriter& json, std::string_view name, const std::optional<Rational>& number) {
  json.member(name, number ? std::optional(number->to_string()) : std::nullopt);
  json.member(decimal_key(name), number ? number->to_double() : std::nullopt);
}

void write_exact_list(tpn::JsonWriter& json, std::string_view name, const std::vector<Rational>& numbers) {
  write_list(
      json, name, numbers, [&](const Rational& number) { json.value(number.to_string()); }, tpn::JsonLayout::compact);
  write_list(
      json, decimal_key(name), numbers, [&](const Rational& number) { json.value(number.to_double()); },
      tpn::JsonLayout::compact);
}

void write_percent(tpn::JsonWriter& json, std::string_view name, const std::optional<Rational>& share) {
  json.member(name, share ? in_percent(*share) : std::nullopt);
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
