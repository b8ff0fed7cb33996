// How busy a mapping keeps the segments of the network, in integer ticks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/segments.hpp"
#include "tpn/tick_times.hpp"

namespace takt::heuristics {

/// Keeps references into the problem and its times.
class SegmentLoads {
 public:
  SegmentLoads(const tpn::Document& problem, const tpn::TickTimes& times);

  /// By segment with a limit and direction, ticks per data set and port, rounded down: what its cycle time is at least,
  /// whatever parts follow those of the mapping. These must have their links.
  const std::vector<std::int64_t>& of(std::span<const tpn::Part> mapping);

 private:
  /// Of one file: each sender meets the receivers that it has data sets for.
  template <typename Ticks>
  void add(std::span<const std::size_t> senders, std::span<const std::size_t> receivers, const Ticks& ticks);

  const tpn::Document& problem_;
  const tpn::TickTimes& times_;
  // Machines, in turn; empty where there are none.
  std::vector<std::size_t> sources_;
  std::vector<std::size_t> sinks_;
  std::vector<tpn::SegmentWay> ways_;
  std::vector<std::int64_t> ports_;         // by way
  std::vector<std::int64_t> loads_;         // by way
  std::vector<evaluators::Int128> totals_;  // of one file, by way
};

}  // namespace takt::heuristics
