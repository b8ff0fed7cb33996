// What explains a run's period: other times than the instance's, times that vary, or what the net does not have.
//
// Problem. A measured period is not the predicted one. Did operations take longer than the instance says, did those
// that varied make others wait, or did the run wait for something that no net knows of: messages, wake-ups, clocks, an
// order of its own?
//
// Method. The net is played over the data sets of the run in three ways: with the durations of the instance, with the
// mean of each class of operations (its column and its processors; stalls do not count, as in the measured period), and
// with the duration that each operation had itself. The period of each play is measured as that of the run. From one to
// the next, and from the last to the run, the differences are what each cause has added: they sum up to the run's
// period.
//
// The duration of an operation is from its start to its end, as recorded: what it took once all that it waits for was
// there. The effective duration (live/measurement/measurement.hpp) would not do: by its definition, the play with the
// effective durations is the run, whatever the run did.
//
// Cost. Three plays: one comparison per dependence and one addition per operation, in 64 bits where the sum of all
// durations fits.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "live/measurement/measurement.hpp"
#include "maxplus/deadline.hpp"

namespace takt::live {

/// The operations of a column between the same processors, whose mean is not the duration that the instance has.
struct ChangedDuration {
  std::size_t resource = 0;  // index into FoldedNet::resources
  tpn::Operation first;      // the first of them
  Rational by_instance;      // in time units
  Rational mean;
};

/// Periods of plays over a run's data sets, measured as that of the run, in time units per data set.
struct Explanation {
  Rational by_instance;  // with the durations of the net; not its exact period where the run is too short for that
  Rational by_means;     // each operation takes the mean of its class
  Rational by_own;       // each takes as long as it took in the run
  /// Of the resource that is the busiest with mean times, those that have become longer by most in all; shorter where
  /// mean times make the net faster. Nothing if none has.
  std::optional<ChangedDuration> most_changed{};
};

/// The trace is that of the measured run. Nothing if the deadline passes, or transfers are
/// ahead, whose nets are not played.
std::optional<Explanation> explain(const tpn::FoldedNet& net, const Trace& trace, const RunMeasurement& run,
                                   const maxplus::Deadline& deadline = {});

/// Why a run took another time per data set than was predicted.
enum class Cause {
  transient,  // the net itself does over so few data sets
  instance,   // times are not, on the average, as the instance says
  variation,  // times vary from data set to data set
  rest        // what the net does not have
};

/// What a cause has added to the predicted period; below 0 if it has made the run faster.
struct AddedTime {
  Cause cause = Cause::rest;
  Rational time;
};

/// In the order of the causes; their sum is what is between the two periods.
using Causes = std::array<AddedTime, 4>;
Causes causes_of(const Explanation& explanation, const Rational& predicted, const Rational& measured);

/// Those that count, the greatest first: they add or take `least` or more, and at least half of what the greatest does.
std::vector<AddedTime> main_causes(const Causes& causes, const Rational& least);

}  // namespace takt::live
