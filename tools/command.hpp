// The shape of a subcommand: a function that defines its options and what it does with them.
#pragma once

#include <functional>
#include <iosfwd>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace takt::tools {

class CommandLine;

/// Where a command reads and writes: results on `out`, everything else on `err`.
struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  bool err_is_terminal = false;
  /// The file of the document at hand, as messages name it; empty before one is read. What is wrong with a document,
  /// and has no place of its own, is in that file.
  std::string document{};
};

/// Exit statuses of the program.
inline constexpr int kAnswered = 0;
inline constexpr int kNo = 1;        // the answer is no: a certificate refused, no mapping, a prediction that fails
inline constexpr int kUsage = 2;     // unknown options, or options that do not go together
inline constexpr int kBadInput = 3;  // unreadable or invalid
inline constexpr int kLimit = 4;     // an interval, or too large

/// A wrong command line beyond what the option parser sees; answered with kUsage.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// A file that can't be read or written; answered with kBadInput.
class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What a parsed command line does; returns the exit status.
using Action = std::function<int(Streams&)>;

/// A subcommand. `define` says what it takes (tools/frame/command_line.hpp) and returns what it does then.
struct Command {
  const char* name;
  const char* summary;
  Action (*define)(CommandLine& line);
  const char* group = "Commands";  // the heading under which --help lists it
};

/// All commands, in the order of --help.
std::span<const Command> commands();

/// Runs the program in-process: `arguments` without the program's name. Returns the exit status.
int run(const std::vector<std::string>& arguments, Streams streams);
/// The same, but what stops a command is thrown: UsageError, without the name of the command, FileError,
/// tpn::ParseError, tpn::InvalidInstance.
int run_or_throw(const std::vector<std::string>& arguments, Streams streams);
/// As run, for a program of that name with these commands.
int run_program(const std::string& program, std::span<const Command> commands,
                const std::vector<std::string>& arguments, Streams streams);

}  // namespace takt::tools
