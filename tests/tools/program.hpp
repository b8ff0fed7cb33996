// The program in-process, with strings for its streams and a folder for its files.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/temporary_folder.hpp"

namespace takt::testing {

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

/// What `takt` does with these arguments and this standard input.
Outcome takt(const std::vector<std::string>& arguments, const std::string& input = "");

/// The same, told that standard error is a terminal.
Outcome takt_at_terminal(const std::vector<std::string>& arguments);

/// A file of the source tree.
std::string source(std::string_view path);

/// The paper's example, below the source tree.
inline constexpr const char* kExampleA = "examples/example-a.json";

std::vector<std::string> lines_of(const std::string& text);
/// The other way round; each line ends with '\n'.
std::string joined(const std::vector<std::string>& lines);

/// The words of a command line, and more behind them.
std::vector<std::string> appended(std::vector<std::string> words, const std::vector<std::string>& more);

}  // namespace takt::testing
