// What can be said to a program, as values: for completions.
#pragma once

#include <string>
#include <vector>

namespace takt::tools {

/// What completions offer for a value: names, files, both, or nothing if nothing is known of it.
struct ValueOffers {
  std::vector<std::string> names;
  bool has_files = false;
};

/// An option of a command.
struct OptionShape {
  std::vector<std::string> names;  // "-o", "--output"
  std::string value;               // what stands for it in --help; "" for an option without one
  std::string help;                // a line
  ValueOffers offers;
  bool is_repeatable = false;
};

/// What stands without an option: an instance, a generator.
struct ArgumentShape {
  std::string name;  // "FILE"
  ValueOffers offers;
  bool is_repeatable = false;
};

/// A command, or the program as a whole.
struct CommandShape {
  std::string name;
  std::string summary;
  std::vector<OptionShape> options;
  std::vector<ArgumentShape> arguments;
  std::vector<CommandShape> commands;
};

}  // namespace takt::tools
