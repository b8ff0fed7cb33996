// One way after the other, each from what is known by then.
#include "heuristics/typed/named_plan.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/amounts.hpp"
#include "heuristics/common/placement.hpp"
#include "heuristics/everywhere.hpp"
#include "heuristics/search/local_search.hpp"
#include "heuristics/search/moves.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/search/price_goal.hpp"
#include "heuristics/search/start.hpp"
#include "heuristics/typed/cover_plans.hpp"
#include "heuristics/typed/machine_classes.hpp"
#include "heuristics/typed/repair.hpp"
#include "maxplus/contract.hpp"
#include "plan/bounds.hpp"
#include "plan/counted/counted.hpp"
#include "plan/wider/covers.hpp"
#include "plan/wider/mixed.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"

namespace takt::heuristics {

namespace {

// All sets are tried without a deadline on platforms of so few processors.
constexpr std::size_t kFewProcessors = 9;

// Covers read all transfers between types, which takes half a second for so many, whatever the deadline.
constexpr std::size_t kMostTransfers = 400'000;

// Where ports are shared, or several, or segments are, mappings are evaluated by the general nets, many times as
// slowly: then the search tries no more without a deadline.
constexpr std::uint64_t kMostSlowMoves = 30'000;

class NamedPlanner {
 public:
  NamedPlanner(const tpn::ProblemView& problem, const NamedQuery& query)
      : problem_(problem),
        query_(query),
        processors_(problem.document().platform.processors.size()),
        is_plain_(!tpn::has_other_ports(problem.document().platform) &&
                  !tpn::has_named_ends(problem.document().platform)),
        has_segments_(!problem.document().platform.segments.empty()),
        placement_(problem),
        evaluator_(problem) {}

  NamedAnswer run() {
    if (bound_periods()) return std::move(answer_);
    if (processors_ <= kMostCompared && !is_over()) {
      const MachineClasses types = machine_classes(problem_, {.by_links = false});
      by_types(types);
      if (!is_done() && query_.widest >= NamedClass::weighted && is_plain_ && !has_segments_ && !is_over())
        by_covers(types);
      if (!is_done() && !is_typed() && is_plain_ && !has_segments_ && !is_over()) by_sets();
    }
    if (!is_done() && !is_typed() && processors_ <= kMostPlaces && !is_over()) by_search();
    std::ranges::stable_sort(answer_.bounds, {}, &NamedBound::of);
    // What is proved needs no more time.
    answer_.cut_short = answer_.cut_short && !is_done();
    return std::move(answer_);
  }

 private:
  // Whether no mapping can keep the period.
  bool bound_periods() {
    answer_.least_period = period_lower_bound(problem_, query_.model, query_.deadline.after_part(1, 4));
    if (answer_.least_period <= query_.period) return false;
    prove({NamedClass::any, std::nullopt, "period"});
    return true;
  }

  bool is_typed() const { return query_.widest == NamedClass::typed; }
  // Whether a machine may serve several parts, and in any turns.
  bool may_repeat() const { return query_.widest == NamedClass::any; }

  bool is_over() {
    const bool is_over = query_.deadline.has_passed();
    answer_.cut_short = answer_.cut_short || is_over;
    return is_over;
  }

  // Nothing can be cheaper, or there is nothing.
  bool is_done() const {
    if (const auto impossible = answer_.impossible_in()) return *impossible >= query_.widest;
    const auto optimal = answer_.optimal_in();
    return optimal && *optimal >= query_.widest;
  }

  // Replaces a weaker bound of the class. What holds of a class holds of those within it, so a narrow one's that says
  // no more than a wider one's says nothing.
  void prove(const NamedBound& bound) {
    const auto is_weaker = [](const NamedBound& one, const NamedBound& other) {
      return other.cost ? one.cost && *one.cost <= *other.cost : true;
    };
    for (const NamedBound& known : answer_.bounds)
      if (known.of >= bound.of && is_weaker(bound, known)) return;
    std::erase_if(answer_.bounds,
                  [&](const NamedBound& known) { return known.of <= bound.of && is_weaker(known, bound); });
    answer_.bounds.push_back(bound);
  }

  // By its turns; that parts are of alike machines, who offers it has seen to.
  bool is_of_class(const tpn::Mapping& mapping) const {
    if (may_repeat()) return true;
    if (query_.widest != NamedClass::weighted) return !repeats(mapping);
    std::vector<std::size_t> part_of(processors_, mapping.size());
    for (std::size_t i = 0; i < mapping.size(); ++i) {
      for (const std::size_t p : mapping[i].processors) {
        if (part_of[p] < i) return false;
        part_of[p] = i;
      }
    }
    return true;
  }

  // Notes a mapping of exact period if it keeps the period and is cheaper than what there is, or as cheap and faster.
  void offer(const tpn::Mapping& mapping, const Rational& period, std::string_view found_by) {
    if (period > query_.period || !is_of_class(mapping)) return;
    const Rational cost = price_of(problem_.document(), mapping);
    const auto& plan = answer_.plan;
    if (plan && (cost > plan->cost || (cost == plan->cost && period >= plan->period))) return;
    answer_.plan = {mapping, cost, period};
    answer_.found_by = found_by;
  }

  void by_types(const MachineClasses& types) {
    const bool are_many = types.members.size() > kMostTypes;
    const plan::Catalogue least = are_many ? catalogue_without_transfers(problem_, types, TransferChoice::least)
                                           : catalogue_of(problem_, types, TransferChoice::least);
    prove({NamedClass::any, plan::cost_bound(least, query_.model, query_.period), "work"});
    if (is_over()) return;
    if (are_many && !is_typed()) by_similar_machines();
    if (are_many) return;
    const plan::Catalogue largest = catalogue_of(problem_, types, TransferChoice::largest);
    const plan::CountedAnswer below = planned(least);
    prove({NamedClass::typed, bound_of(below), "types"});
    const plan::CountedAnswer above = planned(largest);
    if (above.plan) start_from(mapping_of(types, *above.plan), "types");
    const MachineClasses twins = machine_classes(problem_);
    if (twins.members.size() <= kMostTypes && twins.members.size() > types.members.size()) {
      const plan::CountedAnswer exact = planned(catalogue_of(problem_, twins, TransferChoice::largest));
      if (exact.plan) start_from(mapping_of(twins, *exact.plan), "types");
    }
    if (!is_done() && !is_typed()) by_mixed(types, least, largest);
    if (below.plan && !is_done()) repair(mapping_of(types, *below.plan), twins);
  }

  // Where all links are equal the planner knows mixed parts as well.
  void by_mixed(const MachineClasses& types, plan::Catalogue catalogue, const plan::Catalogue& largest) {
    if (!is_plain_) return;
    if (catalogue.transfers != largest.transfers || catalogue.from_source != largest.from_source ||
        catalogue.to_sink != largest.to_sink)
      return;
    // A type of one machine has no link within, and needs none.
    const std::size_t count = types.members.size();
    for (std::size_t t = 0; t < count; ++t) {
      for (std::size_t place = t * (count + 1); place < catalogue.transfers.size(); place += count * count) {
        const std::size_t other = t == 0 ? place + 1 : place - 1;
        if (types.members[t].size() == 1 && count > 1) catalogue.transfers[place] = catalogue.transfers[other];
      }
    }
    if (!catalogue.has_equal_links() || has_no_link(catalogue)) return;
    const plan::MixedAnswer mixed = plan::solve_mixed(catalogue, counted_query());
    if (mixed.plan) start_from(mapping_of(types, *mixed.plan), "types");
    if (mixed.plan || !mixed.cut_short) {
      prove({NamedClass::mixed, mixed.plan ? std::optional(mixed.lower_bound) : std::nullopt, "types"});
    }
  }

  static bool has_no_link(const plan::Catalogue& catalogue) {
    const auto is_absent = [](const std::optional<Rational>& time) { return !time; };
    return std::ranges::any_of(catalogue.transfers, is_absent) ||
           std::ranges::any_of(catalogue.from_source, is_absent) || std::ranges::any_of(catalogue.to_sink, is_absent);
  }

  // The worst of each class: a plan that keeps the period, and no bound.
  void by_similar_machines() {
    const auto classes = similar_classes(problem_, kMostTypes);
    if (!classes) return;
    const plan::CountedAnswer found = planned(catalogue_of(problem_, *classes, TransferChoice::largest));
    if (found.plan) start_from(mapping_of(*classes, *found.plan), "types");
  }

  plan::CountedQuery counted_query() const {
    plan::CountedQuery counted;
    counted.query.model = query_.model;
    counted.query.period = query_.period;
    counted.deadline = query_.deadline.after_part(1, 8);
    return counted;
  }

  plan::CountedAnswer planned(const plan::Catalogue& catalogue) const {
    return plan::solve_within(catalogue, counted_query());
  }

  static std::optional<Rational> bound_of(const plan::CountedAnswer& answer) {
    if (!answer.plan && !answer.cut_short) return std::nullopt;
    return answer.lower_bound;
  }

  void start_from(const tpn::Mapping& mapping, std::string_view found_by) {
    const auto period = exact_period(problem_, evaluator_, mapping, query_.model, query_.deadline);
    if (!period) return;
    starts_.push_back({std::string(found_by), mapping, *period});
    offer(mapping, *period, found_by);
  }

  void repair(const tpn::Mapping& mapping, const MachineClasses& twins) {
    if (!problem_.links().hold(mapping)) return;
    const auto start =
        repaired(problem_, query_.model, twins, query_.period, mapping, query_.deadline.after_part(1, 8));
    if (!start) return;
    starts_.push_back(*start);
    offer(start->mapping, start->period, "repair");
  }

  void by_covers(const MachineClasses& types) {
    const std::size_t count = types.members.size();
    const std::size_t transfers = problem_.document().application.stages.size() * count * count;
    if (count > plan::kMostCovered || transfers > kMostTransfers) return;
    const CoverPlans covers =
        plans_by_covers(problem_, evaluator_, types, query_.model, query_.period, query_.deadline.after_part(1, 4));
    prove({NamedClass::weighted, covers.is_impossible ? std::nullopt : std::optional(covers.lower_bound), "covers"});
    for (const SearchStart& start : covers.plans) {
      starts_.push_back(start);
      offer(start.mapping, start.period, "covers");
    }
  }

  void by_sets() {
    const bool has_time = query_.deadline.time().has_value();
    if (processors_ > (has_time ? kMostSetProcessors : kFewProcessors)) return;
    CostQuery sets;
    sets.model = query_.model;
    sets.period = query_.period;
    if (answer_.plan) sets.below = answer_.plan->cost;
    sets.most_steps = has_time ? static_cast<std::uint64_t>(-1) : query_.steps;
    sets.deadline = query_.deadline.half_way();
    const CostAnswer found = cheapest_by_cost(problem_, sets);
    if (found.best) {
      starts_.push_back({"sets", found.best->mapping, found.best->period});
      offer(found.best->mapping, found.best->period, "sets");
    }
    answer_.cut_short = answer_.cut_short || found.cut_short;
    const auto& bound = found.lower_bound ? found.lower_bound : sets.below;
    prove({NamedClass::mixed, bound, "sets"});
  }

  // Moves of long sequences are evaluated slowly, in proportion to their turns.
  std::uint64_t moves() const {
    constexpr std::uint64_t kMostTurns = 10'000'000;  // in all moves together
    std::uint64_t longest = 1;
    for (const SearchStart& start : starts_) {
      std::uint64_t turns = 0;
      for (const tpn::Part& part : start.mapping) turns += part.processors.size();
      longest = std::max(longest, turns);
    }
    const std::uint64_t most = is_plain_ && !has_segments_ ? query_.moves : std::min(query_.moves, kMostSlowMoves);
    return std::min(most, kMostTurns / longest);
  }

  // Options as polish has them.
  Settings settings_of_search() const {
    Settings settings;
    settings.model = query_.model;
    settings.seed = query_.seed;
    settings.deadline = query_.deadline;
    settings.uses_all_time = query_.deadline.time().has_value();
    settings.options = {
        {"restarts", Rational(query_.restarts)}, {"moves", Rational(moves())}, {"weighted", may_repeat()}};
    return settings;
  }

  void by_search() {
    const Settings settings = settings_of_search();
    add_starts(settings);
    // The search keeps what repeats in its starts.
    if (!may_repeat()) std::erase_if(starts_, [](const SearchStart& start) { return repeats(start.mapping); });
    if (starts_.empty()) return;
    if (!answer_.plan) speed_up(settings);
    // In any case: what is too slow may be worth a search still, with others to start from.
    Rational least;
    for (const NamedBound& bound : answer_.bounds) {
      if (bound.of >= query_.widest && bound.cost) least = std::max(least, *bound.cost);
    }
    std::ranges::stable_sort(starts_, {}, &SearchStart::period);
    LocalSearch search(problem_, settings, starts_, answer_.least_period,
                       PriceGoal(problem_.document(), query_.period, least));
    search.run();
    offer(search.best().mapping, search.best().period.rational(), "search");
    answer_.log.tables.push_back(search.improvements());
    answer_.cut_short = answer_.cut_short || search.cut_short() || search.has_tried_all_it_may();
  }

  // Of the quick heuristics, those that keep to memories and the like.
  void add_starts(const Settings& settings) {
    Settings its = settings;
    its.deadline = query_.deadline.after_part(1, 4);
    auto found = find_starts(problem_, "auto", its,
                             {.asker = "plan", .lower_bound = query_.period, .may_repeat = may_repeat()}, answer_.log);
    auto* starts = std::get_if<std::vector<SearchStart>>(&found);
    if (starts == nullptr) return;
    for (SearchStart& start : *starts) {
      if (!placement_.allow_but_for_runs(start.mapping)) continue;
      offer(start.mapping, start.period, "search");
      starts_.push_back(std::move(start));
    }
  }

  // If nothing is fast enough yet: local search on the period alone, until something is.
  void speed_up(const Settings& settings) {
    Settings its = settings;
    its.deadline = query_.deadline.half_way();
    std::ranges::stable_sort(starts_, {}, &SearchStart::period);
    LocalSearch search(problem_, its, starts_, query_.period);
    search.run();
    const Rational period = search.best().period.rational();
    starts_.push_back({"search", search.best().mapping, period});
    offer(search.best().mapping, period, "search");
  }

  const tpn::ProblemView& problem_;
  const NamedQuery& query_;
  std::size_t processors_;
  bool is_plain_;  // no processors share ports or a price, nor ends the turns: mixed parts and sets know neither
  // What nobody but the net knows: plans are evaluated, and a segment makes no mapping faster, so that bounds hold.
  bool has_segments_;
  PlacementRules placement_;
  evaluators::MappingEvaluator evaluator_;
  std::vector<SearchStart> starts_;
  NamedAnswer answer_;
};

}  // namespace

std::string_view name_of(NamedClass named_class) {
  switch (named_class) {
    case NamedClass::typed:
      return "typed";
    case NamedClass::mixed:
      return "mixed";
    case NamedClass::weighted:
      return "weighted";
    case NamedClass::any:
      break;
  }
  return "any";
}

std::optional<NamedClass> NamedAnswer::optimal_in() const {
  std::optional<NamedClass> widest;
  if (!plan) return widest;
  for (const NamedBound& bound : bounds)
    if ((!bound.cost || plan->cost <= *bound.cost) && (!widest || *widest < bound.of)) widest = bound.of;
  return widest;
}

std::optional<NamedClass> NamedAnswer::impossible_in() const {
  std::optional<NamedClass> widest;
  for (const NamedBound& bound : bounds)
    if (!bound.cost && (!widest || *widest < bound.of)) widest = bound.of;
  return widest;
}

NamedAnswer cheapest_on_platform(const tpn::ProblemView& problem, const NamedQuery& query) {
  maxplus::expects(query.period.sign() >= 0, "a period is not negative");
  maxplus::expects(tpn::follows_cycle_times(query.model), "the planner's closed forms are of cycle times");
  tpn::require_taken({.shared_resources = true, .several_ends = true, .segments = true}, problem.document());
  const EverywhereView everywhere(problem);
  require_amounts(everywhere.view());
  NamedQuery real = query;
  real.period = everywhere.kept_by_real_ones(query.period);
  NamedAnswer answer = NamedPlanner(everywhere.view(), real).run();
  if (answer.plan && !everywhere.view().can_run(answer.plan->mapping)) {
    answer.plan.reset();
    answer.cut_short = true;
  }
  return answer;
}

}  // namespace takt::heuristics
