// Tables of words that other programs have, and the search for what a word means here.
#include "tools/frame/wrong_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "tools/frame/options.hpp"
#include "tools/frame/rates.hpp"
#include "tools/words/suggestion.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

using WordMeant = std::pair<std::string_view, std::string_view>;  // a word, and what it is called here

constexpr auto kOtherCommands =
    std::to_array<WordMeant>({{"-v", "--version"},        {"version", "--version"}, {"-?", "--help"},
                              {"usage", "--help"},        {"solve", "evaluate"},    {"analyze", "evaluate"},
                              {"analyse", "evaluate"},    {"period", "evaluate"},   {"throughput", "evaluate"},
                              {"bottleneck", "evaluate"}, {"draw", "dot"},          {"graph", "dot"},
                              {"chart", "gantt"},         {"schedule", "gantt"},    {"optimize", "map"},
                              {"optimise", "map"},        {"mapping", "map"},       {"prove", "check"},
                              {"what-if", "sensitivity"}, {"convert", "export"},    {"html", "report"}});

constexpr auto kOtherOptions = std::to_array<WordMeant>({{"--output", "-o"},
                                                         {"--out", "-o"},
                                                         {"--o", "-o"},
                                                         {"-O", "-o"},
                                                         {"-m", "--model"},
                                                         {"-t", "--time-limit"},
                                                         {"--timeout", "--time-limit"},
                                                         {"--limit", "--time-limit"},
                                                         {"-n", "--data-sets"},
                                                         {"-v", "--verbose"},
                                                         {"-j", "--json"},
                                                         {"--algorithm", "--heuristic"},
                                                         {"--algo", "--heuristic"},
                                                         {"--fps", "--rate"},
                                                         {"--throughput", "--rate"},
                                                         {"--cost", "--budget"},
                                                         {"--price", "--budget"},
                                                         {"--colour", "--color"},
                                                         {"--proof", "--certificate"}});

// Units as people write them, and as takt does.
constexpr auto kOtherUnits = std::to_array<WordMeant>({{"sec", "s"},
                                                       {"secs", "s"},
                                                       {"second", "s"},
                                                       {"seconds", "s"},
                                                       {"msec", "ms"},
                                                       {"millis", "ms"},
                                                       {"m", "min"},
                                                       {"mins", "min"},
                                                       {"minute", "min"},
                                                       {"minutes", "min"},
                                                       {"hr", "h"},
                                                       {"hour", "h"},
                                                       {"hours", "h"},
                                                       {"fps", "/s"},
                                                       {"hz", "Hz"},
                                                       {"HZ", "Hz"},
                                                       {"percent", "%"}});

template <std::size_t kWords>
std::string called_here(const std::array<WordMeant, kWords>& words, std::string_view word) {
  const auto found = std::ranges::find(words, word, &WordMeant::first);
  return found == words.end() ? std::string() : std::string(found->second);
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

std::string meaning(const std::string& text) {
  return text.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", text);
}

// The word without the dashes of other keyboards before it: "json" of "—json"; nothing if there are none.
std::optional<std::string> behind_long_dash(std::string_view word) {
  for (const std::string_view dash : {"\u2013", "\u2014", "\u2212"}) {
    if (!word.starts_with(dash)) continue;
    while (word.starts_with(dash)) word.remove_prefix(dash.size());
    return std::string(word);
  }
  return std::nullopt;
}

std::vector<std::string> option_names(const CommandShape& command) {
  std::vector<std::string> names;
  for (const OptionShape& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// "--model strict", where one option alone offers that value.
std::string option_offering(const std::string& value, const CommandShape& command) {
  std::string found;
  for (const OptionShape& option : command.options) {
    if (!has(option.offers.names, value)) continue;
    if (!found.empty()) return "";
    found = option.names.back() + " " + value;
  }
  return found;
}

std::string meant_option(const std::string& word, const std::string& next, const CommandShape& command,
                         const std::vector<std::string>& commands) {
  const std::vector<std::string> names = option_names(command);
  const std::string name = word.substr(0, word.find('='));
  if (std::string known = called_here(kOtherOptions, name); has(names, known)) return known;
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  if (std::string offering = option_offering(bare, command); !offering.empty()) return offering;
  if (has(commands, bare)) return "takt " + bare;
  if (std::string near = nearest_name(name, names); !near.empty()) return near;
  if (std::string near = nearest_name("--" + bare, names); !near.empty()) return near;
  return next.empty() ? "" : option_offering(next, command);
}

bool is_whole(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](unsigned char c) { return std::isdigit(c) != 0; });
}

// Values that may be meant by a text, the likelier ones first.
std::vector<std::string> readings_of(const std::string& text) {
  std::vector<std::string> readings;
  const auto replaced = [&](const std::string& in, char from, std::string_view to) {
    std::string result;
    for (const char c : in) c == from ? result += to : result += c;
    return result;
  };
  if (text.find(',') != std::string::npos) {
    const bool has_thousands = text.size() - text.rfind(',') > 3 && is_whole(text.substr(text.rfind(',') + 1, 3));
    if (has_thousands) readings.push_back(replaced(text, ',', ""));
    readings.push_back(replaced(text, ',', "."));
  }
  const std::size_t unit = text.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") + 1;
  if (const std::string known = called_here(kOtherUnits, std::string_view(text).substr(unit)); !known.empty()) {
    const std::size_t number = text.find_last_not_of(' ', unit - 1) + 1;
    readings.push_back(text.substr(0, unit) + known);
    readings.push_back(text.substr(0, number) + known);
  }
  for (const char c : {' ', '"', '=', '%'}) {
    if (text.find(c) != std::string::npos) readings.push_back(replaced(text, c, ""));
  }
  readings.push_back(text + "%");
  if (const auto number = read_number(text); number && number->is_integer()) readings.push_back(number->to_string());
  return readings;
}

constexpr std::size_t kLongestValue = 40;

}  // namespace

std::string unknown_command(const std::string& word, const std::vector<std::string>& commands) {
  const bool is_option = word.size() > 1 && word.front() == '-';
  std::vector<std::string> names = {"--help", "--version"};
  if (!is_option) names = commands;
  if (!is_option) names.emplace_back("help");
  std::string meant = called_here(kOtherCommands, word);
  if (const auto option = behind_long_dash(word)) meant = "--" + *option;
  if (meant.empty()) meant = nearest_name(word, names);
  std::error_code unknown;
  const std::string file = word + ".json";
  if (meant.empty() && !word.empty() && std::filesystem::exists(file, unknown)) meant = file;
  return fmt::format("found the unknown {} \"{}\"{}, expected a command or the file of an instance",
                     is_option ? "option" : "command", word, meaning(meant));
}

std::string unknown_option(const std::string& word, const std::string& next, const CommandShape& command,
                           const std::vector<std::string>& commands) {
  const std::string meant = meant_option(word, next, command, commands);
  if (meant.empty() && (word == "-o" || called_here(kOtherOptions, word) == "-o")) {
    return fmt::format("found the unknown option \"{}\", expected \"> FILE\": results go to standard output", word);
  }
  return fmt::format("found the unknown option \"{}\"{}", word, meaning(meant));
}

std::string surplus_word(const std::string& word, const CommandShape& command) {
  std::string meant;
  if (const auto option = behind_long_dash(word)) meant = "--" + *option;
  if (meant.empty()) meant = option_offering(word, command);
  if (meant.empty() && has(option_names(command), "--rate") && read_rate(word)) meant = "--rate " + word;
  if (meant.empty() && is_whole(word) && has(option_names(command), "--data-sets")) meant = "--data-sets " + word;
  if (meant.empty() && command.arguments.empty() && is_path(word)) {
    const auto takes_files = std::ranges::find_if(command.options, [](const OptionShape& option) {
      return option.offers.has_files && option.offers.names.empty();
    });
    if (takes_files != command.options.end()) meant = takes_files->names.back() + " " + word;
  }
  return fmt::format("found \"{}\"{}, expected no further argument", word, meaning(meant));
}

std::string misplaced_word(const std::string& word, const CommandShape& command) {
  std::string meant;
  if (const auto option = behind_long_dash(word)) meant = "--" + *option;
  if (meant.empty() && !is_path(word)) meant = option_offering(word, command);
  if (meant.empty()) return "";
  return fmt::format("found \"{}\"{}, expected a file; an option takes one word only", word, meaning(meant));
}

std::string value_refusal(const std::string& text, const std::function<std::string(const std::string&)>& wrong) {
  std::string message = wrong(text);
  const std::string found = fmt::format("found \"{}\"", text);
  const bool is_mendable = !text.empty() && text.size() <= kLongestValue && message.starts_with(found) &&
                           message.find("did you mean") == std::string::npos;
  if (!is_mendable) return message;
  for (const std::string& reading : readings_of(text)) {
    if (wrong(reading).empty()) return message.insert(found.size(), meaning(reading));
  }
  return message;
}

bool is_path(const std::string& word) {
  std::error_code unknown;
  return word == "-" || word.find_first_of("./") != std::string::npos || std::filesystem::exists(word, unknown);
}

}  // namespace takt::tools
