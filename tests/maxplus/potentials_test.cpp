// Potentials: found at the largest ratio and above, refused below, checked arc by arc.
#include <catch2/catch.hpp>

#include "maxplus/potentials.hpp"
#include "maxplus/solvers.hpp"
#include "tests/maxplus/graphs.hpp"

namespace takt::maxplus::test {

namespace {

void expect_found(const Listed& listed, const Rational& ratio) {
  const auto x = potentials(listed.graph(), ratio);
  REQUIRE(x.has_value());
  REQUIRE(x->size() == listed.vertices);
  for (const ListedArc& arc : listed.arcs) {
    const Integer reduced = ratio.denominator() * arc.weight - ratio.numerator() * arc.tokens;
    REQUIRE(reduced + (*x)[arc.from] <= (*x)[arc.to]);
  }
}

void expect_refused(const Listed& listed, const Rational& ratio) {
  REQUIRE_FALSE(potentials(listed.graph(), ratio).has_value());
}

/// Found exactly from `ratio` on.
void expect_threshold(const Listed& listed, const Rational& ratio, const Rational& step) {
  expect_found(listed, ratio);
  expect_found(listed, ratio + step);
  expect_found(listed, ratio + Rational(1000) * step);
  expect_refused(listed, ratio - step);
  expect_refused(listed, ratio - Rational(1000) * step);
}

}  // namespace

TEST_CASE("Potentials exist from the largest ratio on, in native numbers and in GMP's") {
  Random random(7);
  const Rational small = Rational::fraction(1, 1'000'000);
  const Rational tiny = Rational::fraction(1, huge());
  int cyclic = 0;
  for (int round = 0; round < 600; ++round) {
    Shape shape = random.shape(1, 30, 3);
    shape.least_weight = round % 3 == 0 ? -20 : 0;
    shape.most_tokens = random.between<std::uint64_t>(1, 3);
    const Listed listed = random.shuffled(round % 2 == 0 ? random.graph(shape) : random.connected_graph(shape));
    const CycleRatio answer = howard(listed.graph());
    INFO("round " << round);
    if (std::holds_alternative<NoCycle>(answer)) {
      expect_found(listed, 0);
      expect_found(listed, -1'000'000);
      continue;
    }
    ++cyclic;
    const Rational ratio = std::get<CriticalCycle>(answer).ratio;
    expect_threshold(listed, ratio, small);
    expect_threshold(listed, ratio, tiny);
    expect_threshold(scaled(listed, huge()), ratio * Rational(huge()), small);
  }
  REQUIRE(cyclic > 300);
}

TEST_CASE("The threshold scales with the weights, across the bound between native numbers and GMP's") {
  Random random(9);
  for (int round = 0; round < 40; ++round) {
    Shape shape = random.shape(1, 8, 2);
    shape.least_weight = -15;
    const Listed listed = random.shuffled(random.connected_graph(shape));
    const Rational ratio = std::get<CriticalCycle>(howard(listed.graph())).ratio;
    INFO("round " << round);
    for (unsigned bits = 40; bits < 130; ++bits) {
      const Integer factor = (Integer(1) << bits) - 1;
      expect_threshold(scaled(listed, factor), ratio * Rational(factor), 1);
    }
  }
}

TEST_CASE("Potentials beyond 128 bits are exact though weights, tokens and ratio fit in 64") {
  constexpr std::size_t kVertices = 400;
  Listed ring{kVertices, {}};
  for (std::size_t v = 0; v < kVertices; ++v) {
    const Integer weight = (Integer(1) << 62) - v;
    ring.arcs.push_back({v, (v + 1) % kVertices, 2 * v < kVertices ? weight : Integer(-weight), (1ULL << 54) - v});
  }
  ring.arcs.front().weight -= 1;
  const Rational ratio = std::get<CriticalCycle>(howard(ring.graph())).ratio;
  REQUIRE(mpz_sizeinbase(ratio.denominator().get_mpz_t(), 2) == 63);
  expect_found(ring, ratio);
  expect_refused(ring, Rational::fraction(ratio.numerator() - 1, ratio.denominator()));
}

TEST_CASE("Potentials are exact where only the ratio's denominator leaves 64 bits") {
  for (const std::uint64_t tokens : {(1ULL << 62) - 1, 1ULL << 62, (1ULL << 63) - 1}) {
    for (const Integer weight : {1, -1, 5}) {
      const Listed ring{3, {{0, 1, weight, tokens}, {1, 2, 0, tokens}, {2, 0, 0, 3}}};
      const Rational ratio = std::get<CriticalCycle>(howard(ring.graph())).ratio;
      expect_found(ring, ratio);
      expect_refused(ring, Rational::fraction(ratio.numerator() * 1000 - 1, ratio.denominator() * 1000));
    }
  }
}

TEST_CASE("No potentials exist where a cycle holds no token") {
  expect_refused({2, {{0, 1, -1, 0}, {1, 0, -1, 0}}}, 5);
  expect_refused({1, {{0, 0, 0, 0}}}, 5);
}

TEST_CASE("A graph without arcs has potentials at every ratio") {
  expect_found({0, {}}, 1);
  expect_found({3, {}}, -1);
}

TEST_CASE("The ratio may be negative, and the potentials of a tight ring are tight") {
  const Listed ring{3, {{0, 1, -4, 0}, {1, 2, 1, 1}, {2, 0, -4, 1}}};
  expect_threshold(ring, Rational::fraction(-7, 2), Rational::fraction(1, 1000));
  const auto x = potentials(ring.graph(), Rational::fraction(-7, 2));
  REQUIRE(x.has_value());
  REQUIRE((*x)[1] == (*x)[0] - 8);
  REQUIRE((*x)[2] == (*x)[1] + 9);
}

TEST_CASE("Each arc of a path with a token each costs a round, and all rounds are granted") {
  Listed against_the_order{40, {}};
  for (std::size_t v = 0; v + 1 < 40; ++v) against_the_order.arcs.push_back({39 - v, 38 - v, 5, 1});
  expect_found(against_the_order, 1);
  Listed along = against_the_order;
  for (ListedArc& arc : along.arcs) std::swap(arc.from, arc.to);
  expect_found(along, 1);
}

}  // namespace takt::maxplus::test
