// Completions: what a shell is to offer while a command line of takt is typed, as a script for that shell.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tools/frame/command_shape.hpp"

namespace takt::tools {

/// A shell, and what writes the script that completes the command lines of a program there.
struct CompletingShell {
  std::string_view name;
  std::string (*script)(const CommandShape& program);
};

/// bash, zsh and fish.
std::span<const CompletingShell> completing_shells();

std::string bash_completions(const CommandShape& program);
std::string zsh_completions(const CommandShape& program);
std::string fish_completions(const CommandShape& program);

/// A command with those that it stands within.
struct CommandPath {
  std::string words;  // "takt experiment run"
  const CommandShape* command = nullptr;
};

/// The program, its commands and theirs, each behind the one that it stands within.
std::vector<CommandPath> paths_of(const CommandShape& program);

/// Of a program whose commands one is called "evaluate": a file in place of a command stands for it and the file.
inline constexpr std::string_view kCommandOfFiles = "evaluate";

/// What may stand without an option: the offers of all arguments together.
ValueOffers argument_offers(const CommandShape& command);

/// The text between single quotes: a quote in it is closed, escaped and opened again.
std::string single_quoted(std::string_view text);

}  // namespace takt::tools
