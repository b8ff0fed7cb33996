// Latencies of a run whose data sets arrive at a rate: from the arrival of each to its own delivery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "live/measurement/measurement.hpp"
#include "tpn/folded_net.hpp"

namespace takt::live {

/// When a data set arrives, in time units; asked for in ascending order.
using ArrivalTimes = std::function<double(std::uint64_t data_set)>;

/// In time units, of the data sets from `first` on: each counts from its arrival until all exits are done with it,
/// whether an earlier one still waits or not. The trace is as `measure` takes it.
std::vector<double> latencies_of(const tpn::FoldedNet& net, const Trace& trace, std::uint64_t first,
                                 const ArrivalTimes& arrives);

/// Time units per data set: from the moment at which all before `first` are delivered, the begin where that is 0, to
/// that at which all are.
double growth_from(const tpn::FoldedNet& net, const Trace& trace, std::uint64_t first);

/// The mean of numbers, one at least.
double mean_of(std::span<const double> numbers);

/// The least of the numbers that this share of them, above 0 and at most 1, does not exceed.
double percentile_of(std::vector<double> numbers, double share);

}  // namespace takt::live
