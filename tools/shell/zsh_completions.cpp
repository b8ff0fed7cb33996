// Completions for zsh: a function for each command, with the arguments that zsh's _arguments takes.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "tools/shell/shell_completions.hpp"

namespace takt::tools {

namespace {

// A text in a specification, where some characters part its fields.
std::string zsh_escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// The name of the function that completes a command: "_takt_experiment_run".
std::string zsh_function(const std::string& words) {
  std::string name = "_" + words;
  std::ranges::replace(name, ' ', '_');
  return name;
}

// What completes a value; " " says what it is and offers nothing.
std::string zsh_action(const ValueOffers& offers) {
  const std::string names = fmt::format("{}", fmt::join(offers.names, " "));
  if (offers.names.empty()) return offers.has_files ? "_files" : " ";
  return offers.has_files ? "{compadd -- " + names + "; _files}" : "(" + names + ")";
}

std::string zsh_option(const OptionShape& option) {
  const std::string help = "[" + zsh_escaped(option.help) + "]";
  std::string text;
  for (const std::string& name : option.names) {
    std::string others = fmt::format("({})", fmt::join(option.names, " "));
    if (option.is_repeatable) others = "*";
    const char* const glue = option.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
    std::string specification = fmt::format("{}{}{}{}", others, name, glue, help);
    if (!option.value.empty()) {
      specification += fmt::format(":{}:{}", zsh_escaped(option.value), zsh_action(option.offers));
    }
    text += fmt::format(" \\\n    {}", single_quoted(specification));
  }
  return text;
}

std::string zsh_argument(const ArgumentShape& argument) {
  const char* const which = argument.is_repeatable ? "*:" : ":";
  return " \\\n    " + single_quoted(which + zsh_escaped(argument.name) + ":" + zsh_action(argument.offers));
}

// The list of the commands within one.
std::string zsh_list(const CommandShape& command, bool is_program) {
  std::string text = "  local -a commands=(";
  for (const CommandShape& within : command.commands) {
    text += "\n    " + single_quoted(within.name + ":" + within.summary);
  }
  if (is_program) text += "\n    'help:what a command takes'";
  return text + ")\n";
}

// A command that has others within: the word behind it says which.
std::string zsh_dispatcher(const CommandPath& path, bool is_program) {
  const CommandShape& command = *path.command;
  std::string text = zsh_list(command, is_program) + "  if (( CURRENT == 2 )); then\n    _describe command commands\n";
  if (is_program) text += "    _files\n";
  text += "    _arguments";
  for (const OptionShape& option : command.options) text += zsh_option(option);
  text += "\n    return\n  fi\n  case $words[2] in\n";
  for (const CommandShape& within : command.commands) {
    const std::string name = zsh_function(path.words + " " + within.name);
    text += fmt::format("    {}) shift words; (( CURRENT-- )); {} ;;\n", within.name, name);
  }
  if (is_program) {
    text += "    help) _describe command commands ;;\n";
    text += fmt::format("    *) {}_{} ;;\n", zsh_function(path.words), kCommandOfFiles);
  }
  return text + "  esac\n";
}

std::string zsh_arguments(const CommandShape& command) {
  std::string text = "  _arguments";
  for (const OptionShape& option : command.options) text += zsh_option(option);
  for (const ArgumentShape& argument : command.arguments) text += zsh_argument(argument);
  return text + "\n";
}

}  // namespace

std::string zsh_completions(const CommandShape& program) {
  std::string text =
      fmt::format("#compdef {0}\n# Completions of {0} for zsh, written by \"{0} completion zsh\".\n", program.name);
  for (const CommandPath& path : paths_of(program)) {
    const bool has_commands = !path.command->commands.empty();
    text += zsh_function(path.words) + "() {\n";
    text += has_commands ? zsh_dispatcher(path, path.command == &program) : zsh_arguments(*path.command);
    text += "}\n";
  }
  // Read as a file of zsh's own it completes at once; by "source" it says for what it is.
  return text + fmt::format("if [[ $funcstack[1] == _{0} ]]; then\n  _{0} \"$@\"\nelse\n  compdef _{0} {0}\nfi\n",
                            program.name);
}

}  // namespace takt::tools
