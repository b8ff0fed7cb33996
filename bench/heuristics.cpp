// heuristics::solve, reading and writing not counted; a heuristic without a mapping ends the program.
#include "bench/heuristics.hpp"

#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>
#include <variant>

#include "heuristics/registry.hpp"
#include "tests/support/random_problems.hpp"

namespace takt::bench {

namespace {

void add(const std::string& name, const std::string& heuristic, tpn::Document problem) {
  benchmark::RegisterBenchmark((name + "/takt").c_str(), [heuristic,
                                                          problem = std::move(problem)](benchmark::State& state) {
    for ([[maybe_unused]] const auto iteration : state) {
      const auto solution = heuristics::solve(*heuristics::find_heuristic(heuristic), problem);
      if (std::holds_alternative<heuristics::Proposal>(solution.result)) continue;
      std::cerr << "takt_bench: " << heuristic << " found no mapping\n";
      std::exit(1);
    }
  })->Unit(benchmark::kMillisecond);
}

}  // namespace

void add_heuristics() {
  // The experiments of [benoit2007mapping].
  for (int experiment = 1; experiment <= 4; ++experiment) {
    add("interval_optimal_e" + std::to_string(experiment) + "_50x10", "interval-optimal",
        support::skeleton_problem(experiment, 50, 10, 1));
  }
}

}  // namespace takt::bench
