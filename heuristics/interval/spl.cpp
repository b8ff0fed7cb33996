// spl: starts with all stages on the fastest processor and splits the slowest interval for as long as that helps.
//
// Problem. An interval mapping, one processor per interval, the largest cycle time small.
//
// Method. Processors in the order of their speeds, of their times for the whole chain, ties by index; the first gets
// all stages. Then, again and again, the
// part with the largest cycle time (the first of them) shares its interval with the fastest processor not yet used:
// every cut, either of the two in front. The split whose larger cycle time is least (the first such cut, and the old
// processor in front) is made if that is less than the part's cycle time; otherwise the heuristic stops.
// Where we depart: the paper decides with equal links; unequal ones count with their mean, and the mapping returned is
// the one of the smallest real period among all those on the way. Where links are equal that is the last. A processor
// that lacks the links for any split is passed over, and the start is the fastest processor that is linked to source
// and sink. "Better than the original solution" is read as the cycle time of the part that is split, not as the
// period: of two parts equally slow, splitting the first alone does not lower the period.
//
// Invariant. In the mean view a split changes no other part's cycle time, and lowers that of the part which is split:
// the period never rises, and never exceeds that of all stages on the fastest processor.
//
// Cost. At most min(n, p) splits of at most n cuts: O(n min(n, p)), after sorting the processors.
//
// References. [benoit2007mapping], section 4.
#include <algorithm>
#include <utility>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/interval/search.hpp"

namespace takt::heuristics {

namespace {

struct Split {
  tpn::Part front;
  tpn::Part back;
  Rational front_time;
  Rational back_time;

  const Rational& larger() const { return std::max(front_time, back_time); }
};

class Splitting {
 public:
  explicit Splitting(const IntervalCosts& costs) : costs_(costs), unused_(fastest_first(costs.times(), 1)) {}

  // All stages on the fastest processor; false if none is linked to both ends.
  bool start() {
    const StageInterval all{0, costs_.stages() - 1};
    const auto found =
        std::ranges::find_if(unused_, [&](std::size_t u) { return costs_.cycle_time(all, u).has_value(); });
    if (found == unused_.end()) return false;
    mapping_.push_back(part_of(all, *found));
    times_.push_back(*costs_.cycle_time(all, *found));
    unused_.erase(found);
    return true;
  }

  const tpn::Mapping& mapping() const { return mapping_; }

  // One step, told in a row; false if it does not help.
  bool improve(LogTable& table) {
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(times_) - times_.begin());
    for (auto next = unused_.begin(); next != unused_.end(); ++next) {
      const auto split = best_split(worst, *next);
      if (!split) continue;
      const bool helps = split->larger() < times_[worst];
      tell(worst, *next, *split, helps, table);
      if (!helps) return false;
      unused_.erase(next);
      mapping_[worst] = split->back;
      times_[worst] = split->back_time;
      const auto at = static_cast<std::ptrdiff_t>(worst);
      mapping_.insert(mapping_.begin() + at, split->front);
      times_.insert(times_.begin() + at, split->front_time);
      return true;
    }
    return false;
  }

 private:
  std::optional<Split> best_split(std::size_t worst, std::size_t newcomer) const {
    const tpn::Part& part = mapping_[worst];
    const std::size_t old = part.processors.front();
    std::optional<Split> best;
    for (std::size_t cut = part.first_stage; cut < part.last_stage; ++cut) {
      for (const auto& [front, back] : {std::pair(old, newcomer), std::pair(newcomer, old)}) {
        if (!is_linked(worst, front, back)) continue;
        const StageInterval first{part.first_stage, cut};
        const StageInterval second{cut + 1, part.last_stage};
        auto front_time = costs_.cycle_time(first, front);
        auto back_time = costs_.cycle_time(second, back);
        if (!front_time || !back_time) continue;
        Split split{part_of(first, front), part_of(second, back), std::move(*front_time), std::move(*back_time)};
        if (!best || split.larger() < best->larger()) best = std::move(split);
      }
    }
    return best;
  }

  bool is_linked(std::size_t part, std::size_t front, std::size_t back) const {
    if (part > 0 && !costs_.linked(mapping_[part - 1].processors.front(), front)) return false;
    if (part + 1 < mapping_.size() && !costs_.linked(back, mapping_[part + 1].processors.front())) return false;
    return costs_.linked(front, back);
  }

  void tell(std::size_t worst, std::size_t newcomer, const Split& split, bool helps, LogTable& table) const {
    const tpn::Document& problem = costs_.problem();
    const auto name = [&](const tpn::Part& part) { return processor_name(problem, part.processors.front()); };
    table.rows.push_back({stages_in_words(problem, mapping_[worst]), name(mapping_[worst]),
                          time_in_words(problem, times_[worst]), processor_name(problem, newcomer),
                          stages_in_words(problem, split.front), name(split.front),
                          time_in_words(problem, split.front_time), stages_in_words(problem, split.back),
                          name(split.back), time_in_words(problem, split.back_time), helps ? "yes" : "no"});
  }

  const IntervalCosts& costs_;
  std::vector<std::size_t> unused_;  // fastest first
  tpn::Mapping mapping_;
  std::vector<Rational> times_;  // by part, in the mean view
};

Result map_by_spl(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const IntervalCosts costs(problem, *settings.model);
  note_unequal_links(costs, log);
  note_mixed_processors(costs, log);
  Splitting splitting(costs);
  BestMapping best(costs);
  bool cut_short = false;
  if (splitting.start()) {
    LogTable table{"Splits",
                   {"interval", "processor", "cycle time", "shares with", "front", "on", "cycle time", "back", "on",
                    "cycle time", "better"},
                   {}};
    do {
      best.offer(splitting.mapping());
      cut_short = evaluators::has_passed(settings.deadline);
    } while (!cut_short && splitting.improve(table));
    log.tables.push_back(std::move(table));
  }
  return best.result(cut_short,
                     "no processor has links from the source and to the sink, and it starts with all stages on one");
}

}  // namespace

Heuristic spl() {
  return {.name = "spl",
          .summary = "split the interval of the slowest part as long as that helps",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .communication = "one-port, equal links",
          .optimality = "none; never worse than all stages on the fastest processor",
          .cost = "O(p log p + n min(n, p))",
          .source = "benoit2007mapping, section 4",
          .map = map_by_spl};
}

}  // namespace takt::heuristics
