// Covers against all choices of items, and by hand.
#include "plan/cover.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <vector>

#include "tests/support/draw.hpp"

namespace takt::plan {
namespace {

std::int64_t price_of(const std::vector<CoverItem>& items, const std::vector<std::int64_t>& taken) {
  std::int64_t price = 0;
  for (std::size_t i = 0; i < items.size(); ++i) price += items[i].price * taken[i];
  return price;
}

std::int64_t value_of(const std::vector<CoverItem>& items, const std::vector<std::int64_t>& taken) {
  std::int64_t value = 0;
  for (std::size_t i = 0; i < items.size(); ++i) value += items[i].value * taken[i];
  return value;
}

std::optional<std::int64_t> cheapest_of_all(const std::vector<CoverItem>& items, std::int64_t need) {
  std::optional<std::int64_t> best;
  std::vector<std::int64_t> taken(items.size());
  while (true) {
    const std::int64_t price = price_of(items, taken);
    if (value_of(items, taken) >= need && (!best || price < *best)) best = price;
    std::size_t i = 0;
    for (; i < items.size() && taken[i] == items[i].count; ++i) taken[i] = 0;
    if (i == items.size()) return best;
    ++taken[i];
  }
}

TEST_CASE("covers are the cheapest of all choices, and with few steps still covers with a bound") {
  std::size_t covered = 0;
  for (std::uint64_t seed = 1; seed <= 4000; ++seed) {
    support::Draw draw(seed);
    std::vector<CoverItem> items;
    for (std::size_t k = draw.count(1, 5); k > 0; --k) {
      items.push_back({draw.between(0, 11), draw.between(0, 9), draw.between(0, 3)});
    }
    const std::int64_t need = draw.between(0, 24);
    INFO("seed " << seed);
    const auto wanted = cheapest_of_all(items, need);
    const CoverAnswer answer = cheapest_cover(items, need);
    REQUIRE(answer.cover.has_value() == wanted.has_value());
    if (!wanted) continue;
    ++covered;
    REQUIRE(answer.is_cheapest());
    REQUIRE(answer.cover->price == *wanted);
    REQUIRE(price_of(items, answer.cover->taken) == *wanted);
    REQUIRE(value_of(items, answer.cover->taken) >= need);
    for (std::size_t i = 0; i < items.size(); ++i) REQUIRE(answer.cover->taken[i] <= items[i].count);
    const CoverAnswer hasty = cheapest_cover(items, need, 2);
    REQUIRE(hasty.cover);
    REQUIRE(hasty.lower_bound <= *wanted);
    REQUIRE(hasty.cover->price >= *wanted);
    REQUIRE(value_of(items, hasty.cover->taken) >= need);
  }
  REQUIRE(covered > 2000);
}

TEST_CASE("one item that is worth more than is needed may be dearer than others that are just enough") {
  const std::vector<CoverItem> items = {{10, 10, 1}, {6, 5, 1}};
  const CoverAnswer answer = cheapest_cover(items, 5);
  REQUIRE(answer.cover);
  CHECK(answer.cover->price == 6);
  CHECK(answer.cover->taken == std::vector<std::int64_t>{0, 1});
  CHECK_FALSE(cheapest_cover(items, 16).cover);
  CHECK(cheapest_cover({}, 0).cover->price == 0);
}

}  // namespace
}  // namespace takt::plan
