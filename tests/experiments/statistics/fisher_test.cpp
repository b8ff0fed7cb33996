// Fisher's exact test: the lady tasting tea, and all small samples against counting.
#include "experiments/statistics/fisher.hpp"

#include <catch2/catch.hpp>

namespace takt::experiments {

namespace {

using maxplus::Integer;
using maxplus::Rational;

Integer choose(std::uint64_t n, std::uint64_t k) {
  if (k > n) return 0;
  Integer result = 1;
  for (std::uint64_t i = 0; i < k; ++i) {
    result *= Integer(n - i);
    result /= Integer(i + 1);
  }
  return result;
}

// Adds up the probability of every count.
SampleTails counted_tails(const CountedSample& sample, const CountedSample& other) {
  const std::uint64_t marked = sample.count + other.count;
  const std::uint64_t all = sample.draws + other.draws;
  SampleTails tails;
  for (std::uint64_t x = 0; x <= sample.draws; ++x) {
    if (x > marked) continue;
    const Rational share =
        Rational::fraction(choose(marked, x) * choose(all - marked, sample.draws - x), choose(all, sample.draws));
    if (x <= sample.count) tails.at_most += share;
    if (x >= sample.count) tails.at_least += share;
  }
  return tails;
}

}  // namespace

TEST_CASE("the lady tells three cups of four: one chance in four") {
  const SampleTails tails = sample_tails({3, 4}, {1, 4});
  CHECK(tails.at_least == Rational::fraction(17, 70));
  CHECK(tails.at_most == Rational::fraction(69, 70));
}

TEST_CASE("tails of all small samples are what counting says") {
  for (std::uint64_t n = 1; n <= 6; ++n) {
    for (std::uint64_t m = 1; m <= 6; ++m) {
      for (std::uint64_t k = 0; k <= n; ++k) {
        for (std::uint64_t a = 0; a <= m; ++a) {
          INFO(k << " of " << n << " against " << a << " of " << m);
          const SampleTails tails = sample_tails({k, n}, {a, m});
          const SampleTails counted = counted_tails({k, n}, {a, m});
          CHECK(tails.at_most == counted.at_most);
          CHECK(tails.at_least == counted.at_least);
        }
      }
    }
  }
}

TEST_CASE("tails of a sample against a billion draws are those of a binomial distribution, nearly") {
  // 220 draws of which each has the property with probability 1/10: none with probability 0.9^220, about 8.6e-11.
  const SampleTails tails = sample_tails({0, 220}, {100'000'000, 1'000'000'000});
  CHECK(tails.at_most.to_double().value() == Approx(8.58e-11).epsilon(0.01));
  CHECK(tails.at_least == Rational(1));
}

}  // namespace takt::experiments
