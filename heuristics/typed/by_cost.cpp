// Sets in order of cost, and for each a search for one mapping on all of it.
#include "heuristics/typed/by_cost.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/capacities.hpp"
#include "heuristics/common/placement.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/price_goal.hpp"
#include "maxplus/contract.hpp"
#include "tpn/models.hpp"

namespace takt::heuristics {

namespace {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;

// Bit p stands for processor p.
using MachineSet = std::uint32_t;

bool holds(MachineSet set, std::size_t processor) { return (set >> processor & 1) != 0; }

struct PricedSet {
  Integer cost;
  MachineSet set = 0;
};

// All sets that hold of each class its first members only, cheapest first, then smallest, then by number.
std::vector<PricedSet> sets_by_cost(PriceGoal& prices, const MachineClasses& classes) {
  const std::size_t processors = classes.of.size();
  std::vector<MachineSet> before(processors);  // a set with a processor holds its twins before it
  for (const auto& members : classes.members) {
    for (std::size_t k = 1; k < members.size(); ++k)
      before[members[k]] = before[members[k - 1]] | MachineSet{1} << members[k - 1];
  }
  std::vector<PricedSet> sets;
  for (MachineSet set = 1; set < MachineSet{1} << processors; ++set) {
    tpn::Part used;
    bool is_first = true;
    for (std::size_t p = 0; p < processors; ++p) {
      if (!holds(set, p)) continue;
      used.processors.push_back(p);
      is_first = is_first && (before[p] & ~set) == 0;
    }
    if (is_first) sets.push_back({prices.cost_of({&used, 1}), set});
  }
  std::ranges::stable_sort(sets, {}, &PricedSet::cost);
  return sets;
}

class SetSearch {
 public:
  SetSearch(const tpn::ProblemView& problem, const CostQuery& query)
      : problem_(problem.document()),
        query_(query),
        stages_(problem_.application.stages.size()),
        links_(problem.links()),
        placement_(problem),
        classes_(machine_classes(problem)),
        evaluator_(problem),
        loads_(Loads::make(problem)),
        capacities_(problem),
        watch_(query.deadline, 256) {
    if (loads_) limit_ = query.period * loads_->scale();
    mapping_.reserve(stages_);  // parts stay where they are
  }

  const MachineClasses& classes() const { return classes_; }
  bool is_cut_short() const { return cut_short_; }
  std::uint64_t evaluated() const { return evaluated_; }
  // Mappings whose nets are too large to evaluate.
  std::uint64_t undecided() const { return undecided_; }

  // A mapping on all of the set that keeps the period, and its period.
  std::optional<std::pair<tpn::Mapping, Rational>> find_on(MachineSet set) {
    if (!can_do_the_work(set)) return std::nullopt;
    free_ = set;
    left_ = static_cast<std::size_t>(std::popcount(set));
    found_.reset();
    mapping_.clear();
    place_part(0, 1);
    return std::exchange(found_, std::nullopt);
  }

 private:
  bool can_do_the_work(MachineSet set) const {
    if (capacities_.speeds.empty()) return true;
    Rational speeds;
    for (std::size_t p = 0; p < capacities_.speeds.size(); ++p)
      if (holds(set, p)) speeds += capacities_.speeds[p];
    return capacities_.works_from[0] <= query_.period * speeds;
  }

  bool is_over() {
    if (found_ || cut_short_) return true;
    cut_short_ = ++steps_ > query_.most_steps || watch_.has_passed();
    return cut_short_;
  }

  // Parts from this stage on; `rows` is the lcm of the lengths before, which have at most 16 entries together.
  void place_part(std::size_t stage, std::uint64_t rows) {
    if (stage == stages_) {
      if (left_ == 0) evaluate();
      return;
    }
    if (left_ == 0) return;
    mapping_.push_back({stage, stage, {}});
    for (std::size_t end = stages_; end > stage && !is_over(); --end) {
      if (!placement_.may_share(stage, end - 1)) continue;
      mapping_.back().last_stage = end - 1;
      longer_sequences(rows, 0);
    }
    mapping_.pop_back();
  }

  // Sequences that begin as the last part's, which computes for `slowest` ticks on its slowest processor.
  void longer_sequences(std::uint64_t rows, std::int64_t slowest) {
    tpn::Part& part = mapping_.back();
    const bool is_last = part.last_stage + 1 == stages_;
    const bool may_grow = placement_.is_replicable(part.first_stage, part.last_stage);
    for (std::size_t processor = 0; processor < classes_.of.size(); ++processor) {
      if (is_over()) return;
      if (!may_take(processor, is_last)) continue;
      std::int64_t computing = slowest;
      if (loads_) computing = std::max(slowest, loads_->computation(part, processor));
      // All those left could still share the computations.
      if (is_beyond(computing, may_grow ? part.processors.size() + left_ : 1)) continue;
      part.processors.push_back(processor);
      free_ ^= MachineSet{1} << processor;
      --left_;
      // The last part takes all that are left.
      if (!is_last || left_ == 0) close_part(rows, computing);
      if (may_grow && left_ > 0) longer_sequences(rows, computing);
      ++left_;
      free_ ^= MachineSet{1} << processor;
      part.processors.pop_back();
    }
  }

  bool may_take(std::size_t processor, bool is_last) const {
    if (!holds(free_, processor)) return false;
    // The first free one of its class.
    for (const std::size_t twin : classes_.members[classes_.of[processor]]) {
      if (twin == processor) break;
      if (holds(free_, twin)) return false;
    }
    const tpn::Part& part = mapping_.back();
    if (mapping_.size() == 1 && !links_.from_source(processor)) return false;
    if (is_last && !links_.to_sink(processor)) return false;
    return placement_.fits(part.first_stage, part.last_stage, processor);
  }

  void close_part(std::uint64_t rows, std::int64_t computing) {
    const tpn::Part& part = mapping_.back();
    const std::size_t length = part.processors.size();
    if (!is_foremost_rotation(part.processors, std::gcd(rows, std::uint64_t{length}))) return;
    if (is_beyond(computing, length)) return;
    const std::size_t here = mapping_.size() - 1;
    if (here > 0) {
      if (!links_.between(mapping_[here - 1].processors, part.processors)) return;
      if (cycle_time_is_beyond(here - 1)) return;
    }
    if (cycle_time_is_beyond(here)) return;
    place_part(part.last_stage + 1, std::lcm(rows, std::uint64_t{length}));
  }

  // Whether the first entry of the lowest class stands among the first `turns`, which divide the length.
  bool is_foremost_rotation(const std::vector<std::size_t>& sequence, std::uint64_t turns) const {
    const auto foremost = std::ranges::min_element(sequence, {}, [this](std::size_t p) { return classes_.of[p]; });
    return static_cast<std::uint64_t>(foremost - sequence.begin()) < turns;
  }

  bool is_beyond(std::int64_t ticks, std::size_t data_sets) const {
    return loads_ && Rational(ticks) > limit_ * Rational(data_sets);
  }

  bool cycle_time_is_beyond(std::size_t i) {
    if (!loads_) return false;
    const auto largest = loads_->largest_cycle_time(mapping_, i, query_.model);
    return largest && Rational(largest->ticks) > limit_ * Rational(largest->partners);
  }

  void evaluate() {
    ++evaluated_;
    const auto answer = evaluator_.evaluate(mapping_, query_.model, {query_.period, CutoffAt::above});
    if (answer.answer == MappingAnswer::interval) ++undecided_;
    if (answer.answer != MappingAnswer::exact || answer.lower > query_.period) return;
    found_.emplace(mapping_, answer.lower.rational());
  }

  const tpn::Document& problem_;
  const CostQuery& query_;
  std::size_t stages_;
  const tpn::LinkTable& links_;
  PlacementRules placement_;
  MachineClasses classes_;
  evaluators::MappingEvaluator evaluator_;
  std::optional<Loads> loads_;
  Rational limit_;  // the period in the loads' ticks
  Capacities capacities_;
  maxplus::DeadlineWatch watch_;
  MachineSet free_ = 0;
  std::size_t left_ = 0;  // in it
  tpn::Mapping mapping_;
  std::optional<std::pair<tpn::Mapping, Rational>> found_;
  std::uint64_t steps_ = 0;
  std::uint64_t evaluated_ = 0;
  std::uint64_t undecided_ = 0;
  bool cut_short_ = false;
};

}  // namespace

CostAnswer cheapest_by_cost(const tpn::ProblemView& problem, const CostQuery& query) {
  maxplus::expects(problem.document().platform.processors.size() <= kMostSetProcessors,
                   "sets are listed for at most kMostSetProcessors processors");
  PriceGoal prices(problem.document(), query.period, 0);
  SetSearch search(problem, query);
  CostAnswer answer;
  std::optional<Rational> first_undecided;  // nothing is proved from there on
  for (const PricedSet& priced : sets_by_cost(prices, search.classes())) {
    const Rational cost = prices.price_of(priced.cost);
    if (query.below && cost >= *query.below) break;
    auto found = search.find_on(priced.set);
    if (!first_undecided && (search.is_cut_short() || search.undecided() > 0)) first_undecided = cost;
    if (found) {
      answer.best = {std::move(found->first), cost, std::move(found->second)};
      answer.lower_bound = cost;
      break;
    }
    if (search.is_cut_short()) break;
  }
  if (first_undecided) answer.lower_bound = first_undecided;
  answer.cut_short = search.is_cut_short();
  answer.evaluated = search.evaluated();
  return answer;
}

}  // namespace takt::heuristics
