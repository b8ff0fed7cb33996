// What the scripts of all shells share.
#include "tools/shell/shell_completions.hpp"

#include <algorithm>
#include <array>

namespace takt::tools {

namespace {

// NOLINTNEXTLINE(misc-no-recursion): commands within commands, two deep
void add_paths(std::vector<CommandPath>& paths, const std::string& before, const CommandShape& command) {
  const std::string words = before + command.name;
  paths.push_back({words, &command});
  for (const CommandShape& within : command.commands) add_paths(paths, words + " ", within);
}

}  // namespace

std::span<const CompletingShell> completing_shells() {
  static constexpr std::array<CompletingShell, 3> kShells = {
      {{"bash", bash_completions}, {"zsh", zsh_completions}, {"fish", fish_completions}}};
  return kShells;
}

std::vector<CommandPath> paths_of(const CommandShape& program) {
  std::vector<CommandPath> paths;
  add_paths(paths, "", program);
  return paths;
}

ValueOffers argument_offers(const CommandShape& command) {
  ValueOffers all;
  for (const ArgumentShape& argument : command.arguments) {
    all.names.insert(all.names.end(), argument.offers.names.begin(), argument.offers.names.end());
    all.has_files = all.has_files || argument.offers.has_files;
  }
  return all;
}

std::string single_quoted(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') {
      quoted += R"('\'')";
    } else {
      quoted += c;
    }
  }
  return quoted + '\'';
}

}  // namespace takt::tools
