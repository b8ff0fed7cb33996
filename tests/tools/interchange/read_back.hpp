// Files of other tools read by their rules alone, as cycle ratios: what the writers are held against.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/folded_net.hpp"

namespace takt::testing {

struct WeighedArc {
  std::size_t from = 0;
  std::size_t to = 0;
  maxplus::Rational weight;
  std::uint64_t tokens = 0;
};

/// What a file says, as times between firings.
struct GraphRead {
  std::size_t vertices = 0;
  std::vector<WeighedArc> arcs;
  std::uint64_t divisor = 0;  // the file's own word on it: its ratio, divided by this, is the period
};

/// The largest ratio over the divisor. The graph must have cycles, and no deadlock.
maxplus::Rational period_in(const GraphRead& graph);

/// A place/transition net with takt's durations. Fails unless ids are unique names of XML.
GraphRead read_pnml(const std::string& text);
/// A time net, its bounds equal.
GraphRead read_tina(const std::string& text);
/// Synchronous and cyclo-static dataflow, expanded: a vertex for each firing of an iteration. An actor's firings start
/// in order.
GraphRead read_dataflow(const std::string& text);
/// Arcs with weights and tokens.
GraphRead read_arcs(const std::string& text);

}  // namespace takt::testing
