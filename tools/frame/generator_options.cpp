// One option per name, whichever generators have a parameter of it.
#include "tools/frame/generator_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "tools/command.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/suggestion.hpp"

namespace takt::tools {

namespace {

using experiments::Arguments;
using experiments::Generator;
using experiments::GeneratorParameter;
using experiments::ParameterExpectation;
using experiments::ParameterKind;
using experiments::ParameterValue;

const GeneratorParameter* find_parameter(const Generator& generator, std::string_view name) {
  const auto found = std::ranges::find(generator.parameters, name, &GeneratorParameter::name);
  return found == generator.parameters.end() ? nullptr : &*found;
}

std::vector<std::string> parameter_names(const Generator& generator) {
  std::vector<std::string> names;
  for (const GeneratorParameter& parameter : generator.parameters) names.emplace_back(parameter.name);
  return names;
}

// The generators that have a parameter of that name, as "skeleton-pair, planted-pdm".
std::string generators_with(std::string_view name) {
  std::vector<std::string_view> found;
  for (const Generator& generator : experiments::generators()) {
    if (find_parameter(generator, name) != nullptr) found.push_back(generator.name);
  }
  return fmt::format("{}", fmt::join(found, ", "));
}

// What the parameters of that name are for: one phrase where all say the same, else each with its generators.
std::string help_of(std::string_view name) {
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> phrases;
  for (const Generator& generator : experiments::generators()) {
    const GeneratorParameter* parameter = find_parameter(generator, name);
    if (parameter == nullptr) continue;
    auto phrase = std::ranges::find(phrases, parameter->help, [](const auto& entry) { return entry.first; });
    if (phrase == phrases.end()) phrase = phrases.insert(phrases.end(), {parameter->help, {}});
    phrase->second.push_back(generator.name);
  }
  if (phrases.size() == 1 && phrases.front().second.size() == experiments::generators().size()) {
    return std::string(phrases.front().first);
  }
  std::string text;
  for (const auto& [help, names] : phrases) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", fmt::join(names, ", "), help);
  }
  return text;
}

// The names that a value of that name may be, whichever generator it is of.
std::vector<std::string> choices_of(std::string_view name) {
  std::vector<std::string> names;
  for (const Generator& generator : experiments::generators()) {
    const GeneratorParameter* parameter = find_parameter(generator, name);
    if (parameter == nullptr) continue;
    for (const std::string_view choice : parameter->choices) {
      if (std::ranges::find(names, choice) == names.end()) names.emplace_back(choice);
    }
  }
  return names;
}

std::string type_of(const GeneratorParameter& parameter) {
  switch (parameter.kind) {
    case ParameterKind::count:
      return "N";
    case ParameterKind::number:
      return "X";
    case ParameterKind::range:
      return "RANGE";
    case ParameterKind::choice:
      return "WHICH";
  }
  return {};
}

std::string values_of(const GeneratorParameter& parameter) {
  if (parameter.kind == ParameterKind::choice) return fmt::format("{}", fmt::join(parameter.choices, ", "));
  const char* what = parameter.kind == ParameterKind::count    ? ""
                     : parameter.kind == ParameterKind::number ? "a number "
                                                               : "a range ";
  if (parameter.is_above_least) return fmt::format("{}above {}, to {}", what, parameter.least, parameter.most);
  return fmt::format("{}from {} to {}", what, parameter.least, parameter.most);
}

}  // namespace

std::vector<std::string> generator_names() {
  std::vector<std::string> names;
  for (const Generator& generator : experiments::generators()) names.emplace_back(generator.name);
  return names;
}

const Generator& generator_named(const std::string& name) {
  if (const std::string wrong = one_of(generator_names())(name); !wrong.empty()) {
    throw UsageError("GENERATOR: " + wrong);
  }
  return *experiments::find_generator(name);
}

void add_generator_options(CommandLine& line, ParameterTexts& texts) {
  std::vector<std::string_view> known;
  for (const Generator& generator : experiments::generators()) {
    for (const GeneratorParameter& parameter : generator.parameters) {
      if (std::ranges::find(known, parameter.name) != known.end()) continue;
      known.push_back(parameter.name);
      const std::string name(parameter.name);
      line.option(
              "--" + name, [&texts, name](const std::string& text) { texts[name] = text; }, help_of(name))
          .offers({choices_of(name)})
          .type_name(type_of(parameter))
          .group("");
    }
  }
}

Arguments arguments_for(const Generator& generator, const ParameterTexts& texts) {
  Arguments arguments(generator);
  for (const auto& [name, text] : texts) {
    const GeneratorParameter* parameter = find_parameter(generator, name);
    if (parameter == nullptr) {
      throw UsageError(fmt::format("--{} goes with {}, not with {}", name, generators_with(name), generator.name));
    }
    auto value = experiments::parse_value(*parameter, text);
    if (const auto* wrong = std::get_if<ParameterExpectation>(&value)) {
      throw UsageError(fmt::format("--{}: found \"{}\"{}, expected {}", name, text,
                                   suggestion(text, {parameter->choices.begin(), parameter->choices.end()}),
                                   wrong->expected));
    }
    arguments.set(name, std::get<ParameterValue>(std::move(value)));
  }
  if (generator.objection != nullptr) {
    if (const auto objection = generator.objection(arguments)) throw UsageError(*objection);
  }
  return arguments;
}

void require_parameters(const Generator& generator, const std::string& option, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string wrong = one_of(parameter_names(generator))(name);
    if (!wrong.empty()) throw UsageError(fmt::format("{}: {}", option, wrong));
  }
}

Table parameter_table(const Generator& generator) {
  Table table{{{"parameter"}, {"default"}, {"values"}, {"what it is"}}, {}};
  for (const GeneratorParameter& parameter : generator.parameters) {
    table.rows.push_back({std::string(parameter.name), std::string(parameter.standard), values_of(parameter),
                          std::string(parameter.help)});
  }
  return table;
}

}  // namespace takt::tools
