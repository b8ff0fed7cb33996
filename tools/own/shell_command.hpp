// A command of a user's, run by the shell with a limit: once with its output as text, or for one line after the other.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::tools {

/// Longer output is a failure.
inline constexpr std::size_t kMostCommandOutput = std::size_t{1} << 26;

/// What the command is given.
struct CommandInput {
  /// Of the file that takes the place of each "{}", quoted for the shell, or that is standard input if there is
  /// none.
  std::string path;
  /// NAME=VALUE, put into the environment beside what is there.
  std::vector<std::string> variables;
  std::chrono::steady_clock::time_point deadline;
  std::size_t most_output = kMostCommandOutput;  // in bytes
};

/// What it printed, or why it failed: a phrase of one line without a full stop, "{}" in place of the input's path.
struct CommandOutcome {
  std::string output;
  std::optional<std::string> failure;
};

/// Runs `/bin/sh -c COMMAND` as a process group of its own, of which nothing is left when this returns: at the
/// deadline, on an interruption (tools/files/signals.hpp) and behind its end it is killed. Throws FileError if no
/// process can be started.
CommandOutcome run_command(std::string_view command, const CommandInput& input);

/// What a server may take beyond its answers.
struct ServerLimits {
  std::size_t most_output = kMostCommandOutput;  // in bytes that are not read yet
  /// How long it may go on once it has closed its output.
  std::chrono::milliseconds farewell{500};
};

/// A command that answers each line on its standard input with a line on its standard output: `/bin/sh -c COMMAND`, a
/// process group of its own. It is started with the first question, and again with the next after it has failed. Where
/// the thread that asked first ends, it is killed.
class ShellServer {
 public:
  explicit ShellServer(std::string command, const ServerLimits& limits = {});
  ShellServer(ShellServer&& other) noexcept;
  ShellServer& operator=(ShellServer&& other) noexcept;
  /// Kills whatever is left of its group.
  ~ShellServer();

  /// Its answer, without the line break. `line` has none. At the deadline, on an interruption and after any failure it
  /// is killed. Throws FileError if no process can be started.
  CommandOutcome ask(std::string_view line, std::chrono::steady_clock::time_point deadline);

 private:
  class Process;

  std::string command_;
  ServerLimits limits_;
  std::unique_ptr<Process> process_;  // null before the first question, and after a failure
};

/// The command with the path in place of each "{}"; whether there was one.
std::pair<std::string, bool> with_path(std::string_view command, const std::string& path);

}  // namespace takt::tools
