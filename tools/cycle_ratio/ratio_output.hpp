// What was found about a graph's cycles: for people and for programs.
#pragma once

#include <iosfwd>

#include "maxplus/rational_graph.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/words/circuit_length.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// A graph and its answer, which is no limit.
struct SolvedGraph {
  RatioGraph graph;
  maxplus::RatioExtreme extreme = maxplus::RatioExtreme::largest;
  const maxplus::CycleRatioSolver* solver = nullptr;
  maxplus::RationalCycleRatio answer;
};

/// The ratio and the cycle; or that there is none, and why.
void write_ratio_table(std::ostream& out, const SolvedGraph& solved, CircuitLength length);

/// The result object of docs/formats.md.
void write_ratio_json(tpn::JsonWriter& json, const SolvedGraph& solved, CircuitLength length);

}  // namespace takt::tools
