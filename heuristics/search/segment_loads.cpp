// Sums over the pairs that meet on either side of a segment.
#include "heuristics/search/segment_loads.hpp"

#include <numeric>
#include <utility>

#include "tpn/ends.hpp"

namespace takt::heuristics {

using evaluators::Int128;

SegmentLoads::SegmentLoads(const tpn::Document& problem, const tpn::TickTimes& times)
    : problem_(problem), times_(times) {
  const tpn::Platform& platform = problem.platform;
  const tpn::SegmentIndex index(platform);
  for (std::size_t k = 0; k < tpn::count_of(platform.source); ++k) sources_.push_back(index.source(k));
  for (std::size_t k = 0; k < tpn::count_of(platform.sink); ++k) sinks_.push_back(index.sink(k));
  const std::size_t machines = platform.processors.size() + sources_.size() + sinks_.size();
  for (std::size_t s = 0; s < platform.segments.size(); ++s) {
    const tpn::NetworkSegment& segment = platform.segments[s];
    if (segment.ports == tpn::kUnlimitedPorts) continue;
    tpn::SegmentWay way;
    way.is_both = !segment.duplex;
    for (std::size_t machine = 0; machine < machines; ++machine) {
      way.from.push_back(index.side(s, machine) == tpn::SegmentSide::first);
      way.to.push_back(index.side(s, machine) == tpn::SegmentSide::second);
    }
    ways_.push_back(way);
    if (segment.duplex) {
      std::swap(way.from, way.to);
      ways_.push_back(std::move(way));
    }
    ports_.resize(ways_.size(), static_cast<std::int64_t>(segment.ports));
  }
}

// Each pair meets once in as many data sets as both sequences repeat after. No sum of ticks leaves 128 bits.
template <typename Ticks>
void SegmentLoads::add(std::span<const std::size_t> senders, std::span<const std::size_t> receivers,
                       const Ticks& ticks) {
  if (senders.empty() || receivers.empty()) return;
  totals_.assign(ways_.size(), 0);
  const std::size_t modulus = std::gcd(senders.size(), receivers.size());
  for (std::size_t a = 0; a < senders.size(); ++a) {
    for (std::size_t b = a % modulus; b < receivers.size(); b += modulus) {
      for (std::size_t w = 0; w < ways_.size(); ++w)
        if (ways_[w].passes(senders[a], receivers[b])) totals_[w] += ticks(senders[a], receivers[b]);
    }
  }
  const Int128 data_sets = Int128{senders.size()} * (receivers.size() / modulus);
  for (std::size_t w = 0; w < ways_.size(); ++w) loads_[w] += static_cast<std::int64_t>(totals_[w] / data_sets);
}

const std::vector<std::int64_t>& SegmentLoads::of(std::span<const tpn::Part> mapping) {
  loads_.assign(ways_.size(), 0);
  const std::size_t first_sink = problem_.platform.processors.size() + sources_.size();
  if (!mapping.empty()) {
    add(sources_, mapping.front().processors, [&](std::size_t from, std::size_t to) {
      return times_.from_source(to, from - problem_.platform.processors.size());
    });
  }
  for (std::size_t i = 0; i + 1 < mapping.size(); ++i) {
    add(mapping[i].processors, mapping[i + 1].processors,
        [&](std::size_t from, std::size_t to) { return times_.transfer(mapping[i].last_stage, from, to); });
  }
  if (!mapping.empty() && mapping.back().last_stage + 1 == problem_.application.stages.size()) {
    add(mapping.back().processors, sinks_,
        [&](std::size_t from, std::size_t to) { return times_.to_sink(from, to - first_sink); });
  }
  for (std::size_t w = 0; w < loads_.size(); ++w) loads_[w] /= ports_[w];
  return loads_;
}

}  // namespace takt::heuristics
