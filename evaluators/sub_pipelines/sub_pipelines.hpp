// sub-pipelines: exact periods of contiguous parts of a net, each a lower bound of the whole's.
//
// Problem. Where rows are too many to sweep and classes too many to split, M_ct often remains the lower bound, though
// processors that are nearly as tight as the tightest wait for one another. Find a larger one, with its circuit.
//
// Method. A sub-pipeline is a run of consecutive parts; its net has their computations and the transfers between them,
// under the same model, and its rows are the least common multiple of few sequences. So its period can be swept. Of all
// sub-pipelines that fit a budget those that no other one contains are swept, the most promising first.
//
// Why it is a bound. Each dependence of the sub-pipeline is one of the whole, or follows from several. *Proof.* The
// flow is the same. A resource's circuit in the whole takes its operations in the order of data sets, then columns, for
// ever; that of the sub-pipeline has those of them whose columns the sub-pipeline has, in the same order. So two that
// follow one another in the sub-pipeline are joined in the whole by the operations between them, which take no negative
// time, and the data sets between them are as many. What a buffer with room asks of two columns depends on its own part
// and on the neighbor that the transfer between them leads to, both of the sub-pipeline. What a limited window or the
// room of single buffers adds only delays the whole. Hence start times that keep the whole keep every sub-pipeline, and
// no circuit of a sub-pipeline has a ratio above the whole's period. This holds under every model, for repeated and
// shared processors, with source and sink; a model whose further dependences it knows nothing of gets no answer.
//
// Circuit. The sub-pipeline's is embedded step by step (embedding.hpp): to the whole's own dependence where it has the
// same one, else to its chain along the resource. Under STRICT the last part's sending comes between a computation and
// the next reception, the first part's reception between a sending and the next computation. Heights stay, durations
// are added: the ratio never falls, and it is the ratio of what was embedded that counts. Chains may differ from lap to
// lap where a processor serves parts within and without the sub-pipeline; then as many laps are embedded as it takes to
// repeat.
//
// Edges. The circuit that a sweep finds is the longest of the sub-pipeline, not of those that are embedded. Where a
// processor does one thing at a time, the first part's computations are given the average reception and the last part's
// the average sending on top while the circuit is looked for (edges.hpp): most circuits go through all data sets of a
// transfer in turn, so that they take as long in the whole. Where the one found does not, the sub-pipeline is swept
// without as well: in any case the bound is at least the sub-pipeline's period.
//
// Order. A processor within a fifth of M_ct is worth as much as it is near. A sub-pipeline is as promising as the sum
// of that over its parts. One whose uniform schedule is no longer than the best bound so far would hardly raise it, and
// is skipped.
//
// Cost. For each part some folds of sub-pipelines; then the sweeps. A embedded circuit has up to some 1e7 steps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

struct SubPipelineLimits {
  /// The budget of one pass over a sub-pipeline: operations on 64-bit numbers without guards; others count for more.
  double operations = 3e8;
  double all_operations = 3e9;  // of all sub-pipelines together
  std::uint64_t max_memory = kDefaultMemory;
  Deadline deadline{};
};

/// The period of a net is at least `lower`.
struct SubPipelineBound {
  std::size_t first_part = 0;  // indices into Pipeline::parts
  std::size_t last_part = 0;
  Rational lower;           // time units per data set: the circuit's ratio, at least the sub-pipeline's period
  CriticalCircuit circuit;  // of the whole net
};

/// The net of the parts first_part to last_part, without a capacity; it keeps the names of all processors. TooLarge as
/// tpn::fold; the model must have no dependences beyond its resources and rooms.
std::variant<tpn::FoldedNet, tpn::TooLarge> net_of_sub_pipeline(const tpn::FoldedNet& net, std::size_t first_part,
                                                                std::size_t last_part, const Deadline& deadline = {});

/// The bound that one sub-pipeline gives, if its sweep fits the limits, whatever all_operations, and its embedded
/// circuit the memory. Nothing if the deadline passes, or the model has further dependences.
std::optional<SubPipelineBound> bound_of_sub_pipeline(const tpn::FoldedNet& net, std::size_t first_part,
                                                      std::size_t last_part, const SubPipelineLimits& limits = {});

/// The best bound of the sub-pipelines that fit, if it is above `above`; the first that was tried among equals. Where
/// the deadline passes, that of the sub-pipelines done by then. Reports each better bound to the listener, if any.
std::optional<SubPipelineBound> best_sub_pipeline(const tpn::FoldedNet& net, const SubPipelineLimits& limits,
                                                  const Rational& above);

}  // namespace takt::evaluators
