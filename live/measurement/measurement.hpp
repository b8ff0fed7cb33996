// What a run has shown: its period, how busy its resources were, and how long its operations took.
//
// Problem. Runs begin with a transient and are disturbed: a machine that stalls for ten periods moves the mean of the
// period a hundred times as much as its median.
//
// Method. T(j) is when data sets 0 to j are all delivered, at all exits. The first fifth of them is dropped. The period
// is the median, over all windows, of (T(j + w) - T(j)) / w, where w is a multiple of the hyper-period m, so that every
// window of the undisturbed steady state is the same, at least a 25th of the data sets. (Some nets repeat after several
// hyper-periods only: w is a multiple of 12 m, 6 m, 4 m, 3 m or 2 m where that is at most a 25th.) Where the
// hyper-period is more than a tenth of them, windows differ by themselves: then the run is compared with the play of
// its net over the same data sets. The period is the mean growth of the play, and to it comes the median of what the
// run's windows have taken longer than the play's.
//
// The effective duration of an operation is its end less the latest end among those that it waits for: it holds
// lateness and latency, and no waiting. With these as durations the net would have done what was seen.
//
// Exact: periods, effective durations, shares of time. Statistics, as doubles: slope and interval.
//
// Cost. Linear in the trace, times the operations that each waits for, but for sorting.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <tuple>
#include <vector>

#include "evaluators/play/play.hpp"
#include "tpn/folded_net.hpp"

namespace takt::live {

using maxplus::Rational;

/// When the operations of data sets 0, 1, ... took place, by data set, then column, none missing: as
/// evaluators::play visits them.
using Trace = std::vector<evaluators::Firing>;

/// Fewer data sets are no run to be measured.
inline constexpr std::uint64_t kFewestMeasured = 10;

/// The part of a run that is measured.
struct MeasuredStretch {
  std::uint64_t data_sets = 0;  // of the run
  std::uint64_t first = 0;      // data sets before this one are dropped
  std::uint64_t window = 1;     // data sets
  bool is_played = false;       // the run is compared with the play of its net
};

/// Where the mean time per data set lies, with 95 % certainty if batches are independent: Student's t over batches.
struct MeanInterval {
  double mean = 0;  // time units
  double low = 0;
  double high = 0;
  std::size_t batches = 0;
};

/// The data sets that windows hold which took too long: one that did, or several without a gap.
struct Stall {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};

/// The operations of a column between the same two processors, or on one, for as many data sets at once.
struct OperationClass {
  std::size_t column = 0;
  std::size_t sender = 0;    // index into Pipeline::processors
  std::size_t receiver = 0;  // of a transfer; of a computation the sender
  std::uint64_t size = 1;    // of the batch
  std::uint64_t operations = 0;
  Rational mean;  // of effective durations, in time units; negative where operations ended before they could begin
  Rational median;
  std::vector<Rational> durations{};  // all of them, ascending
};

/// Column, sender, receiver and size, as of OperationClass.
using ClassKey = std::tuple<std::size_t, std::size_t, std::size_t, std::uint64_t>;

/// That of an operation on one of `data_sets`, with which the last batch ends; of size 0 if it only fills a batch.
ClassKey class_of(const tpn::Pipeline& pipeline, const tpn::Operation& operation, std::uint64_t data_sets);

struct RunMeasurement {
  MeasuredStretch stretch;
  Rational period;                       // time units per data set: the median
  std::optional<Rational> played;        // mean growth of the play over the same data sets, where compared with it
  std::optional<double> slope;           // least squares, T(j) over j; nothing beyond the largest double
  std::optional<MeanInterval> interval;  // nothing if data sets are too few, or likewise
  std::uint64_t windows = 0;
  std::uint64_t slow_windows = 0;       // longer than the median by 5 MADs, and by a thousandth
  std::vector<Stall> stalls;            // such windows without a gap between them are one stall
  std::uint64_t overtaking = 0;         // data sets that were done before an earlier one, and waited for it
  std::vector<Rational> busy;           // shares of at most 1, as FoldedNet::resources; none if no time passes
  std::vector<OperationClass> classes;  // by column, sender, receiver, size; no source, sink, transfer within a
                                        // processor, or operation that only fills a batch
  // Operations that began before one that they wait for had ended, by more than a tenth of the period. A little early
  // is no wonder: a transfer ends at the later of its two ends, and the other end may have gone on.
  std::uint64_t early = 0;
  Rational earliest;  // by how much at most, in time units
};

/// The hyper-period decides whether the run is compared with the play, unless `needs_play` says so already: its period
/// is not known. The trace has at least kFewestMeasured data sets.
RunMeasurement measure(const tpn::FoldedNet& net, const Trace& trace, bool needs_play = false);

/// When each data set of a trace is delivered: when all parts that deliver it are done with its batch. The last batch
/// ends with the trace.
std::vector<Rational> ends_of_data_sets(const tpn::Pipeline& pipeline, const Trace& trace);

/// The same of any times: `end_of(column, data_set)` of each operation that delivers.
template <typename Number, typename EndOf>
std::vector<Number> ends_of_data_sets(const tpn::Pipeline& pipeline, std::uint64_t data_sets, EndOf end_of) {
  const std::vector<tpn::PartIndex> exits = pipeline.exits();
  std::vector<Number> ends;
  ends.reserve(data_sets);
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    const auto end_at = [&](tpn::PartIndex exit) -> const Number& {
      const tpn::NetPart& part = pipeline.parts[exit];
      return end_of(part.computation, std::min(part.computed_with(j), data_sets - 1));
    };
    ends.push_back(end_at(exits.front()));
    for (const tpn::PartIndex exit : exits) ends.back() = std::max(ends.back(), end_at(exit));
  }
  return ends;
}

/// How many data sets of such a run are looked at, and how.
MeasuredStretch stretch_of(const tpn::FoldedNet& net, std::uint64_t data_sets, bool needs_play = false);

/// The pace of deliveries alone, if it is not that of a net.
struct DeliveredPace {
  MeasuredStretch stretch;
  Rational period;                       // time units per data set: the mean growth over the stretch
  std::optional<MeanInterval> interval;  // nothing if data sets are too few, or times beyond the largest double
  std::uint64_t overtaking = 0;          // data sets that were done before an earlier one, and waited for it
};

/// The trace is as `measure` takes it.
DeliveredPace pace_of(const tpn::FoldedNet& net, const Trace& trace);

/// Of each data set, whether the durations of its operations count: it is of the stretch, and in no stall.
std::vector<bool> counting_data_sets(const RunMeasurement& run);

/// The period of deliveries in place of a run's, those of the stretch: when all up to each data set are done. `played`
/// are those of the net's play, as many; they count where the stretch is compared with it.
Rational period_of_deliveries(const MeasuredStretch& stretch, std::vector<Rational> times,
                              std::span<const Rational> played);

/// The mean growth of the play over the stretch, in time units per data set.
Rational played_period(const tpn::FoldedNet& net, const MeasuredStretch& stretch);

}  // namespace takt::live
