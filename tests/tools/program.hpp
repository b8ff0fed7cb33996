// The program in-process, with strings for its streams and a folder for its files.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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

std::string text_of(const std::string& path);

std::vector<std::string> lines_of(const std::string& text);

/// A folder that goes when this goes.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  /// A path in it.
  std::string path(std::string_view name) const { return (path_ / name).string(); }
  /// Writes a file into it; returns its path.
  std::string write(std::string_view name, std::string_view text) const;
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

}  // namespace takt::testing
