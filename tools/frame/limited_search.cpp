// Nobody hears of progress where standard error is no terminal.
#include "tools/frame/limited_search.hpp"

#include "tools/frame/options.hpp"

namespace takt::tools {

LimitedSearch::LimitedSearch(const std::optional<double>& seconds) : deadline_(deadline_after(seconds)) {}

LimitedSearch::LimitedSearch(const std::optional<double>& seconds, Streams& streams, std::string_view task,
                             const TimeWords& times)
    : LimitedSearch(seconds) {
  progress_.emplace(streams, task, times);
  if (streams.err_is_terminal) deadline_ = deadline_.heard_by(*progress_);
}

std::string_view why_ended() { return interruption() ? "it was interrupted" : "the time limit was reached"; }

}  // namespace takt::tools
