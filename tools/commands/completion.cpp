// takt completion: a script that has a shell complete the command lines of takt.
#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/shell/shell_completions.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

std::vector<std::string> shell_names() {
  std::vector<std::string> names;
  for (const CompletingShell& shell : completing_shells()) names.emplace_back(shell.name);
  return names;
}

int print_completions(const std::string& name, Streams& streams) {
  const auto shells = completing_shells();
  streams.out << std::ranges::find(shells, name, &CompletingShell::name)->script(shape_of("takt", commands()));
  return kAnswered;
}

}  // namespace

Action define_completion(CommandLine& line) {
  const auto shell = std::make_shared<std::string>();
  line.positional("SHELL", *shell, tpn::json::alternatives(shell_names())).check(one_of(shell_names()));
  line.footer(
      "The Debian package installs all three. Without it, add the line for your shell:\n"
      "  ~/.bashrc                  source <(takt completion bash)\n"
      "  ~/.zshrc, behind compinit  source <(takt completion zsh)\n"
      "  ~/.config/fish/config.fish takt completion fish | source\n"
      "\n"
      "Example:\n"
      "  takt completion bash");
  return [shell](Streams& streams) { return print_completions(*shell, streams); };
}

}  // namespace takt::tools
