// Which operations occupy which resource, and for how long on average.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// Where each processor stands in the sequences of a pipeline, and each host with several processors: wherever one of
/// them does.
class ServiceIndex {
 public:
  struct Service {
    PartIndex part;
    std::uint64_t entry = 0;
  };

  explicit ServiceIndex(const Pipeline& pipeline);

  /// A processor's entries, by part.
  const std::vector<Service>& of(std::size_t processor) const { return services_[processor]; }
  /// Those of one part.
  std::span<const Service> of(std::size_t processor, PartIndex part) const;
  bool serves(std::size_t processor, PartIndex part) const { return !of(processor, part).empty(); }

 private:
  std::vector<std::vector<Service>> services_;
};

/// The circuit of a resource, empty if it has no operation; at most `limit` operations.
std::variant<Circuit, TooLarge> list_circuit(const Pipeline& pipeline, const ServiceIndex& services,
                                             ConstraintKind kind, std::size_t processor, std::uint64_t limit);

/// As many operations as a circuit may have, transfers within the processor included. Cost: the processor's entries.
Integer most_operations(const Pipeline& pipeline, const ServiceIndex& services, ConstraintKind kind,
                        std::size_t processor);

/// The part that the owner of a resource of that kind serves with one of its operations; of a segment's, the sender's.
PartIndex part_served(const Pipeline& pipeline, const Operation& operation, ConstraintKind kind, std::size_t owner);

/// Of several ports the one that is busy for longest per data set.
struct BusiestPort {
  std::optional<Rational> cycle_time;  // nothing if that would look at too many operations
  std::uint64_t first = 0;             // the first of its operations, in the order of the circuit, lap after lap
};

/// Port i of `ports` handles operations i, i + ports, ... of a circuit that has some. Those alike modulo the greatest
/// common divisor of `ports` and the operations before all repeats, durations as well, are one port's, or those of
/// several that are alike. Looks at no more operations than `limit`.
BusiestPort busiest_port(const Pipeline& pipeline, const Circuit& circuit, PortCount ports, std::uint64_t limit);

/// Whether the processor, host or segment has a resource of that kind, if there are any operations for it.
bool owns(const Pipeline& pipeline, ConstraintKind kind, std::size_t processor);

/// The busiest of several ports, or the mean over them, which is linear in durations.
enum class OfPorts { busiest, mean };

/// The cycle time of every processor's resource of that kind, in time units per data set: the sum of its
/// operations' durations over the data sets of a repetition, divided by their number; by owner. Of several ports the
/// busiest counts, or their mean where that is asked for or the circuit has more than kDefaultCircuitSteps operations.
/// Cost: the pairs of processors that meet; no least common multiple is enumerated but for the busiest of several
/// ports.
std::vector<Rational> cycle_times_of(const Pipeline& pipeline, ConstraintKind kind, OfPorts which = OfPorts::busiest);

}  // namespace takt::tpn
