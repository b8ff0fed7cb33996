// Dataflow graphs in the XML of SDF3, the form that its tools and Kiter read. [stuijk2006free]
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::tools {

/// What a port does firing after firing, over and over: "1", or "0,1,0".
using PortRates = std::vector<std::uint8_t>;

struct DataflowActor {
  std::string name;
  maxplus::Integer time;     // of each firing
  std::uint64_t phases = 1;  // a multiple of the lengths of its ports' rates
};

struct DataflowChannel {
  std::size_t from = 0;  // index into the actors
  std::size_t to = 0;
  PortRates produced{1};
  PortRates consumed{1};
  std::uint64_t tokens = 0;
};

struct DataflowGraph {
  bool is_cyclo_static = false;
  std::string name;
  std::string comment;  // in our words
  std::vector<DataflowActor> actors;
  std::vector<DataflowChannel> channels;
};

/// Rates and times are lists as long as the actor's phases, as readers expect.
std::string sdf3_text(const DataflowGraph& graph);

}  // namespace takt::tools
