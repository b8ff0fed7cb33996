// Detects processors that became slower than the mapping in force assumes, from the times of their computations.
//
// Problem. The times of a mapping's computations arrive one by one, from all processors, some of them late, some of a
// mapping that is being replaced. Is a processor slower than it was? And how fast is each, for the next mapping?
//
// Method. Each time is divided by the instance's time of the same computation: the ratio is the processor's slowdown,
// whatever it computes. The least ratio of a processor's first K computations under a mapping is its calibration, the
// least of its last K its current slowdown. heuristics/monitor.hpp decides on both, each multiplied by the time that
// the processor computes per data set on average according to the instance, once each processor has two ratios. A
// running computation counts as soon as its elapsed time is beyond the limit.
//
// Trap. The computation that calls for a new mapping is still running, so its time is not known yet. A mapping chosen
// then may use that processor as if it were fast, and its slow times would become the calibration. So no calibration is
// above the estimate that the mapping was chosen with, and until there are calibrations, all times, those of the
// mapping that is being replaced included, are held against that estimate.
//
// References. [gonzalez2006adaptive], Section 3.2; K and running computations are ours.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "heuristics/monitor.hpp"
#include "live/engine/route.hpp"

namespace takt::live {

struct MonitorTerms {
  std::size_t keep = 3;                           // K, >= 1
  Rational threshold = Rational::fraction(1, 2);  // X, >= 0
  bool counts_under_way = true;                   // where the clocks of ranks can be compared: not with Anchor::logical
};

/// The time of a computation, or its elapsed time while it runs.
struct MeasuredTime {
  std::size_t processor = 0;
  std::size_t part = 0;  // of the route
  std::uint64_t data_set = 0;
  Ticks time = 0;
  bool is_under_way = false;
};

/// A reason for a new mapping. Times are in ticks per data set.
struct MonitorFinding {
  heuristics::RemapRule rule = heuristics::RemapRule::slower_than_the_worst;
  Rational time;       // of the slowest processor
  Rational limit;      // that it exceeds
  MeasuredTime cause;  // the last time of that processor
};

class Monitor {
 public:
  /// The processors of a run, source and sink included.
  Monitor(std::size_t processors, MonitorTerms terms);

  /// Puts the route's mapping in force from `data_set` on, which does not decrease from call to call, and calibrates it
  /// anew.
  void follow(std::uint64_t data_set, Route route);
  /// Keeps the mapping and takes the current times as its calibration.
  void calibrate_anew();

  void begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start);
  void computed(const MeasuredTime& measured);

  /// Nothing also before there are enough times.
  std::optional<MonitorFinding> finding(Ticks now) const;
  /// The next moment at which silence alone becomes a finding.
  std::optional<Ticks> next() const;

  /// The current slowdown of each processor. A computation that runs for longer than 1 + X times its processor's usual
  /// time counts double: it is estimated to be half done. Of processors without any time: the median of the others'
  /// least ratios, 1 if there are none.
  std::vector<Rational> ratios(Ticks now) const;
  /// Freezes the current time estimates as the reference for the mapping in force; running operations count their
  /// elapsed time.
  void rely_on_times(Ticks now);

  const Route& route_of(std::uint64_t data_set) const;

 private:
  struct UnderWay {
    std::size_t part = 0;
    std::uint64_t data_set = 0;
    Ticks start = 0;
    Ticks nominal = 0;
  };
  struct Watched {
    Rational share;                     // computation per data set under the mapping in force, in ticks
    std::deque<Rational> last;          // ratios under the mapping in force, at most K
    std::vector<Rational> first;        // likewise
    std::optional<Rational> known;      // its ratio
    std::optional<Rational> best;       // the least ever
    std::optional<Rational> relied_on;  // the ratio that the mapping was chosen for; none for the first mapping
    std::optional<UnderWay> under_way;
    MeasuredTime latest;
  };
  struct Followed {
    std::uint64_t from = 0;
    Route route;
  };

  // The reference of a processor's times.
  enum class Standard { none, relied_on, calibrated };

  // Whether a computation that runs for too long is estimated to take as long again.
  enum class UnderWayUse { half_done, nearly_done };

  Standard standard() const;
  std::vector<Rational> ratios(Ticks now, UnderWayUse use) const;
  Rational standard_time(const Watched& watched, Standard standard) const;
  Rational current_ratio(const Watched& watched, Standard standard) const;
  std::optional<Rational> under_way_ratio(const Watched& watched, Ticks now) const;
  Ticks nominal(std::size_t part, std::uint64_t data_set) const;
  bool is_present(std::uint64_t data_set) const { return data_set >= followed_.back().from; }

  MonitorTerms terms_;
  std::vector<Watched> watched_;    // by processor
  std::vector<Followed> followed_;  // the present one last
};

}  // namespace takt::live
