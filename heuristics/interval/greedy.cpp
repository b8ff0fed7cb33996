// greedy: deals the stages to the fastest processors in proportion to their speeds. A baseline.
//
// Problem. An interval mapping, one processor per interval, the largest cycle time small.
//
// Method. Benoit and Robert compare with a greedy mapping in their extended version; the paper at hand does not define
// it, so this definition is ours. Take the min(n, p) fastest processors in the order of their speeds, ties by index. A
// processor's share of the work is its speed over the sum of theirs, a cut's target the sum of the shares before it.
// From left to right, each processor takes stages up to the cut whose work before it is nearest to the target, of two
// equally near the later; one whose target is nearest to what is dealt already takes none; the last one takes the rest.
// "Speed" is the inverse of the time for the whole chain, so that processors with a fixed time have one; where stages
// have times of their own, the work of one is the mean of what it takes on all processors. If the
// fastest takes no time for it, it gets all stages. Communication does not count, except that a processor that lacks a
// link from the one before, from the source or to the sink is passed over; what is left at the end goes to the last
// part.
//
// Where stages run on some processors only, the order of speeds yields: each cut's next processor is the fastest of
// those left that run the next stage, and takes no stage that it does not run. A processor's speed is then that on the
// stages that it runs, compared with the mean over the processors that run them.
//
// Invariant. The parts' processors are in the order of speeds, where all run all stages. No more is claimed.
//
// Cost. O(p log p + n min(n, p)).
//
// References. [benoit2007mapping], section 5, mentions it.
#include <algorithm>

#include "heuristics/common/mapping_words.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/interval/costs.hpp"
#include "maxplus/decimal.hpp"

namespace takt::heuristics {

namespace {

Rational distance(const Rational& a, const Rational& b) { return a < b ? b - a : a - b; }

// Stages to processors of which each runs some only.
class DealingToRunners {
 public:
  DealingToRunners(const IntervalCosts& costs, const tpn::AbsentTimes& absent)
      : costs_(costs), absent_(absent), is_free_(costs.processors(), true) {
    for (std::size_t k = 0; k < costs.stages(); ++k) works_.push_back(works_.back() + mean_time(k));
    for (std::size_t u = 0; u < costs.processors(); ++u) speeds_.push_back(speed(u));
    std::vector<Rational> fastest = speeds_;
    std::ranges::sort(fastest, std::ranges::greater{});
    fastest.resize(std::min(costs.stages(), costs.processors()));
    for (const Rational& one : fastest) total_ += one;
  }

  tpn::Mapping deal(LogTable& table) {
    Rational share;
    std::size_t first = 0;
    while (first < costs_.stages()) {
      const auto u = next(first);
      if (!u) return {};
      share += speeds_[*u];
      const Rational target = works_.back() * std::min(share / total_, Rational(1));
      const std::size_t cut = nearest_cut(first, *u, target);
      if (cut == first) return {};
      table.rows.push_back({processor_name(costs_.problem(), *u), decimal(target),
                            stages_in_words(costs_.problem(), first, cut - 1), decimal(works_[cut])});
      mapping_.push_back(part_of({first, cut - 1}, *u));
      is_free_[*u] = false;
      first = cut;
    }
    return mapping_;
  }

 private:
  Rational time(std::size_t stage, std::size_t u) const { return costs_.computation({stage, stage}, u); }

  Rational mean_time(std::size_t stage) const {
    Rational sum;
    std::size_t runners = 0;
    for (std::size_t u = 0; u < costs_.processors(); ++u) {
      if (!absent_.can_run(stage, stage, u)) continue;
      sum += time(stage, u);
      ++runners;
    }
    return sum / Rational(runners);
  }

  Rational speed(std::size_t u) const {
    Rational mean;
    Rational own;
    for (std::size_t k = 0; k < costs_.stages(); ++k) {
      if (!absent_.can_run(k, k, u)) continue;
      mean += works_[k + 1] - works_[k];
      own += time(k, u);
    }
    return own.sign() == 0 ? Rational(1) : mean / own;
  }

  // The fastest, ties by index.
  std::optional<std::size_t> next(std::size_t stage) const {
    std::optional<std::size_t> found;
    for (std::size_t u = 0; u < costs_.processors(); ++u) {
      if (!is_free_[u] || !absent_.can_run(stage, stage, u)) continue;
      const bool is_linked =
          mapping_.empty() ? costs_.linked_to_source(u) : costs_.linked(mapping_.back().processors.front(), u);
      if (is_linked && (!found || speeds_[u] > speeds_[*found])) found = u;
    }
    return found;
  }

  // At least one stage, and the last one only where the processor is linked to the sink; `first` if there is none.
  std::size_t nearest_cut(std::size_t first, std::size_t u, const Rational& target) const {
    std::size_t end = absent_.end_of_run(first, u);
    if (end == costs_.stages() && !costs_.linked_to_sink(u)) --end;
    if (end <= first) return first;
    std::size_t nearest = first + 1;
    for (std::size_t cut = first + 2; cut <= end; ++cut) {
      if (distance(works_[cut], target) <= distance(works_[nearest], target)) nearest = cut;
    }
    return nearest;
  }

  const IntervalCosts& costs_;
  const tpn::AbsentTimes& absent_;
  std::vector<Rational> works_{Rational()};  // mean times by stage, of all stages before
  std::vector<Rational> speeds_;             // by processor
  Rational total_;                           // of the fastest that may be needed
  std::vector<bool> is_free_;
  tpn::Mapping mapping_;
};

class Dealing {
 public:
  explicit Dealing(const IntervalCosts& costs) : costs_(costs) {
    add_works();
    order_ = fastest_first(costs.times(), 1);
    order_.resize(std::min(costs.stages(), costs.processors()));
    if (chain_time(order_.front()).sign() == 0) order_.resize(1);
    for (const std::size_t u : order_) total_ += speed(u);
  }

  tpn::Mapping deal(LogTable& table) {
    Rational share;
    for (const std::size_t u : order_) {
      share += speed(u);
      const Rational target =
          u == order_.back() ? work_before(costs_.stages()) : work_before(costs_.stages()) * share / total_;
      const std::size_t before = first_;
      if (can_follow(u)) give(u, u == order_.back() ? costs_.stages() : nearest_cut(target));
      table.rows.push_back({processor_name(costs_.problem(), u), decimal(target),
                            before == first_ ? "" : stages_in_words(costs_.problem(), before, first_ - 1),
                            decimal(work_before(first_))});
    }
    if (first_ < costs_.stages() && !mapping_.empty() && costs_.linked_to_sink(mapping_.back().processors.front())) {
      mapping_.back().last_stage = costs_.stages() - 1;
      first_ = costs_.stages();
    }
    return first_ == costs_.stages() ? mapping_ : tpn::Mapping{};
  }

 private:
  void add_works() {
    const ComputationTimes& times = costs_.times();
    const auto& processors = costs_.problem().platform.processors;
    const bool with_speed =
        std::ranges::any_of(processors, [](const auto& processor) { return bool{processor.speed}; });
    for (std::size_t k = 0; k <= costs_.stages(); ++k) {
      Rational& work = works_.emplace_back();
      if (times.are_by_work()) {
        if (with_speed) work = times.work_before(k);
        continue;
      }
      for (std::size_t u = 0; u < processors.size(); ++u) work += times.before(k, u);
      work /= Rational(processors.size());
    }
  }

  const Rational& work_before(std::size_t stage) const { return works_[stage]; }
  Rational chain_time(std::size_t u) const { return costs_.computation({0, costs_.stages() - 1}, u); }
  // One processor alone may take no time; then its speed does not count.
  Rational speed(std::size_t u) const {
    const Rational time = chain_time(u);
    return time.sign() == 0 ? Rational(1) : Rational(1) / time;
  }

  bool can_follow(std::size_t u) const {
    if (mapping_.empty()) return costs_.linked_to_source(u);
    return costs_.linked(mapping_.back().processors.front(), u);
  }

  // The first stage behind the cut.
  std::size_t nearest_cut(const Rational& target) const {
    std::size_t nearest = first_;
    for (std::size_t cut = first_ + 1; cut <= costs_.stages(); ++cut) {
      if (distance(work_before(cut), target) <= distance(work_before(nearest), target)) nearest = cut;
    }
    return nearest;
  }

  void give(std::size_t u, std::size_t cut) {
    if (cut == costs_.stages() && !costs_.linked_to_sink(u)) --cut;
    if (cut <= first_) return;
    mapping_.push_back(part_of({first_, cut - 1}, u));
    first_ = cut;
  }

  const IntervalCosts& costs_;
  std::vector<Rational> works_;     // by stage, of all stages before
  std::vector<std::size_t> order_;  // fastest first
  Rational total_;                  // of their speeds
  tpn::Mapping mapping_;
  std::size_t first_ = 0;  // stage not yet dealt
};

Result map_by_greedy(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  const IntervalCosts costs(problem, *settings.model);
  LogTable table{"Stages dealt", {"processor", "target", "takes", "work dealt"}, {}};
  const tpn::AbsentTimes* const absent = problem.absent_times();
  const tpn::Mapping mapping =
      absent == nullptr ? Dealing(costs).deal(table) : DealingToRunners(costs, *absent).deal(table);
  log.tables.push_back(std::move(table));
  if (mapping.empty() && absent != nullptr) {
    return Infeasible{"no processor that is left runs the next stage and has a link from the one before"};
  }
  if (mapping.empty()) return Infeasible{"the fastest processors lack the links to follow one another"};
  return Proposal{mapping, costs.period(mapping)};
}

}  // namespace

Heuristic greedy() {
  return {.name = "greedy",
          .summary = "stages on the fastest processors, in proportion to their speeds",
          .mapping_class = MappingClass::interval,
          .model = tpn::Model::kStrict,
          .model_use = ModelUse::cycle_times,
          .takes = {.workflows = true, .shared_resources = true, .several_ends = true, .segments = true},
          .communication = "none counts in the mapping, one-port in the prediction",
          .optimality = "none, a baseline",
          .cost = "O(p log p + n min(n, p))",
          .source = "takt; benoit2007mapping, section 5, mentions one",
          .map = map_by_greedy};
}

}  // namespace takt::heuristics
