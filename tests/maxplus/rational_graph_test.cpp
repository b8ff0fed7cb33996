// Cycle ratios of fractions: solvers beside all cycles of small graphs, proofs, and what the checker refuses.
#include "maxplus/rational_graph.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/ratio_check.hpp"
#include "tests/maxplus/graphs.hpp"

namespace takt::maxplus::test {

namespace {

using RationalArcs = std::vector<RationalArc>;

constexpr RatioExtreme kExtremes[] = {RatioExtreme::largest, RatioExtreme::smallest};

struct RationalGraph {
  std::size_t vertices = 0;
  RationalArcs arcs;
};

RationalGraph random_rational_graph(Random& random, int round) {
  Shape shape = random.shape(1, 6, 3);
  shape.least_weight = round % 3 == 0 ? 0 : -9;
  shape.most_tokens = random.between<std::uint64_t>(1, 4);
  shape.token_free = round % 4 == 0 ? TokenFree::kAnywhere : TokenFree::kForwardOnly;
  const Listed listed = random.shuffled(random.graph(shape));
  RationalGraph graph{listed.vertices, {}};
  for (const ListedArc& arc : listed.arcs) {
    const Integer denominator(random.between<unsigned long>(1, round % 2 == 0 ? 6 : 1'000'000));
    graph.arcs.push_back({arc.from, arc.to, Rational::fraction(arc.weight, denominator), arc.tokens});
  }
  return graph;
}

AllCycles all_cycles(const RationalGraph& graph, RatioExtreme extreme) {
  Integer unit = 1;
  for (const RationalArc& arc : graph.arcs) unit = lcm(unit, arc.weight.denominator());
  Listed whole{graph.vertices, {}};
  for (const RationalArc& arc : graph.arcs)
    whole.arcs.push_back({arc.from, arc.to, (arc.weight * Rational(unit)).numerator(), arc.tokens});
  AllCycles all = all_cycles(whole, extreme);
  if (all.ratio) *all.ratio /= Rational(unit);
  return all;
}

bool is_proved(const RationalGraph& graph, const CycleRatioProof& proof) {
  return std::holds_alternative<RatioProved>(check_cycle_ratio(graph.vertices, graph.arcs, proof));
}

std::string reason(const RationalGraph& graph, const CycleRatioProof& proof) {
  const RatioVerdict verdict = check_cycle_ratio(graph.vertices, graph.arcs, proof);
  REQUIRE(std::holds_alternative<RatioRefused>(verdict));
  return std::get<RatioRefused>(verdict).reason;
}

RationalCycleRatio solved(const RationalGraph& graph, RatioExtreme extreme = RatioExtreme::largest) {
  return cycle_ratio(graph.vertices, graph.arcs, default_solver(), extreme);
}

RatioProof ratio_proved(const RationalGraph& graph, RatioExtreme extreme = RatioExtreme::largest) {
  return std::get<RatioProof>(*prove_cycle_ratio(graph.vertices, graph.arcs, solved(graph, extreme), extreme));
}

const RationalGraph kRing{
    3, {{0, 1, 3, 0}, {1, 2, Rational::fraction(7, 2), 0}, {2, 0, 1, 2}, {0, 2, Rational::fraction(1, 3), 0}}};

}  // namespace

TEST_CASE("A ring of fractions has its ratio, largest and smallest, with the arcs of the list") {
  const auto largest = std::get<RatioCycle>(solved(kRing));
  CHECK(largest.ratio == Rational::fraction(15, 4));
  CHECK(std::set<std::size_t>(largest.arcs.begin(), largest.arcs.end()) == std::set<std::size_t>{0, 1, 2});
  const auto smallest = std::get<RatioCycle>(solved(kRing, RatioExtreme::smallest));
  CHECK(smallest.ratio == Rational::fraction(2, 3));
  CHECK(std::set<std::size_t>(smallest.arcs.begin(), smallest.arcs.end()) == std::set<std::size_t>{2, 3});
}

TEST_CASE("Solvers agree with all cycles of 600 small graphs of fractions, and the checker accepts every proof") {
  Random random(31);
  for (int round = 0; round < 600; ++round) {
    const RationalGraph graph = random_rational_graph(random, round);
    for (const RatioExtreme extreme : kExtremes) {
      const AllCycles all = all_cycles(graph, extreme);
      for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
        INFO("round " << round << ", " << solver.name);
        const RationalCycleRatio answer = cycle_ratio(graph.vertices, graph.arcs, solver, extreme);
        REQUIRE(std::holds_alternative<DeadlockCycle>(answer) == all.has_deadlock);
        REQUIRE(std::holds_alternative<NoCycle>(answer) == (!all.has_deadlock && !all.ratio));
        if (const auto* cycle = std::get_if<RatioCycle>(&answer)) REQUIRE(cycle->ratio == *all.ratio);
        REQUIRE(is_proved(graph, *prove_cycle_ratio(graph.vertices, graph.arcs, answer, extreme)));
      }
    }
  }
}

TEST_CASE("What a changed proof says of random graphs is refused, unless it is so") {
  Random random(32);
  int refusals = 0;
  for (int round = 0; round < 400; ++round) {
    const RationalGraph graph = random_rational_graph(random, round);
    const RatioExtreme extreme = kExtremes[round % 2];
    const RationalCycleRatio answer = solved(graph, extreme);
    INFO("round " << round);
    if (!std::holds_alternative<RatioCycle>(answer)) continue;
    const RatioProof proof = ratio_proved(graph, extreme);
    RatioProof ratio = proof;
    ratio.cycle.ratio += Rational::fraction(random.between<int>(0, 1) == 0 ? 1 : -1, 1'000'000);
    REQUIRE_FALSE(is_proved(graph, ratio));
    RatioProof other = proof;
    other.extreme = extreme == RatioExtreme::largest ? RatioExtreme::smallest : RatioExtreme::largest;
    const Rational ratio_of_other = *all_cycles(graph, other.extreme).ratio;
    if (ratio_of_other != proof.cycle.ratio) REQUIRE_FALSE(is_proved(graph, other));
    REQUIRE_FALSE(is_proved(graph, DeadlockCycle{proof.cycle.arcs}));
    // The vertex of an arc on the critical cycle has no room: there all inequalities are equations.
    RatioProof value = proof;
    if (proof.cycle.arcs.size() > 1) {
      value.values[graph.arcs[proof.cycle.arcs.front()].from] += 1;
      REQUIRE_FALSE(is_proved(graph, value));
    }
    RatioProof cut = proof;
    cut.cycle.arcs.pop_back();
    REQUIRE_FALSE(is_proved(graph, cut));
    AcyclicOrder order;
    for (std::size_t v = 0; v < graph.vertices; ++v) order.vertices.push_back(v);
    REQUIRE_FALSE(is_proved(graph, order));
    ++refusals;
  }
  CHECK(refusals > 150);
}

TEST_CASE("The checker says what is wrong with a proof") {
  const RatioProof proof = ratio_proved(kRing);
  REQUIRE(is_proved(kRing, proof));
  const auto with = [&](auto change) {
    RatioProof changed = proof;
    change(changed);
    return reason(kRing, changed);
  };
  CHECK(with([](RatioProof& p) { p.cycle.ratio = 4; }) == "the cycle weighs 15/2 for 2 tokens, not 4 for each");
  CHECK(with([](RatioProof& p) {
          p.cycle.arcs = {0, 2};
        }) == "arc 2 of the cycle does not begin where the one before it ends");
  CHECK(with([](RatioProof& p) { p.cycle.arcs.clear(); }) == "the cycle has no arc");
  CHECK(with([](RatioProof& p) { p.cycle.arcs = {9}; }) == "there is no arc 9");
  CHECK(with([](RatioProof& p) { p.values.pop_back(); }) == "there are 2 values for 3 vertices");
  CHECK(with([](RatioProof& p) { p.denominator = 0; }) == "the values' denominator is not positive");
  CHECK(with([](RatioProof& p) { p.values[1] += 1; }) == "the values do not keep arc 1");
  CHECK(with([](RatioProof& p) { p.cycle = {Rational::fraction(2, 3), {3, 2}}; }) == "the values do not keep arc 2");

  const RationalGraph free{2, {{0, 1, 1, 0}, {1, 0, 1, 0}}};
  REQUIRE(is_proved(free, DeadlockCycle{{0, 1}}));
  CHECK(reason(free, RatioProof{{0, {0, 1}}, RatioExtreme::largest, {0, 0}, 1}) ==
        "the cycle has no token, hence no ratio");
  CHECK(reason(kRing, DeadlockCycle{{0, 1, 2}}) == "the cycle has 2 tokens");

  const RationalGraph path{3, {{0, 1, 5, 1}, {1, 2, 5, 0}}};
  REQUIRE(is_proved(path, AcyclicOrder{{0, 1, 2}}));
  CHECK(reason(path, AcyclicOrder{{1, 0, 2}}) == "arc 0 does not lead forward");
  CHECK(reason(path, AcyclicOrder{{0, 1}}) == "2 of 3 vertices are ordered");
  CHECK(reason(path, AcyclicOrder{{0, 1, 1}}) == "vertex 1 is ordered twice");
  CHECK(reason(path, AcyclicOrder{{0, 1, 7}}) == "there is no vertex 7");
}

TEST_CASE("Denominators that blow up meet a limit, in solvers and in the checker") {
  RationalGraph primes{1, {}};
  Integer prime = 1;
  for (int i = 0; i < 2000; ++i) {
    mpz_nextprime(prime.get_mpz_t(), prime.get_mpz_t());
    primes.arcs.push_back({0, 0, Rational::fraction(1, prime), 1});
  }
  const auto limited = cycle_ratio(1, primes.arcs, default_solver(), RatioExtreme::largest, 10'000);
  REQUIRE(std::holds_alternative<WeightLimit>(limited));
  CHECK(std::get<WeightLimit>(limited).needed > 10'000);
  CHECK(std::get<RatioCycle>(solved(primes)).ratio == Rational::fraction(1, 2));

  const RatioProof proof = ratio_proved(kRing);
  const auto unchecked = check_cycle_ratio(kRing.vertices, kRing.arcs, proof, {10, {}});
  REQUIRE(std::holds_alternative<RatioUnchecked>(unchecked));
  CHECK_FALSE(std::get<RatioUnchecked>(unchecked).is_out_of_time);

  const RatioCheckLimits no_time{kMostCheckedProducts, [] { return true; }};
  const auto late = check_cycle_ratio(kRing.vertices, kRing.arcs, proof, no_time);
  REQUIRE(std::holds_alternative<RatioUnchecked>(late));
  CHECK(std::get<RatioUnchecked>(late).is_out_of_time);

  // Each value takes some thousand words, so that the checker asks again before the last arc.
  RatioProof long_values = proof;
  const Integer factor(std::string(90'000, '7'));
  for (Integer& value : long_values.values) value *= factor;
  long_values.denominator *= factor;
  RationalGraph long_ring = kRing;
  for (int i = 0; i < 1000; ++i) long_ring.arcs.insert(long_ring.arcs.end(), kRing.arcs.begin(), kRing.arcs.end());
  int questions = 0;
  const RatioCheckLimits some_time{kMostCheckedProducts, [&] { return ++questions == 3; }};
  const auto amid = check_cycle_ratio(long_ring.vertices, long_ring.arcs, long_values, some_time);
  REQUIRE(std::holds_alternative<RatioUnchecked>(amid));
  CHECK(questions == 3);
}

TEST_CASE("A ring of a hundred thousand vertices is proved, as deadlock and path as well") {
  constexpr std::size_t kVertices = 100'000;
  RationalGraph ring{kVertices, {}};
  for (std::size_t v = 0; v < kVertices; ++v) {
    ring.arcs.push_back({v, (v + 1) % kVertices, Rational::fraction(1, 2), v == 7 ? 1U : 0U});
  }
  REQUIRE(std::get<RatioCycle>(solved(ring)).ratio == Rational(kVertices / 2));
  REQUIRE(is_proved(ring, ratio_proved(ring)));
  ring.arcs[7].tokens = 0;
  REQUIRE(is_proved(ring, *prove_cycle_ratio(kVertices, ring.arcs, solved(ring))));
  ring.arcs.pop_back();
  REQUIRE(is_proved(ring, *prove_cycle_ratio(kVertices, ring.arcs, solved(ring))));
}

}  // namespace takt::maxplus::test
