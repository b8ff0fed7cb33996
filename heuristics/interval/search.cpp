// Ranks of cycle times, bisection over them, and the keeping of the best mapping.
#include "heuristics/interval/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/common/ranked_values.hpp"
#include "maxplus/contract.hpp"
#include "tpn/models.hpp"

namespace takt::heuristics {

Rational BestMapping::offer(const tpn::Mapping& mapping) {
  Rational period = costs_.period(mapping);
  if (mapping_.empty() || period <= period_) {
    mapping_ = mapping;
    period_ = period;
  }
  return period;
}

Result BestMapping::result(bool cut_short, const std::string& reason) const {
  if (!mapping_.empty()) return Proposal{mapping_, period_, cut_short};
  if (cut_short) return out_of_time();
  return Infeasible{reason};
}

namespace {

// What cycle times are made of, as integers over one denominator.
class TickCosts {
 public:
  // Nothing if they do not fit, or if the model has more than sums of them.
  static std::optional<TickCosts> make(const IntervalCosts& costs, std::span<const std::size_t> processors) {
    if (costs.model()->has_rooms) return std::nullopt;
    TickCosts ticks(costs.model(), costs.stages() + 1);
    std::vector<Rational> times;
    for (std::size_t cut = 0; cut <= costs.stages(); ++cut) {
      ticks.has_file_.push_back(costs.file_time(cut).has_value());
      times.push_back(costs.file_time(cut).value_or(0));
    }
    for (const std::size_t u : processors) {
      times.push_back(costs.times().fixed(u));
      for (std::size_t cut = 0; cut <= costs.stages(); ++cut) times.push_back(costs.times().before(cut, u));
    }
    Integer scale = 1;
    for (const Rational& time : times) {
      mpz_lcm(scale.get_mpz_t(), scale.get_mpz_t(), time.denominator().get_mpz_t());
      if (bits(scale) > kMostBits) return std::nullopt;
    }
    for (const Rational& time : times) {
      const Integer scaled = time.numerator() * (scale / time.denominator());
      if (bits(scaled) > kMostBits) return std::nullopt;
      ticks.times_.push_back(scaled.get_si());
    }
    ticks.scale_ = scale;
    return ticks;
  }

  const Rational& scale() const { return scale_; }
  // Where both files of the interval have a time.
  bool has_time(const StageInterval& interval) const {
    return has_file_[interval.first] && has_file_[interval.last + 1];
  }
  // On the k-th of the processors. At most kMostBits bits each, so that a sum of four has less than 63.
  std::int64_t cycle_time(const StageInterval& interval, std::size_t k) const {
    const std::int64_t* const fixed = &times_[cuts_ + k * (cuts_ + 1)];
    const std::int64_t* const before = fixed + 1;
    return tpn::cycle_time(model_, times_[interval.first], *fixed + before[interval.last + 1] - before[interval.first],
                           times_[interval.last + 1]);
  }

 private:
  static constexpr std::size_t kMostBits = 60;

  TickCosts(tpn::Model model, std::size_t cuts) : model_(model), cuts_(cuts) {}
  static std::size_t bits(const Integer& value) { return mpz_sizeinbase(value.get_mpz_t(), 2); }

  tpn::Model model_;
  std::size_t cuts_;
  std::vector<bool> has_file_;       // by cut
  std::vector<std::int64_t> times_;  // of files by cut; then for each processor what is fixed, and before each cut
  Rational scale_;
};

// Processors of a kind have the same cycle times.
std::vector<std::size_t> kinds_of(const IntervalCosts& costs) {
  std::map<std::tuple<Rational, std::optional<Rational>, std::vector<ComputationTimes::OwnSum>, bool, bool>,
           std::size_t>
      kinds;
  std::vector<std::size_t> kind_of;
  for (std::size_t u = 0; u < costs.processors(); ++u) {
    const tpn::LinearTime& time = costs.times().linear(u);
    const auto kind = kinds.try_emplace(
        {time.fixed, time.per_unit, costs.times().own(u), costs.linked_to_source(u), costs.linked_to_sink(u)},
        kinds.size());
    kind_of.push_back(kind.first->second);
  }
  return kind_of;
}

// Whether a processor's links with the ends allow it an interval.
bool has_ends(const IntervalCosts& costs, const StageInterval& interval, std::size_t processor) {
  return (interval.first > 0 || costs.linked_to_source(processor)) &&
         (interval.last + 1 < costs.stages() || costs.linked_to_sink(processor));
}

}  // namespace

std::variant<RankedCycleTimes, LimitMet, RankingCutShort> RankedCycleTimes::build(
    const IntervalCosts& costs, std::span<const StageInterval> intervals, const evaluators::Deadline& deadline) {
  RankedCycleTimes result;
  result.kind_of_ = kinds_of(costs);
  std::vector<std::size_t> one_of_kind;
  for (std::size_t u = 0; u < costs.processors(); ++u) {
    if (result.kind_of_[u] == one_of_kind.size()) one_of_kind.push_back(u);
  }
  result.kinds_ = one_of_kind.size();
  if (intervals.size() > kMost / result.kinds_) {
    return LimitMet{
        fmt::format("{} intervals on {} kinds of processors have a cycle time each, and at most {} are sorted",
                    intervals.size(), result.kinds_, kMost)};
  }
  result.ranks_.assign(intervals.size() * result.kinds_, kImpossible);
  if (evaluators::has_passed(deadline)) return RankingCutShort{};
  if (!result.rank_ticks(costs, intervals, one_of_kind) &&
      !result.rank_rationals(costs, intervals, one_of_kind, deadline)) {
    return RankingCutShort{};
  }
  return result;
}

// False if times do not fit.
bool RankedCycleTimes::rank_ticks(const IntervalCosts& costs, std::span<const StageInterval> intervals,
                                  std::span<const std::size_t> one_of_kind) {
  const auto ticks = TickCosts::make(costs, one_of_kind);
  if (!ticks) return false;
  scale_ = ticks->scale();
  std::vector<std::pair<std::int64_t, std::uint32_t>> times;  // and places in ranks_: below kMost
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (!ticks->has_time(intervals[i])) continue;
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      if (!has_ends(costs, intervals[i], one_of_kind[kind])) continue;
      times.emplace_back(ticks->cycle_time(intervals[i], kind), static_cast<std::uint32_t>(i * kinds_ + kind));
    }
  }
  std::ranges::sort(times);
  for (const auto& [time, place] : times) {
    if (ticks_.empty() || ticks_.back() != time) ticks_.push_back(time);
    ranks_[place] = static_cast<std::uint32_t>(ticks_.size() - 1);
  }
  count_ = static_cast<std::uint32_t>(ticks_.size());
  return true;
}

// False if the deadline has passed.
bool RankedCycleTimes::rank_rationals(const IntervalCosts& costs, std::span<const StageInterval> intervals,
                                      std::span<const std::size_t> one_of_kind, const evaluators::Deadline& deadline) {
  std::vector<Rational> times;
  std::vector<std::uint32_t> places;  // of the times in ranks_: below kMost
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (evaluators::has_passed(deadline)) return false;
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
      auto time = costs.cycle_time(intervals[i], one_of_kind[kind]);
      if (!time) continue;
      times.push_back(std::move(*time));
      places.push_back(static_cast<std::uint32_t>(i * kinds_ + kind));
    }
  }
  RankedValues ranked(times);
  for (std::size_t t = 0; t < places.size(); ++t) ranks_[places[t]] = ranked.ranks[t];
  periods_ = std::move(ranked.values);
  count_ = static_cast<std::uint32_t>(periods_.size());
  return true;
}

std::uint32_t RankedCycleTimes::rank_of(const Rational& period) const {
  std::uint32_t rank = 0;
  if (periods_.empty()) {
    const Rational ticks = period * scale_;
    rank = static_cast<std::uint32_t>(
        std::ranges::lower_bound(ticks_, ticks, {}, [](std::int64_t t) { return Rational(t); }) - ticks_.begin());
  } else {
    rank = static_cast<std::uint32_t>(std::ranges::lower_bound(periods_, period) - periods_.begin());
  }
  maxplus::expects(rank < count_ && this->period(rank) == period, "the period is a cycle time");
  return rank;
}

std::vector<StageInterval> all_intervals(std::size_t stages) {
  std::vector<StageInterval> intervals;
  for (std::size_t first = 0; first < stages; ++first) {
    for (std::size_t last = first; last < stages; ++last) intervals.push_back({first, last});
  }
  return intervals;
}

bool bisect_periods(const IntervalCosts& costs, const RankedCycleTimes& times, std::uint32_t end,
                    const PeriodTest& test, const evaluators::Deadline& deadline, BestMapping& best, Log& log) {
  LogTable table{"Periods tried", {"period tried", "feasible", "parts", "in the mean view", "period"}, {}};
  bool cut_short = false;
  // Invariant: what was tried at `end` or above passed or need not be tried, what was tried below `begin` failed.
  std::uint32_t begin = 0;
  while (begin < end) {
    if (evaluators::has_passed(deadline)) {
      cut_short = true;
      break;
    }
    const std::uint32_t middle = begin + (end - begin) / 2;
    const std::string tried = time_in_words(costs.problem(), times.period(middle));
    if (const auto mapping = test(middle)) {
      const Rational period = best.offer(*mapping);
      table.rows.push_back({tried, "yes", std::to_string(mapping->size()),
                            time_in_words(costs.problem(), costs.mean_period(*mapping)),
                            time_in_words(costs.problem(), period)});
      end = middle;
    } else if (evaluators::has_passed(deadline)) {
      cut_short = true;
      break;
    } else {
      table.rows.push_back({tried, "no", "", "", ""});
      begin = middle + 1;
    }
  }
  log.tables.push_back(std::move(table));
  return cut_short;
}

std::optional<tpn::Part> whole_chain(const IntervalCosts& costs) {
  const StageInterval all{0, costs.stages() - 1};
  std::optional<std::size_t> best;
  Rational least;
  for (std::size_t u = 0; u < costs.processors(); ++u) {
    const auto time = costs.cycle_time(all, u);
    if (!time || (best && *time >= least)) continue;
    best = u;
    least = *time;
  }
  if (!best) return std::nullopt;
  return part_of(all, *best);
}

}  // namespace takt::heuristics
