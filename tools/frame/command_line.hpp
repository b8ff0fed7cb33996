// Command lines: what a command takes, said without the option parser, and what a user's arguments ask for.
#pragma once

#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tools/command.hpp"
#include "tools/frame/command_shape.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): CLI11 calls it so
class App;
class Option;
}  // namespace CLI

namespace takt::tools {

/// Says what is wrong with an option's value as written, "" if nothing is; and what completions offer for one.
class ValueCheck {
 public:
  template <typename Wrong>
  requires(!std::same_as<std::remove_cvref_t<Wrong>, ValueCheck> &&
           std::is_invocable_r_v<std::string, const Wrong&, const std::string&>)
      ValueCheck(Wrong wrong, ValueOffers offers = {})
      : wrong_(std::move(wrong)), offers_(std::move(offers)) {}

  std::string operator()(const std::string& text) const { return wrong_(text); }
  const ValueOffers& offers() const { return offers_; }

 private:
  std::function<std::string(const std::string& text)> wrong_;
  ValueOffers offers_;
};

/// An option of a command, while it is defined.
class CommandOption {
 public:
  explicit CommandOption(CLI::Option* option) : option_(option) {}

  CommandOption& required();
  CommandOption& check(ValueCheck check);
  /// What completions offer for the value of an option that has no check; files, or these.
  CommandOption& offers_files();
  CommandOption& offers(ValueOffers offers);
  /// What stands for the value in --help.
  CommandOption& type_name(const std::string& name);
  /// --help names the default.
  CommandOption& shows_default();
  /// The heading under which --help lists it.
  CommandOption& group(const std::string& heading);
  /// Of an option with a list: one value and more each time, up to the next option; positionals stand before it.
  CommandOption& takes_several();
  CommandOption& excludes(const CommandOption& other);

 private:
  CLI::Option* option_;
};

/// What a command takes. Values land in the variables given here, which must outlive the parsing.
class CommandLine {
 public:
  explicit CommandLine(CLI::App& app) : app_(app) {}

  /// A file, or one file and more, which must be there.
  CommandOption positional(const std::string& name, std::string& value, const std::string& help);
  CommandOption positional(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// Any number of files, none as well.
  CommandOption optional_positional(const std::string& name, std::vector<std::string>& values, const std::string& help);

  CommandOption option(const std::string& name, std::string& value, const std::string& help);
  CommandOption option(const std::string& name, std::optional<std::string>& value, const std::string& help);
  CommandOption option(const std::string& name, std::uint64_t& value, const std::string& help);
  CommandOption option(const std::string& name, std::optional<std::uint64_t>& value, const std::string& help);
  /// May be given several times, with one value each.
  CommandOption option(const std::string& name, std::vector<std::string>& values, const std::string& help);
  /// Hands its value to a function.
  CommandOption option(const std::string& name, const std::function<void(const std::string&)>& take,
                       const std::string& help);

  /// Takes no value.
  CommandOption flag(const std::string& name, bool& value, const std::string& help);

  /// Commands of its own, of which one must be chosen; returns what does what that one does.
  Action commands(std::span<const Command> commands);

  /// What --help says below the options.
  void footer(const std::string& text);
  /// The same of a text that may depend on what was given beside --help.
  void footer(std::function<std::string()> text);

 private:
  CLI::App& app_;
};

/// A command, its options read.
struct ChosenCommand {
  std::string name;  // "takt evaluate"
  Action action;
};

/// What --help or --version asks for.
struct HelpText {
  std::string text;
};

/// A wrong command line.
struct CommandMisuse {
  std::string name;  // "takt evaluate", or "takt" where no command was recognized
  std::string message;
};

/// What takt says to nothing: what it is for, and three lines to start with.
std::string first_words();

/// What the given arguments, without the program's name, ask for. "FILE ..." is "evaluate FILE ..." where FILE
/// looks like a path, and "help COMMAND" and "--help COMMAND" are "COMMAND --help".
std::variant<ChosenCommand, HelpText, CommandMisuse> parse_command_line(const std::string& program,
                                                                        const std::vector<std::string>& given,
                                                                        std::span<const Command> commands);

/// What can be said to the program, with all that its commands take.
CommandShape shape_of(const std::string& program, std::span<const Command> commands);

/// Reads arguments as those of a command that takes what `define` says. Throws UsageError.
void read_arguments(const std::function<void(CommandLine& line)>& define, const std::vector<std::string>& arguments);

}  // namespace takt::tools
