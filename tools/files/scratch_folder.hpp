// A folder for files that nobody needs once a command has ended.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace takt::tools {

/// Goes with all files in it. A process that a signal ends leaves it behind.
class ScratchFolder {
 public:
  /// In the system's folder for temporary files, its name beginning with "takt-" and the purpose. Throws FileError.
  explicit ScratchFolder(std::string_view purpose);
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();

  std::string path_of(std::string_view name) const { return (path_ / name).string(); }
  /// Writes a file; its path. Throws FileError.
  std::string write(std::string_view name, std::string_view text) const;
  /// Throws FileError, the reason included, where its disk has no room for as much more.
  void require_room(std::uint64_t bytes) const;
  static void remove(const std::string& path);

 private:
  std::filesystem::path path_;
};

}  // namespace takt::tools
