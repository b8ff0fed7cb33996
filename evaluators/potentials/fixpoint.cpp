// Residue-specific bounds are followed in batches, so that the tables' memory is on its way before it is needed.
#include "evaluators/potentials/fixpoint.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <utility>

#include "evaluators/potential_limits.hpp"

namespace takt::evaluators {

namespace {

constexpr std::size_t kBatch = 48;
constexpr std::size_t kArrivals = 512;
constexpr std::size_t kBuckets = 8192;
constexpr std::size_t kPairsBetweenLooks = 256;
constexpr double kCircling = 3;                 // times that each bound is reached, on average
constexpr double kFewReached = 10'000;          // so few tell nothing, and their sums stay in 32 bits
constexpr std::uint64_t kBytesPerWaiting = 32;  // vectors double

}  // namespace

ClassPotentials::ClassPotentials(const StrictChain& chain, const PotentialClasses& classes,
                                 std::vector<std::vector<std::int32_t>> values)
    : chain_(chain) {
  for (std::size_t t = 0; t < chain.transfers(); ++t) {
    OfTransfer of;
    of.by_class = std::move(values[t]);
    of.by_pair.assign(chain.pairs(t), kNever);
    of.by_reversed_pair.assign(chain.pairs(t), kNever);
    of.by_sender.assign(chain.modulus(t), kNever);
    of.by_receiver.assign(chain.modulus(t + 1), kNever);
    for (std::size_t a = 0; a < chain.modulus(t); ++a) {
      for (std::size_t b = 0; b < chain.modulus(t + 1); ++b) {
        const std::size_t pair = chain.pair(t, a, b);
        std::int32_t least = kNever;
        for (std::size_t k = classes.first(t, pair); k < classes.first(t, pair + 1); ++k) {
          least = std::min(least, of.by_class[k]);
        }
        of.by_pair[pair] = of.by_reversed_pair[b * chain.modulus(t) + a] = least;
        of.by_sender[a] = std::min(of.by_sender[a], least);
        of.by_receiver[b] = std::min(of.by_receiver[b], least);
      }
    }
    transfers_.push_back(std::move(of));
  }
}

std::span<const std::int32_t> ClassPotentials::least_from(std::size_t t, std::size_t sender) const {
  const std::size_t receivers = chain_.modulus(t + 1);
  return std::span(transfers_[t].by_pair).subspan(sender * receivers, receivers);
}

std::span<const std::int32_t> ClassPotentials::least_to(std::size_t t, std::size_t receiver) const {
  const std::size_t senders = chain_.modulus(t);
  return std::span(transfers_[t].by_reversed_pair).subspan(receiver * senders, senders);
}

Fixpoint::Fixpoint(const StrictChain& chain, const PotentialClasses& classes, const ClassPotentials& potentials,
                   std::span<const PartBits> keeps, std::span<const std::int64_t> allowances)
    : chain_(chain),
      classes_(classes),
      potentials_(potentials),
      keeps_(keeps.begin(), keeps.end()),
      allowances_(allowances.begin(), allowances.end()),
      sets_(chain) {}

FixpointEnd Fixpoint::run(const FixpointLimits& limits) {
  bucket_width_ = static_cast<std::size_t>(limits.highest) / kBuckets + 1;
  waiting_.assign(kBuckets, {});
  FixpointEnd end = begin(limits);
  while (end == FixpointEnd::found) {
    while (top_ > 0 && waiting_[top_].empty()) --top_;
    if (waiting_[top_].empty()) return FixpointEnd::found;
    end = follow_batch(limits);
  }
  return end;
}

// What follows from the potential alone.
FixpointEnd Fixpoint::begin(const FixpointLimits& limits) {
  Item item;
  for (std::size_t t = 0; t < chain_.transfers(); ++t) {
    for (std::size_t pair = 0; pair < chain_.pairs(t); ++pair) {
      if (!classes_.meets(t, pair)) continue;
      item.residues[t] = static_cast<std::uint32_t>(pair / chain_.modulus(t + 1));
      item.residues[t + 1] = static_cast<std::uint32_t>(pair % chain_.modulus(t + 1));
      item.known = classes_.parts(t, pair);
      const std::size_t third = classes_.third(t, pair);
      const std::size_t first = classes_.first(t, pair);
      for (std::uint32_t x = 0; x < chain_.modulus(third); ++x) {
        if (!classes_.is_met(t, first + x)) continue;
        item.residues[third] = x;
        item.transfer = t;
        item.start = potentials_.of_class(t, first + x);
        follow(item);
        if (arrivals_.size() > kArrivals) store_arrivals();
      }
      if (pair % kPairsBetweenLooks != 0) continue;
      if (const FixpointEnd end = end_by(limits); end != FixpointEnd::found) return end;
    }
    store_arrivals();
  }
  return FixpointEnd::found;
}

// Some of the highest that wait.
FixpointEnd Fixpoint::follow_batch(const FixpointLimits& limits) {
  std::array<Waiting, kBatch> batch;
  std::vector<Waiting>& bucket_of_top = waiting_[top_];
  const std::size_t count = std::min(kBatch, bucket_of_top.size());
  for (std::size_t k = 0; k < count; ++k) {
    batch[k] = bucket_of_top.back();
    bucket_of_top.pop_back();
    --waiting_count_;
    sets_[batch[k].set].starts.prefetch(batch[k].key);
  }
  Item item;
  for (std::size_t k = 0; k < count; ++k) {
    const KnownSet& set = sets_[batch[k].set];
    if (set.starts.start(batch[k].key) != batch[k].start) continue;
    item.transfer = set.transfer;
    item.known = set.parts;
    item.start = batch[k].start;
    set.residues(batch[k].key, item.residues);
    follow(item);
    if (arrivals_.size() > kArrivals) store_arrivals();
  }
  store_arrivals();
  return end_by(limits);
}

FixpointEnd Fixpoint::end_by(const FixpointLimits& limits) const {
  const bool is_circling = reached_ > limits.expected && reached_ > kCircling * static_cast<double>(stored_);
  const bool is_too_high = highest_ > limits.highest && reached_ > kFewReached;
  if (is_too_high || is_circling) return FixpointEnd::divergence;
  const bool is_beyond_proof = std::max(stored_, waiting_count_) >= kPotentialBounds;
  if (reached_ > limits.bounds || is_beyond_proof) return FixpointEnd::over_budget;
  if (table_bytes_ + waiting_count_ * kBytesPerWaiting > limits.memory) return FixpointEnd::full;
  return limits.deadline.has_passed() ? FixpointEnd::out_of_time : FixpointEnd::found;
}

// Both transfers that wait for this one, over the circuits of its sender and its receiver. The item becomes one of
// them.
void Fixpoint::follow(Item& item) {
  const std::size_t t = item.transfer;
  const std::size_t last = chain_.parts() - 1;
  const std::int64_t duration = chain_.transfer(t, pair_of(item));
  if (t > 0) {
    follow_later(item, t - 1, t, duration);
  } else {
    follow_later(item, 0, 0, duration + chain_.compute(0, item.residues[0]));
  }
  if (t + 1 < last) {
    item.transfer = t + 1;
    item.start += duration + chain_.compute(t + 1, item.residues[t + 1]);
    arrive(item);
  } else {
    follow_later(item, t, last, duration + chain_.compute(last, item.residues[last]));
  }
}

// To data sets that come later by a part's number of processors.
void Fixpoint::follow_later(const Item& item, std::size_t transfer, std::size_t height_of, std::int64_t gain) {
  Item next;
  next.transfer = transfer;
  next.known = item.known;
  next.start = item.start + gain - allowances_[height_of];
  for (PartBits rest = item.known; rest != 0; rest &= rest - 1) {
    const auto part = static_cast<std::size_t>(std::countr_zero(rest));
    next.residues[part] = chain_.later(part, item.residues[part], height_of);
  }
  arrive(next);
}

// Residues of a part that data sets have together with all that is known.
ResidueSet Fixpoint::possible(const Item& item, std::size_t part) const {
  ResidueSet residues(chain_.modulus(part));
  for (PartBits rest = item.known; rest != 0; rest &= rest - 1) {
    const auto other = static_cast<std::size_t>(std::countr_zero(rest));
    residues.keep(chain_.meeting(part, other, item.residues[other]));
  }
  return residues;
}

// Learns the residue of a part, for each value that may be above the potential.
template <typename Least, typename Arrive>
void Fixpoint::branch(Item& item, std::size_t part, Least least, Arrive arrive) {
  const ResidueSet residues = possible(item, part);
  item.known |= part_bit(part);
  for (std::uint32_t x = 0; x < chain_.modulus(part); ++x) {
    if (item.start <= least(x) || !residues.has(x)) continue;
    item.residues[part] = x;
    arrive();
  }
  item.known &= ~part_bit(part);
}

void Fixpoint::arrive(Item& item) {
  const std::size_t t = item.transfer;
  if ((item.known & part_bit(t + 1)) == 0) {
    if (item.start <= potentials_.least_of_sender(t, item.residues[t])) return;
    const auto least = potentials_.least_from(t, item.residues[t]);
    branch(
        item, t + 1, [least](std::size_t b) { return least[b]; }, [&] { arrive_at_pair(item); });
  } else if ((item.known & part_bit(t)) == 0) {
    if (item.start <= potentials_.least_of_receiver(t, item.residues[t + 1])) return;
    const auto least = potentials_.least_to(t, item.residues[t + 1]);
    branch(
        item, t, [least](std::size_t a) { return least[a]; }, [&] { arrive_at_pair(item); });
  } else {
    arrive_at_pair(item);
  }
}

void Fixpoint::arrive_at_pair(Item& item) {
  const std::size_t t = item.transfer;
  const std::size_t pair = pair_of(item);
  if (item.start <= potentials_.least_of_pair(t, pair)) return;
  const std::size_t third = classes_.third(t, pair);
  if ((item.known & part_bit(third)) != 0) return arrive_at_class(item);
  const std::size_t first = classes_.first(t, pair);
  branch(
      item, third, [&](std::size_t x) { return potentials_.of_class(t, first + x); }, [&] { arrive_at_class(item); });
}

void Fixpoint::arrive_at_class(const Item& item) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const std::size_t t = item.transfer;
  const std::size_t pair = pair_of(item);
  const std::size_t index = classes_.first(t, pair) + item.residues[classes_.third(t, pair)];
  potentials_.prefetch(t, index);
  const std::uint32_t set = sets_.number_of(t, item.known & (keeps_[t] | classes_.parts(t, pair)));
  arrivals_.push_back({sets_[set].key(item.residues), set, static_cast<std::uint32_t>(index),
                       static_cast<std::int32_t>(std::min(item.start, kMost)), 0});
}

// The tables' memory is asked for as soon as it is known to be needed.
void Fixpoint::keep_arrivals_above() {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  std::erase_if(arrivals_, [&](Arrival& arrival) {
    const KnownSet& set = sets_[arrival.set];
    const std::int64_t height = std::int64_t{arrival.start} - potentials_.of_class(set.transfer, arrival.index);
    if (height <= 0) return true;
    arrival.height = static_cast<std::int32_t>(std::min(height, kMost));
    set.starts.prefetch(arrival.key);
    return false;
  });
}

void Fixpoint::store_arrivals() {
  keep_arrivals_above();
  reached_ += static_cast<double>(arrivals_.size());
  for (const Arrival& arrival : arrivals_) {
    StartTable& starts = sets_[arrival.set].starts;
    const std::size_t bytes = starts.bytes();
    const std::size_t size = starts.size();
    if (!starts.raise(arrival.key, arrival.start)) continue;
    stored_ += starts.size() - size;
    table_bytes_ += starts.bytes() - bytes;
    ++waiting_count_;
    highest_ = std::max(highest_, arrival.height);
    const std::size_t at = bucket(arrival.height);
    waiting_[at].push_back({arrival.key, arrival.set, arrival.start});
    top_ = std::max(top_, at);
  }
  arrivals_.clear();
}

}  // namespace takt::evaluators
