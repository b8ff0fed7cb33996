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

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "takt-test-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("cannot make a folder " + pattern);
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(std::string_view name, std::string_view text) const {
  std::ofstream file(path_ / name, std::ios::binary);
  file << text;
  if (!file.flush()) throw std::runtime_error("cannot write " + path(name));
  return path(name);
}

std::vector<std::string> TemporaryFolder::names() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

}  // namespace takt::testing
