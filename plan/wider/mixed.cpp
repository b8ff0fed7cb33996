// A typed plan where that will do, else the search within limits, which begins with the best typed one.
#include "plan/wider/mixed.hpp"

#include <algorithm>
#include <functional>
#include <set>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/counted/labels.hpp"
#include "plan/counted/limits.hpp"
#include "plan/counted/multipliers.hpp"
#include "plan/counted/whole_limits.hpp"
#include "plan/typed/edges.hpp"
#include "plan/wider/share_graph.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

namespace {

template <typename Number>
class MixedProgram {
 public:
  MixedProgram(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales, const WholeLimits& whole)
      : catalogue_(catalogue),
        asked_(asked),
        scales_(scales),
        edges_(catalogue, asked.query, scales),
        limits_(whole.in<Number>(catalogue, scales)),
        graph_(edges_, limits_, Turns::plain, asked.deadline),
        multipliers_(graph_, limits_, asked.deadline) {}

  // `typed` is asked for a typed plan where a search begins, which that helps.
  MixedAnswer run(const std::function<std::optional<SequencePlan>()>& typed) {
    MixedAnswer answer;
    answer.proof = PlanProof::excess;
    try {
      if (!multipliers_.raise()) return answer;
      if (!multipliers_.incumbent()) multipliers_.look_for_excess();
    } catch (const PlanTimeUp&) {
      // What is known is taken by the search, which has no time left either.
    }
    if (multipliers_.excess() != nullptr) return answer;
    if (!multipliers_.is_closed()) {
      if (const auto plan = typed()) multipliers_.offer(route_of(catalogue_, limits_, *plan));
    }
    answer.proof = PlanProof::potentials;
    if (multipliers_.is_closed()) {
      take_plan(answer, *multipliers_.incumbent());
    } else {
      search(answer);
    }
    return answer;
  }

 private:
  Rational units(const Number& value) const { return Rational(maxplus::integer_of(value)) * scales_.unit; }

  void search(MixedAnswer& answer) {
    const auto found = search_labels(graph_, limits_, multipliers_, asked_.deadline);
    answer.cut_short = found.cut_short;
    answer.proof = answer.cut_short ? PlanProof::none : PlanProof::search;
    if (found.incumbent) take_plan(answer, *found.incumbent);
    if (!answer.cut_short) return;
    const Rational proved = units(limits_.rounded_up(found.bound));
    answer.lower_bound = answer.plan ? std::min(answer.cost, proved) : proved;
  }

  void take_plan(MixedAnswer& answer, const PlanRoute<Number>& route) const {
    answer.plan = plan_of_moves(catalogue_, route.moves);
    answer.cost = units(route.usage.cost);
    answer.lower_bound = answer.cost;
    answer.period = mixed_period(catalogue_, asked_.query.model, *answer.plan);
  }

  const Catalogue& catalogue_;
  const CountedQuery& asked_;
  const Scales& scales_;
  Edges<Number> edges_;
  Limits<Number> limits_;
  ShareGraph<Number> graph_;
  Multipliers<ShareGraph<Number>> multipliers_;
};

// The plan with the counts of the catalogue kept by typed parts alone, in a third of the time.
std::optional<SequencePlan> typed_plan(const Catalogue& catalogue, const CountedQuery& query) {
  CountedQuery quick = query;
  quick.deadline = query.deadline.after_part(1, 3);
  const CountedAnswer counted = solve_within(catalogue, quick);
  if (!counted.plan) return std::nullopt;
  return sequences_of(*counted.plan);
}

MixedAnswer stopped(MixedAnswer answer) {
  answer.proof = PlanProof::none;
  answer.cut_short = true;
  return answer;
}

}  // namespace

MixedAnswer solve_mixed(const Catalogue& catalogue, const CountedQuery& query) {
  maxplus::expects(catalogue.has_equal_links(), "mixed plans are of equal links");
  maxplus::expects(catalogue.has_equal_cores(), "mixed plans are of machines with equally many cores");
  maxplus::expects(!query.latency && query.query.latency_weight.sign() == 0, "the latency of a mixed plan is no sum");
  Query unlimited_query = query.query;
  unlimited_query.deadline = query.deadline;
  const ProgramAnswer program = solve(catalogue, unlimited_query);
  MixedAnswer answer;
  answer.cut_short = program.cut_short;
  answer.proof = program.cut_short ? PlanProof::none : PlanProof::no_path;
  if (!program.plan) return answer;
  answer.cost = program.cost;
  answer.lower_bound = program.cost;
  const PlanFacts facts(catalogue, query.query.model, *program.plan);
  if (facts.cores().value_or(kMostSequenced + 1) > kMostSequenced) return stopped(std::move(answer));
  SequencePlan plan = sequences_of(*program.plan);
  if (catalogue.allows(machines_by_type(catalogue, plan))) {
    answer.proof = PlanProof::potentials;
    answer.plan = std::move(plan);
    answer.period = facts.period();
    return answer;
  }
  try {
    const Scales scales = scales_within(catalogue, query);
    const WholeLimits whole(catalogue, query, scales);
    return whole.with_number([&]<typename Number>(const Number&) {
      return MixedProgram<Number>(catalogue, query, scales, whole).run([&] { return typed_plan(catalogue, query); });
    });
  } catch (const PlanTimeUp&) {
    return stopped(std::move(answer));
  }
}

Rational mixed_period(const Catalogue& catalogue, const tpn::Model& model, const SequencePlan& plan) {
  Rational period = 0;
  for (const SequencePart& part : plan) {
    const EqualTransfers transfers(catalogue, part.first_stage, part.last_stage);
    if (part.first_stage == 0) period = std::max(period, end_demand(transfers.receive, catalogue.source_ports));
    if (part.last_stage + 1 == catalogue.stages.size())
      period = std::max(period, end_demand(transfers.send, catalogue.sink_ports));
    const bool is_replicable = catalogue.is_replicable(part.first_stage, part.last_stage);
    for (const std::size_t type : std::set(part.machines.begin(), part.machines.end())) {
      const Rational compute = catalogue.computation(part.first_stage, part.last_stage, type);
      const Rational demand =
          machine_demand(catalogue.limits(model, type, is_replicable), transfers.receive, compute, transfers.send);
      period = std::max(period, demand / Rational(part.sequence.size()));
    }
  }
  return period;
}

}  // namespace takt::plan
