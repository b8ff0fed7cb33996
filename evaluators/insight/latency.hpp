// Latency: how long a data set stays, under its several meanings.
//
// A data set stays from the start of its first operation to the end of its last one, source and sink included: where
// several parts receive nothing, from the first of them to start, and where several send nothing, to the last of them.
//   alone    its operations alone, each resource in its order: an empty pipeline. Of a chain the sum of its durations,
//            those of its batches among them
//   paced    in the paced schedule (evaluators/insight/paced.hpp), from its release j P, waiting at entries included
//   least    the smallest bound on all stays that some schedule of period P keeps, entries as uneven as it likes
//   unpaced  everything as early as possible and no release: where the first operations outrun what follows, stays grow
//            for ever
//
// Least. "No data set stays longer than L" is one more wait per data set, from its last operation back to its first,
// that lasts -L; one from each of its last to each of its first if there are several. So L(P) is the largest (W - P
// H) / k over the circuits with k >= 1 such returns, W their durations and H their height. Schedules that do not repeat
// are no better: N times round that circuit takes N (W - k L) time and N H data sets, and the period is P. Method:
// longest paths with the returns at a trial L, first the largest time alone; if they do not settle they close a
// positive circuit, which gives the next trial. It rises to one circuit's value each time, so it ends.
//
// Unpaced growth. An operation's own pace is the largest cycle ratio among the strongly connected components that it
// waits for, directly or not. A class of data sets stays longer by its last operation's pace less its first one's for
// each data set more: nothing if the net is strongly connected, as each connected part is under STRICT. Of several
// it is the slowest pace of the last less the quickest of the first.
//
// Cost. As paced_schedule; for `least` once for each trial, few in practice; for `unpaced` a solver of cycle ratios on
// each component.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/insight/paced.hpp"

namespace takt::evaluators {

/// How long data sets stay, in time units; of classes: by data set modulo the schedule's rows.
struct Latency {
  Rational alone;  // the largest; with batches that of full ones, without the wait until they are
  Rational paced;
  std::vector<Rational> alone_by_class;
  std::vector<Rational> paced_by_class;
  bool has_batches = false;
};

/// The schedule must be one of this net. alone <= paced, class by class.
Latency latency_of(const tpn::FoldedNet& net, const PacedSchedule& paced);

/// A closed walk as CriticalCircuit, whose steps from the column of an exit to that of an entry are returns: they lead
/// to the same data set, and each counts the latency that is proved least.
struct LeastLatency {
  Rational value;  // time units, at least the largest `alone`
  // By how much more the value falls for each time unit of period less: heights per return of the circuit found, 0
  // where it is the data set alone.
  Rational height_per_return;
  std::vector<Integer> offsets;  // a schedule that keeps it: as PacedSchedule, in 1 / unit
  Integer unit = 1;
};

/// The least latency at a period that the net attains; or the limit that was met.
std::variant<LeastLatency, Limit> least_latency(const tpn::FoldedNet& net, const Rational& period,
                                                const Deadline& deadline = {},
                                                std::uint64_t most_operations = kPacedOperations);

/// Vertices of the trade-off curve, by period: from the net's own, or the one given, to the one from which the least
/// latency is the time alone. Convex and falling; straight between them.
using LatencyCurve = std::vector<std::pair<Rational, Rational>>;

/// The net must have no batches: the longer a period, the longer they wait until they are full; and no transfers ahead,
/// which wait for a computation of later data sets.
std::variant<LatencyCurve, Limit> latency_curve(const tpn::FoldedNet& net, const Rational& period,
                                                const Deadline& deadline = {},
                                                std::uint64_t most_operations = kPacedOperations);

/// What a stay grows by for each data set more, if everything starts as early as possible; by data set modulo
/// tpn::repetition_of, in time units. All 0: stays are bounded.
std::variant<std::vector<Rational>, Limit> unpaced_growth(const tpn::FoldedNet& net, const Deadline& deadline = {},
                                                          std::uint64_t most_operations = kPacedOperations);

}  // namespace takt::evaluators
