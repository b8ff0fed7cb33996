// Solves, evaluates, compares.
#include "tests/heuristics/judge.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "heuristics/registry.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/problem_view.hpp"

namespace takt::testing {

using heuristics::Heuristic;
using heuristics::ModelUse;
using maxplus::Rational;
using tpn::Model;

namespace {

heuristics::Settings quick_settings(const Heuristic& heuristic, const Model& model) {
  heuristics::Settings settings;
  if (heuristic.model_use != ModelUse::none) settings.model = model;
  if (heuristic.name == "polish") settings.options = {{"moves", Rational(300)}, {"restarts", Rational(1)}};
  if (heuristic.name == "exhaustive") settings.options = of_class("replicated", model).options;
  return settings;
}

}  // namespace

const std::vector<Model>& judged_models() {
  static const std::vector<Model> kAll = {Model::kOverlap, Model::kStrict, tpn::bounded_model(1)};
  return kAll;
}

void judge_heuristics(const tpn::Document& document, bool tpn::Capabilities::*taken,
                      std::map<std::string_view, int>& answered) {
  tpn::Document problem = document;
  problem.mapping.reset();
  problem.transfers.clear();
  const tpn::ProblemView view(problem);
  for (const Model& model : judged_models()) {
    CAPTURE(tpn::label_of(model));
    const Rational bound = heuristics::period_lower_bound(view, model);
    const Rational own_period = exact_period(problem, *document.mapping, model);
    REQUIRE(bound <= own_period);
    if (auto loads = heuristics::Loads::make(view))
      CHECK(loads->pressure(*document.mapping, model, evaluators::Period(own_period)));
    for (const Heuristic& heuristic : heuristics::heuristics()) {
      CAPTURE(heuristic.name);
      if (heuristic.model_use == ModelUse::none && heuristic.model != model) continue;
      if (heuristic.model_use == ModelUse::cycle_times && !tpn::follows_cycle_times(model)) continue;
      if (heuristic.name == "exhaustive" && problem.platform.processors.size() > 4) continue;
      const auto solution = heuristics::solve(heuristic, view, quick_settings(heuristic, model));
      if (!(heuristic.takes.*taken)) {
        REQUIRE(std::get<heuristics::Infeasible>(solution.result).reason.find("it takes only") == 0);
        continue;
      }
      const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
      if (proposal == nullptr) continue;
      const tpn::Document mapped = heuristics::document_of(problem, *proposal);
      const Rational period = support::period_of(support::net_of(mapped, solution.model));
      REQUIRE(bound <= period);
      if (proposal->lower_bound) REQUIRE(*proposal->lower_bound <= own_period);
      // Divided pipelines are predicted as if transfers were free, and those of the literature on workflows by loads.
      if (heuristic.model_use != ModelUse::none) REQUIRE(proposal->predicted_period == period);
      ++answered[heuristic.name];
    }
  }
}

void check_answers(const std::map<std::string_view, int>& answered, int more_than,
                   const std::vector<std::string_view>& names) {
  for (const std::string_view name : names) {
    CAPTURE(name);
    CHECK((answered.contains(name) && answered.at(name) > more_than));
  }
}

void judge_exhaustive(const tpn::Document& problem, int& attained,
                      const std::function<void(const heuristics::Settings&, const std::optional<Rational>&)>& tell) {
  for (const Model& model : judged_models()) {
    CAPTURE(tpn::label_of(model));
    for (const char* mapping_class : {"interval", "replicated"}) {
      CAPTURE(mapping_class);
      const heuristics::Settings settings = of_class(mapping_class, model);
      const auto solution = solve_checked("exhaustive", problem, settings);
      const auto least = least_period(problem, mapping_class, model);
      tell(settings, least);
      if (!least) {
        REQUIRE(std::holds_alternative<heuristics::Infeasible>(solution.result));
        continue;
      }
      REQUIRE(proposal_of(solution).predicted_period == *least);
      const Rational bound = heuristics::period_lower_bound(tpn::ProblemView(problem), model);
      REQUIRE(bound <= *least);
      attained += bound == *least ? 1 : 0;
    }
  }
}

heuristics::Solution judged_typed_dp(const tpn::Document& problem, const Model& model) {
  const auto solution = solve_checked("typed-dp", problem, under(model));
  const Rational least = least_period(problem, "replicated", model).value();
  const auto& proposal = proposal_of(solution);
  REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, model));
  REQUIRE(proposal.predicted_period >= least);
  if (claims_least(solution)) REQUIRE(proposal.predicted_period == least);
  return solution;
}

bool claims_least(const heuristics::Solution& solution) {
  return has_note(solution, "No mapping of parts of one type each");
}

bool give_limits(tpn::Document& problem, support::Draw& draw, int least, int most) {
  const bool has_memory = draw.one_in(4);
  const bool is_partial = draw.one_in(4);
  const bool has_gaps = draw.one_in(4) && !problem.platform.links.empty();
  for (tpn::Stage& stage : problem.application.stages) {
    if (has_memory) stage.memory = draw.whole(0, 9);
    for (const tpn::Processor& processor : problem.platform.processors)
      if (is_partial && draw.coin()) stage.runs_on.push_back(processor.name);
  }
  for (tpn::Processor& processor : problem.platform.processors)
    if (has_memory && draw.coin()) processor.memory = draw.whole(least, most);
  if (has_gaps) {
    problem.platform.defaults = {};
    std::erase_if(problem.platform.links, [&](const tpn::Link&) { return draw.one_in(6); });
  }
  return has_memory || is_partial || has_gaps;
}

bool has_note(const heuristics::Solution& solution, const std::string& start) {
  return std::ranges::any_of(solution.log.notes, [&](const std::string& note) { return note.starts_with(start); });
}

}  // namespace takt::testing
