// The cheapest covering knapsack: which items reach a value at least price.
//
// Problem. Items have a price, a value and a number of copies, all whole. Which copies reach a total value of at least
// `need` at the least total price?
//
// Method. Depth first, items by price per value, the most of each first; what is left is at least as dear as its
// fractional cover (Dantzig), rounded up. Fewer of an item never make that cheaper, so the first number of it that is
// too dear ends the loop.
//
// Invariant. A cover is one; nothing is cheaper than the lower bound.
//
// Cost. Exponential in the worst case, so steps are limited; in most cases some hundreds for a hundred items.
//
// References. [dantzig1957discrete].
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::plan {

struct CoverItem {
  std::int64_t price = 0;
  std::int64_t value = 0;  // at most 2^62 / the number of items in all
  std::int64_t count = 0;
};

struct Cover {
  std::int64_t price = 0;
  std::vector<std::int64_t> taken;  // by item
};

/// Values and what is needed as whole numbers: of their common denominator or, where that is beyond 2^40, of 2^-40 with
/// values rounded up, what is needed down, so that no cover is lost.
struct WholeValues {
  std::vector<std::int64_t> values;
  std::int64_t need = 0;
};

/// Values are from 0 to 1; what is needed is at most 2.
WholeValues whole_values(std::span<const maxplus::Rational> values, const maxplus::Rational& need);

struct CoverAnswer {
  /// The cheapest that was found; nothing if all items together are not worth enough.
  std::optional<Cover> cover;
  std::int64_t lower_bound = 0;  // if there is a cover
  bool is_cheapest() const { return cover && cover->price == lower_bound; }
};

/// Prices, values and counts are at least 0, prices of all items together below 2^62.
CoverAnswer cheapest_cover(std::span<const CoverItem> items, std::int64_t need, std::uint64_t most_steps = 200'000);

}  // namespace takt::plan
