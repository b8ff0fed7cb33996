// Components that hold cycles, the order without tokens, and the graph they are made from.
#include <catch2/catch.hpp>

#include "maxplus/components.hpp"
#include "tests/maxplus/graphs.hpp"

namespace takt::maxplus::test {

namespace {

using Order = std::vector<std::size_t>;

}  // namespace

TEST_CASE("A token graph keeps its arcs, by tail and in the order of the list") {
  const TokenGraph graph = Listed{3, {{2, 0, 1, 4}, {0, 1, 2, 3}, {2, 1, 3, 2}, {0, 1, 4, 1}}}.graph();
  const Listed kept = listed_form(graph);
  const Arcs expected{{0, 1, 2, 3}, {0, 1, 4, 1}, {2, 0, 1, 4}, {2, 1, 3, 2}};
  REQUIRE(kept.vertices == 3);
  REQUIRE(kept.arcs.size() == expected.size());
  for (std::size_t arc = 0; arc < expected.size(); ++arc) {
    REQUIRE(kept.arcs[arc].from == expected[arc].from);
    REQUIRE(kept.arcs[arc].to == expected[arc].to);
    REQUIRE(kept.arcs[arc].weight == expected[arc].weight);
    REQUIRE(kept.arcs[arc].tokens == expected[arc].tokens);
  }
}

TEST_CASE("An arc to a vertex that the graph lacks breaks the contract") {
  REQUIRE_THROWS_AS((Listed{2, {{0, 2, 1, 1}}}.graph()), ContractViolation);
  REQUIRE_THROWS_AS((Listed{2, {{2, 0, 1, 1}}}.graph()), ContractViolation);
}

TEST_CASE("A critical cycle is made of arcs that close a cycle with a token, or the contract is broken") {
  const TokenGraph graph = Listed{3, {{0, 1, 5, 1}, {1, 0, 2, 1}, {1, 2, 1, 0}, {2, 2, 1, 0}}}.graph();
  REQUIRE(critical_cycle(graph, {0, 1}).ratio == Rational::fraction(7, 2));
  REQUIRE_THROWS_AS(critical_cycle(graph, {}), ContractViolation);
  REQUIRE_THROWS_AS(critical_cycle(graph, {0}), ContractViolation);
  REQUIRE_THROWS_AS(critical_cycle(graph, {0, 2}), ContractViolation);
  REQUIRE_THROWS_AS(critical_cycle(graph, {3}), ContractViolation);
}

TEST_CASE("Components without an arc are dropped, and members stand in the given order") {
  const TokenGraph graph = Listed{6, {{0, 1, 1, 1}, {1, 2, 1, 0}, {2, 1, 1, 1}, {2, 3, 1, 0}, {4, 4, 1, 1}}}.graph();
  const Order order{4, 3, 2, 1, 0, 5};
  const Components components = cyclic_components(graph, order);
  REQUIRE(components.size() == 2);
  std::vector<Order> members;
  for (std::size_t c = 0; c < 2; ++c) members.emplace_back(components.members(c).begin(), components.members(c).end());
  std::ranges::sort(members);
  REQUIRE(members == std::vector<Order>{{2, 1}, {4}});
  REQUIRE(components.all_members().size() == 3);
  REQUIRE_THROWS_AS(cyclic_components(graph, Order{0, 1}), ContractViolation);
}

TEST_CASE("The token-free order leads every arc without tokens forward, or a cycle shows that none can") {
  Random random(4);
  int deadlocks = 0;
  for (int round = 0; round < 500; ++round) {
    Shape shape = random.shape(1, 12, 2);
    shape.token_free = round % 2 == 0 ? TokenFree::kAnywhere : TokenFree::kForwardOnly;
    const TokenGraph graph = random.shuffled(random.graph(shape)).graph();
    const auto answer = token_free_order(graph);
    if (const auto* deadlock = std::get_if<Deadlock>(&answer)) {
      ++deadlocks;
      REQUIRE(shape.token_free == TokenFree::kAnywhere);
      REQUIRE(is_elementary_cycle(graph, deadlock->arcs));
      REQUIRE(sums(graph, deadlock->arcs).tokens == 0);
      continue;
    }
    const auto& order = std::get<Order>(answer);
    std::vector<std::size_t> position(num_vertices(graph), num_vertices(graph));
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = i;
    REQUIRE(std::ranges::count(position, num_vertices(graph)) == 0);
    for (std::size_t arc = 0; arc < num_edges(graph); ++arc) {
      const auto edge = edge_from_index(arc, graph);
      if (graph[edge].tokens == 0) REQUIRE(position[source(edge, graph)] < position[target(edge, graph)]);
    }
  }
  REQUIRE(deadlocks > 50);
}

}  // namespace takt::maxplus::test
