// Files that exist complete or not at all, whenever the process ends.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace takt::tools {

/// A descriptor that is closed in the end; negative where the file could not be opened.
class RunFile {
 public:
  RunFile() = default;
  RunFile(const std::string& path, int flags);
  ~RunFile() { close(); }
  RunFile(RunFile&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  RunFile& operator=(RunFile&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  /// Closes what it has and opens this. False if that fails; errno says why.
  bool open(const std::string& path, int flags);
  void close();

 private:
  int number_ = -1;
};

/// Throws FileError: "PATH: cannot be VERB: why".
[[noreturn]] void fail_on_file(const std::string& path, std::string_view verb, int error);

/// A file's text; nothing if there is none of the name. Throws FileError if it cannot be read.
std::optional<std::string> text_if_there(const std::string& path);
/// The same of a file that must be there.
std::string text_of_file(const std::string& path);

/// Writes all of it, without a sync. 0, or the number of an error: a write may be short, and says why only when it is
/// tried again.
int write_all(int file, std::string_view text);

/// The file has this text or what it had before: written under another name, synced, renamed. Throws FileError.
void write_in_place(const std::string& path, std::string_view text);
/// The same, unless there is a file of that name already, also one that another process puts there at this moment: then
/// it answers false. Where the file system has no hard links, the last of two such processes wins.
bool write_if_new(const std::string& path, std::string_view text);
/// Removes what processes that are gone have left of the two in a folder.
void remove_unfinished(const std::string& folder);

/// Some file systems cannot sync a directory; what is written is there all the same.
void sync_directory(const std::string& path);
/// With those above it. Throws FileError.
void make_directory(const std::string& path);

/// "HOST.PID", of this process or of another one of this machine: names of files that no other process takes.
std::string name_of_process(int process);

}  // namespace takt::tools
