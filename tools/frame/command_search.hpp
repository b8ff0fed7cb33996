// What ends the search of a command, and who watches it.
#pragma once

#include <optional>
#include <string_view>

#include "maxplus/deadline.hpp"
#include "tools/files/progress.hpp"
#include "tools/files/signals.hpp"

namespace takt::tools {

/// A command's search while it runs: its time limit or the first SIGINT ends it with what it has proved by then, and a
/// terminal may see how far it is.
class CommandSearch {
 public:
  /// The limit is in seconds from now; none: without end.
  explicit CommandSearch(const std::optional<double>& time_limit);
  /// The same, and a terminal at `streams.err` sees the progress of `task`.
  CommandSearch(const std::optional<double>& time_limit, Streams& streams, std::string_view task,
                const TimeWords& times = {});

  const maxplus::Deadline& deadline() const { return deadline_; }

 private:
  InterruptibleSearch interruptible_;
  std::optional<SearchProgress> progress_;
  maxplus::Deadline deadline_;
};

}  // namespace takt::tools
