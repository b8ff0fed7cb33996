// Random numbers: known answers, independence of order, distributions held to their definitions.
#include "experiments/draws/stream.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <vector>

namespace takt::experiments {

namespace {

using Block = std::array<std::uint64_t, 4>;

constexpr std::uint64_t kOnes = ~std::uint64_t{0};

}  // namespace

TEST_CASE("Philox gives the blocks that its authors publish") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) ==
        Block{0x16554d9eca36314c, 0xdb20fe9d672d0fdc, 0xd7e772cee186176b, 0x7e68b68aec7ba23b});
  CHECK(philox({kOnes, kOnes, kOnes, kOnes}, {kOnes, kOnes}) ==
        Block{0x87b092c3013fe90b, 0x438c3c67be8d0224, 0x9cc7d7c69cd777b6, 0xa09caebf594f0ba0});
}

TEST_CASE("a stream's numbers are the blocks of its counter") {
  Stream stream({.seed = 7, .cell = 9, .draw = 11}, Purpose::speeds);
  for (std::uint64_t block = 0; block < 3; ++block) {
    for (const std::uint64_t number : philox({block, static_cast<std::uint64_t>(Purpose::speeds), 11, 0}, {7, 9})) {
      CHECK(stream.next() == number);
    }
  }
}

TEST_CASE("the hash of a cell is FNV-1a") {
  CHECK(cell_hash("") == 0xcbf29ce484222325);
  CHECK(cell_hash("a") == 0xaf63dc4c8601ec8c);
  CHECK(cell_hash("foobar") == 0x85944171f73967e8);
}

TEST_CASE("whole numbers below a bound are even, and stay below it") {
  Stream stream({}, Purpose::works);
  std::map<std::uint64_t, int> counts;
  for (int i = 0; i < 70000; ++i) ++counts[stream.below(7)];
  CHECK(counts.size() == 7);
  for (const auto& [number, count] : counts) {
    CHECK(number < 7);
    CHECK(std::abs(count - 10000) < 400);  // four deviations
  }
  CHECK(stream.below(1) == 0);
  // Half of all 64-bit numbers are rejected here.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  for (int i = 0; i < 1000; ++i) CHECK(stream.below(bound) < bound);
}

TEST_CASE("whole numbers between two ends reach both, also at the ends of 64 bits") {
  Stream stream({}, Purpose::works);
  std::map<std::int64_t, int> counts;
  for (int i = 0; i < 1000; ++i) ++counts[stream.between(-1, 1)];
  CHECK(counts.size() == 3);
  for (int i = 0; i < 100; ++i) {
    CHECK(stream.between(INT64_MIN, INT64_MIN) == INT64_MIN);
    CHECK(stream.between(INT64_MAX - 1, INT64_MAX) >= INT64_MAX - 1);
  }
}

TEST_CASE("every composition is as likely as any other") {
  std::map<std::vector<std::uint64_t>, int> counts;
  Stream stream({}, Purpose::replicas);
  for (int i = 0; i < 20000; ++i) {
    std::vector<std::uint64_t> parts(3);
    draw_composition(parts, 6, stream);
    CHECK(parts[0] + parts[1] + parts[2] == 6);
    CHECK(std::ranges::min(parts) >= 1);
    ++counts[parts];
  }
  CHECK(counts.size() == 10);  // 5 choose 2
  for (const auto& [parts, count] : counts) CHECK(std::abs(count - 2000) < 180);
  std::vector<std::uint64_t> one(1);
  draw_composition(one, 5, stream);
  CHECK(one[0] == 5);
}

TEST_CASE("every order is as likely as any other") {
  std::map<std::vector<int>, int> counts;
  Stream stream({}, Purpose::choice);
  for (int i = 0; i < 24000; ++i) {
    std::vector<int> items = {1, 2, 3, 4};
    shuffle(std::span(items), stream);
    ++counts[items];
  }
  CHECK(counts.size() == 24);
  for (const auto& [items, count] : counts) CHECK(std::abs(count - 1000) < 140);
}

TEST_CASE("the normal distribution on a grid has its mean, its deviation and its tails") {
  const GridNormal normal(100);
  Stream stream({}, Purpose::works);
  const int draws = 200000;
  double sum = 0;
  double squares = 0;
  int beyond_one = 0;
  int beyond_two = 0;
  for (int i = 0; i < draws; ++i) {
    const auto k = static_cast<double>(normal.draw(stream));
    sum += k;
    squares += k * k;
    beyond_one += std::abs(k) > 100 ? 1 : 0;
    beyond_two += std::abs(k) > 200 ? 1 : 0;
  }
  CHECK(std::abs(sum / draws) < 0.9);
  CHECK(squares / draws == Approx(10000).epsilon(0.02));
  // The shares beyond 1.005 and 2.005 deviations: the grid's points stand for what is nearest to them.
  CHECK(beyond_one == Approx(0.3149 * draws).epsilon(0.02));
  CHECK(beyond_two == Approx(0.04496 * draws).epsilon(0.04));
}

TEST_CASE("a normal distribution has as many steps to a deviation as asked for") {
  const GridNormal one(1);
  const GridNormal fine(5000);
  Stream stream({}, Purpose::works);
  std::map<std::int64_t, int> counts;
  int beyond = 0;
  for (int i = 0; i < 100000; ++i) {
    ++counts[one.draw(stream)];
    beyond += std::abs(fine.draw(stream)) > 5000 ? 1 : 0;
  }
  // The densities at 0, 1, 2 over their sum at all whole numbers, 2.5066.
  CHECK(counts[0] == Approx(39894).epsilon(0.02));
  CHECK(counts[1] == Approx(24197).epsilon(0.02));
  CHECK(counts[-2] == Approx(5399).epsilon(0.05));
  CHECK(beyond == Approx(31731).epsilon(0.02));
}

}  // namespace takt::experiments
