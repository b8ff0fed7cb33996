// Plans whose parts are on machines of several types, and in sequences that may repeat a machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

/// Stages [first_stage, last_stage] on machines of any types. Data set j goes to machines[sequence[j mod length]]; each
/// machine has a turn, and gives its own in turn to its cores, or to one where a stage must not be replicated. The
/// stand-bys are paid for and idle.
struct SequencePart {
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::vector<std::size_t> machines;  // the type of each
  std::vector<std::size_t> sequence;  // indices into machines
  std::vector<std::size_t> standby;   // types

  /// Machines by type, stand-bys included.
  std::vector<std::uint64_t> by_type(std::size_t types) const;

  friend bool operator==(const SequencePart&, const SequencePart&) = default;
};

/// Cores that a plan of sequences may have: each is an entry of a list.
inline constexpr std::uint64_t kMostSequenced = 1'000'000;

/// Parts in the order of the chain, all stages once.
using SequencePlan = std::vector<SequencePart>;

/// A part on `machines` of each type, in plain round robin, type after type; of a part that must not be
/// replicated the first machine computes.
SequencePart round_robin(std::size_t first_stage, std::size_t last_stage, const std::vector<std::uint64_t>& by_type,
                         bool is_replicable);

SequencePlan sequences_of(const TypedPlan& plan);
/// Some machines of one type for stages [first_stage, last_stage], spare ones included; some of them on demand, where
/// that costs a premium.
struct PlannedMove {
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::size_t type = 0;
  std::uint64_t machines = 0;
  std::uint64_t on_demand = 0;
};

/// Of the moves that choose the machines of each part, type by type, parts in order.
SequencePlan plan_of_moves(const Catalogue& catalogue, const std::vector<PlannedMove>& moves);

/// The moves that make such a plan.
std::vector<PlannedMove> moves_of(const Catalogue& catalogue, const SequencePlan& plan);

/// What a part receives and sends where links are equal.
struct EqualTransfers {
  EqualTransfers(const Catalogue& catalogue, std::size_t first_stage, std::size_t last_stage)
      : receive(*(first_stage == 0 ? catalogue.from_source[0] : catalogue.transfer(first_stage - 1, 0, 0))),
        send(*(last_stage + 1 == catalogue.stages.size() ? catalogue.to_sink[0]
                                                         : catalogue.transfer(last_stage, 0, 0))) {}

  const Rational& receive;
  const Rational& send;
};

/// A machine with the processors `first` to `first + cores - 1`.
struct MachineCores {
  std::size_t first = 0;
  std::uint64_t cores = 1;
};

/// The turns of machines (indices into the list) as turns of their cores, one after the other: the sequence is repeated
/// until each core has had as many turns as the others of its machine.
std::vector<std::size_t> turns_of_cores(const std::vector<std::size_t>& sequence,
                                        const std::vector<MachineCores>& machines);

/// Of all machines, stand-bys included.
std::vector<std::uint64_t> machines_by_type(const Catalogue& catalogue, const SequencePlan& plan);
Rational cost_of(const Catalogue& catalogue, const SequencePlan& plan);

/// The number of processors, one per core, of these machines by type.
std::uint64_t processors_of(const Catalogue& catalogue, const std::vector<std::uint64_t>& machines);

/// The mapping of a plan to machines that are numbered type after type, `machines` of each at least as many as it uses,
/// and within a type in the order of the parts, stand-bys last; the processors of a machine are its cores. A part's
/// sequence is repeated until each core has had as many turns as the others of its machine.
tpn::Mapping mapping_of(const Catalogue& catalogue, const SequencePlan& plan,
                        const std::vector<std::uint64_t>& machines);

/// The catalogue's document with the plan's machines and mapping, stand-bys being processors that the mapping does not
/// use, the period predicted and the model.
tpn::Document mapped_document(const tpn::Document& problem, const Catalogue& catalogue, const tpn::Model& model,
                              const SequencePlan& plan, const Rational& period);

}  // namespace takt::plan
