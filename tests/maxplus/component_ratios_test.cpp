// Ratios of components in columns: all cycles of small graphs as the oracle, at the edges of 64 and 128 bits too.
#include "maxplus/component_ratios.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "maxplus/none.hpp"
#include "maxplus/ratio_check.hpp"
#include "maxplus/rational_graph.hpp"
#include "tests/maxplus/graphs.hpp"
#include "tests/support/seeds.hpp"

namespace takt::maxplus::test {

namespace {

constexpr RatioExtreme kEnds[] = {RatioExtreme::largest, RatioExtreme::smallest};

ArcColumns columns_of(const Listed& listed) {
  ArcColumns columns;
  for (const ListedArc& arc : listed.arcs) columns.add(RationalArc{arc.from, arc.to, Rational(arc.weight), arc.tokens});
  return columns;
}

void expect_cycle(const Listed& listed, const RatioCycle& best) {
  REQUIRE_FALSE(best.arcs.empty());
  Integer weight;
  Integer tokens;
  std::size_t at = listed.arcs[best.arcs.back()].to;
  std::set<std::size_t> met;
  for (const std::size_t i : best.arcs) {
    REQUIRE(listed.arcs[i].from == at);
    REQUIRE(met.insert(at).second);
    at = listed.arcs[i].to;
    weight += listed.arcs[i].weight;
    tokens += listed.arcs[i].tokens;
  }
  REQUIRE(best.ratio == Rational::fraction(weight, tokens));
}

// Every vertex's potential is the best of what its arcs within the component offer.
void expect_eigenvector(const Listed& listed, const ComponentRatios& found, RatioExtreme extreme) {
  std::map<std::size_t, Rational> offered;
  for (const ListedArc& arc : listed.arcs) {
    const std::uint32_t component = found.component_of[arc.from];
    if (component == kNone<std::uint32_t> || component != found.component_of[arc.to]) continue;
    const Rational value =
        Rational(arc.weight) - found.components[component].best.ratio * Rational(arc.tokens) + found.potentials[arc.to];
    const auto [at, is_new] = offered.try_emplace(arc.from, value);
    if (!is_new && (extreme == RatioExtreme::largest ? value > at->second : value < at->second)) at->second = value;
  }
  for (const auto& [vertex, value] : offered) REQUIRE(found.potentials[vertex] == value);
}

void expect_proved(const Listed& listed, const ArcColumns& columns, RatioExtreme extreme,
                   const RationalCycleRatio& answer) {
  const auto proof = prove_cycle_ratio(listed.vertices, columns, answer, extreme);
  REQUIRE(std::holds_alternative<RatioProved>(check_cycle_ratio(listed.vertices, columns.listed(), *proof)));
}

// Ratios per component, potentials, the ratio of all and its proof, against all elementary cycles. The width taken.
SearchWidth expect_as_enumerated(const Listed& listed, RatioExtreme extreme) {
  const AllCycles all = all_cycles(listed, extreme);
  const ArcColumns columns = columns_of(listed);
  SearchWidth width = SearchWidth::bits_64;
  const auto answer =
      component_ratios(listed.vertices, columns, {.extreme = extreme, .with_potentials = true, .deadline = {}}, &width);
  const auto ratio = cycle_ratio(listed.vertices, columns, default_solver(), extreme);
  REQUIRE(std::holds_alternative<DeadlockCycle>(answer) == all.has_deadlock);
  REQUIRE(std::holds_alternative<DeadlockCycle>(ratio) == all.has_deadlock);
  expect_proved(listed, columns, extreme, ratio);
  if (all.has_deadlock) return width;
  const auto& found = std::get<ComponentRatios>(answer);
  for (std::size_t v = 0; v < listed.vertices; ++v) {
    REQUIRE((found.component_of[v] != kNone<std::uint32_t>) == all.ratio_at.contains(v));
  }
  std::map<std::uint32_t, Rational> best;
  for (const auto& [vertex, through] : all.ratio_at) {
    const auto [at, is_new] = best.try_emplace(found.component_of[vertex], through);
    if (!is_new && (extreme == RatioExtreme::largest ? through > at->second : through < at->second))
      at->second = through;
  }
  REQUIRE(best.size() == found.components.size());
  for (std::uint32_t c = 0; c < best.size(); ++c) {
    REQUIRE(found.components[c].best.ratio == best[c]);
    expect_cycle(listed, found.components[c].best);
  }
  expect_eigenvector(listed, found, extreme);
  if (all.ratio) REQUIRE(std::get<RatioCycle>(ratio).ratio == *all.ratio);
  return width;
}

// The largest weight W at which 2 n (n W) T < 2^63, for T tokens and n vertices; or where a search may need 128 bits,
// or more.
Integer edge_weight(std::size_t vertices, std::uint64_t tokens, int kind) {
  const Integer n = vertices;
  if (kind == 0) return ((Integer(1) << 63) - 1) / (2 * n * n * tokens);
  if (kind == 1) return ((Integer(1) << 63) - 1) / ((2 * n + 1) * 2 * n * tokens);
  return ((Integer(1) << 63) - 1) / n;
}

Listed random_listed(Random& random, int round) {
  Shape shape = random.shape(1, 7, 3);
  shape.least_weight = round % 3 == 0 ? -9 : 0;
  shape.greatest_weight = round % 5 == 0 ? 2 : 9;
  shape.most_tokens = random.between<std::uint64_t>(1, 4);
  shape.token_free = round % 8 == 0 ? TokenFree::kAnywhere : TokenFree::kForwardOnly;
  Listed listed = random.shuffled(round % 2 == 0 ? random.graph(shape) : random.connected_graph(shape));
  if (round % 3 != 1) return listed;
  // Weights about an edge, and tokens of up to 32 bits where the weights leave room.
  const std::uint64_t factor = round % 2 == 0 ? 1 : random.between<std::uint64_t>(1, 1U << 30);
  std::uint64_t most = 1;
  for (ListedArc& arc : listed.arcs) most = std::max(most, arc.tokens *= factor);
  const Integer edge = edge_weight(listed.vertices, most, random.between(0, 2)) + random.between(-1, 1);
  for (ListedArc& arc : listed.arcs) {
    const Integer near = edge - arc.weight;
    arc.weight = random.between(0, 2) == 0 ? Integer(-near) : near;
  }
  return listed;
}

}  // namespace

TEST_CASE("Components have the ratios of all their cycles, an eigenvector and a proof, at the edges of 64 bits too") {
  const int graphs = static_cast<int>(support::draws(3000));
  Random random(71);
  std::map<SearchWidth, int> widths;
  for (int round = 0; round < graphs; ++round) {
    INFO("round " << round);
    const Listed listed = random_listed(random, round);
    for (const RatioExtreme extreme : kEnds) ++widths[expect_as_enumerated(listed, extreme)];
  }
  CHECK(widths[SearchWidth::bits_64] > graphs);
  CHECK(widths[SearchWidth::bits_128] > graphs / 10);
  CHECK(widths[SearchWidth::any] > 0);
}

TEST_CASE("64 bits are taken as long as three times the reduced weight of a loop fits, and 128 beyond") {
  const auto width_of = [](const Integer& weight, std::uint64_t tokens) {
    SearchWidth width = SearchWidth::any;
    const Listed loop{1, {{0, 0, weight, tokens}}};
    const auto found = std::get<ComponentRatios>(component_ratios(1, columns_of(loop), {}, &width));
    REQUIRE(found.components.front().best.ratio == Rational::fraction(weight, tokens));
    return width;
  };
  const Integer most = ((Integer(1) << 63) - 1) / 6;
  CHECK(width_of(most, 1) == SearchWidth::bits_64);
  CHECK(width_of(-most, 1) == SearchWidth::bits_64);
  CHECK(width_of(most + 1, 1) == SearchWidth::bits_128);
  CHECK(width_of(-most - 1, 1) == SearchWidth::bits_128);
  CHECK(width_of((Integer(1) << 63) - 1, 1) == SearchWidth::bits_128);
  CHECK(width_of(-(Integer(1) << 63), 1) == SearchWidth::any);
  CHECK(width_of(Integer(1) << 63, 1) == SearchWidth::any);
  CHECK(width_of(1, 0xFFFFFFFF) == SearchWidth::bits_64);
  CHECK(width_of(1, std::uint64_t{1} << 32) == SearchWidth::any);
}

TEST_CASE("Columns keep arcs exactly, whatever order integers, fractions, long numbers and tokens come in") {
  Random random(72);
  for (int round = 0; round < 200; ++round) {
    std::vector<RationalArc> arcs;
    for (int k = random.between(1, 30); k > 0; --k) {
      Integer numerator = random.between<std::int64_t>(-1000, 1000);
      if (round % 4 == 1) numerator *= std::int64_t{1} << random.between(0, 53);
      if (round % 4 == 2 && random.between(0, 9) == 0) numerator *= huge();
      const Integer denominator = round % 3 == 0 ? 1 : random.between<std::int64_t>(1, round % 5 == 0 ? 1'000'000 : 12);
      const std::uint64_t tokens =
          round % 2 == 0 ? 1 : random.between<std::uint64_t>(0, round % 7 == 0 ? UINT64_MAX : 3);
      arcs.push_back({random.between<std::size_t>(0, 9), random.between<std::size_t>(0, 9),
                      Rational::fraction(numerator, denominator), tokens});
    }
    const ArcColumns columns(arcs);
    REQUIRE(columns.size() == arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      const RationalArc arc = columns[i];
      REQUIRE((arc.from == arcs[i].from && arc.to == arcs[i].to));
      REQUIRE((arc.weight == arcs[i].weight && arc.tokens == arcs[i].tokens));
    }
  }
}

TEST_CASE("Larger random graphs have the ratio that Burns' algorithm finds, on several components and threads") {
  Random random(73);
  for (std::uint64_t round = 0; round < support::draws(80); ++round) {
    Shape shape;
    shape.vertices = random.between<std::size_t>(50, 3000);
    shape.arcs = random.between<std::size_t>(shape.vertices, 3 * shape.vertices);
    shape.least_weight = round % 2 == 0 ? 0 : -1000;
    shape.greatest_weight = round % 3 == 0 ? 3 : 1000;
    shape.most_tokens = round % 5 == 0 ? 1 : 4;
    const std::size_t copies = round % 4 == 0 ? 5 : 1;
    INFO("round " << round);
    Listed listed{shape.vertices * copies, {}};
    for (std::size_t copy = 0; copy < copies; ++copy) {
      for (ListedArc arc : random.connected_graph(shape).arcs) {
        arc.from += copy * shape.vertices;
        arc.to += copy * shape.vertices;
        listed.arcs.push_back(arc);
      }
    }
    listed = random.shuffled(listed);
    const ArcColumns columns = columns_of(listed);
    const auto answer = cycle_ratio(listed.vertices, columns);
    const auto burns = cycle_ratio(listed.vertices, columns, *find_solver("burns"));
    REQUIRE(std::get<RatioCycle>(answer).ratio == std::get<RatioCycle>(burns).ratio);
    expect_proved(listed, columns, RatioExtreme::largest, answer);
    const auto found = std::get<ComponentRatios>(
        component_ratios(listed.vertices, columns, {.with_potentials = true, .deadline = {}}));
    REQUIRE(found.components.size() == copies);
    for (const ComponentRatio& component : found.components) expect_cycle(listed, component.best);
    expect_eigenvector(listed, found, RatioExtreme::largest);
  }
}

TEST_CASE("Rings that are numbered against their arcs, with and without tokens, need no pass for each vertex") {
  constexpr std::size_t kVertices = 50'000;
  for (const bool has_tokens : {false, true}) {
    for (const bool is_backward : {false, true}) {
      Listed ring{kVertices, {}};
      for (std::size_t v = 0; v < kVertices; ++v) {
        const std::size_t next = (v + 1) % kVertices;
        const std::uint64_t tokens = has_tokens || v == 7 ? 1 : 0;
        ring.arcs.push_back({is_backward ? next : v, is_backward ? v : next, 1, tokens});
        if (v % 100 == 0) ring.arcs.push_back({v, v, Integer(static_cast<long>(v / 100)) - 5000, 1});
      }
      const auto answer = cycle_ratio(kVertices, columns_of(ring));
      REQUIRE(std::get<RatioCycle>(answer).ratio == Rational(has_tokens ? 1 : static_cast<long>(kVertices)));
    }
  }
}

TEST_CASE("After the deadline components have no answer") {
  Listed ring{100'000, {}};
  for (std::size_t v = 0; v < ring.vertices; ++v) ring.arcs.push_back({v, (v + 1) % ring.vertices, 1, 1});
  const ArcColumns columns = columns_of(ring);
  const Deadline passed(Deadline::Clock::now());
  REQUIRE(std::holds_alternative<SolverTimeout>(component_ratios(ring.vertices, columns, {.deadline = passed})));
  REQUIRE(std::holds_alternative<ComponentRatios>(component_ratios(ring.vertices, columns)));
}

}  // namespace takt::maxplus::test
