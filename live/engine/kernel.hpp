// What a processor does when it computes: the interface behind which emulated work, programs and functions stand.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "live/engine/packet.hpp"

namespace takt::live {

/// How long threads were on cores; and how long they were ready and waited for one, nothing if the system does not
/// say.
struct CoreTime {
  std::chrono::nanoseconds running{};
  std::optional<std::chrono::nanoseconds> waiting = std::chrono::nanoseconds();

  CoreTime& operator+=(const CoreTime& other) {
    running += other.running;
    waiting = waiting && other.waiting ? std::optional(*waiting + *other.waiting) : std::nullopt;
    return *this;
  }
  CoreTime& operator-=(const CoreTime& other) {
    running -= other.running;
    waiting = waiting && other.waiting ? std::optional(*waiting - *other.waiting) : std::nullopt;
    return *this;
  }
  friend CoreTime operator-(CoreTime a, const CoreTime& b) { return a -= b; }
};

/// One stage on one data set.
struct StageCall {
  std::size_t stage = 0;               // index into the application's stages
  std::chrono::nanoseconds nominal{};  // how long it takes by the instance, load included
};

/// A stage that could not do its work; the message names the stage, the data set and what happened, on one line.
class StageFailed : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Does the stages of one processor, one call after the other, from one thread. Stages must be pure: after a failure
/// a data set may be computed again.
class Kernel {
 public:
  Kernel() = default;
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;
  virtual ~Kernel() = default;

  /// Puts the stage's result in place of its input. Throws StageFailed.
  virtual void run(const StageCall& call, Packet& packet) = 0;

  /// What other processes have had of cores for a stage since its first call. Not while there is a call.
  virtual CoreTime time_outside(std::size_t stage) const {
    static_cast<void>(stage);
    return {};
  }
};

}  // namespace takt::live
