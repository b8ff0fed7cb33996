// The only code of the program that opens files.
#include "tools/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <system_error>

#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/reader.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

[[noreturn]] void fail(const std::string& what, const std::string& path, int error) {
  throw FileError((path.empty() ? "\"\"" : path) + ": cannot be " + what + ": " + std::strerror(error));
}

// Where a path leads: itself, or what its links lead to, which need not exist.
std::filesystem::path followed(const std::string& path) {
  constexpr int kMostLinks = 40;
  std::filesystem::path target = path;
  std::error_code error;
  for (int k = 0; k < kMostLinks && std::filesystem::is_symlink(target, error); ++k) {
    const auto next = std::filesystem::read_symlink(target, error);
    if (error) fail("written", path, error.value());
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return target;
}

bool is_open_as(int descriptor, const std::string& path) {
  struct stat open_file {};
  struct stat file {};
  return fstat(descriptor, &open_file) == 0 && stat(path.c_str(), &file) == 0 && open_file.st_dev == file.st_dev &&
         open_file.st_ino == file.st_ino;
}

// Where the text of a file goes: into a new file beside it, which takes its place in the end; or straight into a
// device or a pipe, which must not be replaced by a file. Throws FileError where it cannot go there.
class Destination {
 public:
  explicit Destination(const std::string& path) : path_(path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (status.type() == std::filesystem::file_type::none) fail(error.value());
    if (status.type() == std::filesystem::file_type::directory) fail(EISDIR);
    const bool exists = status.type() != std::filesystem::file_type::not_found;
    is_replaced_ = !exists || status.type() == std::filesystem::file_type::regular;
    target_ = is_replaced_ ? followed(path).string() : path;
    if (exists && access(target_.c_str(), W_OK) != 0) fail(errno);
    if (!is_replaced_) return;
    if (exists) {
      permissions_ = status.permissions();
      for (const int descriptor : {STDOUT_FILENO, STDERR_FILENO}) {
        if (is_open_as(descriptor, target_))
          throw FileError(path + ": cannot be written: standard output or standard error goes there");
      }
    }
    make_new_file();
  }
  Destination(const Destination&) = delete;
  Destination& operator=(const Destination&) = delete;
  ~Destination() {
    if (!new_file_.empty()) std::remove(new_file_.c_str());
  }

  // What is to be opened and written.
  const std::string& file() const { return is_replaced_ ? new_file_ : target_; }

  // The text is whole.
  void finish() {
    if (!is_replaced_) return;
    std::error_code ignored;
    if (permissions_) std::filesystem::permissions(new_file_, *permissions_, ignored);
    if (std::rename(new_file_.c_str(), target_.c_str()) != 0) fail(errno);
    new_file_.clear();
  }

  [[noreturn]] void fail(int error) const { tools::fail("written", path_, error); }

 private:
  // OUT.part, or the first of OUT.part2, ... that is free.
  void make_new_file() {
    constexpr int kMostNames = 100;
    for (int k = 1; k <= kMostNames; ++k) {
      const std::string name = target_ + ".part" + (k == 1 ? "" : std::to_string(k));
      const int descriptor = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor >= 0) {
        close(descriptor);
        new_file_ = name;
        return;
      }
      if (errno != EEXIST) break;
    }
    fail(errno);
  }

  std::string path_;
  std::string target_;
  bool is_replaced_ = false;
  std::string new_file_;  // removed unless it has taken its place
  std::optional<std::filesystem::perms> permissions_;
};

}  // namespace

std::string display_name(const std::string& path) {
  return path == "-" ? "standard input" : tpn::visible(path);
}

std::string read_text(const std::string& path, Streams& streams) {
  std::ostringstream text;
  if (path == "-") {
    text << streams.in.rdbuf();
    if (streams.in.bad()) fail("read", display_name(path), EIO);
    return std::move(text).str();
  }
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("read", path, EISDIR);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) fail("read", path, errno != 0 ? errno : EIO);
  text << file.rdbuf();
  if (file.bad() || (text.fail() && file.peek() != std::ifstream::traits_type::eof())) fail("read", path, EIO);
  return std::move(text).str();
}

void write_file(const std::string& path, std::string_view text) {
  write_file(path, [&](std::ostream& file) { file.write(text.data(), static_cast<std::streamsize>(text.size())); });
}

void require_writable(const std::string& path) { const Destination destination(path); }

void write_file(const std::string& path, const std::function<void(std::ostream&)>& write) {
  Destination destination(path);
  errno = 0;
  std::ofstream file(destination.file(), std::ios::binary | std::ios::trunc);
  if (!file) destination.fail(errno != 0 ? errno : EIO);
  write(file);
  file.close();
  if (!file) destination.fail(errno != 0 ? errno : EIO);
  destination.finish();
}

tpn::Document read_instance(const std::string& path, Streams& streams) {
  tpn::Document document = tpn::read_document(read_text(path, streams), display_name(path));
  if (!document.mapping) {
    throw tpn::InvalidInstance("/mapping", "no mapping", "an instance, which maps every stage to processors")
        .at(display_name(path));
  }
  return document;
}

void require_one_stdin(const std::vector<std::string>& files) {
  if (std::ranges::count(files, "-") > 1) throw UsageError("standard input, \"-\", can be read only once");
}

std::vector<tpn::Model> models_of(const tpn::Document& document, const ModelChoice& choice) {
  if (const auto model = chosen_model(choice, document.model)) return {*model};
  const auto models = tpn::default_models();
  return {models.begin(), models.end()};
}

}  // namespace takt::tools
