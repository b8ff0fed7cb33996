// Candidates, each judged by nets.
#include "tools/plan/wider_limits.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <variant>

#include "evaluators/insight/latency.hpp"
#include "plan/catalogue.hpp"
#include "tpn/absent_times.hpp"
#include "tpn/errors.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/hosts.hpp"
#include "tpn/timing.hpp"
#include "tpn/validate.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

// What failures leave is evaluated for so many sets of machines at most.
constexpr std::size_t kMostFailureSets = 2000;

using StandBys = std::vector<std::vector<std::size_t>>;  // by part, the first processor of each machine

class LimitJudge {
 public:
  LimitJudge(const PlanWish& wish, std::uint64_t failures, const evaluators::Deadline& deadline)
      : period_(wish.planned_period()), latency_(wish.latency), failures_(failures), deadline_(deadline) {}

  // Whether the mapping keeps all; fills in what it keeps, and what stands by.
  bool keeps(WiderFindings& findings) {
    const tpn::Document& mapped = *findings.mapped;
    if (latency_) {
      findings.latency = least_latency_of(mapped);
      if (!findings.latency || *findings.latency > *latency_) return false;
    }
    if (failures_ == 0) return true;
    machines_ = tpn::machines_of(mapped.platform);
    const auto standing_by = stand_bys(mapped);
    if (!standing_by) return false;
    const auto kept = worst_period(mapped, *standing_by);
    if (!kept || *kept > period_) return false;
    findings.kept_period = kept;
    take_stand_bys(findings, *standing_by);
    return true;
  }

  bool is_cut_short() const { return is_cut_short_; }

 private:
  std::optional<Rational> least_latency_of(const tpn::Document& mapped) {
    const auto folded = tpn::fold(mapped, *mapped.model, deadline_);
    const auto* net = std::get_if<tpn::FoldedNet>(&folded);
    if (net == nullptr) return cut_short();
    const auto least = evaluators::least_latency(*net, std::max(period_, *mapped.predicted_period), deadline_);
    const auto* found = std::get_if<evaluators::LeastLatency>(&least);
    return found != nullptr ? std::optional(found->value) : cut_short();
  }

  std::optional<Rational> cut_short() {
    is_cut_short_ = true;
    return std::nullopt;
  }

  bool must_stand_by(const tpn::Document& mapped, std::size_t part) const {
    const tpn::Part& its = (*mapped.mapping)[part];
    const auto& stages = mapped.application.stages;
    std::set<std::size_t> hosts;
    for (const std::size_t p : its.processors) hosts.insert(machines_[p]);
    return hosts.size() <= failures_ || std::any_of(stages.begin() + static_cast<std::ptrdiff_t>(its.first_stage),
                                                    stages.begin() + static_cast<std::ptrdiff_t>(its.last_stage + 1),
                                                    [](const tpn::Stage& stage) { return !stage.replicable; });
  }

  // For each part that needs some, the cheapest machines that are free and keep the period in its place.
  std::optional<StandBys> stand_bys(const tpn::Document& mapped) {
    const auto& processors = mapped.platform.processors;
    std::set<std::size_t> taken;
    for (const tpn::Part& part : *mapped.mapping)
      for (const std::size_t p : part.processors) taken.insert(machines_[p]);
    std::vector<std::size_t> free;
    for (std::size_t p = 0; p < processors.size(); ++p) {
      if (machines_[p] == p && !taken.contains(p)) free.push_back(p);
    }
    std::ranges::stable_sort(free, {}, [&](std::size_t p) { return processors[p].price; });
    StandBys result(mapped.mapping->size());
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (!must_stand_by(mapped, i)) continue;
      for (const std::size_t p : free) {
        if (result[i].size() == failures_) break;
        tpn::Document tried = mapped;
        (*tried.mapping)[i].processors = {p};
        const auto period = period_of(tried);
        if (period && *period <= period_) result[i].push_back(p);
        if (deadline_.has_passed()) return std::nullopt;
      }
      if (result[i].size() < failures_) return std::nullopt;
      std::erase_if(free, [&](std::size_t p) { return std::ranges::find(result[i], p) != result[i].end(); });
    }
    return result;
  }

  // Nothing if the mapping is none, or a limit was reached.
  std::optional<Rational> period_of(const tpn::Document& mapped) {
    try {
      tpn::validate_mapping(mapped, *mapped.mapping);
    } catch (const tpn::InvalidInstance&) {
      return std::nullopt;
    }
    auto period = exact_period(mapped, deadline_);
    if (!period) is_cut_short_ = true;
    return period;
  }

  // The longest period after any so many machines have failed; nothing if some part stops.
  std::optional<Rational> worst_period(const tpn::Document& mapped, const StandBys& standing_by) {
    std::set<std::size_t> used;
    for (const tpn::Part& part : *mapped.mapping)
      for (const std::size_t p : part.processors) used.insert(machines_[p]);
    const std::vector<std::size_t> all(used.begin(), used.end());
    Rational longest = *mapped.predicted_period;
    std::size_t sets = 0;
    std::vector<std::size_t> failed;
    bool holds = true;
    // All sets of at most so many machines of the plan: those that stand by may be the others.
    const std::function<void(std::size_t)> fail = [&](std::size_t next) {
      if (!holds) return;
      if (!failed.empty()) {
        if (++sets > kMostFailureSets || deadline_.has_passed()) {
          is_cut_short_ = true;
          holds = false;
          return;
        }
        const auto left = period_without(mapped, failed, standing_by);
        holds = left.has_value();
        if (left) longest = std::max(longest, *left);
      }
      if (failed.size() == failures_) return;
      for (std::size_t k = next; k < all.size() && holds; ++k) {
        failed.push_back(all[k]);
        fail(k + 1);
        failed.pop_back();
      }
    };
    fail(0);
    return holds ? std::optional(longest) : std::nullopt;
  }

  // With the slowest of the machines that may take a part over.
  std::optional<Rational> period_without(const tpn::Document& mapped, const std::vector<std::size_t>& failed,
                                         const StandBys& standing_by) {
    tpn::Document left = mapped;
    std::vector<std::size_t> taken_over;
    for (std::size_t i = 0; i < left.mapping->size(); ++i) {
      std::vector<std::size_t>& turns = (*left.mapping)[i].processors;
      const std::size_t removed =
          std::erase_if(turns, [&](std::size_t p) { return std::ranges::find(failed, machines_[p]) != failed.end(); });
      if (removed == 0 || (standing_by[i].empty() && !turns.empty())) continue;
      if (standing_by[i].empty()) return std::nullopt;
      taken_over.push_back(i);
    }
    return longest_of(left, taken_over, standing_by, 0);
  }

  std::optional<Rational> longest_of(tpn::Document& left, const std::vector<std::size_t>& taken_over,
                                     const StandBys& standing_by, std::size_t next) {
    if (next == taken_over.size()) return period_of(left);
    std::optional<Rational> longest;
    for (const std::size_t p : standing_by[taken_over[next]]) {
      (*left.mapping)[taken_over[next]].processors = {p};
      const auto period = longest_of(left, taken_over, standing_by, next + 1);
      if (!period) return std::nullopt;
      if (!longest || *longest < *period) longest = period;
    }
    return longest;
  }

  void take_stand_bys(WiderFindings& findings, const StandBys& standing_by) const {
    const auto& processors = findings.mapped->platform.processors;
    findings.standing_by.assign(standing_by.size(), {});
    for (std::size_t i = 0; i < standing_by.size(); ++i) {
      for (const std::size_t p : standing_by[i]) {
        findings.standing_by[i].emplace_back(tpn::entry_name(processors[p]));
        findings.cost += processors[p].price;
      }
    }
  }

  Rational period_;
  std::optional<Rational> latency_;
  std::uint64_t failures_;
  const evaluators::Deadline& deadline_;
  std::vector<std::size_t> machines_;  // by processor, the first of its machine
  bool is_cut_short_ = false;
};

// Types, or machines with names, from fast to slow, by how much longer a stage takes than on its fastest, at worst.
struct PlacesBySpeed {
  std::vector<std::string> by_speed;
  std::vector<std::string> fastest;  // by stage; empty if no time is known
  Rational least_stay;               // of a data set, each stage on its fastest

  // So many of the fastest, and those that some stage is fastest on.
  std::vector<std::string> first(std::size_t count) const {
    std::vector<std::string> result(by_speed.begin(), by_speed.begin() + static_cast<std::ptrdiff_t>(count));
    for (const std::string& place : fastest) {
      if (!place.empty() && std::ranges::find(result, place) == result.end()) result.push_back(place);
    }
    return result;
  }
};

// By name, how long the stage takes where it may run.
std::map<std::string, Rational> times_of_stage(const tpn::Document& sample, const tpn::Timing& timing,
                                               std::size_t stage, bool is_catalogue) {
  std::map<std::string, Rational> times;
  for (std::size_t p = 0; p < sample.platform.processors.size(); p += is_catalogue ? 2 : 1) {
    const tpn::Processor& here = sample.platform.processors[p];
    const bool is_fixed = here.time.has_value();
    if (is_fixed || !tpn::is_let_run(sample.application.stages[stage], sample.platform, p)) continue;
    if (const auto time = timing.stage_time(stage, p))
      times.emplace(is_catalogue ? here.name : std::string(tpn::entry_name(here)), *time);
  }
  return times;
}

PlacesBySpeed places_of(const tpn::Document& problem) {
  const bool is_catalogue = problem.platform.is_catalogue();
  const tpn::Document sample = is_catalogue ? plan::two_of_each_type(problem) : problem;
  const tpn::Timing timing(sample);
  PlacesBySpeed result;
  std::map<std::string, Rational> slowness;
  std::vector<Rational> stays;  // the least in mappings of each sort
  // Whatever has a time of its own takes that for all of a part, and a data set passes one part at least.
  for (const tpn::Processor& processor : sample.platform.processors) {
    if (processor.time) stays.push_back(*processor.time);
  }
  Rational by_stages;
  bool is_left_out = false;
  for (std::size_t k = 0; k < sample.application.stages.size(); ++k) {
    const std::map<std::string, Rational> times = times_of_stage(sample, timing, k, is_catalogue);
    const auto best = std::ranges::min_element(times, {}, [](const auto& entry) { return entry.second; });
    result.fastest.push_back(best == times.end() ? std::string() : best->first);
    is_left_out = is_left_out || best == times.end();
    if (best == times.end()) continue;
    by_stages += best->second;
    for (const auto& [name, time] : times) {
      Rational& worst = slowness[name];
      if (best->second.sign() > 0) worst = std::max(worst, time / best->second);
    }
  }
  if (!is_left_out) stays.push_back(by_stages);
  if (!stays.empty()) result.least_stay = *std::ranges::min_element(stays);
  std::vector<std::pair<Rational, std::string>> order;
  order.reserve(slowness.size());
  for (const auto& [name, worst] : slowness) order.emplace_back(worst, name);
  std::ranges::sort(order);
  for (auto& [worst, name] : order) result.by_speed.push_back(std::move(name));
  return result;
}

}  // namespace

std::optional<tpn::Document> restricted(const tpn::Document& problem, const std::vector<std::string>& places) {
  tpn::Document result = problem;
  const auto& processors = problem.platform.processors;
  for (std::size_t k = 0; k < result.application.stages.size(); ++k) {
    std::set<std::string> kept;
    for (std::size_t p = 0; p < processors.size(); ++p) {
      const std::string name(tpn::entry_name(processors[p]));
      const bool is_place = std::ranges::find(places, name) != places.end();
      if (is_place && tpn::is_let_run(problem.application.stages[k], problem.platform, p)) kept.insert(name);
    }
    if (kept.empty()) return std::nullopt;
    result.application.stages[k].runs_on.assign(kept.begin(), kept.end());
  }
  try {
    tpn::validate(result);
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;
  }
  return result;
}

namespace {

// All machines or types, then fewer and fewer of the fastest where latency is limited.
std::vector<std::vector<std::string>> place_choices(const PlacesBySpeed& places, bool limits_latency) {
  constexpr std::array<std::size_t, 7> kShares = {7, 6, 5, 4, 3, 2, 1};  // eighths of the machines, or types
  std::vector<std::vector<std::string>> choices = {{}};
  if (!limits_latency) return choices;
  const std::size_t all = places.by_speed.size();
  if (all == 0) return choices;
  for (const std::size_t share : kShares) {
    std::vector<std::string> fewer = places.first(std::max<std::size_t>(1, all * share / 8));
    if (fewer.size() < all && fewer != choices.back()) choices.push_back(std::move(fewer));
  }
  return choices;
}

// The cheapest plan found that keeps the limits.
class BestWithinLimits {
 public:
  BestWithinLimits(LimitJudge& judge, const PlanOnPlaces& plan_on, const evaluators::Deadline& deadline)
      : judge_(judge), plan_on_(plan_on), deadline_(deadline) {}

  // Whether these places do for that period; `left` more are to be looked at.
  bool look(const std::vector<std::string>& on, const Rational& at, int left) {
    if (deadline_.has_passed()) {
      is_cut_short_ = true;
      return false;
    }
    WiderFindings found = plan_on_(on, at, deadline_.after_part(1, left + 1));
    if (!found.mapped) return false;
    if (best_ && found.cost >= best_->cost) return true;
    if (!judge_.keeps(found)) return false;
    if (!best_ || found.cost < best_->cost) best_ = std::move(found);
    return true;
  }

  // The cheapest plans of shorter and shorter periods, each faster than the one before, until one does: what a faster
  // rate is answered with is looked at for a slower one as well.
  void quicken(Rational period, int left) {
    constexpr int kSteps = 12;
    Rational step = Rational::fraction(1, 1024);
    for (int k = 0; k < kSteps && period.sign() > 0 && !deadline_.has_passed(); ++k) {
      period *= Rational(1) - step;
      step = std::min(step * 4, Rational::fraction(1, 2));
      WiderFindings found = plan_on_({}, period, deadline_.after_part(1, left + kSteps - k));
      if (!found.mapped) return;
      period = *found.mapped->predicted_period;
      if (!judge_.keeps(found)) continue;
      best_ = std::move(found);
      return;
    }
  }

  // Halved towards the longest period at which the places are enough.
  void halve(const std::vector<std::string>& on, const Rational& period, int periods, int left) {
    Rational low = period / Rational(4);
    Rational high = period;
    for (int k = 0; k < periods; ++k) {
      const Rational middle = (low + high) / Rational(2);
      (look(on, middle, left - k) ? low : high) = middle;
    }
  }

  bool is_cut_short() const { return is_cut_short_; }
  std::optional<WiderFindings> take() { return std::move(best_); }

 private:
  LimitJudge& judge_;
  const PlanOnPlaces& plan_on_;
  const evaluators::Deadline& deadline_;
  std::optional<WiderFindings> best_;
  bool is_cut_short_ = false;
};

}  // namespace

WiderFindings find_within_limits(const tpn::Document& problem, const PlanWish& wish, bool judges_failures,
                                 const PlanOnPlaces& plan_on, const evaluators::Deadline& deadline) {
  constexpr int kPeriods = 5;
  const Rational period = wish.planned_period();
  const std::uint64_t failures = judges_failures ? wish.survive : 0;
  LimitJudge judge(wish, failures, deadline);
  const PlacesBySpeed places = wish.latency ? places_of(problem) : PlacesBySpeed();
  WiderFindings first = plan_on({}, period, deadline.after_part(1, 4));
  if (wish.latency && *wish.latency < places.least_stay) first.least_stay = places.least_stay;
  first.all_may_fail = failures > 0 && failures >= tpn::processor_groups(problem.platform).size();
  if (first.least_stay || first.all_may_fail) first.mapped.reset();
  if (!first.mapped) return first;
  if (judge.keeps(first)) return first;
  BestWithinLimits search(judge, plan_on, deadline);
  const std::vector<std::vector<std::string>> choices = place_choices(places, wish.latency.has_value());
  const int periods = failures > 0 ? kPeriods : 1;
  int left = static_cast<int>(choices.size()) * periods;
  if (failures == 0) search.quicken(*first.mapped->predicted_period, left);
  for (const std::vector<std::string>& on : choices) {
    if (failures > 0) {
      search.halve(on, period, periods, left);
    } else if (!on.empty()) {
      search.look(on, period, left);
    }
    left -= periods;
  }
  std::optional<WiderFindings> best = search.take();
  const bool is_cut_short =
      first.is_cut_short || search.is_cut_short() || judge.is_cut_short() || deadline.has_passed();
  if (!best) {
    first.mapped.reset();
    first.are_limits_missed = true;
    first.is_cut_short = is_cut_short;
    return first;
  }
  // What was proved for the period holds for plans that keep more.
  best->bounds = std::move(first.bounds);
  best->wish = wish;
  best->is_cut_short = is_cut_short;
  return *std::move(best);
}

}  // namespace takt::tools
