// What a processor does when it computes: the interface behind which emulated work, programs and functions stand.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "live/engine/packet.hpp"

namespace takt::live {

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
};

}  // namespace takt::live
