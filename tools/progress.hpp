// What a command is busy with, for a person who waits.
#pragma once

#include <string_view>

#include "tools/command.hpp"

namespace takt::tools {

/// One line on `err` that is written over by the next and cleared in the end; nothing where `err` is no terminal. It
/// can be cleared only if it does not wrap: names in it are best `printable`.
class Progress {
 public:
  explicit Progress(Streams& streams) : streams_(streams) {}
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  void show(std::string_view text);

 private:
  Streams& streams_;
  bool is_shown_ = false;
};

}  // namespace takt::tools
