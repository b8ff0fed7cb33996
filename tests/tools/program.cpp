// Streams of strings around takt::tools::run; a folder made by mkdtemp.
#include "tests/tools/program.hpp"

#include <stdlib.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "tools/command.hpp"

namespace takt::testing {

namespace {

Outcome run(const std::vector<std::string>& arguments, const std::string& input, bool err_is_terminal) {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int status = tools::run(arguments, {in, out, err, err_is_terminal});
  return {status, out.str(), err.str()};
}

}  // namespace

Outcome takt(const std::vector<std::string>& arguments, const std::string& input) {
  return run(arguments, input, false);
}

Outcome takt_at_terminal(const std::vector<std::string>& arguments) { return run(arguments, "", true); }

std::string source(std::string_view path) { return (std::filesystem::path(TAKT_SOURCE_DIR) / path).string(); }

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + '\n';
  return text;
}

std::vector<std::string> appended(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace takt::testing
