// A ring and random arcs, five for each vertex, weights 1 to 10,000; takt's kernel, LEMON's Howard, Boost's.
//
// Each participant is given the arcs in its own form, and is timed from there to its answer; takt's answer has the
// potentials that prove it. LEMON and takt must agree. Boost may be wrong, and its label says by how much.
#include "bench/cycle_ratios.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/howard_cycle_ratio.hpp>
#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "bench/lemon_peer.hpp"
#include "bench/memory.hpp"
#include "maxplus/rational_graph.hpp"

namespace takt::bench {

namespace {

using maxplus::Rational;

enum class Drawn {
  means,   // a token on each arc
  ratios,  // 1 to 10 tokens
  events,  // none on arcs to higher vertices, one on the others
};

struct DrawnArc {
  std::uint32_t from;
  std::uint32_t to;
  std::int64_t weight;
  std::uint64_t tokens;
};

// By the vertices that they leave.
template <typename Visit>
void for_each_drawn(Drawn kind, std::uint32_t vertices, Visit visit) {
  constexpr int kArcsPerVertex = 5;
  constexpr std::int64_t kMostWeight = 10'000;
  constexpr std::uint64_t kMostTokens = 10;
  boost::random::mt19937_64 engine(1);
  const auto between = [&engine](auto least, auto most) {
    return boost::random::uniform_int_distribution<decltype(least)>(least, most)(engine);
  };
  for (std::uint32_t v = 0; v < vertices; ++v) {
    for (int k = 0; k < kArcsPerVertex; ++k) {
      const std::uint32_t to = k == 0 ? (v + 1) % vertices : between(std::uint32_t{0}, vertices - 1);
      const std::int64_t weight = between(std::int64_t{1}, kMostWeight);
      std::uint64_t tokens = 1;
      if (kind == Drawn::ratios) tokens = between(std::uint64_t{1}, kMostTokens);
      if (kind == Drawn::events) tokens = to > v ? 0 : 1;
      visit(DrawnArc{v, to, weight, tokens});
    }
  }
}

maxplus::ArcColumns columns_of(Drawn kind, std::uint32_t vertices) {
  maxplus::ArcColumns columns;
  columns.reserve(std::size_t{5} * vertices);
  for_each_drawn(kind, vertices,
                 [&](const DrawnArc& arc) { columns.add(arc.from, arc.to, arc.weight, 1, arc.tokens); });
  return columns;
}

Rational takt_ratio(const maxplus::ArcColumns& columns, std::uint32_t vertices) {
  return std::get<maxplus::RatioCycle>(maxplus::cycle_ratio(vertices, columns)).ratio;
}

void require_equal(const Rational& found, const Rational& expected, const std::string& name) {
  if (found == expected) return;
  std::cerr << "takt_bench: " << name << ": found " << found.to_string() << ", not " << expected.to_string() << '\n';
  std::exit(1);
}

void time_takt(benchmark::State& state, Drawn kind, std::uint32_t vertices) {
  const maxplus::ArcColumns columns = columns_of(kind, vertices);
  Rational ratio;
  reset_peak_memory();
  for ([[maybe_unused]] const auto iteration : state) ratio = takt_ratio(columns, vertices);
  state.counters["peak_MiB"] = peak_memory();
  state.SetLabel(ratio.to_string());
}

void time_lemon(benchmark::State& state, std::uint32_t vertices) {
  MeanProblem problem{static_cast<int>(vertices), {}};
  problem.arcs.reserve(std::size_t{5} * vertices);
  for_each_drawn(Drawn::means, vertices, [&](const DrawnArc& arc) {
    problem.arcs.push_back({static_cast<int>(arc.from), static_cast<int>(arc.to), arc.weight});
  });
  MeanCycle cycle;
  reset_peak_memory();
  for ([[maybe_unused]] const auto iteration : state) cycle = largest_mean(problem, LemonSolver::howard);
  state.counters["peak_MiB"] = peak_memory();
  const Rational ratio = Rational(cycle.weight) / Rational(cycle.arcs);
  require_equal(ratio, takt_ratio(columns_of(Drawn::means, vertices), vertices), "LEMON");
  state.SetLabel(ratio.to_string());
}

using BoostGraph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                                      boost::no_property, std::uint32_t, std::uint32_t>;

void time_boost(benchmark::State& state, Drawn kind, std::uint32_t vertices) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends;
  std::vector<double> weights;
  std::vector<double> tokens;
  for_each_drawn(kind, vertices, [&](const DrawnArc& arc) {
    ends.emplace_back(arc.from, arc.to);
    weights.push_back(static_cast<double>(arc.weight));
    tokens.push_back(static_cast<double>(arc.tokens));
  });
  double found = 0;
  reset_peak_memory();
  for ([[maybe_unused]] const auto iteration : state) {
    const BoostGraph graph(boost::edges_are_sorted, ends.begin(), ends.end(), vertices);
    const auto index = get(boost::edge_index, graph);
    found = boost::maximum_cycle_ratio(graph, get(boost::vertex_index, graph),
                                       boost::make_iterator_property_map(weights.begin(), index),
                                       boost::make_iterator_property_map(tokens.begin(), index));
  }
  state.counters["peak_MiB"] = peak_memory();
  const Rational proved = takt_ratio(columns_of(kind, vertices), vertices);
  const double error = found / proved.to_double().value_or(0) - 1;
  constexpr double kRounding = 1e-9;
  state.SetLabel(std::abs(error) < kRounding
                     ? proved.to_string()
                     : fmt::format("wrong: {:.6g} where {} is proved", found, proved.to_string()));
}

template <typename Time>
void add(const std::string& name, Time time) {
  benchmark::RegisterBenchmark(name.c_str(), time)->Unit(benchmark::kMillisecond);
}

}  // namespace

void add_cycle_ratios() {
  struct Size {
    const char* name;
    std::uint32_t vertices;
  };
  constexpr Size kSizes[] = {{"1e3", 200},     {"1e4", 2'000},     {"1e5", 20'000},
                             {"1e6", 200'000}, {"5e6", 1'000'000}, {"1e7", 2'000'000}};
  constexpr std::pair<const char*, Drawn> kKinds[] = {
      {"cycle_mean", Drawn::means}, {"cycle_ratio", Drawn::ratios}, {"event_graph", Drawn::events}};
  for (const auto& [kind_name, kind] : kKinds) {
    for (const auto& [size_name, vertices] : kSizes) {
      const std::string name = fmt::format("{}_{}/", kind_name, size_name);
      add(name + "takt", [kind = kind, vertices = vertices](benchmark::State& s) { time_takt(s, kind, vertices); });
      if (kind == Drawn::means) {
        add(name + "lemon", [vertices = vertices](benchmark::State& s) { time_lemon(s, vertices); });
      }
      add(name + "boost", [kind = kind, vertices = vertices](benchmark::State& s) { time_boost(s, kind, vertices); });
    }
  }
}

}  // namespace takt::bench
