// Names looked up, values read, numbers replaced.
#include "tools/answers/parameter_change.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <utility>

#include "tools/files/files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/parameter_words.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"
#include "tpn/units.hpp"

namespace takt::tools {

using maxplus::Rational;
using tpn::DocumentCount;
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

// Of numbers of ports and cores where the name is as theirs are, else of parameters.
std::string known_names(const std::string& name, const tpn::Document& document,
                        const std::vector<NamedCounts>& counts) {
  std::vector<std::string> names;
  if (name.ends_with(" ports") || name.ends_with(" cores")) {
    for (const NamedCounts& one : counts) names.push_back(tpn::name_of(one));
  } else {
    for (const Parameter& row : tpn::with_alike_together(document, tpn::parameters_of(document)))
      names.push_back(row.name);
  }
  std::string known;
  for (std::size_t k = 0; k < names.size() && k < kKnownNames; ++k)
    known += (k == 0 ? "\"" : ", \"") + printable(names[k]) + "\"";
  if (names.size() > kKnownNames) known += fmt::format(" and {} more", names.size() - kKnownNames);
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
                     example_with_unit(written, words.number, words.unit));
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

// A long name as tables show it; null if it is that of several, or of none.
const Parameter* as_printed(const std::vector<Parameter>& parameters, const std::string& name) {
  const Parameter* found = nullptr;
  for (const Parameter& parameter : parameters) {
    if (printable(parameter.name) != name || (found != nullptr && found->name == parameter.name)) continue;
    if (found != nullptr) return nullptr;
    found = &parameter;
  }
  return found;
}

// Alike ones together, then single ones, also those of types.
std::vector<NamedCounts> nameable_counts(const tpn::Document& document) {
  std::vector<NamedCounts> all;
  const std::vector<DocumentCount> used = tpn::counts_of(document);
  for (const std::vector<std::size_t>& alike : tpn::alike_counts(document, used)) {
    NamedCounts& together = all.emplace_back();
    for (const std::size_t c : alike) together.push_back(used[c]);
  }
  for (DocumentCount& count : tpn::all_counts_of(document)) all.push_back({std::move(count)});
  return all;
}

// A group's pointer is that of its first number, which alone is meant by it.
bool is_named(const NamedCounts& counts, const std::string& name) {
  return tpn::name_of(counts) == name || (counts.size() == 1 && counts.front().pointer == name);
}

constexpr std::string_view kUnlimitedWord = "unlimited";

std::uint64_t count_of(const std::string& place, const std::string& written, DocumentCount::Quantity quantity) {
  const bool is_of_ports = quantity == DocumentCount::Quantity::ports;
  if (is_of_ports && written == kUnlimitedWord) return tpn::kUnlimitedPorts;
  const auto number = read_number(written);
  const std::uint64_t most = tpn::most_of(quantity);
  if (number && number->denominator() == 1 && number->sign() > 0 && *number <= Rational(most))
    return number->numerator().get_ui();
  throw UsageError(fmt::format("{}: found \"{}\", expected a whole number from 1 to {}{}", place, printable(written),
                               most, is_of_ports ? ", or \"unlimited\"" : ""));
}

std::optional<Rational> value_of_count(std::uint64_t count) {
  if (count == tpn::kUnlimitedPorts) return std::nullopt;
  return Rational(count);
}

ParameterChange change_counts(const std::string& option, NamedCounts counts, const std::string& written,
                              tpn::Document& document) {
  ParameterChange change{tpn::name_of(counts), counts.front().pointer, {}, value_of_count(counts.front().value), {}};
  const std::string place = fmt::format("{}: {}", option, printable(change.name));
  const std::uint64_t count = count_of(place, written, counts.front().quantity);
  change.value = value_of_count(count);
  for (DocumentCount& one : counts) one.value = count;
  try {
    document = tpn::with_counts(document, counts);
  } catch (const tpn::InvalidInstance& refused) {
    throw UsageError(fmt::format("{}: not {}: {}", place, printable(written), refused.what()));
  }
  return change;
}

ParameterChange change_number(const std::string& option, Parameter parameter, const std::string& written,
                              tpn::Document& document) {
  const std::string place = fmt::format("{}: {}", option, printable(parameter.name));
  const Rational value = value_of(place, written, parameter, document);
  if (value.sign() < 0 || (parameter.is_inverse() && value.sign() == 0)) {
    const auto quantity = quantity_of(parameter);
    throw UsageError(fmt::format("{}: found \"{}\", expected {} {}", place, printable(written),
                                 quantity ? words_of_values(*quantity).noun : "a number",
                                 parameter.is_inverse() ? "above 0" : "of at least 0"));
  }
  if (!tpn::json::number_text(value)) throw UsageError(option + ": the number is too long to be written");
  for (Rational* number : tpn::numbers_at(document, parameter)) *number = value;
  ParameterChange change{parameter.name, parameter.pointer, {}, parameter.value, value};
  change.parameter = std::move(parameter);
  return change;
}

std::string changed_value_text(const ParameterChange& change, const std::optional<Rational>& value,
                               const TimeWords& times) {
  if (change.parameter) return value_text(*change.parameter, *value, times);
  return value ? value->to_string() : std::string(kUnlimitedWord);
}

}  // namespace

std::variant<Parameter, NamedCounts> number_named(const std::string& name, const tpn::Document& document,
                                                  const std::string& file) {
  const std::vector<Parameter> parameters = nameable_parameters(document);
  const auto found =
      std::ranges::find_if(parameters, [&](const Parameter& parameter) { return is_named(parameter, name); });
  if (found != parameters.end()) return *found;
  if (const auto* shortened = as_printed(parameters, name)) return *shortened;
  const std::vector<NamedCounts> counts = nameable_counts(document);
  const auto counted = std::ranges::find_if(counts, [&](const NamedCounts& one) { return is_named(one, name); });
  if (counted != counts.end()) {
    const auto second =
        std::find_if(std::next(counted), counts.end(), [&](const NamedCounts& one) { return is_named(one, name); });
    if (counted->size() > 1 || second == counts.end()) return *counted;
    throw UsageError(fmt::format("{} has several \"{}\": say which by its pointer, {} or {}", display_name(file),
                                 printable(name), counted->front().pointer, second->front().pointer));
  }
  std::vector<std::string> names;
  names.reserve(parameters.size() + counts.size());
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  for (const NamedCounts& one : counts) names.push_back(tpn::name_of(one));
  throw UsageError(fmt::format("{} has no parameter \"{}\"{}; it has {}", display_name(file), printable(name),
                               meant_parameter(name, {names.begin(), names.end()}),
                               known_names(name, document, counts)));
}

std::string without_blanks_around(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

namespace {

// Names may hold an equals sign, values not.
ParameterChange change_parameter(const std::string& option, const std::string& text, tpn::Document& document,
                                 const std::string& file) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos) {
    throw UsageError(fmt::format("{} takes NAME=VALUE, VALUE a number, not \"{}\"", option, printable(text)));
  }
  const std::string written = without_blanks_around(text.substr(sign + 1));
  auto named = number_named(without_blanks_around(text.substr(0, sign)), document, file);
  if (auto* const counts = std::get_if<NamedCounts>(&named))
    return change_counts(option, std::move(*counts), written, document);
  return change_number(option, std::get<Parameter>(std::move(named)), written, document);
}

}  // namespace

std::vector<ParameterChange> change_parameters(const std::string& option, const std::vector<std::string>& texts,
                                               tpn::Document& document, const std::string& file) {
  std::vector<ParameterChange> changes;
  for (const std::string& text : texts) {
    ParameterChange change = change_parameter(option, text, document, file);
    if (std::ranges::find(changes, change.name, &ParameterChange::name) != changes.end())
      throw UsageError(fmt::format("{} changes {} twice", option, printable(change.name)));
    changes.push_back(std::move(change));
  }
  return changes;
}

std::string change_text(const ParameterChange& change, const TimeWords& times) {
  return fmt::format("{} at {} in place of {}", printable(change.name), changed_value_text(change, change.value, times),
                     changed_value_text(change, change.before, times));
}

}  // namespace takt::tools
