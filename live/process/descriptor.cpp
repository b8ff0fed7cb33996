// pipe2, out of the way of standard streams.
#include "live/process/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

namespace takt::live {

namespace {

// Where standard input is closed a pipe would get its number, and dup2 onto itself would lose it at exec.
OwnedDescriptor beyond_standard_streams(OwnedDescriptor low) {
  if (low.number() > STDERR_FILENO) return low;
  OwnedDescriptor high(fcntl(low.number(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
  if (!high.is_open()) throw std::system_error(errno, std::generic_category(), "fcntl");
  return high;
}

}  // namespace

void OwnedDescriptor::reset() {
  if (number_ >= 0) close(number_);
  number_ = -1;
}

Pipe::Pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  OwnedDescriptor low_out(ends[0]);
  OwnedDescriptor low_in(ends[1]);
  out = beyond_standard_streams(std::move(low_out));
  in = beyond_standard_streams(std::move(low_in));
}

}  // namespace takt::live
