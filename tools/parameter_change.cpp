// Names looked up, values read, numbers replaced.
#include "tools/parameter_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "tools/command_line.hpp"
#include "tools/files.hpp"
#include "tools/number_words.hpp"
#include "tools/options.hpp"
#include "tools/parameter_words.hpp"
#include "tpn/json.hpp"

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

}  // namespace

Parameter parameter_named(const std::string& name, const tpn::Document& document, const std::string& file) {
  const std::vector<Parameter> parameters = nameable_parameters(document);
  const auto found =
      std::ranges::find_if(parameters, [&](const Parameter& parameter) { return is_named(parameter, name); });
  if (found != parameters.end()) return *found;
  std::vector<std::string_view> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  throw UsageError(fmt::format("{} has no parameter \"{}\"{}; it has {}", display_name(file), printable(name),
                               tpn::json::suggestion(name, names), known_names(document)));
}

// Names may hold an equals sign, values not.
ParameterChange change_parameter(const std::string& option, const std::string& text, tpn::Document& document,
                                 const std::string& file) {
  const auto refuse = [&] {
    throw UsageError(fmt::format("{} takes NAME=VALUE, VALUE a number, not \"{}\"", option, printable(text)));
  };
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos) refuse();
  const std::string written = text.substr(sign + 1);
  require_plain(option, written, document);
  Parameter parameter = parameter_named(text.substr(0, sign), document, file);
  const auto quantity = quantity_of(parameter);
  const auto value = quantity ? read_quantity(written, *quantity) : read_number(written);
  if (!value) refuse();
  if (value->sign() < 0 || (parameter.is_inverse() && value->sign() == 0)) {
    throw UsageError(fmt::format("{}: {} must be {}, not {}", option, printable(parameter.name),
                                 parameter.is_inverse() ? "above 0" : "at least 0", value->to_string()));
  }
  if (!tpn::json::number_text(*value)) throw UsageError(option + ": the number is too long to be written");
  for (Rational* number : tpn::numbers_at(document, parameter)) *number = *value;
  return {std::move(parameter), *value};
}

std::string change_text(const ParameterChange& change, const TimeWords& times) {
  return fmt::format("{} at {} in place of {}", printable(change.parameter.name),
                     value_text(change.parameter, change.value, times),
                     value_text(change.parameter, change.parameter.value, times));
}

}  // namespace takt::tools
