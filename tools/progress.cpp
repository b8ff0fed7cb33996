// A line that is written over, by the two control codes that every terminal knows.
#include "tools/progress.hpp"

#include <ostream>

namespace takt::tools {

namespace {

constexpr std::string_view kClear = "\r\x1b[K";

}  // namespace

Progress::~Progress() {
  if (is_shown_) streams_.err << kClear << std::flush;
}

void Progress::show(std::string_view text) {
  if (!streams_.err_is_terminal) return;
  is_shown_ = true;
  streams_.err << kClear << "takt: " << text << std::flush;
}

}  // namespace takt::tools
