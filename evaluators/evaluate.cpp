// The table of evaluators.
#include "evaluators/evaluate.hpp"

#include <algorithm>
#include <array>

#include "evaluators/automatic.hpp"
#include "evaluators/bounds.hpp"
#include "evaluators/columns/pattern.hpp"
#include "evaluators/play/simulate.hpp"
#include "evaluators/potentials/potentials.hpp"
#include "evaluators/residue/residue.hpp"
#include "evaluators/sweep/sweep.hpp"
#include "evaluators/unfold.hpp"
#include "tpn/rates.hpp"

namespace takt::evaluators {

namespace {

constexpr std::array kEvaluators = {
    Evaluator{Method::automatic, "auto", "the method that is likely to be fastest", automatic},
    Evaluator{Method::unfold, "unfold", "the whole timed Petri net, by a cycle-ratio solver", unfold, tpn::kEveryNet,
              nullptr, true},
    Evaluator{Method::pattern,
              "pattern",
              "column by column, if no circuit leaves its column, as in OVERLAP",
              pattern,
              {.workflows = true, .shared_resources = true},
              unfit_for_pattern,
              true},
    Evaluator{Method::sweep, "sweep", "passes over the rows of the net, with one clock per token", sweep},
    Evaluator{Method::residue, "residue", "classes of data sets, for any number of rows", residue},
    Evaluator{Method::potentials, "potentials",
              "an interval for large STRICT pipelines, from start times per residue class", potentials, kPotentialsTake,
              unfit_for_potentials, false, true},
    Evaluator{Method::simulate,
              "simulate",
              "play the net: an interval, a measured period and the transient",
              simulate,
              {.workflows = true, .shared_resources = true, .segments = true},
              nullptr,
              false,
              true},
};

// The same circuit from the earliest of its operations that another data set's operation leads to; the sum of the
// heights later it starts anew.
void start_early(CriticalCircuit& circuit) {
  std::uint64_t height = 0;
  for (const CircuitStep& step : circuit.steps) height += step.height;
  std::size_t first = 0;
  std::uint64_t earliest = height;
  std::uint64_t data_set = circuit.data_set % height;
  for (std::size_t t = 0; t < circuit.steps.size(); ++t) {
    data_set = (data_set + circuit.steps[t].height) % height;
    if (circuit.steps[t].height == 0 || data_set >= earliest) continue;
    earliest = data_set;
    first = (t + 1) % circuit.steps.size();
  }
  circuit.data_set = earliest;
  std::rotate(circuit.steps.begin(), circuit.steps.begin() + static_cast<std::ptrdiff_t>(first), circuit.steps.end());
}

// In rounds: laps later, where every operation is on a data set from 0 on.
void start_with_data_sets(const tpn::FoldedNet& net, CriticalCircuit& circuit) {
  if (!net.pipeline.is_shifted()) return;
  std::uint64_t height = 0;
  std::uint64_t missing = 0;
  for (const CircuitStep& step : circuit.steps) {
    const std::uint64_t shift = net.pipeline.columns[step.column].shift;
    const std::uint64_t round = circuit.data_set + height;
    if (round < shift) missing = std::max(missing, shift - round);
    height += step.height;
  }
  if (height > 0) circuit.data_set += (missing + height - 1) / height * height;
}

// Of a net of rates: its loads, and one operation after the other.
Evaluation evaluate_loads(const tpn::FoldedNet& net, std::string why) {
  Evaluation evaluation;
  evaluation.busiest = busiest_resource(net);
  evaluation.lower = largest_cycle_time(net);
  evaluation.upper = *net.in_sequence;
  evaluation.circuit = own_circuit(net, evaluation.busiest);
  evaluation.limit = RatesOnly{std::move(why)};
  return evaluation;
}

}  // namespace

std::span<const Evaluator> evaluators() { return kEvaluators; }

const Evaluator& evaluator_of(Method method) { return *std::ranges::find(kEvaluators, method, &Evaluator::method); }

std::string_view name_of(Method method) { return evaluator_of(method).name; }

std::optional<Method> find_method(std::string_view name) {
  const auto found = std::ranges::find(kEvaluators, name, &Evaluator::name);
  if (found == kEvaluators.end()) return std::nullopt;
  return found->method;
}

std::optional<std::string> why_unfit(Method method, const tpn::FoldedNet& net) {
  const Evaluator& evaluator = evaluator_of(method);
  if (net.in_sequence && method != Method::automatic && method != Method::pattern)
    return "it follows single operations, and of stages that consume or produce several files takt knows rates only";
  if (net.in_sequence) return std::nullopt;
  if (auto reason = tpn::why_refused(evaluator.takes, net)) return reason;
  return evaluator.unfit == nullptr ? std::nullopt : evaluator.unfit(net);
}

Evaluation evaluate(const tpn::FoldedNet& net, const Options& options) {
  const Evaluator& evaluator = evaluator_of(options.method);
  maxplus::expects(!why_unfit(options.method, net), "the method is fit for the net");
  if (auto why = tpn::why_rates_only(net)) return evaluate_loads(net, *std::move(why));
  if (net.in_sequence) return pattern(net, options);
  Evaluation evaluation = evaluator.evaluate(net, options);
  if (evaluation.exact() && !evaluation.circuit.resource && evaluation.lower == largest_cycle_time(net)) {
    evaluation.circuit = own_circuit(net, evaluation.busiest);
  }
  if (!evaluation.circuit.resource) start_early(evaluation.circuit);
  start_with_data_sets(net, evaluation.circuit);
  return evaluation;
}

}  // namespace takt::evaluators
