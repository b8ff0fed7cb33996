// What the interval heuristics share: the best mapping so far, cycle times by rank, and a search by bisection.
//
// Method. The period of a mapping is one of finitely many cycle times: of an interval on a processor, in the mean
// view. `RankedCycleTimes` sorts them once; from then on a comparison of cycle times is one of small integers, and a
// bisection over the ranks is an exact one over the periods, with no tolerance at which to stop.
// A test that finds a mapping of period P may fail at a larger P': the rules that build a mapping are greedy, and
// choose otherwise there. So the bisection closes in on *a* period where the test changes its mind, not on the least
// that passes, and `BestMapping` keeps the best of all the mappings found on the way. It judges by real cycle times:
// they are what the mapping will do, and where all links are equal they are the mean ones.
//
// Where all times fit 64-bit integers over one denominator, cycle times are such integers and sorting compares those;
// a rational number is made only of a period that someone asks for.
//
// Cost. I intervals on processors of c different kinds: I c log(I c) to sort, log2(I c) tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "heuristics/interval/costs.hpp"

namespace takt::heuristics {

/// The mapping of the smallest real period so far; of equal ones the last.
class BestMapping {
 public:
  explicit BestMapping(const IntervalCosts& costs) : costs_(costs) {}

  /// Returns the mapping's period.
  Rational offer(const tpn::Mapping& mapping);
  bool empty() const { return mapping_.empty(); }
  /// The proposal; without a mapping LimitMet if the deadline cut the search short, else Infeasible for the reason.
  Result result(bool cut_short, const std::string& reason) const;

 private:
  const IntervalCosts& costs_;
  tpn::Mapping mapping_;
  Rational period_;
};

/// The deadline passed.
struct RankingCutShort {};

/// The cycle times of intervals on all processors in the mean view, as ranks among the different ones, ascending.
class RankedCycleTimes {
 public:
  static constexpr std::uint32_t kImpossible = UINT32_MAX;
  /// Intervals times different kinds of processors.
  static constexpr std::size_t kMost = std::size_t{1} << 22;

  /// LimitMet: more than kMost cycle times.
  static std::variant<RankedCycleTimes, LimitMet, RankingCutShort> build(const IntervalCosts& costs,
                                                                         std::span<const StageInterval> intervals,
                                                                         const evaluators::Deadline& deadline);

  /// Of the interval's place in the list; kImpossible if there is no cycle time.
  std::uint32_t rank(std::size_t interval, std::size_t processor) const {
    return ranks_[interval * kinds_ + kind_of_[processor]];
  }
  /// How many different cycle times there are: ranks are below.
  std::uint32_t count() const { return count_; }
  Rational period(std::uint32_t rank) const {
    return periods_.empty() ? Rational(ticks_[rank]) / scale_ : periods_[rank];
  }
  /// Processors of a kind, below `kinds`, have the same cycle times.
  std::size_t kind(std::size_t processor) const { return kind_of_[processor]; }
  std::size_t kinds() const { return kinds_; }
  /// The rank of a cycle time that is among them.
  std::uint32_t rank_of(const Rational& period) const;

 private:
  bool rank_ticks(const IntervalCosts& costs, std::span<const StageInterval> intervals,
                  std::span<const std::size_t> one_of_kind);
  bool rank_rationals(const IntervalCosts& costs, std::span<const StageInterval> intervals,
                      std::span<const std::size_t> one_of_kind, const evaluators::Deadline& deadline);

  std::vector<Rational> periods_;    // by rank; none if there are ticks
  std::vector<std::int64_t> ticks_;  // by rank
  Rational scale_;                   // ticks per time unit
  std::uint32_t count_ = 0;
  std::vector<std::uint32_t> ranks_;
  std::vector<std::size_t> kind_of_;  // by processor
  std::size_t kinds_ = 0;
};

/// All intervals of a chain, by first stage, then by last.
std::vector<StageInterval> all_intervals(std::size_t stages);
/// Where [first, last] stands among them.
inline std::size_t place_of(const StageInterval& interval, std::size_t stages) {
  return interval.first * stages - interval.first * (interval.first + 1) / 2 + interval.last;
}

/// A mapping over existing links whose cycle times in the mean view have at most this rank, or none found: also where
/// the deadline passed meanwhile.
using PeriodTest = std::function<std::optional<tpn::Mapping>(std::uint32_t rank)>;

/// Bisects the ranks below `end`, offers what passes to `best` and adds a table to the log. Returns whether the
/// deadline cut it short.
bool bisect_periods(const IntervalCosts& costs, const RankedCycleTimes& times, std::uint32_t end,
                    const PeriodTest& test, const evaluators::Deadline& deadline, BestMapping& best, Log& log);

/// The whole chain on the one processor where that takes least in the mean view, the first of them; nothing if none
/// is linked to both source and sink.
std::optional<tpn::Part> whole_chain(const IntervalCosts& costs);

}  // namespace takt::heuristics
