// The one file compiled as C++17: calls lemon::HowardMmc and lemon::HartmannOrlinMmc.
#include "bench/lemon_peer.hpp"

#include <lemon/hartmann_orlin_mmc.h>
#include <lemon/howard_mmc.h>
#include <lemon/static_graph.h>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

namespace takt::bench {

namespace {

using Graph = lemon::StaticDigraph;
using Costs = Graph::ArcMap<long long>;

// Both solvers compare sums of at most n costs times at most n arcs, and distances that are differences of two such
// products: below 4 n^2 C in all, C the largest |cost|.
bool products_fit(const MeanProblem& problem) {
  std::int64_t largest = 1;
  for (const MeanArc& arc : problem.arcs) largest = std::max({largest, arc.weight, -arc.weight});
  const std::int64_t n = std::max(problem.nodes, 1);  // n * n fits: it is an int
  return largest <= std::numeric_limits<std::int64_t>::max() / 4 / (n * n);
}

template <typename Solver>
MeanCycle solve(const Graph& graph, const Costs& costs) {
  Solver solver(graph, costs);
  solver.findCycleMean();
  return {-solver.cycleCost(), solver.cycleSize()};
}

}  // namespace

const char* name_of(LemonSolver solver) { return solver == LemonSolver::howard ? "HowardMmc" : "HartmannOrlinMmc"; }

MeanCycle largest_mean(const MeanProblem& problem, LemonSolver solver) {
  if (!products_fit(problem)) throw std::overflow_error("LEMON's products might wrap");
  std::vector<std::pair<int, int>> ends;
  ends.reserve(problem.arcs.size());
  for (const MeanArc& arc : problem.arcs) ends.emplace_back(arc.from, arc.to);
  Graph graph;
  graph.build(problem.nodes, ends.begin(), ends.end());
  Costs costs(graph);  // negated: LEMON minimizes
  for (std::size_t a = 0; a < problem.arcs.size(); ++a) {
    costs[graph.arc(static_cast<int>(a))] = -problem.arcs[a].weight;
  }
  return solver == LemonSolver::howard ? solve<lemon::HowardMmc<Graph, Costs>>(graph, costs)
                                       : solve<lemon::HartmannOrlinMmc<Graph, Costs>>(graph, costs);
}

}  // namespace takt::bench
