// Random numbers as a function of what they are for: no state to carry, nothing to skip, any order.
//
// Problem. Draw number 10^9 of an experiment must be the same on every machine, in any order, for any number of
// processes, and another parameter drawn beside it must not change it.
//
// Method. A counter-based generator, Philox4x64-10: a fixed bijection of the counter under a key. The key is the seed
// and the cell; the counter is the block, the purpose and the draw. Distributions are exact in integers: none calls a
// function that differs between mathematical libraries.
//
// References. [salmon2011parallel]; [lemire2019fast] for whole numbers below a bound.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace takt::experiments {

/// Which draw of which cell: two draws whose keys differ anywhere are independent.
struct DrawKey {
  std::uint64_t seed = 1;
  std::uint64_t cell = 0;  // `cell_hash` of its parameters
  std::uint64_t draw = 0;
};

/// What numbers are for. Each purpose has numbers of its own, so that more of one leaves the others as they are.
enum class Purpose : std::uint64_t {
  works = 1,
  sizes = 2,
  speeds = 3,
  links = 4,
  replicas = 5,
  computations = 6,
  heuristic = 7,
  choice = 8,
  cores = 9,
  shape = 10,
  order = 11,
  search = 12,
};

/// The 64-bit FNV-1a hash of a cell's canonical parameters.
std::uint64_t cell_hash(std::string_view parameters);

/// The numbers of one purpose of one draw, one after the other.
class Stream {
 public:
  Stream(const DrawKey& key, Purpose purpose);

  /// 64 random bits.
  std::uint64_t next() {
    if (used_ == block_.size()) refill();
    return block_[used_++];
  }
  /// Uniform among 0 .. bound - 1; the bound is at least 1.
  std::uint64_t below(std::uint64_t bound);
  /// Uniform among low .. high; low <= high, their distance below 2^64 - 1.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) +
                                     below(static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) + 1));
  }

 private:
  void refill();

  std::array<std::uint64_t, 2> key_;
  std::array<std::uint64_t, 4> counter_;
  std::array<std::uint64_t, 4> block_;
  std::size_t used_;
};

/// One block of Philox4x64-10, the function under all of this.
std::array<std::uint64_t, 4> philox(const std::array<std::uint64_t, 4>& counter,
                                    const std::array<std::uint64_t, 2>& key);

/// Puts the items into an order drawn uniformly.
template <typename Item>
void shuffle(std::span<Item> items, Stream& stream) {
  for (std::size_t left = items.size(); left > 1; --left) std::swap(items[left - 1], items[stream.below(left)]);
}

/// Uniform among the ways to write `total` as a sum of as many positive integers as `parts` has room for; at least one,
/// at most `total`.
void draw_composition(std::span<std::uint64_t> parts, std::uint64_t total, Stream& stream);

/// A normal distribution on the grid mean + k deviation / steps, up to nine deviations away, its weights exact to 64
/// bits: the standard density at k / steps, normalized.
class GridNormal {
 public:
  /// `steps` to a deviation, from 1 to 10,000; takes time and memory in proportion to them.
  explicit GridNormal(std::int64_t steps);
  /// k, of which a number drawn is mean + k deviation / steps.
  std::int64_t draw(Stream& stream) const;

 private:
  std::int64_t most_;                      // |k| at most
  std::vector<std::uint64_t> thresholds_;  // of k = -most_ .. most_ - 1: below it, k or less
};

}  // namespace takt::experiments
