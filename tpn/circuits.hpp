// Which operations occupy which resource, and for how long on average.
#pragma once

#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// Where each processor stands in the sequences of a pipeline.
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

/// The circuit of a resource, empty where it has no operation; at most `limit` operations.
std::variant<Circuit, TooLarge> list_circuit(const Pipeline& pipeline, const ServiceIndex& services,
                                             ConstraintKind kind, std::size_t processor, std::uint64_t limit);

/// As many operations as a circuit may have, transfers within the processor included. Cost: the processor's entries.
Integer most_operations(const Pipeline& pipeline, const ServiceIndex& services, ConstraintKind kind,
                        std::size_t processor);

/// The part that a processor serves with one of its operations.
PartIndex part_served(const Pipeline& pipeline, const Operation& operation, std::size_t processor);

/// The cycle time of every processor's resource of that kind, in time units per data set: the sum of its
/// operations' durations over the data sets of a repetition, divided by their number.
/// Cost: the pairs of processors that meet; no least common multiple is enumerated.
std::vector<Rational> cycle_times_of(const Pipeline& pipeline, ConstraintKind kind);

}  // namespace takt::tpn
