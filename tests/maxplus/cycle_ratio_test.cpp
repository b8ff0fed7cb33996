// All solvers of the largest cycle ratio: one body of tests, brute force and Boost's solver as oracles.
#include <catch2/catch.hpp>

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>

#include <limits>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "maxplus/karp.hpp"
#include "maxplus/potentials.hpp"
#include "maxplus/solvers.hpp"
#include "tests/maxplus/graphs.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/small_stack.hpp"

namespace takt::maxplus::test {

namespace {

/// The critical cycle that `solver` finds, held against the graph.
CriticalCycle verified(const CycleRatioSolver& solver, const Listed& listed) {
  const TokenGraph graph = listed.graph();
  const CycleRatio answer = solver.solve(graph, {});
  REQUIRE(std::holds_alternative<CriticalCycle>(answer));
  const auto& cycle = std::get<CriticalCycle>(answer);
  REQUIRE(is_elementary_cycle(graph, cycle.arcs));
  const auto [weight, tokens] = sums(graph, cycle.arcs);
  REQUIRE(tokens > 0);
  REQUIRE(cycle.ratio == Rational::fraction(weight, tokens));
  return cycle;
}

void expect_ratio(const Listed& listed, const Rational& ratio) {
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    REQUIRE(verified(solver, listed).ratio == ratio);
    REQUIRE(verified(solver, scaled(listed, huge())).ratio == ratio * Rational(huge()));
  }
}

void expect_deadlock(const Listed& listed) {
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    const TokenGraph graph = listed.graph();
    const CycleRatio answer = solver.solve(graph, {});
    REQUIRE(std::holds_alternative<Deadlock>(answer));
    const auto& arcs = std::get<Deadlock>(answer).arcs;
    REQUIRE(is_elementary_cycle(graph, arcs));
    REQUIRE(sums(graph, arcs).tokens == 0);
  }
}

void expect_no_cycle(const Listed& listed) {
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    REQUIRE(std::holds_alternative<NoCycle>(solver.solve(listed.graph(), {})));
  }
}

void expect_as_all_cycles(const Listed& listed) {
  const AllCycles expected = all_cycles(listed);
  if (expected.has_deadlock) {
    expect_deadlock(listed);
  } else if (!expected.ratio) {
    expect_no_cycle(listed);
  } else {
    expect_ratio(listed, *expected.ratio);
  }
}

/// The cycle that Boost's solver finds, its ratio computed exactly. Its tolerance is absolute, 0.005: weights are
/// scaled until different ratios lie further apart.
Rational boost_ratio(const Listed& listed) {
  struct Content {
    double weight = 0;
    double tokens = 0;
    std::size_t index = 0;
  };
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property, Content>;
  constexpr double kScale = 1048576;
  Graph graph(listed.vertices);
  for (std::size_t i = 0; i < listed.arcs.size(); ++i) {
    const ListedArc& arc = listed.arcs[i];
    add_edge(arc.from, arc.to, Content{arc.weight.get_d() * kScale, static_cast<double>(arc.tokens), i}, graph);
  }
  std::vector<Graph::edge_descriptor> cycle;
  boost::maximum_cycle_ratio(graph, get(boost::vertex_index, graph), get(&Content::weight, graph),
                             get(&Content::tokens, graph), &cycle);
  Integer weight;
  Integer tokens;
  for (const auto& edge : cycle) {
    weight += listed.arcs[graph[edge].index].weight;
    tokens += listed.arcs[graph[edge].index].tokens;
  }
  return Rational::fraction(weight, tokens);
}

}  // namespace

TEST_CASE("The table of solvers has howard first, finds each by its name, and says what each is and costs") {
  REQUIRE(default_solver().name == "howard");
  REQUIRE(&default_solver() == &cycle_ratio_solvers().front());
  std::set<std::string_view> names;
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    REQUIRE(find_solver(solver.name) == &solver);
    REQUIRE(names.insert(solver.name).second);
    REQUIRE_FALSE(solver.summary.empty());
    REQUIRE_FALSE(solver.cost.empty());
  }
  REQUIRE(find_solver("fancy") == nullptr);
}

TEST_CASE("Solvers whose memory is linear answer where every token would be a vertex, the others say what they need") {
  constexpr std::uint64_t kTokens = 1'000'000;
  const TokenGraph graph = Listed{2, {{0, 1, 9, kTokens}, {1, 0, 1, kTokens}, {0, 0, 2, kTokens}}}.graph();
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    const CycleRatio answer = solver.solve(graph, {});
    REQUIRE(std::holds_alternative<CriticalCycle>(answer) == solver.is_linear);
    REQUIRE(std::holds_alternative<SolverLimit>(answer) != solver.is_linear);
    if (solver.is_linear) REQUIRE(std::get<CriticalCycle>(answer).ratio == Rational::fraction(5, kTokens));
  }
}

TEST_CASE("A graph without vertices, a lone vertex and a path have no cycle") {
  expect_no_cycle({0, {}});
  expect_no_cycle({1, {}});
  expect_no_cycle({3, {{0, 1, 5, 1}, {1, 2, 5, 0}, {0, 2, 5, 0}}});
  for (const CycleRatioSolver& solver : cycle_ratio_solvers())
    REQUIRE(std::holds_alternative<NoCycle>(solver.solve(TokenGraph(), {})));
}

TEST_CASE("A self loop is a cycle") {
  expect_ratio({1, {{0, 0, 7, 1}}}, 7);
  expect_ratio({1, {{0, 0, 7, 3}}}, Rational::fraction(7, 3));
  expect_ratio({1, {{0, 0, 7, 3}, {0, 0, 5, 2}}}, Rational::fraction(5, 2));
  expect_deadlock({1, {{0, 0, 7, 0}}});
}

TEST_CASE("Of parallel arcs the better one counts, by weight and by tokens") {
  expect_ratio({2, {{0, 1, 4, 0}, {0, 1, 6, 0}, {1, 0, 1, 1}}}, 7);
  expect_ratio({2, {{0, 1, 6, 1}, {0, 1, 6, 2}, {1, 0, 0, 1}}}, 3);
  expect_ratio({2, {{0, 1, 1, 1}, {0, 1, 10, 3}, {1, 0, 0, 1}}}, Rational::fraction(5, 2));
}

TEST_CASE("An arc with several tokens counts each of them") {
  expect_ratio({3, {{0, 1, 10, 4}, {1, 2, 1, 0}, {2, 0, 3, 3}}}, 2);
  expect_ratio({2, {{0, 1, 9, 5}, {1, 0, 0, 0}, {1, 1, 17, 10}}}, Rational::fraction(9, 5));
}

TEST_CASE("Weights may be negative or zero") {
  expect_ratio({1, {{0, 0, -7, 2}}}, Rational::fraction(-7, 2));
  expect_ratio({2, {{0, 1, -3, 1}, {1, 0, 3, 1}, {0, 0, -1, 5}}}, 0);
  expect_ratio({2, {{0, 1, -3, 0}, {1, 0, -4, 1}, {0, 0, -7, 2}}}, Rational::fraction(-7, 2));
  expect_ratio({3, {{0, 1, 0, 0}, {1, 2, 0, 0}, {2, 0, 0, 1}, {1, 0, 0, 1}}}, 0);
}

TEST_CASE("A cycle without tokens is a deadlock whatever its weight and wherever it is") {
  expect_deadlock({2, {{0, 1, 1, 0}, {1, 0, 1, 0}}});
  expect_deadlock({2, {{0, 1, 0, 0}, {1, 0, 0, 0}}});
  expect_deadlock({2, {{0, 1, -5, 0}, {1, 0, -5, 0}, {0, 0, 9, 1}}});
  expect_deadlock({4, {{0, 0, 100, 1}, {0, 1, 1, 1}, {1, 2, 1, 0}, {2, 3, 1, 0}, {3, 1, 1, 0}}});
}

TEST_CASE("The largest ratio over all components is found, arcs between them counting for nothing") {
  expect_ratio({5, {{0, 0, 3, 1}, {0, 1, 1000, 0}, {1, 2, 4, 1}, {2, 1, 5, 1}, {2, 3, 1000, 1}, {4, 4, 1, 1}}},
               Rational::fraction(9, 2));
  expect_ratio({3, {{0, 0, 1, 1}, {1, 1, 3, 1}, {2, 2, 2, 1}}}, 3);
}

TEST_CASE("Of tied cycles one is found") {
  expect_ratio({4, {{0, 1, 2, 1}, {1, 0, 2, 1}, {1, 2, 0, 1}, {2, 3, 4, 1}, {3, 2, 0, 1}, {3, 0, 2, 1}}}, 2);
  Listed complete{6, {}};
  for (std::size_t u = 0; u < 6; ++u) {
    for (std::size_t v = 0; v < 6; ++v) complete.arcs.push_back({u, v, 1, 1});
  }
  expect_ratio(complete, 1);
}

TEST_CASE("Tied cycles keep their potentials, without which policies would recur for ever here") {
  expect_ratio({9, {{4, 7, -1, 2}, {0, 8, -2, 0}, {0, 8, -1, 1}, {8, 3, -1, 2}, {7, 7, -1, 2}, {2, 1, 0, 1},
                    {1, 6, -1, 0}, {3, 0, -2, 2}, {2, 5, -1, 1}, {1, 3, -1, 2}, {0, 5, -2, 2}, {8, 4, -1, 1},
                    {8, 7, 0, 0},  {5, 7, -1, 0}, {0, 1, -1, 1}, {0, 3, 0, 2},  {6, 2, 0, 1},  {5, 8, -2, 2},
                    {2, 5, 0, 2},  {7, 6, -1, 0}, {5, 0, -2, 1}, {7, 6, -2, 2}, {6, 6, -1, 1}, {6, 2, -2, 2}}},
               Rational::fraction(-1, 2));
}

TEST_CASE("Karp looks back to walks of one arc less") {
  expect_ratio({4, {{0, 1, 0, 1}, {2, 3, 0, 1}, {1, 2, 10, 0}, {3, 0, -20, 0}, {1, 0, -15, 0}, {3, 2, -15, 0}}}, -5);
}

TEST_CASE("A cycle between tokens whose paths meet is cut to an elementary one") {
  expect_ratio({2, {{1, 0, 1, 0}, {1, 1, -2, 2}, {0, 1, -2, 1}}}, -1);
}

TEST_CASE("Weights of any size are exact") {
  const Integer h = huge();
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    const Listed close{2, {{0, 0, h, 3}, {0, 1, h, 2}, {1, 0, h + 1, 4}, {1, 1, 1, 1}}};
    REQUIRE(verified(solver, close).ratio == Rational::fraction(2 * h + 1, 6));
    const Listed mixed{2, {{0, 0, 1, 3}, {0, 1, -h, 2}, {1, 0, h, 4}, {1, 1, -1, 1}}};
    REQUIRE(verified(solver, mixed).ratio == Rational::fraction(1, 3));
  }
}

TEST_CASE("Weights and tokens at the ends of 64 bits are exact") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t kLeast = std::numeric_limits<std::int64_t>::min();
  const Integer most = kMost;
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    const Listed ring{2, {{0, 1, most, 1}, {1, 0, most, 1}, {0, 0, most - 1, 1}}};
    REQUIRE(verified(solver, ring).ratio == Rational(most));
    REQUIRE(verified(solver, {1, {{0, 0, Integer(kLeast), 1}}}).ratio == Rational(kLeast));
  }
  const std::uint64_t tokens = std::numeric_limits<std::uint64_t>::max();
  const Listed slow{2, {{0, 1, most, tokens}, {1, 0, most, tokens}}};
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    INFO(solver.name);
    if (solver.is_linear) REQUIRE(verified(solver, slow).ratio == Rational::fraction(2 * most, 2 * Integer(tokens)));
  }
}

/// The numbers at which the sum of `count` of them leaves 64 bits, and its neighbors.
std::vector<Integer> about_edge(unsigned long count) {
  const Integer edge = (Integer(1) << 63) / count;
  return {edge - 1, edge, edge + 1};
}

TEST_CASE("Sums of weights, and of tokens, just within and just beyond 64 bits are exact") {
  for (std::size_t vertices = 1; vertices <= 4; ++vertices) {
    for (unsigned long count = 1; count <= 12; ++count) {
      for (const Integer& edge : about_edge(count)) {
        const std::uint64_t tokens = edge.get_ui();
        Listed heavy{vertices, {}};
        Listed full{vertices, {}};
        for (std::size_t v = 0; v < vertices; ++v) {
          heavy.arcs.push_back({v, (v + 1) % vertices, edge, 1});
          heavy.arcs.push_back({v, v, edge - 1, 1});
          full.arcs.push_back({v, (v + 1) % vertices, 3, tokens});
          full.arcs.push_back({v, v, 3, tokens + 1});
        }
        for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
          INFO(solver.name << ", " << vertices << " vertices, " << tokens);
          REQUIRE(verified(solver, heavy).ratio == Rational(edge));
          REQUIRE(verified(solver, scaled(heavy, -1)).ratio == Rational(1) - Rational(edge));
          if (solver.is_linear) REQUIRE(verified(solver, full).ratio == Rational::fraction(3, tokens));
        }
      }
    }
  }
}

TEST_CASE(
    "Products of weights and tokens at the edges of 64 and 128 bits are exact, as all cycles in GMP's numbers say") {
  Random random(11);
  for (int round = 0; round < 6000; ++round) {
    const auto vertices = random.between<std::size_t>(1, 4);
    const Integer weight = about_edge(random.between<unsigned long>(1, 10))[random.between<std::size_t>(0, 2)];
    const bool many = round % 2 == 0;
    const std::uint64_t tokens =
        many ? about_edge(random.between<unsigned long>(1, 10))[random.between<std::size_t>(0, 2)].get_ui() : 2;
    Listed listed{vertices, {}};
    const auto add = [&](std::size_t from, std::size_t to) {
      const Integer near = weight - random.between<unsigned long>(0, 2);
      const bool is_free = from < to && random.between<int>(0, 2) == 0;
      const std::uint64_t some = random.between<int>(0, 3) == 0 ? 1 : tokens - random.between<std::uint64_t>(0, 1);
      listed.arcs.push_back({from, to, random.between<int>(0, 1) == 0 ? near : Integer(-near), is_free ? 0 : some});
    };
    for (std::size_t v = 0; v < vertices; ++v) add(v, (v + 1) % vertices);
    for (std::size_t k = random.between<std::size_t>(0, 2 * vertices); k > 0; --k) {
      add(random.between<std::size_t>(0, vertices - 1), random.between<std::size_t>(0, vertices - 1));
    }
    const Rational ratio = *all_cycles(listed).ratio;
    for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
      INFO("round " << round << ", " << solver.name);
      if (!many || solver.is_linear) REQUIRE(verified(solver, listed).ratio == ratio);
    }
  }
}

TEST_CASE("Karp says how large a table it would need, before it takes any memory") {
  const TokenGraph three = Listed{2, {{0, 1, 5, 2}, {1, 0, 5, 1}}}.graph();
  REQUIRE(std::holds_alternative<CriticalCycle>(karp(three, 12)));
  const CycleRatio refused = karp(three, 11);
  REQUIRE(std::holds_alternative<SolverLimit>(refused));
  REQUIRE(std::get<SolverLimit>(refused).needed == 12);
  REQUIRE(std::get<SolverLimit>(refused).limit == 11);

  const TokenGraph two_components = Listed{2, {{0, 0, 5, 2}, {1, 1, 5, 1}}}.graph();
  REQUIRE(std::get<SolverLimit>(karp(two_components, 7)).needed == 8);

  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t tokens : {std::uint64_t{1} << 32, kMost - 1, kMost}) {
    const TokenGraph vast = Listed{2, {{0, 1, 5, tokens}, {1, 0, 5, tokens}}}.graph();
    REQUIRE(std::get<SolverLimit>(karp(vast)).needed == kMost);
  }
}

TEST_CASE("A ring of a hundred thousand vertices with one token is solved without recursion") {
  constexpr std::size_t kVertices = 100'000;
  Listed ring{kVertices, {}};
  for (std::size_t v = 0; v < kVertices; ++v) ring.arcs.push_back({v, (v + 1) % kVertices, 1, v == 7 ? 1U : 0U});
  support::on_small_stack([&] {
    for (const CycleRatioSolver& solver : cycle_ratio_solvers())
      REQUIRE(verified(solver, ring).ratio == Rational(kVertices));
    ring.arcs[7].tokens = 0;
    REQUIRE(std::get<Deadlock>(howard(ring.graph())).arcs.size() == kVertices);
  });
}

TEST_CASE("After the deadline a solver has no answer, and potentials are not found") {
  constexpr std::size_t kVertices = 100'000;
  Listed ring{kVertices, {}};
  for (std::size_t v = 0; v < kVertices; ++v) ring.arcs.push_back({v, (v + 1) % kVertices, 1, v % 100 == 0 ? 1U : 0U});
  const TokenGraph graph = ring.graph();
  const Deadline passed(Deadline::Clock::now());
  for (const CycleRatioSolver& solver : cycle_ratio_solvers()) {
    CAPTURE(solver.name);
    REQUIRE(std::holds_alternative<SolverTimeout>(solver.solve(graph, passed)));
    REQUIRE(std::get<CriticalCycle>(solver.solve(graph, {})).ratio == 100);
  }
  REQUIRE_FALSE(potentials(graph, 100, passed));
  REQUIRE(potentials(graph, 100));
}

TEST_CASE("All solvers agree with all cycles of 2500 random small graphs") {
  Random random(1);
  for (int round = 0; round < 2500; ++round) {
    Shape shape = random.shape(1, 6, 3);
    shape.least_weight = round % 3 == 0 ? -9 : 0;
    shape.greatest_weight = round % 5 == 0 ? 2 : 9;
    shape.most_tokens = random.between<std::uint64_t>(1, 4);
    shape.token_free = round % 4 == 0 ? TokenFree::kAnywhere : TokenFree::kForwardOnly;
    INFO("round " << round);
    expect_as_all_cycles(random.shuffled(random.graph(shape)));
  }
}

TEST_CASE("All solvers agree with Boost's on 500 random strongly connected graphs") {
  Random random(2);
  for (int round = 0; round < 500; ++round) {
    Shape shape = random.shape(2, 25, 3);
    shape.greatest_weight = round % 2 == 0 ? 3 : 1000;
    shape.most_tokens = random.between<std::uint64_t>(1, 3);
    INFO("round " << round);
    const Listed listed = random.shuffled(random.connected_graph(shape));
    expect_ratio(listed, boost_ratio(listed));
  }
}

TEST_CASE("Scaling the weights scales the ratio, across the bounds between native numbers and GMP's") {
  Random random(8);
  for (int round = 0; round < 40; ++round) {
    Shape shape = random.shape(1, 8, 2);
    shape.least_weight = -15;
    shape.greatest_weight = 15;
    shape.most_tokens = 3;
    const Listed listed = random.shuffled(random.connected_graph(shape));
    const Rational ratio = *all_cycles(listed).ratio;
    INFO("round " << round);
    for (unsigned bits = 40; bits < 130; ++bits) {
      const Integer factor = (Integer(1) << bits) - 1;
      const Listed wide = scaled(listed, factor);
      for (const CycleRatioSolver& solver : cycle_ratio_solvers())
        REQUIRE(verified(solver, wide).ratio == ratio * Rational(factor));
    }
  }
}

TEST_CASE("All solvers agree with each other on larger random graphs") {
  Random random(3);
  for (std::uint64_t round = 0; round < support::draws(60); ++round) {
    Shape shape;
    shape.vertices = random.between<std::size_t>(50, 400);
    shape.arcs = random.between<std::size_t>(shape.vertices / 2, 2 * shape.vertices);
    shape.least_weight = round % 2 == 0 ? 0 : -1000;
    shape.greatest_weight = round % 3 == 0 ? 3 : 1000;
    shape.most_tokens = 1;
    INFO("round " << round);
    const Listed listed = random.shuffled(round % 4 == 0 ? random.graph(shape) : random.connected_graph(shape));
    if (std::holds_alternative<NoCycle>(howard(listed.graph()))) {
      expect_no_cycle(listed);
    } else {
      expect_ratio(listed, verified(default_solver(), listed).ratio);
    }
  }
}

}  // namespace takt::maxplus::test
