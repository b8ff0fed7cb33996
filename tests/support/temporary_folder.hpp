// Files of a test, which go with it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace takt::testing {

std::string text_of(const std::string& path);

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
