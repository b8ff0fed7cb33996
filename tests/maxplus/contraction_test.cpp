// Contraction to tokens: cycles keep their weight and tokens, and expand to arcs of the original.
#include <catch2/catch.hpp>

#include <limits>

#include "maxplus/contraction.hpp"
#include "maxplus/solvers.hpp"
#include "tests/maxplus/graphs.hpp"

namespace takt::maxplus::test {

namespace {

Components components_of(const TokenGraph& graph) {
  return cyclic_components(graph, std::get<std::vector<std::size_t>>(token_free_order(graph)));
}

}  // namespace

TEST_CASE("A ring with one token contracts to a self loop of its whole weight") {
  const TokenGraph graph = Listed{4, {{0, 1, 1, 0}, {1, 2, 2, 0}, {1, 2, 5, 0}, {2, 3, 3, 1}, {3, 0, 4, 0}}}.graph();
  const Components components = components_of(graph);
  const Contraction contraction = contract(graph, components);
  REQUIRE(num_vertices(contraction.graph) == 1);
  REQUIRE(num_edges(contraction.graph) == 1);
  const ListedArc loop = listed_form(contraction.graph).arcs.front();
  REQUIRE(loop.weight == 13);
  REQUIRE(loop.tokens == 1);
  REQUIRE(contraction.token_arc == std::vector<std::size_t>{3});
  REQUIRE(contraction.first == std::vector<std::size_t>{0, 1});
  REQUIRE(expand(graph, components, contraction, std::vector<std::size_t>{0}) == std::vector<std::size_t>{4, 0, 2, 3});
}

TEST_CASE("An arc of three tokens contracts to three vertices in a row") {
  const TokenGraph graph = Listed{2, {{0, 1, 10, 3}, {1, 0, 1, 0}}}.graph();
  const Contraction contraction = contract(graph, components_of(graph));
  REQUIRE(num_vertices(contraction.graph) == 3);
  REQUIRE(num_edges(contraction.graph) == 3);
  REQUIRE(contraction.token_arc == std::vector<std::size_t>{0, 0, 0});
  REQUIRE(std::get<CriticalCycle>(howard(contraction.graph)).ratio == Rational::fraction(11, 3));
}

TEST_CASE("Tokens are counted by component, and capped") {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  const TokenGraph graph =
      Listed{2, {{0, 0, 1, 2}, {0, 0, 1, 3}, {0, 1, 1, 100}, {1, 1, 1, kMost}, {1, 1, 1, 1}}}.graph();
  auto counts = tokens_by_component(graph, components_of(graph));
  std::ranges::sort(counts);
  REQUIRE(counts == std::vector<std::uint64_t>{5, kMost});
}

TEST_CASE("Every cycle of a contraction expands to a closed walk of the same weight and tokens") {
  Random random(5);
  std::size_t cycles = 0;
  for (int round = 0; round < 400; ++round) {
    Shape shape = random.shape(1, 6, 2);
    shape.least_weight = -9;
    Listed original = random.shuffled(random.graph(shape));
    if (round % 2 == 0) original = scaled(original, huge());
    const TokenGraph graph = original.graph();
    const Components components = components_of(graph);
    const Contraction contraction = contract(graph, components);
    REQUIRE(contraction.first.size() == components.size() + 1);
    REQUIRE(contraction.first.back() == num_vertices(contraction.graph));
    for_each_cycle(listed_form(contraction.graph), [&](const std::vector<std::size_t>& cycle) {
      ++cycles;
      const std::vector<std::size_t> arcs = expand(graph, components, contraction, cycle);
      const Sums before = sums(contraction.graph, cycle);
      const Sums after = sums(graph, arcs);
      REQUIRE(before.tokens == cycle.size());
      REQUIRE(after.weight == before.weight);
      REQUIRE(after.tokens == before.tokens);
      REQUIRE(critical_cycle(graph, arcs).ratio == Rational::fraction(before.weight, before.tokens));
    });
  }
  REQUIRE(cycles > 400);
}

TEST_CASE("A contraction has the largest ratio of its original") {
  Random random(6);
  for (int round = 0; round < 300; ++round) {
    Shape shape = random.shape(2, 30, 2);
    shape.most_tokens = 3;
    const TokenGraph graph = random.shuffled(random.connected_graph(shape)).graph();
    const Contraction contraction = contract(graph, components_of(graph));
    REQUIRE(std::get<CriticalCycle>(howard(graph)).ratio == std::get<CriticalCycle>(howard(contraction.graph)).ratio);
  }
}

}  // namespace takt::maxplus::test
