// Completions for fish: a rule for each option, behind a function that says which command is being completed.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tools/shell/shell_completions.hpp"

namespace takt::tools {

namespace {

constexpr const char* kFishBegin = R"(function __{0}_at
    set -l words (commandline -opc)
    set -l at {0}
    for word in $words[2..]
        switch "$at $word"
            case {1}
                set at "$at $word"
            case '*'
                break
        end
    end
    if test "$at" = {0} -a (count $words) -gt 1
        set at '{0} {2}'
        if test "$words[2]" = help
            set at '{0} help'
        end
    end
    test "$at" = "$argv"
end
complete -c {0} -f
)";

// Between single quotes fish reads \' and \\.
std::string fish_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "'";
}

std::string fish_rule(const std::string& program, const std::string& at) {
  return fmt::format("complete -c {} -n '__{}_at {}'", program, program, at);
}

std::string fish_names(const ValueOffers& offers) {
  return offers.names.empty() ? "" : fmt::format(" -a '{}'", fmt::join(offers.names, " "));
}

std::string fish_option(const std::string& rule, const OptionShape& option) {
  std::string text = rule;
  for (const std::string& name : option.names) {
    text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty()) text += (option.offers.has_files ? " -rF" : " -x") + fish_names(option.offers);
  return text + " -d " + fish_quoted(option.help) + "\n";
}

std::string fish_rules(const std::string& program, const CommandPath& path) {
  const std::string rule = fish_rule(program, path.words);
  std::string text;
  for (const CommandShape& within : path.command->commands) {
    text += fmt::format("{} -a {} -d {}\n", rule, within.name, fish_quoted(within.summary));
  }
  const ValueOffers offers = argument_offers(*path.command);
  if (offers.has_files) text += rule + " -F\n";
  if (!offers.names.empty()) text += rule + fish_names(offers) + "\n";
  for (const OptionShape& option : path.command->options) text += fish_option(rule, option);
  return text;
}

}  // namespace

std::string fish_completions(const CommandShape& program) {
  std::vector<std::string> patterns;
  std::vector<std::string> names;
  std::string rules;
  for (const CommandPath& path : paths_of(program)) {
    if (path.command != &program) patterns.push_back("'" + path.words + "'");
    rules += fish_rules(program.name, path);
  }
  for (const CommandShape& command : program.commands) names.push_back(command.name);
  rules += fish_rule(program.name, program.name) + " -a help -d 'what a command takes'\n";
  rules += fish_rule(program.name, program.name) + " -F\n";
  rules += fmt::format("{} -a '{}'\n", fish_rule(program.name, program.name + " help"), fmt::join(names, " "));
  return fmt::format("# Completions of {0} for fish, written by \"{0} completion fish\".\n", program.name) +
         fmt::format(kFishBegin, program.name, fmt::join(patterns, " "), kCommandOfFiles) + rules;
}

}  // namespace takt::tools
