// A pipeline on hosts, event by event, from its document: no net, no formula.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::support {

/// What an instance is told beyond its document.
struct SimulatedStream {
  std::uint64_t window = 0;               // data sets under way; 0: no limit
  std::optional<maxplus::Rational> pace;  // data set j is there at j times that; nothing: all are there at once
};

/// When each operation of the first data sets starts, by data set, then column: by station (the source, the parts, the
/// sink), its computation and its transfers by receiver, or in the document's order. Each core, port of a host and
/// place of a segment has a list of its own of what it handles, in order; an operation starts when its file is there
/// and it is the next of all of its lists. Operations that never start have the time -1. Of a batch the last
/// computation is that of all; the others start when their files are there. No batch may be cut by the number of data
/// sets.
std::vector<std::vector<maxplus::Rational>> simulated_starts(const tpn::Document& document, const tpn::Model& model,
                                                             std::uint64_t data_sets,
                                                             const SimulatedStream& stream = {});

/// The same by the play of the net.
std::vector<std::vector<maxplus::Rational>> played_starts(const tpn::FoldedNet& net, std::uint64_t data_sets);

/// Of each data set when all stations that send nothing have computed with it.
std::vector<maxplus::Rational> simulated_deliveries(const tpn::Document& document, const tpn::Model& model,
                                                    std::uint64_t data_sets, const SimulatedStream& stream = {});

}  // namespace takt::support
