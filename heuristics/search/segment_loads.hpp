// How busy mappings keep the segments of the network: a given one, in integer ticks, and any at least.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/mapping_routes.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/segments.hpp"
#include "tpn/tick_times.hpp"

namespace takt::heuristics {

/// A segment that limits its files at a time, in one direction or in both. The indices of its machines are those of
/// tpn::SegmentIndex.
struct LimitedWay {
  tpn::SegmentWay way;
  std::int64_t ports = 1;
};

std::vector<LimitedWay> limited_ways(const tpn::Platform& platform);

/// What the busiest segment takes per data set, whatever the mapping: files pass that no mapping keeps off it. In time
/// units; 0 if the deadline passes, and for workflows. Sizes of files must be there (require_amounts).
/// Cost: O(n p^2) look-ups, few where some processor runs all stages.
maxplus::Rational least_on_segments(const tpn::ProblemView& problem, const maxplus::Deadline& deadline);

/// Keeps references into the problem and its times.
class SegmentLoads {
 public:
  SegmentLoads(const tpn::Document& problem, const tpn::TickTimes& times);

  /// By segment with a limit and direction, ticks per data set and port, rounded down: what its cycle time is at least,
  /// whatever parts follow those of the mapping. These must have their links.
  const std::vector<std::int64_t>& of(std::span<const tpn::Part> mapping);

 private:
  void add_chain(std::span<const tpn::Part> mapping);
  void add_routes(std::span<const tpn::Part> mapping);
  /// Of one file: each sender meets the receivers that it has data sets for.
  template <typename Ticks>
  void add(std::span<const std::size_t> senders, std::span<const std::size_t> receivers, const Ticks& ticks);

  const tpn::Document& problem_;
  const tpn::TickTimes& times_;
  // Machines, in turn; empty if there are none.
  std::vector<std::size_t> sources_;
  std::vector<std::size_t> sinks_;
  std::vector<LimitedWay> ways_;
  std::optional<tpn::MappingRoutes> routes_;  // of a workflow
  std::vector<std::int64_t> loads_;           // by way
  std::vector<evaluators::Int128> totals_;    // of one file, by way
};

}  // namespace takt::heuristics
