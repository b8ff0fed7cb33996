// A deadline that hears of signals, and a listener that shows progress.
#include "tools/frame/command_search.hpp"

#include "tools/frame/options.hpp"

namespace takt::tools {

CommandSearch::CommandSearch(const std::optional<double>& time_limit) : deadline_(deadline_after(time_limit)) {}

CommandSearch::CommandSearch(const std::optional<double>& time_limit, Streams& streams, std::string_view task,
                             const TimeWords& times)
    : CommandSearch(time_limit) {
  if (!streams.err_is_terminal) return;
  progress_.emplace(streams, task, times);
  deadline_ = deadline_.heard_by(*progress_);
}

}  // namespace takt::tools
