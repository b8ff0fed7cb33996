// One case: the answer, its proof, and everything that is cheaper.
#include "tests/plan/counted_cases.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "plan/counted.hpp"
#include "tests/plan/random_catalogues.hpp"

namespace takt::plan {

namespace {

constexpr std::uint64_t kMostOfUnlimited = 4;
constexpr std::uint64_t kMostInAll = 6;

Rational cost_of(const Catalogue& catalogue, const TypedPlan& plan) {
  Rational cost;
  for (const TypedPart& part : plan) cost += catalogue.types[part.type].price * Rational(part.machines + part.standby);
  return cost;
}

// The bound that potentials prove, from nothing but themselves.
Rational proved_bound(const Catalogue& catalogue, const CountedQuery& asked, const CountedAnswer& answer) {
  const std::size_t types = catalogue.types.size();
  std::optional<Integer> least;
  for (std::size_t t = 0; t < types; ++t) {
    const auto& value = answer.potentials->values[(catalogue.stages.size() * types + t) * types];
    if (value && (!least || *value < *least)) least = value;
  }
  Rational bound = least ? Rational(*least) * answer.potentials->unit : Rational(0);
  for (std::size_t t = 0; t < types; ++t) {
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
    result_.is_excess = answer.proof == PlanProof::excess;
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

CountedCase try_counted(const tpn::Model& model, std::uint64_t seed) { return CountedTrial(model, seed).run(); }

}  // namespace takt::plan
