// Names looked up, values read, numbers replaced.
#include "tools/answers/parameter_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/parameter_words.hpp"
#include "tpn/json.hpp"
#include "tpn/units.hpp"

namespace takt::tools {

using maxplus::Rational;
using tpn::Parameter;

namespace {

constexpr std::size_t kKnownNames = 12;

// Groups, single ones, and those that the mapping does not use.
std::vector<Parameter> nameable_parameters(const tpn::Document& document) {
  const std::vector<Parameter> used = tpn::parameters_of(document);
  std::vector<Parameter> all = tpn::with_alike_together(document, used);
  all.insert(all.end(), used.begin(), used.end());
  const std::vector<Parameter> unused = tpn::all_parameters_of(document);
  all.insert(all.end(), unused.begin(), unused.end());
  return all;
}

// A group's pointer is that of its first number, which alone is meant by it.
bool is_named(const Parameter& parameter, const std::string& name) {
  return parameter.name == name || (parameter.alike.empty() && parameter.pointer == name);
}

std::string known_names(const tpn::Document& document) {
  const std::vector<Parameter> rows = tpn::with_alike_together(document, tpn::parameters_of(document));
  std::string known;
  for (std::size_t k = 0; k < rows.size() && k < kKnownNames; ++k)
    known += (k == 0 ? "\"" : ", \"") + printable(rows[k].name) + "\"";
  if (rows.size() > kKnownNames) known += fmt::format(" and {} more", rows.size() - kKnownNames);
  return known;
}

// How values of a quantity are called, and the unit of an example.
struct ValueWords {
  std::string_view noun;
  std::string_view number;
  std::string_view unit;
};

ValueWords words_of_values(tpn::Quantity quantity) {
  switch (quantity) {
    case tpn::Quantity::size:
      return {"a size", "4", " MB"};
    case tpn::Quantity::bandwidth:
      return {"a bandwidth", "1.25", " GB/s"};
    case tpn::Quantity::speed:
      return {"a speed", "2e9", "/s"};
    case tpn::Quantity::time:
      break;
  }
  return {"a time", "10", " ms"};
}

// A value of the parameter's kind, with a unit exactly where the document has units; 0 needs none.
Rational value_of(const std::string& place, const std::string& written, const Parameter& parameter,
                  const tpn::Document& document) {
  const auto refuse = [&](const std::string& wanted) {
    throw UsageError(fmt::format("{}: found \"{}\", expected {}", place, printable(written), wanted));
  };
  const auto quantity = quantity_of(parameter);
  if (!quantity) {
    if (const auto number = read_number(written)) return *number;
    refuse("a number alone: works have no unit");
  }
  const ValueWords words = words_of_values(*quantity);
  const auto value = read_quantity(written, *quantity);
  const bool has_units = document.time_unit == tpn::TimeUnit::second;
  if (!value && has_units) refuse(fmt::format("{}, as in \"{}{}\"", words.noun, words.number, words.unit));
  const bool is_other_quantity = tpn::has_unit(written) && !written.empty() && written.find_first_of("0123456789") == 0;
  if (!value && is_other_quantity) refuse("a number alone: the numbers of the file have no units");
  if (!value) refuse("a number");
  if (value->sign() == 0 && !tpn::has_unit(written)) return *value;
  require_same_units(place, written, tpn::has_unit(written), document,
                     fmt::format("\"{}{}\"", printable(written), words.unit));
  return *value;
}

// Of a processor or a stage alone: the first parameter that is of it.
std::string meant_parameter(const std::string& name, const std::vector<std::string_view>& names) {
  std::string meant = tpn::json::suggestion(name, names);
  if (!meant.empty() || name.empty()) return meant;
  for (const std::string_view known : names) {
    const bool is_of_it = known.starts_with(name + " ") || known.ends_with(" " + name);
    if (is_of_it) return fmt::format(" (did you mean \"{}\"?)", printable(known));
  }
  return "";
}

}  // namespace

Parameter parameter_named(const std::string& name, const tpn::Document& document, const std::string& file) {
  const std::vector<Parameter> parameters = nameable_parameters(document);
  const auto found =
      std::ranges::find_if(parameters, [&](const Parameter& parameter) { return is_named(parameter, name); });
  if (found != parameters.end()) return *found;
  std::vector<std::string_view> names;
  names.reserve(parameters.size());
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  throw UsageError(fmt::format("{} has no parameter \"{}\"{}; it has {}", display_name(file), printable(name),
                               meant_parameter(name, names), known_names(document)));
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

// Names may hold an equals sign, values not.
ParameterChange change_parameter(const std::string& option, const std::string& text, tpn::Document& document,
                                 const std::string& file) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos) {
    throw UsageError(fmt::format("{} takes NAME=VALUE, VALUE a number, not \"{}\"", option, printable(text)));
  }
  Parameter parameter = parameter_named(without_blanks_around(text.substr(0, sign)), document, file);
  const std::string place = fmt::format("{}: {}", option, printable(parameter.name));
  const Rational value = value_of(place, without_blanks_around(text.substr(sign + 1)), parameter, document);
  if (value.sign() < 0 || (parameter.is_inverse() && value.sign() == 0)) {
    throw UsageError(fmt::format("{}: {} must be {}, not {}", option, printable(parameter.name),
                                 parameter.is_inverse() ? "above 0" : "at least 0", value.to_string()));
  }
  if (!tpn::json::number_text(value)) throw UsageError(option + ": the number is too long to be written");
  for (Rational* number : tpn::numbers_at(document, parameter)) *number = value;
  return {std::move(parameter), value};
}

std::string change_text(const ParameterChange& change, const TimeWords& times) {
  return fmt::format("{} at {} in place of {}", printable(change.parameter.name),
                     value_text(change.parameter, change.value, times),
                     value_text(change.parameter, change.parameter.value, times));
}

}  // namespace takt::tools
