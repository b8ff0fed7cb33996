// A running program of a stage with its three pipes: neither side waits for the other on a full one.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/process/descriptor.hpp"
#include "live/process/keeper.hpp"
#include "maxplus/deadline.hpp"

namespace takt::live {

/// Where a program stands when it has been waited for.
struct StageReadiness {
  bool can_write = false;
  bool can_read = false;
};

/// Whether who waits for a program was stopped meanwhile, which is known by its looks: it has one each kLook at least.
class NoticedStops {
 public:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::seconds kLook{1};

  /// For how long, since the last look.
  Clock::duration look() {
    const auto now = Clock::now();
    const auto since = now - std::exchange(looked_, now);
    return since > 2 * kLook ? since : Clock::duration::zero();
  }

 private:
  Clock::time_point looked_ = Clock::now();
};

/// A program that a keeper runs. What it says on standard error is kept, the end of it.
class StageProcess {
 public:
  using Clock = maxplus::SearchClock;

  /// Keeps a reference. Throws std::system_error.
  StageProcess(Keeper& keeper, const std::string& command, const std::vector<std::string>& variables);
  StageProcess(const StageProcess&) = delete;
  StageProcess& operator=(const StageProcess&) = delete;
  /// Kills it.
  ~StageProcess();

  pid_t id() const { return keeper_.id_of(number_); }

  /// As much as the pipe takes now, taken off the pieces; false if nobody reads it any more.
  bool write_some(std::vector<std::string_view>& pieces);
  bool has_input() const { return input_.is_open(); }
  void close_input() { input_.reset(); }
  /// Bytes that it has been given and has not read.
  std::size_t unread() const;

  /// What it has written by now, into `to`; 0 if it has closed its output, nothing if there is nothing.
  std::optional<std::size_t> read_some(char* to, std::size_t most);

  /// Until it reads (where that is wanted) or has written, or the moment has come. Reads its standard error meanwhile.
  StageReadiness wait(bool wants_to_write, const std::optional<Clock::time_point>& until);

  /// How it ended; nothing if it still runs after this time.
  std::optional<KeptEnd> end_within(std::chrono::milliseconds patience);
  /// Kills it, unless it has ended; how it ended.
  KeptEnd end();

  /// The last lines of what it said on standard error, as one; empty if it said nothing.
  std::string said();

 private:
  void take_errors();

  Keeper& keeper_;
  std::uint64_t number_ = 0;
  OwnedDescriptor input_;
  OwnedDescriptor output_;
  OwnedDescriptor errors_;
  std::optional<KeptEnd> end_;
  std::string said_;
};

}  // namespace takt::live
