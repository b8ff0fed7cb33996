// Segments: wires that transfers between two sets of machines share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The set of a segment that a machine is in.
enum class SegmentSide : std::uint8_t { none, first, second };

/// A name in the sets of a segment that cannot be there, by its place: name `place` of set `set`.
struct RefusedName {
  std::size_t segment = 0;
  std::size_t set = 0;
  std::size_t place = 0;
  bool is_unknown = false;  // else of a machine that is in the other set
};

/// Which machines the segments of a platform join. Machines are the platform's processors, then its sources, then its
/// sinks, in turn. A name is that of a processor, of cores that the document names at once, of a host, a type, a source
/// or a sink; "source" and "sink" if they have no names. Whichever of its processors is named, it means the host.
/// Cost: names and machines, by segment.
class SegmentIndex {
 public:
  explicit SegmentIndex(const Platform& platform);

  std::size_t source(std::size_t which) const { return sources_ + which; }
  std::size_t sink(std::size_t which) const { return sinks_ + which; }
  SegmentSide side(std::size_t segment, std::size_t machine) const {
    return sides_.empty() ? SegmentSide::none : sides_[machine][segment];
  }
  /// All of a machine's, by segment; empty if there are no segments.
  const std::vector<SegmentSide>& sides(std::size_t machine) const {
    static const std::vector<SegmentSide> kNone;
    return sides_.empty() ? kNone : sides_[machine];
  }
  /// The first name that stands for nothing, or for a machine that is in the other set too.
  const std::optional<RefusedName>& refused() const { return refused_; }

 private:
  std::size_t sources_;
  std::size_t sinks_;
  std::vector<std::vector<SegmentSide>> sides_;  // by machine, then segment; empty if there are no segments
  std::optional<RefusedName> refused_;
};

/// The least bandwidth of the segments between two machines with those sides; null if none has one.
const Rational* segment_bandwidth(const Platform& platform, const std::vector<SegmentSide>& from,
                                  const std::vector<SegmentSide>& to);

/// "uplink forward" and "uplink reverse", from the first set to the second and back; "uplink" where both directions are
/// one.
std::vector<std::string> names_of_ways(const NetworkSegment& segment);

}  // namespace takt::tpn
