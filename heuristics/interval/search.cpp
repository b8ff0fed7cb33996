// Ranks of cycle times, bisection over them, and the keeping of the best mapping.
#include "heuristics/interval/search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "heuristics/common/ranked_values.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/decimal.hpp"

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

std::variant<RankedCycleTimes, LimitMet, RankingCutShort> RankedCycleTimes::build(
    const IntervalCosts& costs, std::span<const StageInterval> intervals, const evaluators::Deadline& deadline) {
  RankedCycleTimes result;
  // Processors of a kind have the same cycle times.
  std::map<std::tuple<Rational, std::optional<Rational>, std::vector<ComputationTimes::OwnSum>, bool, bool>,
           std::size_t>
      kinds;
  std::vector<std::size_t> one_of_kind;
  for (std::size_t u = 0; u < costs.processors(); ++u) {
    const tpn::LinearTime& time = costs.times().linear(u);
    const auto [kind, is_new] = kinds.try_emplace(
        {time.fixed, time.per_unit, costs.times().own(u), costs.linked_to_source(u), costs.linked_to_sink(u)},
        kinds.size());
    if (is_new) one_of_kind.push_back(u);
    result.kind_of_.push_back(kind->second);
  }
  result.kinds_ = kinds.size();
  if (intervals.size() > kMost / result.kinds_) {
    return LimitMet{
        fmt::format("{} intervals on {} kinds of processors have a cycle time each, and at most {} are sorted",
                    intervals.size(), result.kinds_, kMost)};
  }

  std::vector<Rational> times;
  std::vector<std::uint32_t> places;  // of the times in ranks_: below kMost
  result.ranks_.assign(intervals.size() * result.kinds_, kImpossible);
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (evaluators::has_passed(deadline)) return RankingCutShort{};
    for (std::size_t kind = 0; kind < result.kinds_; ++kind) {
      auto time = costs.cycle_time(intervals[i], one_of_kind[kind]);
      if (!time) continue;
      times.push_back(std::move(*time));
      places.push_back(static_cast<std::uint32_t>(i * result.kinds_ + kind));
    }
  }
  RankedValues ranked(times);
  for (std::size_t t = 0; t < places.size(); ++t) result.ranks_[places[t]] = ranked.ranks[t];
  result.periods_ = std::move(ranked.values);
  return result;
}

std::uint32_t RankedCycleTimes::rank_of(const Rational& period) const {
  const auto found = std::ranges::lower_bound(periods_, period);
  maxplus::expects(found != periods_.end() && *found == period, "the period is a cycle time");
  return static_cast<std::uint32_t>(found - periods_.begin());
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
    const std::string tried = decimal(times.periods()[middle]);
    if (const auto mapping = test(middle)) {
      const Rational period = best.offer(*mapping);
      table.rows.push_back(
          {tried, "yes", std::to_string(mapping->size()), decimal(costs.mean_period(*mapping)), decimal(period)});
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
