// Files written under another name, synced and renamed.
#include "tools/experiment/durable_files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "tools/command.hpp"

namespace takt::tools {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPart = ".part.";

// Under a lock as long as it is written, by which others see that its process lives. `name` gives it its own.
template <typename Name>
int write_named(const std::string& part, std::string_view text, const Name& name) {
  const RunFile file(part, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file.is_open()) return errno;
  ::flock(file.number(), LOCK_EX | LOCK_NB);
  if (const int error = write_all(file.number(), text); error != 0) return error;
  if (::fsync(file.number()) != 0) return errno;
  return name() == 0 ? 0 : errno;
}

template <typename Name>
int write_part(const std::string& path, std::string_view text, const std::string& part, const Name& name) {
  int error = write_named(part, text, name);
  // Somebody who came between its creation and its lock took it for a leftover.
  if (error == ENOENT) error = write_named(part, text, name);
  if (error != 0) ::unlink(part.c_str());
  if (error == 0) sync_directory(fs::path(path).parent_path().string());
  return error;
}

std::string part_of(const std::string& path) { return fmt::format("{}{}{}", path, kPart, name_of_process(::getpid())); }

}  // namespace

RunFile::RunFile(const std::string& path, int flags) { open(path, flags); }

bool RunFile::open(const std::string& path, int flags) {
  close();
  number_ = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
  return number_ >= 0;
}

void RunFile::close() {
  if (number_ >= 0) ::close(number_);
  number_ = -1;
}

void fail_on_file(const std::string& path, std::string_view verb, int error) {
  throw FileError(fmt::format("{}: cannot be {}: {}", path, verb, std::generic_category().message(error)));
}

std::optional<std::string> text_if_there(const std::string& path) {
  const RunFile file(path, O_RDONLY);
  struct stat status {};
  if (!file.is_open() || ::fstat(file.number(), &status) != 0) {
    // ESTALE is a network's word for a file that another machine has removed.
    if (errno == ENOENT || errno == ESTALE) return std::nullopt;
    fail_on_file(path, "read", errno);
  }
  if (!S_ISREG(status.st_mode)) throw FileError(path + ": found no regular file, expected one");
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t size = 0;
  while (size < text.size()) {
    const ssize_t read = ::read(file.number(), text.data() + size, text.size() - size);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0 && errno == ESTALE) return std::nullopt;
    if (read < 0) fail_on_file(path, "read", errno);
    if (read == 0) break;
    size += static_cast<std::size_t>(read);
  }
  text.resize(size);
  return text;
}

std::string text_of_file(const std::string& path) {
  auto text = text_if_there(path);
  if (!text) fail_on_file(path, "read", ENOENT);
  return std::move(*text);
}

int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

void write_in_place(const std::string& path, std::string_view text) {
  const std::string part = part_of(path);
  const int error = write_part(path, text, part, [&] { return ::rename(part.c_str(), path.c_str()); });
  if (error != 0) fail_on_file(path, "written", error);
}

bool write_if_new(const std::string& path, std::string_view text) {
  const std::string part = part_of(path);
  const int error = write_part(path, text, part, [&] {
    if (::link(part.c_str(), path.c_str()) == 0) return ::unlink(part.c_str());
    const bool has_links = errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK;
    return has_links ? -1 : ::rename(part.c_str(), path.c_str());
  });
  if (error == EEXIST) return false;
  if (error != 0) fail_on_file(path, "written", error);
  return true;
}

void remove_unfinished(const std::string& folder) {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().filename().string().find(kPart) == std::string::npos) continue;
    const RunFile file(entry.path().string(), O_RDONLY);
    if (!file.is_open() || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) continue;
    ::unlink(entry.path().c_str());
  }
}

void sync_directory(const std::string& path) {
  const RunFile directory(path, O_RDONLY | O_DIRECTORY);
  if (directory.is_open()) ::fsync(directory.number());
}

void make_directory(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail_on_file(path, "created", error.value());
}

std::string name_of_process(int process) {
  std::array<char, 256> host = {};
  ::gethostname(host.data(), host.size() - 1);
  return fmt::format("{}.{}", host.data(), process);
}

}  // namespace takt::tools
