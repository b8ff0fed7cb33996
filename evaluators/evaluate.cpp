// The table of evaluators.
#include "evaluators/evaluate.hpp"

#include <algorithm>
#include <array>

#include "evaluators/bounds.hpp"
#include "evaluators/sweep.hpp"
#include "evaluators/unfold.hpp"

namespace takt::evaluators {

namespace {

constexpr std::array kEvaluators = {
    Evaluator{Method::automatic, "auto", "the fastest that fits", sweep},
    Evaluator{Method::unfold, "unfold", "the timed Petri net in full, solved by Howard or Karp", unfold},
    Evaluator{Method::sweep, "sweep", "passes over the net's rows, one clock a token", sweep},
};

constexpr std::array<std::string_view, 2> kSolvers = {"howard", "karp"};

}  // namespace

std::span<const Evaluator> evaluators() { return kEvaluators; }

std::string_view name_of(Method method) { return std::ranges::find(kEvaluators, method, &Evaluator::method)->name; }

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
  Evaluation evaluation = std::ranges::find(kEvaluators, options.method, &Evaluator::method)->evaluate(net, options);
  if (evaluation.exact() && !evaluation.circuit.resource && evaluation.lower == largest_cycle_time(net)) {
    evaluation.circuit = own_circuit(net, evaluation.busiest);
  }
  return evaluation;
}

}  // namespace takt::evaluators
