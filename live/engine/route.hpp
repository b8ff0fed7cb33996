// A mapping as it is carried out: which processor does which operation, and for how many ticks of a clock.
//
// A clock counts whole ticks. A clock of its own, that nobody waits for, has ticks that are as fine as the durations,
// which are exact then; a real one has nanoseconds, and durations are rounded to the nearest.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tpn/capabilities.hpp"
#include "tpn/chain.hpp"
#include "tpn/folded_net.hpp"

namespace takt::live {

using maxplus::Rational;

/// A moment, or a length of time, in ticks of a run's clock.
using Ticks = std::int64_t;

/// What live runs and rehearsals take.
inline constexpr tpn::Capabilities kRunsTake{.shared_resources = true, .several_ends = true};
/// Those in which turns change: that adapt, or give data sets to whoever is free. Turns at shared ports, and those of
/// several sources, follow from the mapping that a run begins with.
inline constexpr tpn::Capabilities kChangingRunsTake{};

/// The operations of a pipeline as a run carries them out: processors and durations in ticks.
class Route {
 public:
  /// The pipeline is a chain. Nothing where a duration is beyond 2^53 ticks: there are `ticks_per_unit` > 0 of them in
  /// a time unit.
  static std::optional<Route> make(const tpn::Pipeline& pipeline, const Rational& ticks_per_unit);

  std::size_t parts() const { return parts_.size(); }
  std::size_t columns() const { return columns_.size(); }
  const tpn::NetPart& part(std::size_t index) const { return parts_[index]; }
  std::size_t processor_at(std::size_t part, std::uint64_t data_set) const {
    return parts_[part].processor_at(data_set);
  }
  /// Whether data sets begin at the processor.
  bool begins_at(std::size_t processor) const { return takes_part(parts_.front(), processor); }
  /// Whether the processor has turns of any part.
  bool serves(std::size_t processor) const {
    return std::ranges::any_of(parts_, [&](const tpn::NetPart& part) { return takes_part(part, processor); });
  }
  Ticks duration(std::size_t column, std::uint64_t data_set) const {
    const RouteColumn& at = columns_[column];
    return at.ticks[at.sender_offset[data_set % at.sender_offset.size()] +
                    at.receiver_offset[data_set % at.receiver_offset.size()]];
  }
  /// What the processor, which has turns of the part, computes it in.
  Ticks computation(std::size_t part, std::size_t processor) const {
    const std::vector<std::size_t>& sequence = parts_[part].sequence;
    const auto turn = std::ranges::find(sequence, processor) - sequence.begin();
    return duration(tpn::chain_computation(part), static_cast<std::uint64_t>(turn));
  }

 private:
  struct RouteColumn {
    std::vector<std::size_t> sender_offset;  // as of tpn::Column
    std::vector<std::size_t> receiver_offset;
    std::vector<Ticks> ticks;
  };

  static bool takes_part(const tpn::NetPart& part, std::size_t processor) {
    return std::ranges::find(part.sequence, processor) != part.sequence.end();
  }

  std::vector<tpn::NetPart> parts_;
  std::vector<RouteColumn> columns_;
};

/// The ticks of a time unit for which every duration is a whole number of ticks.
Rational exact_ticks(const tpn::Pipeline& pipeline);

/// The sources, in the turns in which data sets begin there; none where these begin at the first part of the mapping.
std::vector<std::size_t> sources_of(const tpn::Pipeline& pipeline);

}  // namespace takt::live
