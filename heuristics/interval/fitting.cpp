// The test of bsl and bsc for a period, and the bisection around it.
#include "heuristics/interval/fitting.hpp"

#include <utility>

#include "heuristics/interval/search.hpp"

namespace takt::heuristics {

namespace {

struct FittingInterval {
  std::size_t last = 0;
  std::uint32_t rank = 0;
  std::size_t processor = 0;
};

bool is_better(const FittingInterval& a, const FittingInterval& b, Fit fit) {
  if (fit == Fit::longest) return std::pair(a.last, a.rank) > std::pair(b.last, b.rank);
  return std::pair(a.rank, a.last) > std::pair(b.rank, b.last);
}

class FirstStageOn {
 public:
  FirstStageOn(const IntervalCosts& costs, const RankedCycleTimes& times, Fit fit)
      : costs_(costs), times_(times), fit_(fit) {}

  std::optional<tpn::Mapping> test(std::uint32_t rank) const {
    tpn::Mapping mapping;
    std::vector<bool> used(costs_.processors());
    std::size_t first = 0;
    while (first < costs_.stages()) {
      const auto chosen = best_from(first, rank, mapping, used);
      if (!chosen) return std::nullopt;
      mapping.push_back(part_of({first, chosen->last}, chosen->processor));
      used[chosen->processor] = true;
      first = chosen->last + 1;
    }
    return mapping;
  }

 private:
  std::optional<FittingInterval> best_from(std::size_t first, std::uint32_t most, const tpn::Mapping& before,
                                           const std::vector<bool>& used) const {
    std::optional<FittingInterval> best;
    for (std::size_t u = 0; u < costs_.processors(); ++u) {
      if (used[u] || (!before.empty() && !costs_.linked(before.back().processors.front(), u))) continue;
      for (std::size_t last = first; last < costs_.stages(); ++last) {
        const FittingInterval candidate{last, times_.rank(place_of({first, last}, costs_.stages()), u), u};
        // kImpossible is beyond every rank.
        if (candidate.rank <= most && (!best || is_better(candidate, *best, fit_))) best = candidate;
      }
    }
    return best;
  }

  const IntervalCosts& costs_;
  const RankedCycleTimes& times_;
  Fit fit_;
};

}  // namespace

Result fit_intervals(const tpn::ProblemView& problem, const Settings& settings, Log& log, Fit fit) {
  const IntervalCosts costs(problem, *settings.model);
  note_unequal_links(costs, log);
  BestMapping best(costs);
  const auto start = whole_chain(costs);
  if (start) best.offer({*start});
  const auto built = RankedCycleTimes::build(costs, all_intervals(costs.stages()), settings.deadline);
  if (const auto* limit = std::get_if<LimitMet>(&built)) return *limit;
  const std::string reason = "it found no mapping over the links that the platform has";
  if (std::holds_alternative<RankingCutShort>(built)) return best.result(true, reason);
  const auto& times = std::get<RankedCycleTimes>(built);
  const auto end = start ? times.rank_of(costs.mean_period({*start})) : times.count();
  const FirstStageOn fitting(costs, times, fit);
  const bool cut_short = bisect_periods(
      costs, times, end, [&](std::uint32_t rank) { return fitting.test(rank); }, settings.deadline, best, log);
  return best.result(cut_short, reason);
}

Heuristic fitting_heuristic(std::string_view name, std::string_view summary, MapFunction* map) {
  return {.name = name,
          .summary = summary,
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .communication = "one-port, equal links",
          .optimality = "none; never worse than all stages on one processor where links are equal",
          .cost = "O(n^2 p log(n p))",
          .source = "benoit2007mapping, section 4",
          .map = map};
}

}  // namespace takt::heuristics
