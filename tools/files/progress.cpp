// A line that is written over, by the two control codes that every terminal knows.
#include "tools/files/progress.hpp"

#include <fmt/format.h>

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

SearchProgress::SearchProgress(Streams& streams, std::string_view task, const TimeWords& times)
    : line_(streams), task_(task), times_(times), next_(std::chrono::steady_clock::now() + std::chrono::seconds(1)) {}

void SearchProgress::on_method(std::string_view name) {
  method_ = name;
  share_ = 0;
  pass_ = 1;
  show_now_and_then();
}

void SearchProgress::on_share(double share) {
  if (share < share_) ++pass_;
  share_ = share;
  show_now_and_then();
}

// Methods that come later may begin with wider bounds.
void SearchProgress::on_bounds(const maxplus::Rational& lower, const maxplus::Rational& upper) {
  if (!lower_ || lower > *lower_) lower_ = lower;
  if (!upper_ || upper < *upper_) upper_ = upper;
  show_now_and_then();
}

void SearchProgress::show_now_and_then() {
  const auto now = std::chrono::steady_clock::now();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  std::string text = fmt::format("{}: {}", task_, method_);
  if (pass_ > 1) text += fmt::format(", pass {}", pass_);
  if (share_ > 0) text += fmt::format(", {:.0f} %", 100 * share_);
  if (lower_ && upper_) text += fmt::format(", period {} to {}", times_.readable(*lower_), times_.readable(*upper_));
  line_.show(text);
}

}  // namespace takt::tools
