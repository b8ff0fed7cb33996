// Made by mkdtemp, so that nobody else has it.
#include "tools/files/scratch_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "tools/command.hpp"

namespace takt::tools {

ScratchFolder::ScratchFolder(std::string_view purpose) {
  std::error_code error;
  std::string name = (std::filesystem::temp_directory_path(error) / fmt::format("takt-{}-XXXXXX", purpose)).string();
  if (error || mkdtemp(name.data()) == nullptr) {
    throw FileError(fmt::format("{}: cannot be written: {}", name, error ? error.message() : std::strerror(errno)));
  }
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string ScratchFolder::write(std::string_view name, std::string_view text) const {
  std::string path = path_of(name);
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  if (!file) throw FileError(path + ": cannot be written: " + std::strerror(errno));
  return path;
}

void ScratchFolder::require_room(std::uint64_t bytes) const {
  const std::string path = path_of("room");
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const int error = file < 0 ? errno : posix_fallocate(file, 0, static_cast<off_t>(bytes));
  if (file >= 0) close(file);
  remove(path);
  if (error == 0) return;
  throw FileError(fmt::format("{}: no room for {} MB of temporary files: {}", path_.parent_path().string(), bytes >> 20,
                              std::strerror(error)));
}

void ScratchFolder::remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace takt::tools
