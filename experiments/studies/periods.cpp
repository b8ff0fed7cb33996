// First the evaluator of many mappings, then the one of single nets.
#include "experiments/studies/periods.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluators/evaluate.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/json.hpp"

namespace takt::experiments {

tpn::Document draw_taken(const Description& description, const ExperimentCell& cell, const DrawKey& key) {
  tpn::Document document = cell.arguments.generator().draw(cell.arguments, key);
  tpn::require_taken(description.study->takes, document);
  return document;
}

namespace {

std::string name_of(const ChosenHeuristic& chosen) {
  return chosen.heuristic == nullptr ? chosen.label : std::string(chosen.heuristic->name);
}

// The model of its own (docs/heuristics.md, HEDPM) is for chains; a bound and a mapping in order are of any workflow.
bool takes_workflows(const ChosenHeuristic& chosen) {
  return chosen.special == Special::in_order || chosen.special == Special::lower_bound || chosen.own != OwnForm::none ||
         (chosen.heuristic != nullptr && chosen.heuristic->takes.workflows);
}

}  // namespace

PeriodOrReason exact_period(evaluators::MappingEvaluator& evaluator, const tpn::Document& problem,
                            const tpn::Mapping& mapping, const tpn::Model& model, const maxplus::Deadline& deadline) {
  const evaluators::MappingEvaluation quick = evaluator.evaluate(mapping, model);
  if (quick.answer == evaluators::MappingAnswer::exact) return quick.lower.rational();
  tpn::Document document = problem;
  document.mapping = mapping;
  return exact_period(document, model, deadline);
}

PeriodOrReason exact_period(const tpn::Document& mapped, const tpn::Model& model, const maxplus::Deadline& deadline) {
  const auto folded = tpn::fold(mapped, model, deadline);
  const auto* net = std::get_if<tpn::FoldedNet>(&folded);
  if (net == nullptr) return std::string("the net is too large");
  evaluators::Options options;
  options.deadline = deadline;
  const evaluators::Evaluation evaluation = evaluators::evaluate(*net, options);
  if (evaluation.exact()) return evaluation.lower;
  return fmt::format("the period is known to lie from {} to {} only", evaluation.lower.to_string(),
                     evaluation.upper.to_string());
}

std::optional<std::string> objection_to_workflows(const Description& description) {
  const auto forks = description.generator->forks_or_joins;
  if (forks == nullptr) return std::nullopt;
  for (const ExperimentCell& cell : description.cells) {
    if (!forks(cell.arguments)) continue;
    for (const auto* chosen : {&description.heuristics, &description.references}) {
      for (const ChosenHeuristic& one : *chosen) {
        if (takes_workflows(one) || !passes(cell, one.where)) continue;
        return fmt::format("{} takes only chains, and the cell {} draws workflows that fork or join", name_of(one),
                           tpn::json::quote(cell.name));
      }
    }
  }
  return std::nullopt;
}

heuristics::Settings settings_of(const ChosenHeuristic& chosen, const DrawKey& key, const maxplus::Deadline& deadline) {
  heuristics::Settings settings;
  // A seed that documents can have: a whole number that JSON readers keep.
  settings.seed = Stream(key, Purpose::heuristic).next() >> 11;
  settings.deadline = deadline;
  settings.options = chosen.options;
  return settings;
}

DrawKey problem_key_of(const Description& description, const DrawKey& key) {
  DrawKey result = key;
  if (description.same_problem) result.draw = 0;
  return result;
}

std::string ratio_measure(const ChosenHeuristic& reference) { return "to " + reference.label; }

std::vector<FurtherMeasure> ratio_measures(const Description& description) {
  const auto words_of = [](const ChosenHeuristic& reference) {
    // Other than a period: the time of HeDPM's own model, over the least of it.
    if (reference.special == Special::model_optimum) return std::string("production time / optimum");
    const bool is_plain_bound = reference.special == Special::lower_bound && reference.label == "lower-bound";
    return "period / " + (is_plain_bound ? "lower bound" : reference.label);
  };
  std::vector<FurtherMeasure> measures;
  for (const ChosenHeuristic& one : description.references) measures.push_back({ratio_measure(one), words_of(one)});
  return measures;
}

std::optional<std::string> broken_bound(const ChosenHeuristic& reference, const maxplus::Rational& period,
                                        const maxplus::Rational& bound) {
  const bool is_bound = reference.special == Special::lower_bound || reference.special == Special::model_optimum;
  if (!is_bound || period >= bound) return std::nullopt;
  return fmt::format("the period {} is below {}, {}, which none can undercut", period.to_string(), reference.label,
                     bound.to_string());
}

std::string reason_of(const heuristics::Result& result) {
  if (const auto* infeasible = std::get_if<heuristics::Infeasible>(&result)) return infeasible->reason;
  if (const auto* limit = std::get_if<heuristics::LimitMet>(&result)) return limit->reason;
  return "the time limit cut the search short";
}

}  // namespace takt::experiments
