// Which processors have changed: bets on the ranks of times among normal ones, and the same data set on two processors.
//
// Problem. Times vary by an unknown law, and long data sets come one after another. Is a processor slower than it was,
// or faster again, and by how much?
//
// Method. Each time, divided by what is believed of its processor, is a bet against "nothing has changed"
// (normal_times.hpp), for either end. A stake that has reached kAlarm is an alarm: the slowdown is the median of all
// quotients of the times since the stake was 1 and normal ones. A pair is a computation that two processors have done:
// the quotient of both times owes nothing to the data, so if there are pairs the slowdown is within 3/2 of their
// median. A computation under way for longer than all normal times counts as the slowest of all at once.
//
// Trap. Times that are slow for good must not become normal: while a stake is above kHeldBack times wait. Holding back
// sooner takes the tail off the normal times, and all alarms are false then.
//
// Times are in units of their own: those of the first processor, so that processors of other speeds can be compared.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "live/adaptation/normal_times.hpp"
#include "live/engine/route.hpp"

namespace takt::live {

/// Stakes: that of an alarm; that from which on times wait to be normal, and pairs are of use; and that of an alarm
/// that a slow processor is as fast as it was, for to go back is the safe side.
inline constexpr double kAlarm = 5000;
inline constexpr double kHeldBack = 20;
inline constexpr double kBackAlarm = 50;

/// Factors below this one are noise.
inline constexpr double kLeastFactor = 1.15;

/// A reason to ask for another mapping.
struct ChangeAlarm {
  std::size_t processor = 0;
  ChangeEnd end = ChangeEnd::slow;
  double stake = 0;
  double factor = 1;             // how many times as long as usual the processor takes: within [0.2, 20]
  std::size_t pairs = 0;         // of late
  std::optional<double> paired;  // their median
  bool is_under_way = false;
};

class ChangeWatch {
 public:
  ChangeWatch(std::size_t stages, std::size_t processors);

  /// What all stages took for one data set before this run.
  void add_earlier(std::span<const double> times) { normal_.add_earlier(times); }

  /// A computation has begun; one unit of time is `scale` > 0 ticks on its processor.
  void begun(std::size_t processor, StageRange stages, Ticks start, double scale);
  /// What it took, stage by stage, and what a shadow took.
  void computed(std::size_t processor, std::uint64_t data_set, std::size_t first_stage, std::span<const double> times);
  void shadowed(std::size_t processor, StageRange stages, std::uint64_t data_set, double time);
  /// A pair shows that a processor takes `factor` times as long as usual.
  void paired(std::size_t processor, double factor);

  std::optional<ChangeAlarm> alarm(std::size_t processor, Ticks now);
  /// When a computation under way will be longer than all normal ones, or counts again.
  std::optional<Ticks> next() const;

  double belief(std::size_t processor) const { return watched_[processor].belief; }
  double stake(std::size_t processor, ChangeEnd end) const;
  const NormalTimes& normal() const { return normal_; }

  /// Nothing has changed: stakes are 1, and times that waited are normal.
  void renew(std::size_t processor);
  /// It takes `factor` times as long as usual, and what waited has been so.
  void believe(std::size_t processor, double factor);
  /// What was taken for usual was not: the normal times of the stages that were fast begin anew.
  void start_anew(std::size_t processor);

 private:
  struct UnderWay {
    StageRange stages;
    Ticks start = 0;
    double scale = 1;
    Ticks next = 0;  // when it counts
    bool counts = false;
  };
  struct Waiting {
    std::uint64_t data_set = 0;
    std::size_t first_stage = 0;
    std::vector<double> times;  // by the belief of then
  };
  struct Pair {
    std::size_t seen = 0;  // times of the processor before it
    double factor = 1;
  };
  struct Watched {
    double belief = 1;
    ChangeStake slow{ChangeEnd::slow};
    ChangeStake fast{ChangeEnd::fast};
    std::size_t seen = 0;
    std::vector<Waiting> waiting;
    std::deque<Waiting> latest;
    std::deque<Pair> pairs;
    std::optional<UnderWay> under_way;
  };

  void see(Watched& watched, const SeenTime& seen, std::uint64_t data_set);
  void put_in(Watched& watched, double divisor);
  ChangeAlarm alarm_of(std::size_t processor, ChangeEnd end, double stake, std::span<const SeenTime> since) const;
  std::optional<ChangeAlarm> alarm_under_way(std::size_t processor, Ticks now);

  NormalTimes normal_;
  std::vector<Watched> watched_;
};

}  // namespace takt::live
