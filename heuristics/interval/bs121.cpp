// bs121: bisection on the period for one-to-one mappings, with a greedy matching of stages to processors.
//
// Problem. A processor of its own for every stage, the largest cycle time least. With more stages than processors the
// chain is first cut into intervals of ceil(n / p) stages (the last may be shorter), which then stand for the stages.
//
// Method. Bisection over the cycle times of a stage on a processor (heuristics/interval/search.hpp). The test for a
// period takes the n fastest processors, the slowest of them first, and gives each the first stage left that fits. A
// stage that fits a processor fits every faster one, so by exchange a matching exists if and only if this finds one,
// and the test is monotone.
// Where we depart: the paper leaves open how the bisection ends; ours is over the finitely many periods there can be,
// so it is exact. It assumes equal links. Unequal ones count with their mean; on a platform that lacks links all
// processors are considered, and a stage goes only where the links to those of its neighbors that have one exist.
// Processors with a fixed time are sorted among the others by what they take for the mean work of a stage, and where
// stages have times of their own all are by the mean of these; the argument of exchange then no longer holds.
//
// Invariant. Where all links are equal and all processors have speeds (or all fixed times), and n <= p, the mapping is
// optimal among one-to-one mappings, in either model; with n > p among those of its fixed intervals.
//
// Cost. n p log(n p) to sort the cycle times and as much again for the log(n p) tests.
//
// References. [benoit2007mapping], sections 3 and 4.
#include <algorithm>

#include "heuristics/heuristic.hpp"
#include "heuristics/interval/search.hpp"

namespace takt::heuristics {

namespace {

std::vector<StageInterval> cut_into(std::size_t stages, std::size_t most) {
  const std::size_t length = (stages + most - 1) / most;
  std::vector<StageInterval> intervals;
  for (std::size_t first = 0; first < stages; first += length) {
    intervals.push_back({first, std::min(first + length, stages) - 1});
  }
  return intervals;
}

class GreedyMatching {
 public:
  GreedyMatching(const IntervalCosts& costs, const std::vector<StageInterval>& intervals, const RankedCycleTimes& times)
      : costs_(costs), intervals_(intervals), times_(times) {
    slowest_first_ = fastest_first(costs.times(), Rational(1) / Rational(intervals.size()));
    if (costs.has_all_links()) slowest_first_.resize(intervals.size());
    std::ranges::reverse(slowest_first_);
  }

  std::optional<tpn::Mapping> test(std::uint32_t rank) const {
    std::vector<std::optional<std::size_t>> processor_of(intervals_.size());
    std::size_t left = intervals_.size();
    for (const std::size_t u : slowest_first_) {
      for (std::size_t i = 0; i < intervals_.size(); ++i) {
        // kImpossible is beyond every rank.
        if (processor_of[i] || times_.rank(i, u) > rank || !is_linked(processor_of, i, u)) continue;
        processor_of[i] = u;
        --left;
        break;
      }
    }
    if (left > 0) return std::nullopt;
    tpn::Mapping mapping;
    for (std::size_t i = 0; i < intervals_.size(); ++i) mapping.push_back(part_of(intervals_[i], *processor_of[i]));
    return mapping;
  }

 private:
  bool is_linked(const std::vector<std::optional<std::size_t>>& processor_of, std::size_t i, std::size_t u) const {
    if (i > 0 && processor_of[i - 1] && !costs_.linked(*processor_of[i - 1], u)) return false;
    return i + 1 == processor_of.size() || !processor_of[i + 1] || costs_.linked(u, *processor_of[i + 1]);
  }

  const IntervalCosts& costs_;
  const std::vector<StageInterval>& intervals_;
  const RankedCycleTimes& times_;
  std::vector<std::size_t> slowest_first_;
};

Result map_by_bs121(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const IntervalCosts costs(problem, *settings.model);
  note_unequal_links(costs, log);
  note_mixed_processors(costs, log);
  const auto intervals = cut_into(costs.stages(), costs.processors());
  const auto built = RankedCycleTimes::build(costs, intervals, settings.deadline);
  if (const auto* limit = std::get_if<LimitMet>(&built)) return *limit;
  BestMapping best(costs);
  const std::string reason = "it found no mapping of its intervals over the links that the platform has";
  if (std::holds_alternative<RankingCutShort>(built)) return best.result(true, reason);
  const auto& times = std::get<RankedCycleTimes>(built);
  const GreedyMatching matching(costs, intervals, times);
  const bool cut_short = bisect_periods(
      costs, times, times.count(), [&](std::uint32_t rank) { return matching.test(rank); }, settings.deadline, best,
      log);
  return best.result(cut_short, reason);
}

}  // namespace

Heuristic bs121() {
  return {.name = "bs121",
          .summary = "one stage per processor, by bisection on the period",
          .mapping_class = MappingClass::one_to_one,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .communication = "one-port, equal links",
          .optimality = "optimal one-to-one where links are equal and n <= p",
          .cost = "O(n p log(n p))",
          .source = "benoit2007mapping, section 4",
          .map = map_by_bs121};
}

}  // namespace takt::heuristics
