// Completions for bash: a function of the words so far, with tables of options and of their values.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "tools/shell/shell_completions.hpp"

namespace takt::tools {

namespace {

// What stands before the tables. bash splits words at "=", which is put right first.
constexpr const char* kBashBegin = R"(_takt() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
  if [[ $current == '=' ]]; then
    current=
  elif [[ $previous == '=' ]]; then
    previous=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi

  # The command that is being completed.
  local at={0} word
  for word in "${{COMP_WORDS[@]:1:COMP_CWORD-1}}"; do
    case "$at $word" in
      {1}) at+=" $word" ;;
      *) break ;;
    esac
  done
  if [[ $at == {0} && ${{COMP_WORDS[1]}} == help ]]; then
    at='{0} help'
  elif [[ $at == {0} && $COMP_CWORD -gt 1 ]]; then
    at='{0} {2}'
  fi

  local options='' names='' files=''
  case $at in
)";

constexpr const char* kBashEnd = R"(  esac

  COMPREPLY=()
  if [[ $files ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
  fi
  mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -W "$names" -- "$current")
}
complete -F _takt takt
)";

std::string offers_words(const ValueOffers& offers) {
  return fmt::format("names='{}' files={}", fmt::join(offers.names, " "), offers.has_files ? "yes" : "");
}

std::vector<std::string> names_within(const CommandShape& command) {
  std::vector<std::string> names;
  for (const CommandShape& within : command.commands) names.push_back(within.name);
  return names;
}

// What stands in place of an option: commands and arguments.
std::string bash_arguments(const CommandPath& path, bool is_program) {
  ValueOffers offers = argument_offers(*path.command);
  for (const std::string& name : names_within(*path.command)) offers.names.push_back(name);
  if (is_program) {
    offers.names.emplace_back("help");
    offers.has_files = true;
  }
  std::vector<std::string> options;
  for (const OptionShape& option : path.command->options) {
    options.insert(options.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("    '{}') options='{}' {} ;;\n", path.words, fmt::join(options, " "), offers_words(offers));
}

// What stands behind an option; nothing is offered for a number.
std::string bash_values(const CommandPath& path) {
  std::string text;
  for (const OptionShape& option : path.command->options) {
    if (option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", path.words, name));
    text += fmt::format("    {}) {} ;;\n", fmt::join(patterns, " | "), offers_words(option.offers));
  }
  return text;
}

}  // namespace

std::string bash_completions(const CommandShape& program) {
  const std::vector<CommandPath> paths = paths_of(program);
  std::vector<std::string> patterns;
  std::string arguments;
  std::string values;
  for (const CommandPath& path : paths) {
    if (path.command != &program) patterns.push_back(fmt::format("'{}'", path.words));
    arguments += bash_arguments(path, path.command == &program);
    values += bash_values(path);
  }
  arguments += fmt::format("    '{} help') names='{}' ;;\n", program.name, fmt::join(names_within(program), " "));
  return fmt::format("# Completions of {0} for bash, written by \"{0} completion bash\".\n", program.name) +
         fmt::format(kBashBegin, program.name, fmt::join(patterns, " | "), kCommandOfFiles) + arguments +
         "  esac\n  if [[ $current == -* ]]; then\n    names=$options files=\n  fi\n  case \"$at $previous\" in\n" +
         values + kBashEnd;
}

}  // namespace takt::tools
