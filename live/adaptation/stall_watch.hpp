// Where a run stands still: which process holds which data set, and which do not answer.
//
// Problem. A stage that hangs, a process that is stopped, a message that is lost: a run that waits for one of them
// waits for ever, and from outside it looks like one that is busy.
//
// Method. When nothing has been delivered for long, all ranks are asked what they are at. Those that have not answered
// after kPatience do not. Where it goes on like that they are asked again, each time after twice as long.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "live/engine/messages.hpp"
#include "live/engine/route.hpp"

namespace takt::live {

struct StallTerms {
  Ticks told_after = 0;              // above 0: without a delivery
  std::optional<Ticks> ended_after;  // likewise; nothing: the run goes on waiting
};

/// What was found where a run stands still.
struct Standstill {
  Ticks lasted = 0;
  std::uint64_t next = 0;  // the data set that is to be delivered
  bool is_ending = false;  // all are delivered, and processors have not ended
  bool is_last = false;    // the run is to end
  Ticks now = 0;
  std::map<std::size_t, std::vector<Holding>> held;  // by processor, of those that have answered
  std::vector<std::size_t> silent;                   // processors that have not
};

class StallWatch {
 public:
  /// How long a rank has to answer.
  static constexpr Ticks kPatience = 3'000'000'000;

  StallWatch(const StallTerms& terms, std::span<const std::size_t> processors);

  /// Something was delivered, or there is nothing to wait for. How long it took, where a stall was told.
  std::optional<Ticks> move_on(Ticks now);
  /// So long nobody could do anything: all were stopped.
  void forgive(Ticks time);
  /// The processor has ended: it is not asked any more.
  void leave(std::size_t processor) { std::erase(processors_, processor); }
  /// Whether all ranks are to be asked now.
  bool asks(Ticks now);
  void hear(std::size_t processor, std::vector<Holding> holdings);
  /// What was found, when all have answered or had the time to. Its `next` and `is_ending` are the coordinator's.
  std::optional<Standstill> found(Ticks now);
  /// When something is to be done.
  Ticks next() const;

 private:
  Ticks due() const;

  StallTerms terms_;
  std::vector<std::size_t> processors_;
  Ticks since_ = 0;
  Ticks told_after_ = 0;  // the next time
  bool has_told_ = false;
  std::optional<Ticks> asked_;
  std::map<std::size_t, std::vector<Holding>> answers_;
};

}  // namespace takt::live
