// The table of evaluators.
#include "evaluators/evaluate.hpp"

#include <algorithm>
#include <array>

#include "evaluators/bounds.hpp"
#include "evaluators/pattern.hpp"
#include "evaluators/sweep.hpp"
#include "evaluators/unfold.hpp"

namespace takt::evaluators {

namespace {

constexpr std::array kEvaluators = {
    Evaluator{Method::automatic, "auto", "the fastest that fits", sweep},
    Evaluator{Method::unfold, "unfold", "the timed Petri net in full, solved by Howard or Karp", unfold, nullptr, true},
    Evaluator{Method::pattern, "pattern", "column by column where no circuit leaves its column, as in OVERLAP", pattern,
              unfit_for_pattern, true},
    Evaluator{Method::sweep, "sweep", "passes over the net's rows, one clock a token", sweep},
};

constexpr std::array<std::string_view, 2> kSolvers = {"howard", "karp"};

}  // namespace

std::span<const Evaluator> evaluators() { return kEvaluators; }

const Evaluator& evaluator_of(Method method) { return *std::ranges::find(kEvaluators, method, &Evaluator::method); }

std::string_view name_of(Method method) { return evaluator_of(method).name; }

std::string_view name_of(Solver solver) { return kSolvers[static_cast<std::size_t>(solver)]; }

std::optional<Method> find_method(std::string_view name) {
  const auto found = std::ranges::find(kEvaluators, name, &Evaluator::name);
  if (found == kEvaluators.end()) return std::nullopt;
  return found->method;
}

std::optional<Solver> find_solver(std::string_view name) {
  const auto found = std::ranges::find(kSolvers, name);
  if (found == kSolvers.end()) return std::nullopt;
  return static_cast<Solver>(found - kSolvers.begin());
}

Evaluation evaluate(const tpn::FoldedNet& net, const Options& options) {
  const Evaluator& evaluator = evaluator_of(options.method);
  maxplus::expects(evaluator.unfit == nullptr || !evaluator.unfit(net), "the method is fit for the net");
  Evaluation evaluation = evaluator.evaluate(net, options);
  if (evaluation.exact() && !evaluation.circuit.resource && evaluation.lower == largest_cycle_time(net)) {
    evaluation.circuit = own_circuit(net, evaluation.busiest);
  }
  return evaluation;
}

}  // namespace takt::evaluators
