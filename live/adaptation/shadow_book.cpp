// Few shadows are under way at a time.
#include "live/adaptation/shadow_book.hpp"

#include <algorithm>

namespace takt::live {

namespace {

constexpr std::size_t kMostLatest = 8;  // computations of a processor whose shadow may come later
constexpr std::size_t kRefusals = 3;    // in a row: its files are too large

}  // namespace

bool ShadowBook::lends(std::size_t processor) const {
  return std::ranges::any_of(repeating_, [&](const auto& one) { return one.second.from == processor; });
}

bool ShadowBook::never_lends(std::size_t processor) const { return refused_[processor] >= kRefusals; }

void ShadowBook::asked(const ShadowWish& wish) {
  repeating_[wish.to] = {wish.from, {}};
  blocked_[wish.from] = true;
}

void ShadowBook::lent(const ShadowWish& wish, const ComputationKey& key) {
  repeating_[wish.to] = {wish.from, key};
  refused_[wish.from] = 0;
}

void ShadowBook::not_lent(const ShadowWish& wish) {
  repeating_.erase(wish.to);
  ++refused_[wish.from];
  blocked_[wish.from] = true;
}

std::vector<DonePair> ShadowBook::computed(std::size_t processor, const ComputationKey& key, double time) {
  latest_[processor].push_back({key, time});
  if (latest_[processor].size() > kMostLatest) latest_[processor].pop_front();
  std::vector<DonePair> done;
  for (const Waiting& one : waiting_)
    if (one.from == processor && one.key == key) done.push_back({processor, one.to, time, one.time});
  std::erase_if(waiting_, [&](const Waiting& one) { return one.from == processor && one.key == key; });
  return done;
}

std::optional<DonePair> ShadowBook::shadowed(std::size_t processor, const ComputationKey& key,
                                             std::optional<double> time) {
  const auto found = repeating_.find(processor);
  if (found == repeating_.end()) return std::nullopt;
  const std::size_t from = found->second.from;
  repeating_.erase(found);
  if (!time) return std::nullopt;
  const auto known = std::ranges::find(latest_[from], key, &Known::key);
  if (known != latest_[from].end()) return DonePair{from, processor, known->time, *time};
  waiting_.push_back({from, processor, key, *time});
  return std::nullopt;
}

}  // namespace takt::live
