// Chooses the passes, runs the search, and turns what it found into witnesses.
#include "evaluators/sweep/sweep.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>

#include "evaluators/bounds.hpp"
#include "evaluators/sweep/circuit.hpp"
#include "evaluators/sweep/lanes.hpp"
#include "evaluators/sweep/plan.hpp"
#include "evaluators/sweep/rows.hpp"
#include "evaluators/sweep/search.hpp"
#include "evaluators/sweep/shape.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

// The start times of a pass over all rows from clocks of the first segment.
template <typename Number>
RowSchedule row_schedule(const FoldedNet& net, const Plan& plan, const Found<Number>& found, const Rational& unit) {
  const std::size_t columns = plan.columns.size();
  const Integer factor = found.factor;
  std::vector<Integer> ends(plan.rows * columns);
  RowSchedule schedule;
  schedule.starts.reserve(ends.size());
  for (std::uint64_t row = 0; row < plan.rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      std::optional<Integer> start;
      for_each_arc(plan.columns[c], row, [&](std::size_t arc) {
        const Incoming& in = plan.arcs[arc];
        const Integer end = in.height > row ? Integer(found.proven[plan.token_at(in.column, in.height - row)])
                                            : ends[(row - in.height) * columns + in.column];
        if (!start || end > *start) start = end;
      });
      schedule.starts.push_back(Rational(*start) * unit);
      ends[row * columns + c] = *start + net.pipeline.columns[c].duration(row) * factor;
    }
  }
  return schedule;
}

// The clocks of the smallest upper bound, by resource; start times of all rows where a model has tokens that belong
// to no resource.
template <typename Number>
UpperWitness witness_of(const FoldedNet& net, const Plan& plan, const Found<Number>& found) {
  const Rational unit = Rational::fraction(1, Integer(found.factor) * net.pipeline.scale);
  if (!tokens_belong_to_resources(net)) return row_schedule(net, plan, found, unit);
  ResourceClocks result;
  result.values.reserve(net.resources.size());
  for (const ResourceToken& held : resource_tokens(net)) {
    const Integer clock = found.proven[plan.token_at(held.column, held.back)];
    result.values.push_back(unit == Rational(1) ? Rational(clock) : Rational(clock) * unit);
  }
  return result;
}

// Among the paths that end exactly lambda later on a clock of the circuit, the pass prefers those that start on one:
// so following choices closes a circuit of ratio lambda.
template <typename Passes>
CriticalCircuit rebuild_circuit(const Plan& plan, Passes& passes, const Found<typename Passes::Number>& found) {
  std::vector<bool> marked(found.proven.size());
  for (const std::uint32_t clock : found.clocks) marked[clock] = true;
  const PassOutcome outcome = passes.record(found.proven, found.factor, marked);
  maxplus::expects(outcome == PassOutcome::done, "a pass that was played can be played again");
  return trace_circuit(plan, passes, found.clocks.front());
}

// Completes the evaluation, which holds the bounds before any search. False if the numbers are too narrow.
template <typename Passes>
bool search(const FoldedNet& net, const Plan& plan, Passes& passes, const SweepShape& shape, const Deadline& deadline,
            Evaluation& evaluation) {
  using Number = typename Passes::Number;
  const Rational units_a_period(net.pipeline.scale * net.pipeline.rows);
  const Rational start = evaluation.lower * units_a_period;
  SweepRatio<Number> lambda;
  if constexpr (std::is_same_v<Number, Integer>) {
    lambda = {start.numerator(), start.denominator()};
  } else {
    if (!start.numerator().fits_slong_p() || !in_range<Number>(start.numerator().get_si())) return false;
    if (!start.denominator().fits_slong_p() || !in_range<Number>(start.denominator().get_si())) return false;
    lambda = {start.numerator().get_si(), start.denominator().get_si()};
  }
  std::vector<Number> clocks;
  const PassOutcome guessed = passes.guess(deadline, clocks);
  if (guessed == PassOutcome::done && shape.clocks.size() == clocks.size()) {
    for (std::size_t v = 0; v < clocks.size(); ++v) clocks[v] = static_cast<long>(shape.clocks[v]);
  }
  Found<Number> found;
  found.outcome = guessed;
  if (guessed == PassOutcome::done) found = SweepSearch<Passes>(plan, passes, lambda, std::move(clocks)).run(deadline);
  if (found.outcome == PassOutcome::too_wide) return false;

  if (shape.passes != nullptr) *shape.passes = found.passes;
  if (found.upper) {
    const Rational upper = found.upper->value() / units_a_period;
    if (upper <= evaluation.upper) {
      evaluation.upper = upper;
      evaluation.witness = witness_of(net, plan, found);
    }
  }
  // An interval keeps the largest cycle time as its lower bound: only clocks that prove lambda from above show which
  // operations its circuit is made of.
  if (found.exact()) {
    evaluation.lower = evaluation.upper;
    if (!found.clocks.empty()) evaluation.circuit = rebuild_circuit(plan, passes, found);
  } else if (!evaluation.exact()) {
    evaluation.limit = OutOfTime{};
  }
  if (evaluation.circuit.steps.empty()) evaluation.circuit = own_circuit(net, evaluation.busiest);
  return true;
}

}  // namespace

Evaluation sweep_as(const FoldedNet& net, const Deadline& deadline, const SweepShape& shape) {
  const Plan plan = make_plan(net);
  Evaluation evaluation;
  evaluation.method = Method::sweep;
  evaluation.busiest = busiest_resource(net);
  evaluation.lower = net.resources[evaluation.busiest].cycle_time;
  evaluation.upper = Rational::fraction(plan.row_total, net.pipeline.scale);
  evaluation.witness = SequentialSchedule{};
  const auto answered_by = [&](PassKind kind, auto make_passes) {
    if (kind < shape.first) return false;
    auto passes = make_passes();
    if (!search(net, plan, passes, shape, deadline, evaluation)) return false;
    if (shape.used != nullptr) *shape.used = kind;
    return true;
  };
  if (plan.plain && plan.row_total.fits_slong_p() && answered_by(PassKind::lanes, [&] {
        return LanePasses(net, plan, shape.lanes ? *shape.lanes : shape_of(plan));
      })) {
    return evaluation;
  }
  const bool answered =
      answered_by(PassKind::rows_64, [&] { return RowPasses<std::int64_t, std::int64_t>(net, plan); }) ||
      answered_by(PassKind::rows_128, [&] { return RowPasses<Integer, Int128>(net, plan); }) ||
      answered_by(PassKind::rows_unbounded, [&] { return RowPasses<Integer, Integer>(net, plan); });
  maxplus::expects(answered, "numbers without a limit hold everything");
  return evaluation;
}

Evaluation sweep(const FoldedNet& net, const Options& options) {
  const std::uint64_t columns = net.pipeline.columns.size();
  const std::uint64_t max_rows =
      std::min(options.max_rows.value_or(kSweepOperations / columns), kSweepMostOperations / columns);
  if (net.pipeline.rows > max_rows) {
    Evaluation evaluation = coarse_bounds(net, Method::sweep);
    if (!evaluation.exact()) evaluation.limit = tpn::TooLarge{tpn::LimitKind::rows, net.pipeline.rows, max_rows};
    return evaluation;
  }
  return sweep_as(net, options.deadline, {});
}

}  // namespace takt::evaluators
