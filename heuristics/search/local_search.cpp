// Elites, rounds and descents.
#include "heuristics/search/local_search.hpp"

#include <algorithm>
#include <array>
#include <boost/random/uniform_int_distribution.hpp>
#include <chrono>
#include <numeric>
#include <utility>

#include "heuristics/common/mapping_words.hpp"

namespace takt::heuristics {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;
using evaluators::Period;

namespace {

// Of one evaluation: some hundred microseconds.
constexpr std::uint64_t kMostOperations = 10'000;
// Random changes between descents, at first; and draws until one of them is valid.
constexpr std::size_t kFirstDisturbances = 4;
constexpr std::size_t kMostDisturbances = 10;
constexpr std::size_t kDraws = 50;
// The same until one is cheaper.
constexpr std::size_t kCheaperDraws = 200;
// A descent whose first part ends farther from where it began goes no further.
const Rational kNear = Rational::fraction(21, 20);
// Starts that are searched on.
constexpr std::size_t kMostElites = 5;
// One in this number of perturbations is a rebuild.
constexpr std::size_t kRebuildEvery = 3;

std::size_t places(const tpn::Mapping& mapping, std::size_t processors) {
  return std::accumulate(mapping.begin(), mapping.end(), processors,
                         [](std::size_t sum, const tpn::Part& part) { return sum + part.processors.size(); });
}

}  // namespace

LocalSearch::LocalSearch(const tpn::ProblemView& problem, const Settings& settings, std::span<const SearchStart> starts,
                         const Rational& lower_bound, std::optional<PriceGoal> goal)
    : problem_(problem.document()),
      links_(problem),
      model_(*settings.model),
      deadline_(settings.deadline),
      until_(deadline_),
      uses_all_time_(settings.uses_all_time && settings.deadline.time()),
      may_repeat_(settings.flag("weighted")),
      restarts_(settings.count("restarts")),
      goal_(std::move(goal)),
      placement_(problem),
      lower_bound_(lower_bound),
      loads_(Loads::make(problem)),
      evaluator_(problem, {.operations = kMostOperations}),
      engine_(settings.seed),
      best_{starts.front().mapping, starts.front().period},
      progress_{{0, starts.front().period}} {
  if (!uses_all_time_) most_moves_ = settings.count("moves");
  if (goal_) best_.cost = goal_->cost_of(best_.mapping);
  if (loads_ && may_repeat_) dealer_.emplace(problem_, *loads_, model_);
  for (const SearchStart& start : starts) {
    if (elites_.size() < kMostElites && !is_over()) add_start(start);
  }
}

// As it is, or with shorter sequences where those are too long to search on.
void LocalSearch::add_start(const SearchStart& start) {
  EvaluatedMapping point{start.mapping, start.period};
  if (goal_) point.cost = goal_->cost_of(point.mapping);
  if (is_better(point, best_)) best_ = point;
  const std::size_t processors = problem_.platform.processors.size();
  if (dealer_) {
    candidate_ = start.mapping;
    for (std::size_t i = 0; i < candidate_.size(); ++i) {
      const auto& sequence = candidate_[i].processors;
      if (sequence.size() <= std::max(processors, TurnDealer::kMostDealt)) continue;
      dealer_->deal(candidate_, i, group_of(sequence), 0, point.period);
    }
    if (candidate_ != start.mapping && is_valid(candidate_)) {
      ++evaluated_;
      const auto evaluation = evaluator_.evaluate(candidate_, model_);
      if (evaluation.answer != MappingAnswer::exact) return;
      if (goal_) candidate_cost_ = goal_->cost_of(candidate_);
      if (is_better(evaluation.lower, candidate_cost_, best_)) record("new turns", candidate_, evaluation.lower);
      point = {candidate_, evaluation.lower, 0, candidate_cost_};
    }
  }
  if (places(point.mapping, processors) > kMostPlaces) return;
  const bool is_new =
      std::ranges::none_of(elites_, [&](const Elite& elite) { return elite.point.mapping == point.mapping; });
  if (is_new) elites_.push_back({std::move(point)});
}

void LocalSearch::run() {
  if (elites_.empty() || is_over()) return;
  order_.push_back(Neighborhood::single_turns);
  if (dealer_) order_.push_back(Neighborhood::rebuilds);
  if (may_repeat_) order_.push_back(Neighborhood::all);
  for (std::size_t k = 0; k < order_.size(); ++k) {
    // What makes mappings cheap may be in any neighborhood.
    if (goal_ && most_moves_) moves_until_ = *most_moves_ * (k + 1) / order_.size();
    settle_all(order_[k], static_cast<int>(2 * (order_.size() - k)));
    if (order_[k] != Neighborhood::rebuilds) round(order_[k], static_cast<int>(2 * (order_.size() - k)));
  }
  until_ = deadline_;
  moves_until_.reset();
  // What follows is more than it does without a deadline.
  const bool was_cut_short = cut_short_;
  while (uses_all_time_ && restarts_ > 0 && !is_over()) {
    Elite& one = elites_[below(elites_.size())];
    Elite& other = elites_[below(elites_.size())];
    go_on(is_better(one.point, other.point) ? one : other);
  }
  cut_short_ = was_cut_short;
}

// Where all time is used, a part of what is left; else what is begun is ended.
evaluators::Deadline LocalSearch::share(int divisor) const {
  return uses_all_time_ ? deadline_.after_part(1, divisor) : deadline_;
}

// All starts, in a part of the time.
void LocalSearch::settle_all(Neighborhood neighborhood, int part) {
  auto left = part * static_cast<int>(elites_.size());
  for (Elite& elite : elites_) {
    until_ = share(left--);
    settle(elite, neighborhood);
  }
}

// A larger disturbance, then a descent through some of the neighborhoods, unless the first leads nowhere near.
void LocalSearch::go_on(Elite& elite) {
  EvaluatedMapping next = elite.point;
  const Rational near = elite.point.period.rational() * kNear;
  neighborhood_ = order_[below(order_.size())];
  disturb(next, 1 + below(kMostDisturbances));
  const std::size_t depth = 1 + below(order_.size());
  for (std::size_t k = 0; k < depth && (k == 0 || next.period <= near); ++k) {
    neighborhood_ = order_[k];
    descend(next);
  }
  if (!is_better(elite.point, next)) elite = {std::move(next), {}};
}

void LocalSearch::settle(Elite& elite, Neighborhood neighborhood) {
  if (std::ranges::find(elite.searched, neighborhood) != elite.searched.end()) return;
  neighborhood_ = neighborhood;
  const tpn::Mapping before = elite.point.mapping;
  descend(elite.point);
  if (elite.point.mapping != before) elite.searched.clear();
  if (!is_phase_over()) elite.searched.push_back(neighborhood);
}

// Descents from the best, disturbed, and from others every other time, until `restarts` of them in a row have found
// nothing better, in a part of the time.
void LocalSearch::round(Neighborhood neighborhood, int part) {
  until_ = share(part);
  for (std::uint64_t in_vain = 0; in_vain < restarts_ && !is_over(); ++in_vain) {
    if (uses_all_time_ && evaluators::has_passed(until_)) return;
    if (moves_until_ && *moves_until_ <= tried_) return;
    const auto better = [&](const Elite& one, const Elite& other) { return is_better(one.point, other.point); };
    Elite& elite = in_vain % 2 == 0 ? *std::ranges::min_element(elites_, better) : elites_[below(elites_.size())];
    settle(elite, neighborhood);
    const Period period = best_.period;
    const Integer cost = best_.cost;
    EvaluatedMapping next = elite.point;
    disturb(next, kFirstDisturbances);
    descend(next);
    if (!is_better(elite.point, next)) elite = {std::move(next), {neighborhood}};
    if (is_better(best_.period, best_.cost, {{}, period, 0, cost})) in_vain = 0;
  }
}

bool LocalSearch::is_over() {
  if (cannot_improve() || has_tried_all_it_may()) return true;
  cut_short_ = cut_short_ || evaluators::has_passed(deadline_);
  return cut_short_;
}

bool LocalSearch::is_phase_over() const {
  return evaluators::has_passed(until_) || (moves_until_ && *moves_until_ <= tried_);
}

std::size_t LocalSearch::below(std::size_t bound) {
  return boost::random::uniform_int_distribution<std::size_t>(0, bound - 1)(engine_);
}

void LocalSearch::list(const tpn::Mapping& mapping) {
  moves_.clear();
  rebuilds_.clear();
  if (neighborhood_ != Neighborhood::rebuilds) {
    const bool repeated = neighborhood_ == Neighborhood::all;
    list_moves(mapping, problem_.platform.processors.size(),
               repeated ? RepeatedProcessors::allowed : RepeatedProcessors::none, moves_);
  }
  if (neighborhood_ != Neighborhood::single_turns && dealer_) dealer_->list(mapping, rebuilds_);
  changes_.resize(moves_.size() + rebuilds_.size());
  std::iota(changes_.begin(), changes_.end(), std::uint32_t{0});
}

// Takes good changes until there is none. Those from `left` on were tried since the last one.
void LocalSearch::descend(EvaluatedMapping& point) {
  list(point.mapping);
  set_pressure(point);
  for (std::size_t left = changes_.size(); left > 0 && !is_over() && !is_phase_over();) {
    std::swap(changes_[below(left)], changes_[left - 1]);
    const std::uint32_t change = changes_[--left];
    const auto period = try_change(change, point);
    if (!period) continue;
    accept(change, point, *period);
    list(point.mapping);
    set_pressure(point);
    left = changes_.size();
  }
}

void LocalSearch::set_pressure(EvaluatedMapping& point) {
  if (loads_) point.pressure = loads_->pressure(point.mapping, model_, point.period).value();
}

// Into candidate_.
void LocalSearch::make(std::uint32_t change, const EvaluatedMapping& point) {
  if (change < moves_.size()) return apply(moves_[change], point.mapping, candidate_);
  dealer_->apply(rebuilds_[change - moves_.size()], point.mapping, point.period, candidate_);
}

// The period after a change, with the mapping in candidate_, if it is a good one.
std::optional<Period> LocalSearch::try_change(std::uint32_t change, const EvaluatedMapping& point) {
  ++tried_;
  make(change, point);
  if (!is_valid(candidate_)) return std::nullopt;
  const std::optional<Aim> aim = aim_of(point);
  if (!aim) return std::nullopt;
  bool relieves = aim->is_cheaper;
  if (loads_) {
    const auto pressure = loads_->pressure(candidate_, model_, aim->period);
    if (!pressure) return std::nullopt;
    relieves = relieves || *pressure < point.pressure;
  }
  ++evaluated_;
  const CutoffAt beyond = relieves ? CutoffAt::above : CutoffAt::reached;
  const auto evaluation = evaluator_.evaluate(candidate_, model_, {aim->period, beyond});
  if (evaluation.answer != MappingAnswer::exact || evaluation.lower > aim->period) return std::nullopt;
  if (evaluation.lower == aim->period && !relieves) return std::nullopt;
  return evaluation.lower;
}

// Of a change of the point to candidate_, whose cost it notes; nothing if it is too dear, whatever its period.
std::optional<LocalSearch::Aim> LocalSearch::aim_of(const EvaluatedMapping& point) {
  if (!goal_) return Aim{point.period};
  candidate_cost_ = goal_->cost_of(candidate_);
  if (!goal_->is_within(point.period)) {
    if (goal_->is_within(best_.period) && candidate_cost_ >= best_.cost) return std::nullopt;
    return Aim{point.period};
  }
  if (candidate_cost_ > point.cost) return std::nullopt;
  if (candidate_cost_ < point.cost) return Aim{goal_->period(), true};
  return Aim{point.period};
}

bool LocalSearch::is_better(const Period& period, const Integer& cost, const EvaluatedMapping& than) const {
  if (!goal_ || !goal_->is_within(period)) return period < than.period;
  if (!goal_->is_within(than.period) || cost < than.cost) return true;
  return cost == than.cost && period < than.period;
}

bool LocalSearch::is_better(const EvaluatedMapping& point, const EvaluatedMapping& than) const {
  return is_better(point.period, point.cost, than);
}

// Up to `most` valid changes, good or bad; then, with a goal, to something cheaper than the best.
void LocalSearch::disturb(EvaluatedMapping& point, std::size_t most) {
  const std::size_t count = 1 + below(most);
  for (std::size_t step = 0; step < count; ++step) {
    list(point.mapping);
    if (changes_.empty()) return;
    const bool rebuilds = !rebuilds_.empty() && below(kRebuildEvery) == 0;
    const std::size_t first = rebuilds ? moves_.size() : 0;
    const std::size_t last = rebuilds || moves_.empty() ? changes_.size() : moves_.size();
    for (std::size_t draw = 0; draw < kDraws && !is_over(); ++draw) {
      const std::uint32_t change = changes_[first + below(last - first)];
      make(change, point);
      if (!is_valid(candidate_)) continue;
      ++evaluated_;
      const auto evaluation = evaluator_.evaluate(candidate_, model_);
      if (evaluation.answer != MappingAnswer::exact) continue;
      accept(change, point, evaluation.lower);
      break;
    }
  }
  if (!goal_ || !goal_->is_within(best_.period)) return;
  if (!goal_->is_within(point.period) || below(2) == 0) cheapen(point);
}

// Makes the point candidate_.
void LocalSearch::accept(std::uint32_t change, EvaluatedMapping& point, const Period& period) {
  if (goal_) candidate_cost_ = goal_->cost_of(candidate_);
  if (is_better(period, candidate_cost_, best_)) record(in_words(change, point.mapping), candidate_, period);
  point.mapping.swap(candidate_);
  point.period = period;
  point.cost = candidate_cost_;
}

// Random changes, each to something cheaper, until it is cheaper than the best.
void LocalSearch::cheapen(EvaluatedMapping& point) {
  while (point.cost >= best_.cost) {
    list(point.mapping);
    bool is_cheaper = false;
    for (std::size_t draw = 0; draw < kCheaperDraws && !is_cheaper && !changes_.empty() && !is_over(); ++draw) {
      const std::uint32_t change = changes_[below(changes_.size())];
      make(change, point);
      if (goal_->cost_of(candidate_) >= point.cost || !is_valid(candidate_)) continue;
      ++evaluated_;
      const auto evaluation = evaluator_.evaluate(candidate_, model_);
      is_cheaper = evaluation.answer == MappingAnswer::exact;
      if (is_cheaper) accept(change, point, evaluation.lower);
    }
    if (!is_cheaper) return;
  }
}

bool LocalSearch::is_valid(const tpn::Mapping& mapping) {
  // From where stages are on processors that do not run them prohibitive times lead away.
  const bool may_run = placement_.let_run(mapping) || !placement_.let_run(best_.mapping);
  return may_run && placement_.allow_but_for_runs(mapping) && links_.hold(mapping);
}

std::string LocalSearch::in_words(std::uint32_t change, const tpn::Mapping& mapping) const {
  if (change < moves_.size()) return heuristics::in_words(moves_[change], mapping, problem_);
  return dealer_->in_words(rebuilds_[change - moves_.size()], mapping);
}

void LocalSearch::record(std::string change, const tpn::Mapping& mapping, const Period& period) {
  improvements_.rows.push_back({std::move(change), time_in_words(problem_, best_.period.rational()),
                                time_in_words(problem_, period.rational())});
  progress_.push_back({tried_, period.rational()});
  best_.mapping = mapping;
  best_.period = period;
  best_.cost = candidate_cost_;
}

}  // namespace takt::heuristics
