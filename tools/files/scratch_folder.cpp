// Made by mkdtemp, so that nobody else has it.
#include "tools/files/scratch_folder.hpp"

#include <fmt/format.h>

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

void ScratchFolder::remove(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove(path, ignored);
}

}  // namespace takt::tools
