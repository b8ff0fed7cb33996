// Asks the planner, then the net.
#include "tools/plan/planning.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "tools/limit_words.hpp"
#include "tools/result.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

FoundPlan found_plan(const plan::Catalogue& catalogue, const tpn::Model& model, plan::TypedPlan parts) {
  plan::PlanFacts facts(catalogue, model, parts);
  return {std::move(parts), std::move(facts)};
}

tpn::HeuristicRecord record_of(const PlanWish& wish, const FoundPlan& found) {
  tpn::HeuristicRecord record{"plan", {}, {}};
  const auto note = [&](const char* name, tpn::OptionValue value) {
    record.options.emplace_back(name, std::move(value));
  };
  if (wish.aim == PlanAim::period) note("period", wish.period);
  if (wish.aim == PlanAim::budget) note("budget", wish.budget);
  note("cost", found.facts.cost());
  note("among", std::string("typed"));
  if (wish.latency) note("latency", *wish.latency);
  if (wish.headroom.sign() > 0) note("headroom", wish.headroom);
  if (wish.survive > 0) note("survive", Rational(wish.survive));
  if (wish.all_apart) note("apart", true);
  return record;
}

// What keeping stages apart costs, or would.
std::optional<Rational> cost_together(const plan::Catalogue& catalogue, const PlanWish& wish, const Rational& cost) {
  plan::Catalogue together = catalogue;
  bool is_apart = wish.all_apart;
  for (plan::PlannedStage& stage : together.stages) is_apart = std::exchange(stage.apart, false) || is_apart;
  if (!is_apart) return std::nullopt;
  PlanWish freely = wish;
  freely.all_apart = false;
  const plan::ProgramAnswer answer = plan::solve(together, freely.query(wish.planned_period()));
  return answer.plan && answer.cost < cost ? std::optional(answer.cost) : std::nullopt;
}

}  // namespace

plan::Query PlanWish::query(const Rational& at_most) const {
  plan::Query query;
  query.model = model;
  query.period = at_most;
  query.spare = survive;
  query.all_apart = all_apart;
  return query;
}

PlanFindings find_plan(const plan::Catalogue& catalogue, const PlanWish& wish, const PlanQuestions& /*questions*/) {
  PlanFindings findings;
  findings.wish = wish;
  plan::ProgramAnswer answer = plan::solve(catalogue, wish.query(wish.planned_period()));
  if (!answer.plan) return findings;
  findings.found = found_plan(catalogue, wish.model, std::move(*answer.plan));
  findings.is_optimal = true;
  findings.lower_bound = answer.cost;
  findings.proof = "potentials";
  findings.cost_together = cost_together(catalogue, wish, answer.cost);
  return findings;
}

tpn::Document planned_document(const tpn::Document& problem, const plan::Catalogue& catalogue, const PlanWish& wish,
                               const FoundPlan& found) {
  tpn::Document mapped = plan::mapped_document(problem, catalogue, wish.model, found.parts);
  mapped.heuristic = record_of(wish, found);
  return mapped;
}

std::optional<std::string> judge(const tpn::Document& mapped, const evaluators::Deadline& deadline) {
  auto folded = fold_instance("", mapped, *mapped.model, deadline);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return too_large_text(*too_large);
  evaluators::Options options;
  options.deadline = deadline;
  const auto evaluation = evaluators::evaluate(std::get<EvaluatedInstance>(folded).net, options);
  const Rational& planned = *mapped.predicted_period;
  if (planned < evaluation.lower || evaluation.upper < planned) {
    throw std::logic_error(fmt::format("a plan of period {} has the exact period {} to {}", planned.to_string(),
                                       evaluation.lower.to_string(), evaluation.upper.to_string()));
  }
  if (!evaluation.exact()) return "its evaluation met a limit";
  return std::nullopt;
}

}  // namespace takt::tools
