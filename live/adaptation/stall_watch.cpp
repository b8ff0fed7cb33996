// Answers that come late are those of the next question.
#include "live/adaptation/stall_watch.hpp"

#include <algorithm>
#include <utility>

namespace takt::live {

StallWatch::StallWatch(const StallTerms& terms, std::span<const std::size_t> processors)
    : terms_(terms), processors_(processors.begin(), processors.end()), told_after_(terms.told_after) {}

std::optional<Ticks> StallWatch::move_on(Ticks now) {
  const Ticks lasted = now - std::exchange(since_, now);
  told_after_ = terms_.told_after;
  asked_.reset();
  answers_.clear();
  if (!std::exchange(has_told_, false)) return std::nullopt;
  return lasted;
}

void StallWatch::forgive(Ticks time) {
  since_ += time;
  if (asked_) *asked_ += time;
}

// At the limit there is a last question.
Ticks StallWatch::due() const { return since_ + std::min(told_after_, terms_.ended_after.value_or(told_after_)); }

bool StallWatch::asks(Ticks now) {
  if (asked_ || now < due()) return false;
  asked_ = now;
  answers_.clear();
  return true;
}

void StallWatch::hear(std::size_t processor, std::vector<Holding> holdings) {
  answers_[processor] = std::move(holdings);
}

std::optional<Standstill> StallWatch::found(Ticks now) {
  if (!asked_ || (answers_.size() < processors_.size() && now < *asked_ + kPatience)) return std::nullopt;
  Standstill stall;
  stall.lasted = now - since_;
  stall.now = now;
  stall.is_last = terms_.ended_after && *asked_ - since_ >= *terms_.ended_after;
  for (const std::size_t processor : processors_) {
    if (!answers_.contains(processor)) stall.silent.push_back(processor);
  }
  stall.held = std::exchange(answers_, {});
  told_after_ = std::max(told_after_, stall.lasted) * 2;
  has_told_ = true;
  asked_.reset();
  return stall;
}

Ticks StallWatch::next() const { return asked_ ? *asked_ + kPatience : due(); }

}  // namespace takt::live
