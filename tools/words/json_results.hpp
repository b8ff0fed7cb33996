// Results for programs: JSON on standard output.
#pragma once

#include <concepts>
#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// One JSON object, or an array of objects, printed as they come: what is long is no text in memory. File names need
/// not be UTF-8, JSON must: other bytes are replaced.
class JsonResults {
 public:
  enum class Form { object, array };
  /// The stream must outlive the results.
  JsonResults(Form form, std::ostream& out);
  /// The object itself of one result, an array of more.
  JsonResults(std::size_t results, std::ostream& out) : JsonResults(results == 1 ? Form::object : Form::array, out) {}
  JsonResults(const JsonResults&) = delete;
  JsonResults& operator=(const JsonResults&) = delete;

  /// Where the next object goes.
  tpn::JsonWriter& next();

  /// Prints what is there so far.
  void flush();

  /// Prints what is left; nothing if there was no object.
  void finish();

 private:
  Form form_;
  std::ostream& out_;
  bool is_empty_ = true;
  std::string text_;
  tpn::JsonWriter json_;
};

/// One object, which `write` writes.
template <typename Write>
void print_object(std::ostream& out, const Write& write) {
  JsonResults results(JsonResults::Form::object, out);
  write(results.next());
  results.finish();
}

/// An array, however short, of what `write` makes of each item.
template <typename Items, typename Write>
void print_array(std::ostream& out, const Items& items, const Write& write) {
  JsonResults results(JsonResults::Form::array, out);
  for (const auto& item : items) write(results.next(), item);
  results.finish();
}

/// A member that is an array, what `write` writes for each item.
template <typename Items, typename Write>
void write_list(tpn::JsonWriter& json, std::string_view name, const Items& items, const Write& write,
                std::optional<tpn::JsonLayout> layout = std::nullopt) {
  json.key(name);
  json.begin_array(layout);
  for (const auto& item : items) write(item);
  json.end();
}

/// A member that is an array of objects, each on a line: `write` writes the members of an item's.
template <typename Items, typename Write>
void write_objects(tpn::JsonWriter& json, std::string_view name, const Items& items, const Write& write) {
  write_list(json, name, items, [&](const auto& item) {
    json.begin_object(tpn::JsonLayout::line);
    write(item);
    json.end();
  });
}

/// The members of a mapping's part: its stages and its processors, by name.
void write_mapped_part(tpn::JsonWriter& json, const tpn::Part& part, const tpn::Document& document);

/// An exact number as two members: `name`, a string such as "692/3", and `name_decimal`, the nearest double, null
/// beyond the largest one. Both are null if there is no number.
void write_exact(tpn::JsonWriter& json, std::string_view name, const std::optional<maxplus::Rational>& number);

/// Likewise, two arrays.
void write_exact_list(tpn::JsonWriter& json, std::string_view name, const std::vector<maxplus::Rational>& numbers);

/// The points of a curve, from pairs of numbers.
template <typename Curve>
void write_curve(tpn::JsonWriter& json, std::string_view name, const Curve& curve, std::string_view x,
                 std::string_view y) {
  json.key(name);
  json.begin_array(tpn::JsonLayout::compact);
  for (const auto& [at, value] : curve) {
    json.begin_object();
    write_exact(json, x, at);
    write_exact(json, y, value);
    json.end();
  }
  json.end();
}

/// A share of 1 in percent, a decimal; null if there is none.
void write_percent(tpn::JsonWriter& json, std::string_view name, const std::optional<maxplus::Rational>& share);

/// 1 / period in the same way; null if the period is 0 or not known.
void write_reciprocal(tpn::JsonWriter& json, std::string_view name, const std::optional<maxplus::Rational>& period);

/// A whole number: a number of JSON from -2^53 to 2^53, which every reader takes exactly, and a string beyond.
void write_count(tpn::JsonWriter& json, std::string_view name, const maxplus::Integer& count);
void write_count(tpn::JsonWriter& json, std::string_view name, std::integral auto count) {
  write_count(json, name, maxplus::Integer(count));
}

}  // namespace takt::tools
