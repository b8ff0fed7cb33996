// What was found about a graph's cycles: for people and for programs.
#pragma once

#include <iosfwd>
#include <optional>

#include "maxplus/component_ratios.hpp"
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
  std::optional<maxplus::ComponentRatios> components;  // where they were asked for, and there is no deadlock
  bool lists_components = false;
};

/// The ratio and the cycle; or that there is none, and why.
void write_ratio_table(std::ostream& out, const SolvedGraph& solved, CircuitLength length);

/// The result object of docs/formats.md.
void write_ratio_json(tpn::JsonWriter& json, const SolvedGraph& solved, CircuitLength length);

/// A table as CSV: of each vertex on a cycle its component, that one's ratio, and the vertex's potential.
void write_potentials(std::ostream& out, const RatioGraph& graph, const maxplus::ComponentRatios& components);

}  // namespace takt::tools
