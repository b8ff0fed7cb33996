// The mapping of least exact period among all of its class.
//
// Problem. How far a heuristic is from the best can be said only where the best is known: the mapping of
// least TPN period, communication and replication included, for which no other method is exact.
//
// Method. Branch and bound, from the first stage on: a part takes the next stages, then its processors one
// by one, those that compute the chain fastest first. A partial mapping is left as soon as a lower bound
// reaches the incumbent: the cycle times of the parts whose neighbors are known, and of the segments between
// them (M_ct never exceeds the period), the computations of a sequence even if it took all processors left, and
// the work left over the speeds left. Whole mappings are evaluated up to the incumbent
// (evaluators/mappings/evaluator.hpp).
// Order counts: the period depends on which replicas meet. Rotating all sequences alike only renumbers the
// data sets. Rotations by multiples of L, the lcm of the lengths before a part, leave those parts as they are
// and turn its own sequence by every multiple of gcd(L, its length); so of those turns only the one with its
// foremost processor among the first gcd(L, length) entries is tried. The turns of several sources and sinks are given:
// their numbers are in L from the start.
//
// A workflow's stages are listed in every topological order. Parts whose stages are in ascending order are enough, so a
// stage that is behind one of a larger number begins a part: each sequence of parts comes once. (Their sequence is the
// order in which ports serve them.)
//
// Invariant. No mapping that was left out has a smaller period than the incumbent at that time.
//
// Cost. In the worst case every mapping of the class, counted beforehand; half a million per second and more
// where times fit 64-bit ticks.
//
// References. [benoit2009throughput] for the period; the search is our own.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/amounts.hpp"
#include "heuristics/common/capacities.hpp"
#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/ordered_problem.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "plan/claims.hpp"
#include "tpn/ends.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/stage_order.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

namespace {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;
using evaluators::Period;

// Without a deadline.
constexpr std::uint64_t kMostMappings = 20'000'000;

// By place, whether the stage is behind one of a larger number.
std::vector<bool> begins_of(const tpn::StageOrder& order) {
  std::vector<bool> begins(order.size(), false);
  for (std::size_t k = 1; k < order.size(); ++k) begins[k] = order[k] < order[k - 1];
  return begins;
}

// Mappings of the stages from `stage` on to the processors that are left, up to rotations and links; by stage and
// processors left. Exact as far as kMostMappings, and kMostMappings + 1 beyond.
class Count {
 public:
  // `order`: of the stages; a part ends before each that is behind a larger one.
  Count(const tpn::Document& problem, MappingClass mapping_class, const tpn::StageOrder& order)
      : class_(mapping_class), row_(problem.platform.processors.size() + 1), begins_(begins_of(order)) {
    for (const std::size_t stage : order) replicable_.push_back(problem.application.stages[stage].replicable);
    known_.resize((order.size() + 1) * row_);
  }

  std::uint64_t of(std::size_t stage, std::size_t left) {
    if (stage == replicable_.size()) return 1;
    auto& known = known_[stage * row_ + left];
    if (!known) known = count(stage, left);
    return *known;
  }

 private:
  std::uint64_t count(std::size_t stage, std::size_t left) {
    std::uint64_t total = 0;
    bool replicable = class_ == MappingClass::replicated;
    const std::size_t end = class_ == MappingClass::one_to_one ? stage + 1 : replicable_.size();
    for (std::size_t last = stage; last < end && (last == stage || !begins_[last]); ++last) {
      replicable = replicable && replicable_[last];
      std::uint64_t sequences = 1;
      for (std::size_t length = 1; length <= (replicable ? left : std::min<std::size_t>(left, 1)); ++length) {
        // Both factors are at most kMostMappings + 1, or the number of processors: no product leaves 64 bits.
        sequences = std::min(sequences * (left - length + 1), kMostMappings + 1);
        total += std::min(sequences * of(last + 1, left - length), kMostMappings + 1);
        if (total > kMostMappings) return kMostMappings + 1;
      }
    }
    return total;
  }

  MappingClass class_;
  std::size_t row_;
  std::vector<bool> replicable_;  // by place
  std::vector<bool> begins_;
  std::vector<std::optional<std::uint64_t>> known_;
};

MappingClass class_of(const std::string& name) {
  if (name == name_of(MappingClass::one_to_one)) return MappingClass::one_to_one;
  return name == name_of(MappingClass::interval) ? MappingClass::interval : MappingClass::replicated;
}

class BranchAndBound {
 public:
  // `begins`: by stage, whether it must begin a part.
  BranchAndBound(const tpn::ProblemView& problem, const Settings& settings, std::vector<bool> begins)
      : problem_view_(problem),
        problem_(problem.document()),
        class_(class_of(settings.text("class"))),
        model_(*settings.model),
        deadline_(settings.deadline),
        stages_(problem_.application.stages.size()),
        begins_(std::move(begins)),
        is_workflow_(!tpn::is_chain(problem_.application)),
        links_(problem.links()),
        all_links_(problem),
        evaluator_(problem),
        loads_(Loads::make(problem)),
        times_(problem),
        capacities_(problem, times_),
        order_(fastest_first(times_, 1)),
        rank_(order_.size()),
        free_(order_.size(), true),
        left_(order_.size()),
        replicable_until_(stages_) {
    for (std::size_t rank = 0; rank < order_.size(); ++rank) rank_[order_[rank]] = rank;
    for (std::size_t k = stages_; k-- > 0;) {
      const bool replicable = problem_.application.stages[k].replicable;
      replicable_until_[k] = !replicable ? k : k + 1 < stages_ ? replicable_until_[k + 1] : stages_;
    }
    mapping_.reserve(stages_);  // parts stay where they are
  }

  // Only what is better than this counts.
  void begin_below(const Period& period) {
    has_incumbent_ = true;
    set_incumbent(period);
  }

  // Until all mappings are seen, or the deadline has passed.
  void run() {
    // Sources and sinks keep their turns: rotations that leave both as they are.
    const auto turns = maxplus::checked_lcm(std::max<std::size_t>(tpn::count_of(problem_.platform.source), 1),
                                            std::max<std::size_t>(tpn::count_of(problem_.platform.sink), 1));
    place_part(0, turns.value_or(0));
  }

  const std::optional<tpn::Mapping>& best() const { return best_; }
  Rational period() const { return incumbent_.rational(); }
  const Period& incumbent() const { return incumbent_; }
  bool cut_short() const { return cut_short_; }
  std::uint64_t evaluated() const { return evaluated_; }
  std::uint64_t beyond_limits() const { return beyond_limits_; }
  const LogTable& improvements() const { return improvements_; }
  // The same by mappings evaluated.
  const std::vector<Improvement>& progress() const { return progress_; }

 private:
  // Parts from this stage on; `rows` is the lcm of the lengths before, 0 if it does not fit 64 bits: then no
  // rotations are known to be the same.
  void place_part(std::size_t stage, std::uint64_t rows) {
    if (stage == stages_) {
      evaluate();
      return;
    }
    const bool single = class_ == MappingClass::one_to_one;
    if (work_left_reaches_incumbent(stage)) return;
    mapping_.push_back({stage, stage, {}});
    std::size_t longest = stage + 1;
    while (!single && longest < stages_ && !begins_[longest]) ++longest;
    // Long parts first: their sequences are good incumbents.
    for (std::size_t end = longest; end > stage && !cut_short_; --end) {
      mapping_.back().last_stage = end - 1;
      longer_sequences(rows, 0);
    }
    mapping_.pop_back();
  }

  // Sequences that begin as the last part's, which computes for `slowest` ticks on its slowest processor.
  void longer_sequences(std::uint64_t rows, std::int64_t slowest) {
    tpn::Part& part = mapping_.back();
    for (const std::size_t processor : order_) {
      if (cut_short_ || (cut_short_ = evaluators::has_passed(deadline_))) return;
      if (!free_[processor]) continue;
      if (!problem_view_.can_run(part.first_stage, part.last_stage, processor)) continue;
      if (!is_workflow_ && mapping_.size() == 1 && !links_.from_source(processor)) continue;
      if (!is_workflow_ && part.last_stage + 1 == stages_ && !links_.to_sink(processor)) continue;
      std::int64_t computing = slowest;
      if (loads_) computing = std::max(slowest, loads_->computation(part, processor));
      const bool may_grow = class_ == MappingClass::replicated && replicable_until_[part.first_stage] > part.last_stage;
      // All those left could still share the computations.
      const auto most = static_cast<std::int64_t>(may_grow ? part.processors.size() + left_ : 1);
      if (reaches_incumbent(computing, most)) continue;
      part.processors.push_back(processor);
      free_[processor] = false;
      --left_;
      close_part(rows, computing);
      if (may_grow) longer_sequences(rows, computing);
      ++left_;
      free_[processor] = true;
      part.processors.pop_back();
    }
  }

  void close_part(std::uint64_t rows, std::int64_t computing) {
    const tpn::Part& part = mapping_.back();
    const std::size_t length = part.processors.size();
    if (!is_foremost_rotation(part.processors, std::gcd(rows, std::uint64_t{length}))) return;
    if (reaches_incumbent(computing, static_cast<std::int64_t>(length))) return;
    if (is_workflow_ ? !all_links_.hold(mapping_) : !has_links()) return;
    // Those before may send to this one.
    const std::size_t here = mapping_.size() - 1;
    for (std::size_t i = is_workflow_ ? 0 : here - std::min<std::size_t>(here, 1); i <= here; ++i)
      if (cycle_time_reaches_incumbent(i)) return;
    if (segment_reaches_incumbent()) return;
    place_part(part.last_stage + 1, rows == 0 ? 0 : maxplus::checked_lcm(rows, length).value_or(0));
  }

  // Of a chain's last part with the one before it, and with the outside world.
  bool has_links() const {
    const tpn::Part& part = mapping_.back();
    const std::size_t here = mapping_.size() - 1;
    if (here == 0 && !links_.from_sources(part.processors)) return false;
    if (part.last_stage + 1 == stages_ && !links_.to_sinks(part.processors)) return false;
    return here == 0 || links_.between(mapping_[here - 1].processors, part.processors);
  }

  // Whether the processor tried first stands in the first `turns` entries: the rotation by some multiple of
  // `turns`, which divides the length, that brings it there is the one to try.
  bool is_foremost_rotation(const std::vector<std::size_t>& sequence, std::uint64_t turns) const {
    const auto foremost =
        std::ranges::min_element(sequence, {}, [this](std::size_t processor) { return rank_[processor]; });
    return static_cast<std::uint64_t>(foremost - sequence.begin()) < turns;
  }

  // Whether ticks / data_sets is no less than the incumbent.
  bool reaches_incumbent(std::int64_t ticks, std::int64_t data_sets) const {
    return has_incumbent_ && loads_ && Rational(ticks) >= incumbent_ticks_ * Rational(data_sets);
  }

  bool work_left_reaches_incumbent(std::size_t stage) const {
    if (!has_incumbent_ || capacities_.speeds.empty()) return false;
    Rational speeds;
    for (std::size_t p = 0; p < free_.size(); ++p)
      if (free_[p]) speeds += capacities_.speeds[p];
    return capacities_.works_from[stage] >= period() * speeds;
  }

  bool cycle_time_reaches_incumbent(std::size_t i) {
    if (!has_incumbent_ || !loads_) return false;
    const auto largest = loads_->largest_cycle_time(mapping_, i, model_);
    return largest && reaches_incumbent(largest->ticks, largest->partners);
  }

  bool segment_reaches_incumbent() {
    if (!has_incumbent_ || !loads_) return false;
    const auto busiest = loads_->busiest_segment(mapping_);
    return busiest && reaches_incumbent(*busiest, 1);
  }

  void evaluate() {
    ++evaluated_;
    const auto answer = has_incumbent_ ? evaluator_.evaluate(mapping_, model_, {incumbent_, CutoffAt::reached})
                                       : evaluator_.evaluate(mapping_, model_);
    if (answer.answer == MappingAnswer::cut_off || (has_incumbent_ && answer.lower >= incumbent_)) return;
    if (answer.answer == MappingAnswer::interval) {
      ++beyond_limits_;
      return;
    }
    has_incumbent_ = true;
    set_incumbent(answer.lower);
    best_ = mapping_;
    improvements_.rows.push_back({mapping_in_words(problem_, mapping_), time_in_words(problem_, period())});
    progress_.push_back({evaluated_, period()});
  }

  void set_incumbent(const Period& period) {
    incumbent_ = period;
    if (loads_) incumbent_ticks_ = incumbent_.rational() * loads_->scale();
  }

  const tpn::ProblemView& problem_view_;
  const tpn::Document& problem_;
  MappingClass class_;
  tpn::Model model_;
  evaluators::Deadline deadline_;
  std::size_t stages_;
  std::vector<bool> begins_;
  bool is_workflow_;
  const tpn::LinkTable& links_;
  tpn::LinkCheck all_links_;
  evaluators::MappingEvaluator evaluator_;
  std::optional<Loads> loads_;
  ComputationTimes times_;
  Capacities capacities_;
  std::vector<std::size_t> order_;  // of the processors as they are tried: fastest on the whole chain first
  std::vector<std::size_t> rank_;   // by processor, its place in that order
  std::vector<bool> free_;
  std::size_t left_;                           // free processors
  std::vector<std::size_t> replicable_until_;  // by stage, the next that is not replicable, or the number of stages
  tpn::Mapping mapping_;
  std::optional<tpn::Mapping> best_;
  bool has_incumbent_ = false;
  Period incumbent_;
  Rational incumbent_ticks_;
  std::uint64_t evaluated_ = 0;
  std::uint64_t beyond_limits_ = 0;
  bool cut_short_ = false;
  LogTable improvements_{"Improvements", {"mapping", "period"}, {}};
  std::vector<Improvement> progress_;
};

// The search in one order after the other, each below what those before found.
class AllOrders {
 public:
  AllOrders(const tpn::ProblemView& problem, const Settings& settings, const Rational& lower_bound)
      : problem_(problem), settings_(settings), lower_bound_(lower_bound) {}

  void run() {
    const tpn::Application& application = problem_.document().application;
    if (!tpn::may_be_reordered(application)) {
      search({}, std::vector<bool>(application.stages.size(), false));
      return;
    }
    tpn::for_each_order(application, [&](const tpn::StageOrder& order) {
      search(order, begins_of(order));
      ++orders_;
      return !cut_short_ && !(best_ && period_ <= lower_bound_);
    });
  }

  const std::optional<tpn::Mapping>& best() const { return best_; }
  // Nothing: the problem's.
  const std::optional<tpn::StageOrder>& order() const { return order_; }
  Rational period() const { return period_.rational(); }
  bool cut_short() const { return cut_short_; }
  std::uint64_t beyond_limits() const { return beyond_limits_; }
  std::uint64_t orders() const { return orders_; }
  const LogTable& improvements() const { return improvements_; }
  const std::vector<Improvement>& progress() const { return progress_; }

 private:
  void search(const std::optional<tpn::StageOrder>& order, std::vector<bool> begins) {
    const OrderedProblem ordered(problem_, order);
    BranchAndBound search(ordered.view(), settings_, std::move(begins));
    if (best_) search.begin_below(period_);
    search.run();
    cut_short_ = search.cut_short();
    beyond_limits_ += search.beyond_limits();
    improvements_.columns = search.improvements().columns;
    improvements_.title = search.improvements().title;
    for (const auto& row : search.improvements().rows) improvements_.rows.push_back(row);
    for (const Improvement& one : search.progress()) progress_.push_back({evaluated_ + one.iteration, one.period});
    evaluated_ += search.evaluated();
    if (!search.best()) return;
    best_ = search.best();
    order_ = order;
    period_ = search.incumbent();
  }

  const tpn::ProblemView& problem_;
  const Settings& settings_;
  const Rational& lower_bound_;
  std::optional<tpn::Mapping> best_;
  std::optional<tpn::StageOrder> order_;
  Period period_;
  bool cut_short_ = false;
  std::uint64_t orders_ = 0;
  std::uint64_t evaluated_ = 0;
  std::uint64_t beyond_limits_ = 0;
  LogTable improvements_;
  std::vector<Improvement> progress_;
};

// Of all orders; at most kMostMappings + 1.
std::uint64_t count_mappings(const tpn::Document& problem, MappingClass mapping_class) {
  const std::size_t processors = problem.platform.processors.size();
  if (!tpn::may_be_reordered(problem.application))
    return Count(problem, mapping_class, tpn::own_order(problem.application)).of(0, processors);
  // Looking at an order costs what some hundred mappings do.
  constexpr std::uint64_t kOrder = 200;
  std::uint64_t total = 0;
  tpn::for_each_order(problem.application, [&](const tpn::StageOrder& order) {
    total += kOrder + Count(problem, mapping_class, order).of(0, processors);
    return total <= kMostMappings;
  });
  return total;
}

std::string none_shorter(const std::string& class_name, const tpn::Document& problem) {
  const tpn::Application& application = problem.application;
  std::string_view orders;
  if (!tpn::is_chain(application))
    orders = tpn::may_be_reordered(application)
                 ? ", whatever the order of the stages, where transfers are served by sender, then by receiver"
                 : " with the stages in this order, where transfers are served by sender, then by receiver";
  return fmt::format("No {} mapping{} has a shorter period{}: all were tried or ruled out.", class_name,
                     plan::MappingClaim(plan::Prover::loads, plan::freedoms_of(problem)).without(), orders);
}

Result map_by_exhaustive(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const std::string& class_name = settings.text("class");
  const std::size_t stages = problem.document().application.stages.size();
  const std::size_t processors = problem.document().platform.processors.size();
  const MappingClass mapping_class = class_of(class_name);
  if (mapping_class == MappingClass::one_to_one && stages > processors) {
    return Infeasible{
        fmt::format("there are {} stages and {} processors, and one-to-one mappings need one processor per stage",
                    stages, processors)};
  }
  if (!settings.deadline.time() && count_mappings(problem.document(), mapping_class) > kMostMappings) {
    return LimitMet{
        fmt::format("there are more than {} {} mappings, and no more are tried; a time limit gives the best of those "
                    "seen",
                    kMostMappings, class_name)};
  }
  require_amounts(problem);
  const Rational lower_bound = period_lower_bound(problem, *settings.model, settings.deadline.after_part(1, 8));
  AllOrders search(problem, settings, lower_bound);
  search.run();
  log.tables.push_back(search.improvements());
  log.improvements = search.progress();
  if (search.beyond_limits() > 0) {
    log.notes.push_back(
        fmt::format("{} mappings were left out: their nets are too large to evaluate.", search.beyond_limits()));
  }
  if (search.best()) {
    if (!search.cut_short() && search.beyond_limits() == 0)
      log.notes.push_back(none_shorter(class_name, problem.document()));
    log.notes.push_back(bound_note(problem.document(), *settings.model, search.period(), lower_bound));
    return Proposal{*search.best(), search.period(), search.cut_short(), lower_bound, search.order()};
  }
  if (search.cut_short()) return out_of_time();
  return Infeasible{
      fmt::format("every {} mapping needs a link that the platform lacks{}", class_name,
                  problem.absent_times() == nullptr ? "" : ", or has a stage on a processor that does not run it")};
}

}  // namespace

Heuristic exhaustive() {
  return {.name = "exhaustive",
          .summary = "branch and bound over all mappings of a class",
          .mapping_class = MappingClass::replicated,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::evaluation,
          .takes = {.workflows = true, .shared_resources = true, .several_ends = true, .segments = true},
          .communication = "as the model has it",
          .optimality = "least exact period of its class",
          .cost = "exponential; at most 20 million mappings without a time limit",
          .source = "takt",
          .is_quick = false,
          .options = {{.name = "class",
                       .help = "class of mappings to search",
                       .standard = std::string("interval"),
                       .choices = {"one-to-one", "interval", "replicated"}}},
          .map = map_by_exhaustive};
}

}  // namespace takt::heuristics
