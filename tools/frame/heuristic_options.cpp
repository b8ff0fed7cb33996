// One option per name, whichever heuristics have it.
#include "tools/frame/heuristic_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "heuristics/registry.hpp"
#include "tools/command.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/suggestion.hpp"

namespace takt::tools {

namespace {

using heuristics::Heuristic;
using heuristics::Option;
using maxplus::Rational;

const Option* find_option(const Heuristic& heuristic, std::string_view name) {
  const auto found = std::ranges::find(heuristic.options, name, &Option::name);
  return found == heuristic.options.end() ? nullptr : &*found;
}

// The heuristics that have an option of that name, as "bsc, bsl".
std::string heuristics_with(std::string_view name) {
  std::string text;
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    if (find_option(heuristic, name) != nullptr) text += (text.empty() ? "" : ", ") + std::string(heuristic.name);
  }
  return text;
}

std::string help_of(const Option& option) {
  std::string text = fmt::format("{}: {}", heuristics_with(option.name), option.help);
  if (const std::string choices = heuristics::choices_text(option); !choices.empty()) text += "; " + choices;
  text += "; default: " + value_text(option.standard);
  return option.most ? text + fmt::format(", at most {}", *option.most) : text;
}

std::string type_of(const Option& option) {
  if (std::holds_alternative<bool>(option.standard)) return "YES|NO";
  if (std::holds_alternative<std::string>(option.standard)) return option.or_heuristic ? "NAME" : "WHICH";
  return option.bound == tpn::json::Bound::whole || option.bound == tpn::json::Bound::positive_whole ? "N" : "X";
}

// The value that a text stands for; the text itself where it is none of the option's kind.
tpn::OptionValue read_value(const Option& option, const std::string& text) {
  if (std::holds_alternative<bool>(option.standard) && (text == "yes" || text == "no")) return text == "yes";
  if (std::holds_alternative<Rational>(option.standard)) {
    if (const auto number = read_number(text)) return *number;
  }
  return text;
}

// The names that a value of the heuristic's option may be.
std::vector<std::string> names_for(const Heuristic& owner, const Option& option) {
  std::vector<std::string> names(option.choices.begin(), option.choices.end());
  if (!option.or_heuristic) return names;
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    if (heuristic.name != owner.name) names.emplace_back(heuristic.name);
  }
  return names;
}

// The names that a value of that name may be, whichever heuristic it is of.
std::vector<std::string> all_names_for(std::string_view name) {
  std::vector<std::string> names;
  const auto add = [&names](const std::string& value) {
    if (std::ranges::find(names, value) == names.end()) names.push_back(value);
  };
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    const Option* option = find_option(heuristic, name);
    if (option == nullptr) continue;
    if (std::holds_alternative<bool>(option->standard)) std::ranges::for_each(std::array{"yes", "no"}, add);
    std::ranges::for_each(names_for(heuristic, *option), add);
  }
  return names;
}

}  // namespace

std::vector<std::string> heuristic_names(std::vector<std::string> before) {
  for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) before.emplace_back(heuristic.name);
  return before;
}

std::string value_text(const tpn::OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "yes" : "no";
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto& number = std::get<Rational>(value);
  return tpn::json::number_text(number).value_or(number.to_string());
}

void add_heuristic_options(CommandLine& line, OptionTexts& texts) {
  constexpr const char* kGroup = "Options of heuristics";
  std::vector<std::string_view> known;
  for (const Heuristic& heuristic : heuristics::heuristics()) {
    for (const Option& option : heuristic.options) {
      if (std::ranges::find(known, option.name) != known.end()) continue;
      known.push_back(option.name);
      const std::string name(option.name);
      line.option(
              "--" + name, [&texts, name](const std::string& text) { texts[name] = text; }, help_of(option))
          .offers({all_names_for(name)})
          .type_name(type_of(option))
          .group(kGroup);
    }
  }
}

std::vector<heuristics::OptionSetting> settings_for(const Heuristic& heuristic, const OptionTexts& texts) {
  std::vector<heuristics::OptionSetting> settings;
  for (const auto& [name, text] : texts) {
    const Option* option = find_option(heuristic, name);
    if (option == nullptr) continue;
    const tpn::OptionValue value = read_value(*option, text);
    if (const auto expected = heuristics::violation(heuristic, *option, value)) {
      throw UsageError(fmt::format("--{}: found \"{}\"{}, expected {}", name, text,
                                   suggestion(text, names_for(heuristic, *option)), *expected));
    }
    settings.emplace_back(name, value);
  }
  return settings;
}

void require_known(const OptionTexts& texts, const std::vector<const Heuristic*>& heuristics) {
  for (const auto& [name, text] : texts) {
    const bool is_known = std::ranges::any_of(
        heuristics, [&, &option = name](const Heuristic* heuristic) { return find_option(*heuristic, option); });
    if (!is_known) throw UsageError(fmt::format("--{} goes with --heuristic {}", name, heuristics_with(name)));
  }
}

}  // namespace takt::tools
