// Items in order of price per value, with sums of prices and values from the first on.
#include "plan/cover.hpp"

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"

namespace takt::plan {

namespace {

__extension__ typedef __int128 Wide;

std::int64_t ceil_of(Wide numerator, std::int64_t denominator) {
  return static_cast<std::int64_t>((numerator + denominator - 1) / denominator);
}

class CoverSearch {
 public:
  CoverSearch(std::span<const CoverItem> items, std::int64_t need, std::uint64_t most_steps)
      : items_(items), need_(need), steps_left_(most_steps), order_(items.size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    std::erase_if(order_, [&](std::size_t i) { return items[i].value == 0 || items[i].count == 0; });
    std::ranges::stable_sort(order_, [&](std::size_t a, std::size_t b) {
      return static_cast<Wide>(items[a].price) * items[b].value < static_cast<Wide>(items[b].price) * items[a].value;
    });
    values_.push_back(0);
    prices_.push_back(0);
    for (const std::size_t i : order_) {
      // More of an item than are worth it all are of no use.
      counts_.push_back(std::min(items[i].count, ceil_of(need, items[i].value)));
      values_.push_back(values_.back() + static_cast<Wide>(counts_.back()) * items[i].value);
      prices_.push_back(prices_.back() + static_cast<Wide>(counts_.back()) * items[i].price);
    }
    taken_.assign(order_.size(), 0);
  }

  CoverAnswer run() {
    CoverAnswer answer;
    if (need_ <= 0) return {Cover{0, std::vector<std::int64_t>(items_.size())}, 0};
    const auto root = rest(0, need_);
    if (!root) return answer;
    answer.lower_bound = *root;
    look(0, need_, 0);
    answer.cover = Cover{*best_, std::vector<std::int64_t>(items_.size())};
    for (std::size_t k = 0; k < order_.size(); ++k) answer.cover->taken[order_[k]] = best_taken_[k];
    if (steps_left_ > 0) answer.lower_bound = *best_;
    return answer;
  }

 private:
  // What is left costs at least, of the items from `first` on; nothing if they are not enough.
  std::optional<std::int64_t> rest(std::size_t first, std::int64_t left) const {
    if (left <= 0) return 0;
    const Wide wanted = values_[first] + left;
    if (values_.back() < wanted) return std::nullopt;
    const auto at = std::lower_bound(values_.begin() + static_cast<std::ptrdiff_t>(first) + 1, values_.end(), wanted);
    const auto k = static_cast<std::size_t>(at - values_.begin()) - 1;
    const CoverItem& last = items_[order_[k]];
    const Wide whole = prices_[k] - prices_[first];
    return static_cast<std::int64_t>(whole) + ceil_of((wanted - values_[k]) * last.price, last.value);
  }

  void look(std::size_t k, std::int64_t left, std::int64_t price) {
    if (left <= 0) {
      best_ = price;
      best_taken_ = taken_;
      return;
    }
    const CoverItem& item = items_[order_[k]];
    for (std::int64_t n = std::min(counts_[k], ceil_of(left, item.value)); n >= 0; --n) {
      // The first way down is always walked: it is a cover.
      if (best_ && (steps_left_ == 0 || --steps_left_ == 0)) return;
      const std::int64_t after = left - n * item.value;
      const auto more = rest(k + 1, after);
      if (!more) break;
      if (best_ && price + n * item.price + *more >= *best_) {
        // Only what is worth more than is needed may be dearer than less of it.
        if (after < 0) continue;
        break;
      }
      taken_[k] = n;
      look(k + 1, after, price + n * item.price);
      taken_[k] = 0;
    }
  }

  std::span<const CoverItem> items_;
  std::int64_t need_;
  std::uint64_t steps_left_;
  std::vector<std::size_t> order_;
  std::vector<std::int64_t> counts_;  // in order
  std::vector<Wide> values_;          // of all before, in order
  std::vector<Wide> prices_;
  std::vector<std::int64_t> taken_;
  std::optional<std::int64_t> best_;
  std::vector<std::int64_t> best_taken_;
};

}  // namespace

WholeValues whole_values(std::span<const maxplus::Rational> values, const maxplus::Rational& need) {
  constexpr std::int64_t kFinest = std::int64_t{1} << 40;
  maxplus::Integer scale = need.denominator();
  for (const maxplus::Rational& value : values) {
    if (scale > kFinest) break;
    scale = lcm(scale, value.denominator());
  }
  if (scale > kFinest) scale = kFinest;
  const maxplus::Rational times(scale);
  WholeValues whole;
  for (const maxplus::Rational& value : values) whole.values.push_back((value * times).ceiling().get_si());
  whole.need = (need * times).floor().get_si();
  return whole;
}

CoverAnswer cheapest_cover(std::span<const CoverItem> items, std::int64_t need, std::uint64_t most_steps) {
  maxplus::expects(std::ranges::all_of(items, [](const CoverItem& i) { return i.price >= 0 && i.value >= 0; }),
                   "items have prices and values of at least 0");
  return CoverSearch(items, need, most_steps).run();
}

}  // namespace takt::plan
