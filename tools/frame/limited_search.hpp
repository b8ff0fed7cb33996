// What every command that searches begins with: the user's time limit, the first Ctrl-C, progress on a terminal.
#pragma once

#include <optional>
#include <string_view>

#include "maxplus/deadline.hpp"
#include "tools/command.hpp"
#include "tools/files/progress.hpp"
#include "tools/files/signals.hpp"
#include "tools/words/time_words.hpp"

namespace takt::tools {

/// While it lives, the first Ctrl-C asks the searches that see `deadline` for what they have.
class LimitedSearch {
 public:
  /// The time starts now; `seconds` are those of a --time-limit, if there is one.
  explicit LimitedSearch(const std::optional<double>& seconds);
  /// A terminal at `streams.err` sees how far the search is; `task` stands before that, such as the file and the model.
  LimitedSearch(const std::optional<double>& seconds, Streams& streams, std::string_view task,
                const TimeWords& times = {});

  /// Refers to this object.
  const maxplus::Deadline& deadline() const { return deadline_; }

 private:
  InterruptibleSearch interruptible_;
  std::optional<SearchProgress> progress_;
  maxplus::Deadline deadline_;
};

/// Why a search ended early: "it was interrupted", or "the time limit was reached".
std::string_view why_ended();

}  // namespace takt::tools
