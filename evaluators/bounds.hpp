// What is known of a period before any search: the largest cycle time, and one data set at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// The resource with the largest cycle time; the first of FoldedNet::resources at a tie.
std::size_t busiest_resource(const tpn::FoldedNet& net);

/// M_ct, the largest cycle time. Never above the period.
const Rational& largest_cycle_time(const tpn::FoldedNet& net);

/// The largest cycle time, that of several ports being their mean: no order of the operations has a shorter period,
/// whichever port handles which.
Rational least_of_any_order(const tpn::FoldedNet& net);

/// The period of the sequential schedule: the sum over the columns of their longest duration.
Rational sequential_period(const tpn::FoldedNet& net);

/// The closed walk through these operations, at least one, in order; it starts anew `height` data sets later.
CriticalCircuit circuit_through(std::span<const tpn::Operation> operations, std::uint64_t height);

/// A resource's own circuit as a closed walk; its ratio is the resource's cycle time.
CriticalCircuit own_circuit(const tpn::FoldedNet& net, std::size_t resource);

/// The time units per data set that a closed walk of the net's dependences takes, lap after lap, exactly; sets
/// CriticalCircuit::laps. Its heights must not sum to 0. Nothing if the deadline passes. Cost: linear in the steps,
/// and for each column at most its period.
std::optional<Rational> ratio_of(const tpn::FoldedNet& net, CriticalCircuit& circuit, const Deadline& deadline = {});

/// The interval [M_ct, sequential period] with its witnesses: an answer before any search.
Evaluation coarse_bounds(const tpn::FoldedNet& net, Method method);

/// A schedule that treats all data sets alike: the operation of column c starts on data set j at
/// starts[c] / unit + period * j, in time units, and takes at most the column's longest duration.
struct UniformSchedule {
  Rational period;  // time units per data set
  std::vector<Integer> starts;
  Integer unit = 1;
};

/// The uniform schedule of the least period, never below the period: the largest ratio over the circuits of columns,
/// each taking its longest duration. Under OVERLAP and STRICT that is M_ct where all transfers of a column take the
/// same time and no processor stands in the mapping twice. *Proof.* A circuit goes up and down equally often at each
/// part, and an up and a down at part i take, for m_i data sets, no longer than m_i times the cycle time of the part's
/// slowest processor. Cost: linear in the dependences and the tables of durations, then that of Howard's algorithm on
/// the columns.
UniformSchedule uniform_schedule(const tpn::FoldedNet& net);

/// The interval [M_ct, least period of a uniform schedule] with its witnesses, exact if the two are equal.
Evaluation uniform_bounds(const tpn::FoldedNet& net, Method method);

/// Reports to the search's listener, if any, that a method begins with these bounds or has reached them.
void tell(const Deadline& deadline, const Evaluation& bounds);

/// A resource's only token: the operation of `column`, `back` data sets before data set 0, that its
/// first operation waits for.
struct ResourceToken {
  std::size_t resource = 0;  // index into FoldedNet::resources
  std::size_t column = 0;
  std::uint64_t back = 0;
};

/// The token of every resource, in the order of FoldedNet::resources.
std::vector<ResourceToken> resource_tokens(const tpn::FoldedNet& net);

/// True if every token of the net belongs to a resource, so that clocks of resources say it all.
bool tokens_belong_to_resources(const tpn::FoldedNet& net);

}  // namespace takt::evaluators
