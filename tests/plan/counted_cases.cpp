// One case: the answer, its proof, and everything that is cheaper.
#include "tests/plan/counted_cases.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <vector>

#include "plan/counted/counted.hpp"
#include "plan/counted/fastest.hpp"
#include "tests/plan/random_catalogues.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

constexpr std::uint64_t kMostOfUnlimited = 4;
constexpr std::uint64_t kMostInAll = 6;

// The bound that potentials prove, from nothing but themselves.
Rational proved_bound(const Catalogue& catalogue, const CountedQuery& asked, const CountedAnswer& answer) {
  Rational bound = potential_of_end(catalogue, *answer.potentials);
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    if (catalogue.types[t].count) bound -= answer.multipliers[t] * Rational(*catalogue.types[t].count);
  }
  if (asked.latency) bound -= answer.latency_multiplier * *asked.latency;
  return bound;
}

CountedQuery random_question(const tpn::Model& model, support::Draw& draw) {
  CountedQuery asked;
  asked.query.model = model;
  asked.query.period = random_period(draw);
  asked.query.strictly = draw.one_in(6);
  asked.query.all_apart = draw.one_in(10);
  if (draw.one_in(5)) asked.query.spare = 1;
  if (draw.one_in(3)) asked.latency = Rational::fraction(draw.whole(5, 120), 2);
  return asked;
}

// Plain labels, forward, in fractions.
class PlainLabels {
 public:
  PlainLabels(const Catalogue& catalogue, const CountedQuery& asked)
      : catalogue_(catalogue), asked_(asked), types_(catalogue.types.size()), stages_(catalogue.stages.size()) {}

  std::optional<Rational> least_cost() {
    begin();
    for (std::size_t b = 0; b < stages_; ++b) {
      for (std::size_t t = 0; t < types_; ++t) {
        for (std::size_t u = 0; u < types_; ++u) extend(b, t, u);
      }
    }
    std::optional<Rational> least;
    for (std::size_t t = 0; t < types_; ++t) {
      for (const PlainLabel& label : labels_[index(stages_, t, 0)]) {
        if (!least || label.cost < *least) least = label.cost;
      }
    }
    return least;
  }

  std::uint64_t kept() const {
    std::uint64_t sum = 0;
    for (const auto& list : labels_) sum += list.size();
    return sum;
  }

 private:
  struct PlainLabel {
    Rational cost;
    Rational latency;
    std::vector<std::uint64_t> machines;
  };

  std::size_t index(std::size_t b, std::size_t t, std::size_t u) const { return (b * types_ + t) * types_ + u; }

  void begin() {
    labels_.assign(index(stages_ + 1, 0, 0), {});
    for (std::size_t u = 0; u < types_; ++u)
      labels_[index(0, 0, u)].push_back({0, 0, std::vector<std::uint64_t>(types_)});
  }

  // A part from b on type u behind one of type t.
  void extend(std::size_t b, std::size_t t, std::size_t u) {
    if (labels_[index(b, t, u)].empty()) return;
    for (std::size_t last = b; last < stages_; ++last) {
      if (catalogue_.least_first_stage(last, u, asked_.query.all_apart) > b) continue;
      for (std::size_t next = 0; next < (last + 1 == stages_ ? 1 : types_); ++next) place(b, last, t, u, next);
    }
  }

  bool keeps_end(const Rational& time) const {
    return asked_.query.strictly ? time < asked_.query.period : time <= asked_.query.period;
  }

  void place(std::size_t b, std::size_t last, std::size_t t, std::size_t u, std::size_t next) {
    const auto& receive = b == 0 ? catalogue_.from_source[u] : catalogue_.transfer(b - 1, t, u);
    const auto& send = last + 1 == stages_ ? catalogue_.to_sink[u] : catalogue_.transfer(last, u, next);
    if (!receive || !send) return;
    if (b == 0 && !keeps_end(end_demand(*receive, catalogue_.source_ports))) return;
    if (last + 1 == stages_ && !keeps_end(end_demand(*send, catalogue_.sink_ports))) return;
    const Rational compute = catalogue_.computation(b, last, u);
    const bool is_replicable = catalogue_.least_replicable_stage(last) <= b;
    const Rational demand =
        machine_demand(catalogue_.limits(asked_.query.model, u, is_replicable), *receive, compute, *send);
    std::uint64_t working = 1;
    while (!keeps_end(demand / Rational(working))) ++working;
    if (working > 1 && !is_replicable) return;
    const std::uint64_t paid = working + asked_.query.spare;
    const Rational time = *receive + compute + (last + 1 == stages_ ? *send : Rational(0));
    for (const PlainLabel& label : labels_[index(b, t, u)]) {
      PlainLabel longer = label;
      longer.machines[u] += paid;
      longer.cost += catalogue_.types[u].price * Rational(paid);
      longer.latency += time;
      keep(labels_[index(last + 1, u, next)], std::move(longer));
    }
  }

  void keep(std::vector<PlainLabel>& list, PlainLabel label) const {
    if (asked_.latency && *asked_.latency < label.latency) return;
    for (std::size_t t = 0; t < types_; ++t) {
      const auto& count = catalogue_.types[t].count;
      if (count && *count < label.machines[t]) return;
    }
    const auto is_no_worse = [&](const PlainLabel& one, const PlainLabel& other) {
      if (other.cost < one.cost || other.latency < one.latency) return false;
      return std::ranges::equal(one.machines, other.machines, std::less_equal<>());
    };
    if (std::ranges::any_of(list, [&](const PlainLabel& kept) { return is_no_worse(kept, label); })) return;
    std::erase_if(list, [&](const PlainLabel& kept) { return is_no_worse(label, kept); });
    list.push_back(std::move(label));
  }

  const Catalogue& catalogue_;
  const CountedQuery& asked_;
  std::size_t types_;
  std::size_t stages_;
  std::vector<std::vector<PlainLabel>> labels_;
};

class CountedTrial {
 public:
  CountedTrial(const tpn::Model& model, std::uint64_t seed) : draw_(seed ^ 0x5eed) {
    const CatalogueShape shape{.stages = 4, .types = 3, .equal_links = draw_.one_in(3), .counted = !draw_.one_in(8)};
    document_ = random_catalogue(shape, seed);
    catalogue_ = catalogue_of(document_);
    asked_ = random_question(model, draw_);
    for (const MachineType& type : catalogue_.types) machines_.push_back(type.count.value_or(kMostOfUnlimited));
  }

  CountedCase run() {
    const CountedAnswer answer = solve_within(catalogue_, asked_);
    const ProgramAnswer unlimited = solve(catalogue_, asked_.query);
    result_.is_feasible = answer.plan.has_value();
    result_.is_searched = answer.proof == PlanProof::search;
    result_.is_bound = unlimited.plan && (!answer.plan || unlimited.cost < answer.cost);
    if (answer.cut_short || answer.proof == PlanProof::none) note("cut short");
    look_at_proof(answer);
    if (answer.plan) look_at_plan(answer);
    look_at_others(answer);
    return result_;
  }

 private:
  void note(const std::string& trouble) {
    if (result_.trouble.empty()) result_.trouble = trouble;
  }

  void look_at_proof(const CountedAnswer& answer) {
    const Rational bound = answer.potentials ? proved_bound(catalogue_, asked_, answer) : Rational(0);
    if (answer.potentials && answer.proof != PlanProof::excess && answer.potentials_bound < bound)
      note("a bound is rounded down");
    switch (answer.proof) {
      case PlanProof::potentials:
        if (answer.potentials_bound != answer.cost) note("the potentials prove another cost");
        break;
      case PlanProof::excess:
        if (bound != answer.potentials_bound || bound.sign() <= 0 || answer.plan) note("no excess");
        break;
      case PlanProof::no_path:
        if (solve(catalogue_, asked_.query).plan) note("there is a path");
        break;
      default:
        break;
    }
    if (answer.plan && answer.lower_bound != answer.cost) note("a bound is not the cost");
  }

  void look_at_plan(const CountedAnswer& answer) {
    const PlanFacts facts(catalogue_, asked_.query.model, *answer.plan);
    std::vector<std::uint64_t> machines = machines_;
    for (std::size_t t = 0; t < machines.size(); ++t) {
      if (catalogue_.types[t].count && machines[t] < facts.machines_by_type()[t]) note("more machines than there are");
      machines[t] = std::max(machines[t], facts.machines_by_type()[t]);
    }
    NetJudge judge(document_, asked_.query.model, machines);
    if (!judge.serves(*answer.plan, asked_.query)) note("the plan is late");
    if (asked_.latency && *asked_.latency < judge.latency(judge.mapping_of(*answer.plan))) note("it takes too long");
    if (facts.cost() != answer.cost) note("another cost");
  }

  void look_at_others(const CountedAnswer& answer) {
    NetJudge judge(document_, asked_.query.model, machines_);
    for_each_typed_plan(catalogue_, machines_, kMostInAll, asked_.query, [&](const TypedPlan& plan) {
      if (answer.plan && answer.cost <= cost_of(catalogue_, plan)) return;
      ++result_.judged;
      if (asked_.latency && *asked_.latency < judge.latency(judge.mapping_of(plan))) return;
      if (judge.serves(plan, asked_.query)) note(answer.plan ? "a cheaper plan" : "there is a plan");
    });
  }

  support::Draw draw_;
  tpn::Document document_;
  Catalogue catalogue_;
  CountedQuery asked_;
  std::vector<std::uint64_t> machines_;
  CountedCase result_;
};

}  // namespace

CountedSums try_seeds(TryCounted* try_one, const tpn::Model& model, std::uint64_t first, std::uint64_t last,
                      std::uint64_t step) {
  CountedSums sums;
  for (std::uint64_t seed = first; seed <= last; seed += step) {
    const CountedCase tried = try_one(model, seed);
    if (!tried.trouble.empty()) {
      sums.trouble = "seed " + std::to_string(seed) + ": " + tried.trouble;
      return sums;
    }
    sums.feasible += tried.is_feasible ? 1 : 0;
    sums.bound += tried.is_bound ? 1 : 0;
    sums.searched += tried.is_searched ? 1 : 0;
    sums.bound_and_searched += tried.is_bound && tried.is_searched ? 1 : 0;
    sums.judged += tried.judged;
  }
  return sums;
}

CountedCase try_counted(const tpn::Model& model, std::uint64_t seed) { return CountedTrial(model, seed).run(); }

CountedCase try_against_labels(const tpn::Model& model, std::uint64_t seed) {
  support::Draw draw(seed ^ 0x1abe1);
  const CatalogueShape shape{.stages = 10, .types = 4, .equal_links = draw.one_in(3)};
  Catalogue catalogue = catalogue_of(random_catalogue(shape, seed));
  std::uint64_t in_all = 0;
  for (MachineType& type : catalogue.types) {
    type.count = draw.count(1, 8);
    in_all += *type.count;
  }
  CountedQuery asked = random_question(model, draw);
  // About the period that `in_all` machines sustain.
  asked.query.period = Rational::fraction(static_cast<long>(catalogue.stages.size()) * draw.whole(3, 9), in_all);
  asked.query.period = std::max(asked.query.period, Rational(draw.whole(2, 6)));
  if (asked.latency) *asked.latency += Rational(draw.whole(0, 60));
  const CountedAnswer answer = solve_within(catalogue, asked);
  PlainLabels labels(catalogue, asked);
  const auto least = labels.least_cost();
  CountedCase result;
  result.is_feasible = answer.plan.has_value();
  result.is_searched = answer.proof == PlanProof::search;
  result.judged = labels.kept();
  if (answer.cut_short) result.trouble = "cut short";
  if (least.has_value() != answer.plan.has_value()) result.trouble = "one finds a plan, the other none";
  if (least && answer.plan && *least != answer.cost) result.trouble = "another cost than by plain labels";
  return result;
}

CountedCase try_fastest(const tpn::Model& model, std::uint64_t seed) {
  support::Draw draw(seed ^ 0xfa57);
  const CatalogueShape shape{.stages = 3, .types = 3, .equal_links = draw.one_in(3)};
  const tpn::Document document = random_catalogue(shape, seed);
  Catalogue catalogue = catalogue_of(document);
  std::vector<std::uint64_t> machines;
  for (MachineType& type : catalogue.types) machines.push_back(*(type.count = draw.count(0, 4)));
  CountedQuery asked = random_question(model, draw);
  const GivenAnswer answer = fastest_within(catalogue, asked);
  CountedCase result;
  const auto note = [&](const char* trouble) { result.trouble = trouble; };
  result.is_feasible = answer.point.has_value();
  NetJudge judge(document, model, machines);
  std::optional<std::pair<Rational, std::uint64_t>> best;  // period, machines
  for_each_typed_plan(catalogue, machines, 12, asked.query, [&](const TypedPlan& plan) {
    ++result.judged;
    if (asked.latency && *asked.latency < judge.latency(judge.mapping_of(plan))) return;
    std::pair<Rational, std::uint64_t> found;
    for (std::size_t i = 0; i < plan.size(); ++i) {
      found.second += plan[i].machines + plan[i].standby;
      found.first = std::max(found.first, judge.period(judge.mapping_of(plan, i, asked.query.spare)));
    }
    if (!best || found < *best) best = found;
  });
  if (!answer.is_proved) note("not proved");
  if (best.has_value() != answer.point.has_value()) note("one finds a plan, the other none");
  if (!best || !answer.point) return result;
  const PlanFacts facts(catalogue, model, answer.point->plan);
  if (best->first != answer.point->period) note("another period");
  if (best->second != facts.machines()) note("not the fewest machines");
  if (asked.latency && *asked.latency < facts.latency()) note("it takes too long");
  return result;
}

}  // namespace takt::plan
