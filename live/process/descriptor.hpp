// File descriptors that close themselves, and pipes of them.
#pragma once

#include <utility>

namespace takt::live {

/// Closed when this goes.
class OwnedDescriptor {
 public:
  explicit OwnedDescriptor(int number = -1) : number_(number) {}
  OwnedDescriptor(OwnedDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  OwnedDescriptor& operator=(OwnedDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~OwnedDescriptor() { reset(); }

  int number() const { return number_; }
  bool is_open() const { return number_ >= 0; }
  void reset();

 private:
  int number_;
};

/// What is written into `in` comes out of `out`. Neither is handed to other programs, nor takes the place of a standard
/// stream that is closed.
struct Pipe {
  /// Throws std::system_error.
  Pipe();
  OwnedDescriptor out;
  OwnedDescriptor in;
};

}  // namespace takt::live
