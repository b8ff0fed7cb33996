// An answer is the moment of rank 0's clock at which it saw the question.
#include "live/rank/clock_comparison.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "live/engine/messages.hpp"

namespace takt::live {

namespace {

constexpr int kExchanges = 100;  // when a run begins
constexpr int kInARow = 8;       // while it goes on
constexpr std::int64_t kSecond = 1'000'000'000;
constexpr std::int64_t kLongestGap = 16 * kSecond;

std::string bytes_of_number(std::int64_t number) { return {reinterpret_cast<const char*>(&number), sizeof number}; }

std::int64_t number_of(const std::string& text) {
  std::int64_t number = 0;
  if (text.size() != sizeof number) throw std::runtime_error("rank 0 sent an unreadable time of its clock");
  std::memcpy(&number, text.data(), sizeof number);
  return number;
}

ClockBounds ask_at_once(Job& job) {
  ClockBounds bounds;
  for (int k = 0; k < kExchanges; ++k) {
    std::int64_t theirs = 0;
    const std::int64_t sent = monotonic_now();
    job.send(0, bytes_of(theirs));
    job.receive(0, bytes_of(theirs));
    bounds.take(sent, theirs, monotonic_now());
  }
  return bounds;
}

void answer_at_once(Job& job, int other) {
  for (int k = 0; k < kExchanges; ++k) {
    std::int64_t moment = 0;
    job.receive(other, bytes_of(moment));
    moment = monotonic_now();
    job.send(other, bytes_of(moment));
  }
}

}  // namespace

ClockBounds compare_clocks(Job& job, const std::vector<int>& machines) {
  const int rank = job.rank();
  const int first = machines[static_cast<std::size_t>(rank)];
  ClockBounds bounds{0, 0};
  for (int other = 1; other < job.size(); ++other) {
    const int leader = machines[static_cast<std::size_t>(other)];
    if (leader == 0) continue;
    if (leader == other) {
      if (rank == 0) answer_at_once(job, other);
      if (rank == other) bounds = ask_at_once(job);
    } else if (rank == leader) {
      job.send(other, bytes_of(bounds.least));
      job.send(other, bytes_of(bounds.most));
    } else if (rank == other) {
      job.receive(first, bytes_of(bounds.least));
      job.receive(first, bytes_of(bounds.most));
    }
  }
  return bounds;
}

ClockComparison::ClockComparison(Transport& transport, std::size_t coordinator, bool asks, const ClockBounds& bounds,
                                 std::int64_t now, std::function<std::int64_t()> clock)
    : transport_(transport),
      clock_(std::move(clock)),
      coordinator_(coordinator),
      asks_(asks),
      line_(bounds, now),
      error_((bounds.most - bounds.least + 1) / 2),
      next_(now + kSecond),
      gap_(kSecond) {}

void ClockComparison::answer() {
  while (const auto question = transport_.receive_any(kClockTag)) {
    transport_.send(question->first, kClockAnswerTag, bytes_of_number(clock_()), Delivery::prompt);
  }
}

void ClockComparison::send() {
  sent_ = clock_();
  transport_.send(coordinator_, kClockTag, "", Delivery::prompt);
}

bool ClockComparison::ask() {
  if (!asks_) return false;
  // Each look for a message is one at the network.
  if (left_ == 0) {
    if (clock_() < next_) return false;
    bounds_ = {};
    left_ = kInARow;
    send();
  }
  bool has_changed = false;
  while (const auto answer = transport_.receive(coordinator_, kClockAnswerTag)) {
    const std::int64_t now = clock_();
    bounds_.take(sent_, number_of(*answer), now);
    if (--left_ > 0) {
      send();
      continue;
    }
    next_ = now + gap_;
    gap_ = std::min(2 * gap_, kLongestGap);
    if (!bounds_.are_possible()) return has_changed;  // clocks were set apart meanwhile: nothing is known of this row
    line_.take(bounds_, now);
    error_ = bounds_.most - bounds_.least;
    ++count_;
    has_changed = true;
  }
  return has_changed;
}

}  // namespace takt::live
