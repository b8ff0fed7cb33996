// A pipeline on hosts, event by event, from its document: no net, no formula.
#pragma once

#include <cstdint>
#include <vector>

#include "tpn/document.hpp"

namespace takt::support {

/// When each operation of the first data sets starts, by data set, then column: the source's transfer, and for each
/// part its computation and its transfer, as far as they exist. Each core, port of a host and place of a segment has a
/// list of its own of what it handles, in order; an operation starts when its file is there and it is the next of all
/// of its lists. Operations that never start have the time -1. Of a batch the last computation is that of all; the
/// others start when their files are there. No batch may be cut by the number of data sets.
std::vector<std::vector<maxplus::Rational>> simulated_starts(const tpn::Document& document, const tpn::Model& model,
                                                             std::uint64_t data_sets);

}  // namespace takt::support
