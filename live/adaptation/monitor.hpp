// What processors take for their computations while a pipeline runs, and when that calls for a new mapping.
//
// Problem. The times of a mapping's computations arrive one by one, from all processors, some of them late, some of a
// mapping that is passing out. Is a processor slower than it was? And how fast is each, for the next mapping?
//
// Method. Each time is compared with what the instance says of its computation: their ratio says how fast the processor
// is, whatever it computes. The least ratio of a processor's first K computations under a mapping is its calibration,
// that of its last K what it takes now. Both, times what the instance says that it computes per data set on average,
// are the times that heuristics/monitor.hpp decides on, once each processor has two. A computation that is under way
// for so long that its time would be beyond the limit counts at once.
//
// Trap. What calls for a new mapping because it takes too long is not over, so that nobody knows yet how slow it is. A
// mapping may then use that processor in the belief that it is fast; its slow times would be calibrated as the usual
// ones. So no calibration is above what the mapping was chosen for, and until there are calibrations all that becomes
// known, times of the mapping that is passing out included, is held against that.
//
// References. [gonzalez2006adaptive], Section 3.2; K and what is under way are ours.
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

/// A computation's time: it took so long, or is under way for so long.
struct MeasuredTime {
  std::size_t processor = 0;
  std::size_t part = 0;  // of the route
  std::uint64_t data_set = 0;
  Ticks time = 0;
  bool is_under_way = false;
};

/// A new mapping is called for. Times are in ticks per data set.
struct MonitorFinding {
  heuristics::RemapRule rule = heuristics::RemapRule::slower_than_the_worst;
  Rational time;       // of the slowest processor
  Rational limit;      // what it is beyond
  MeasuredTime cause;  // what that processor took last
};

class Monitor {
 public:
  /// The processors of a run, source and sink included.
  Monitor(std::size_t processors, MonitorTerms terms);

  /// From this data set on, not before the last such one, the mapping is this one: its own times are calibrated.
  void follow(std::uint64_t data_set, Route route);
  /// The mapping stays, but from now on what the processors take is taken as usual.
  void calibrate_anew();

  void begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start);
  void computed(const MeasuredTime& measured);

  /// Nothing also where too little is known.
  std::optional<MonitorFinding> finding(Ticks now) const;
  /// The next moment at which silence alone becomes a finding.
  std::optional<Ticks> next() const;

  /// How many times as long as the instance says each processor takes, by all that is known now. What is under way for
  /// longer than 1 + X times its processor's usual time counts twice: as far as anybody knows it is half done. Of
  /// processors that never computed anything: the middle one of the least of each other, 1 where there are none.
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
    Rational share;                     // what it computes per data set under the present mapping, in ticks
    std::deque<Rational> last;          // ratios under the present mapping, at most K
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

  // What a processor's times are held against.
  enum class Standard { none, relied_on, calibrated };

  // What is under way for too long is believed to take as long again, or not.
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
