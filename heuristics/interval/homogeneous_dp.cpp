// homogeneous-dp: the optimal interval mapping where all processors and all links are equal, by dynamic programming.
//
// Problem. The interval mapping of the smallest period, one processor per interval, on a fully homogeneous platform: on
// which processor an interval runs makes no difference, only the cuts count.
//
// Method. E(q, j), the smallest period of the first j stages in q intervals, is the least over i of
// max(E(q - 1, i), cycle time of the stages from i to j - 1), the first such i on ties. The answer is the least E(q, n)
// over q <= min(n, p), with the fewest intervals; these run on the first processors. Cycle times are compared by rank
// (heuristics/interval/search.hpp).
// Where we depart: Subhlok and Vondran map data-parallel tasks to groups of processors, with costs that depend on the
// groups; this is the case of one processor per group, as Benoit and Robert use it. The links from the source and to
// the sink may differ from those between processors, as long as each kind is equal among its own; processors may all
// have the same fixed time.
//
// Invariant. Optimal among interval mappings without replication, in either model.
//
// Cost. O(n^2 min(n, p)) comparisons of integers, O(n^2) exact cycle times.
//
// References. [subhlok1995optimal]; [benoit2007mapping], section 3.
#include <fmt/format.h>

#include <algorithm>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/interval/search.hpp"
#include "tpn/json.hpp"

namespace takt::heuristics {

namespace {

// What is not homogeneous, or nothing.
std::optional<std::string> difference(const IntervalCosts& costs) {
  for (std::size_t u = 1; u < costs.processors(); ++u) {
    if (costs.times().are_alike(u, 0)) continue;
    return fmt::format("processors {} and {} differ, and it needs equal ones",
                       tpn::json::quote(processor_name(costs.problem(), 0)),
                       tpn::json::quote(processor_name(costs.problem(), u)));
  }
  for (const LinkSurvey* links : {&costs.links(), &costs.source_links(), &costs.sink_links()}) {
    if (links->absent) return fmt::format("{}, and it needs them all", *links->absent);
    if (links->unequal) return fmt::format("{}, and it needs equal ones", *links->unequal);
  }
  return std::nullopt;
}

class IntervalProgram {
 public:
  IntervalProgram(const RankedCycleTimes& times, std::size_t stages) : times_(times), stages_(stages) {
    // No interval: 0 stages, before all cycle times.
    periods_.assign(stages + 1, RankedCycleTimes::kImpossible);
    periods_[0] = 0;
  }

  // From q - 1 intervals to q.
  void add_interval() {
    const std::size_t q = starts_.size() + 1;
    std::vector<std::uint32_t> next(stages_ + 1, RankedCycleTimes::kImpossible);
    std::vector<std::uint32_t> starts(stages_ + 1, 0);  // the stages are at most kMost
    for (std::size_t j = q; j <= stages_; ++j) {
      for (std::size_t i = q - 1; i < j; ++i) {
        const std::uint32_t period = std::max(periods_[i], times_.rank(place_of({i, j - 1}, stages_), 0));
        if (period >= next[j]) continue;
        next[j] = period;
        starts[j] = static_cast<std::uint32_t>(i);
      }
    }
    periods_ = std::move(next);
    starts_.push_back(std::move(starts));
  }

  // E(q, n), as a rank.
  std::uint32_t period() const { return periods_[stages_]; }

  tpn::Mapping mapping(std::size_t parts) const {
    tpn::Mapping mapping(parts);
    std::size_t end = stages_;
    for (std::size_t q = parts; q > 0; --q) {
      const std::size_t start = starts_[q - 1][end];
      mapping[q - 1] = part_of({start, end - 1}, q - 1);
      end = start;
    }
    return mapping;
  }

 private:
  const RankedCycleTimes& times_;
  std::size_t stages_;
  std::vector<std::uint32_t> periods_;              // by j: E(q, j)
  std::vector<std::vector<std::uint32_t>> starts_;  // by q - 1, j: where the last interval starts
};

Result map_by_homogeneous_dp(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const IntervalCosts costs(problem, *settings.model);
  if (const auto reason = difference(costs)) return Infeasible{*reason};
  const auto built = RankedCycleTimes::build(costs, all_intervals(costs.stages()), settings.deadline);
  if (const auto* limit = std::get_if<LimitMet>(&built)) return *limit;
  BestMapping best(costs);
  if (std::holds_alternative<RankingCutShort>(built)) return best.result(true, {});
  const auto& times = std::get<RankedCycleTimes>(built);

  IntervalProgram program(times, costs.stages());
  LogTable table{"Fewer parts first", {"parts", "smallest period"}, {}};
  std::uint32_t least = RankedCycleTimes::kImpossible;
  bool cut_short = false;
  for (std::size_t q = 1; q <= std::min(costs.stages(), costs.processors()) && !cut_short; ++q) {
    program.add_interval();
    cut_short = evaluators::has_passed(settings.deadline);
    if (program.period() >= least) continue;
    least = program.period();
    best.offer(program.mapping(q));
    table.rows.push_back({std::to_string(q), time_in_words(costs.problem(), times.period(least))});
  }
  log.tables.push_back(std::move(table));
  return best.result(cut_short, {});
}

}  // namespace

Heuristic homogeneous_dp() {
  return {.name = "homogeneous-dp",
          .summary = "the best interval mapping on equal processors and links, by dynamic programming",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .takes = {.absent_times = false},
          .communication = "one-port, equal links",
          .optimality = "optimal among interval mappings; only for homogeneous platforms",
          .cost = "O(n^2 min(n, p))",
          .source = "subhlok1995optimal; benoit2007mapping, section 3",
          .map = map_by_homogeneous_dp};
}

}  // namespace takt::heuristics
