// Chooses the passes, runs the search, and turns what it found into witnesses.
#include "evaluators/sweep/sweep.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "evaluators/kernel/ratio_search.hpp"
#include "evaluators/sweep/circuit.hpp"
#include "evaluators/sweep/lanes.hpp"
#include "evaluators/sweep/layout.hpp"
#include "evaluators/sweep/rows.hpp"
#include "evaluators/sweep/shape.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

template <typename Number>
using WitnessSearch = RatioSearch<Number, Evidence::kept>;

// Nothing if `Value`s do not hold it.
template <typename Value>
std::optional<Wide<Value>> duration_in(const tpn::Column& column, std::uint64_t row) {
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    const auto durations = column.table.narrow();
    if (!durations) return std::nullopt;
    return (*durations)[column.entry(row)];
  } else {
    return column.duration(row);
  }
}

// By row, then by column, the starts of a pass over all rows from the clocks of the first segment. Nothing if `Value`s
// do not hold them.
template <typename Value, typename Number>
std::optional<std::vector<Value>> starts_of_rows(const FoldedNet& net, const SweepLayout& layout,
                                                 const WitnessSearch<Number>& found) {
  const std::size_t columns = layout.columns.size();
  const auto value_of = [](const Number& number) {
    if constexpr (std::is_same_v<Value, Number>) {
      return number;
    } else {
      return widen(number);
    }
  };
  const Wide<Value> factor = as_wide<Value>(value_of(found.upper()->tokens));
  std::vector<Value> starts;
  std::vector<Value> ends;
  starts.reserve(layout.rows * columns);
  ends.reserve(layout.rows * columns);
  for (std::uint64_t row = 0; row < layout.rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      std::optional<Value> start;
      for_each_arc(layout.columns[c], row, [&](std::size_t arc) {
        const Incoming& in = layout.arcs[arc];
        const Value end = in.height > row ? value_of(found.proven()[layout.token_at(in.column, in.height - row)])
                                          : ends[(row - in.height) * columns + in.column];
        if (!start || end > *start) start = end;
      });
      const auto duration = duration_in<Value>(net.pipeline.columns[c], row);
      if (!duration) return std::nullopt;
      const Wide<Value> end = as_wide<Value>(*start) + *duration * factor;
      if (!in_range<Value>(end)) return std::nullopt;
      starts.push_back(*start);
      ends.push_back(as_number<Value>(end));
    }
  }
  return starts;
}

template <typename Number>
tpn::DurationTable table_of_rows(const FoldedNet& net, const SweepLayout& layout, const WitnessSearch<Number>& found) {
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    if (auto starts = starts_of_rows<std::int64_t>(net, layout, found)) return tpn::DurationTable(*std::move(starts));
  }
  return tpn::DurationTable(*starts_of_rows<Integer>(net, layout, found));
}

// The clocks of the smallest upper bound, by resource; start times of all rows if a model has tokens that belong to no
// resource.
template <typename Number>
UpperWitness witness_of(const FoldedNet& net, const SweepLayout& layout, const WitnessSearch<Number>& found) {
  const Rational unit = Rational::fraction(1, Integer(found.upper()->tokens) * net.pipeline.scale);
  if (!tokens_belong_to_resources(net)) {
    const Integer starts = Integer(layout.rows) * layout.columns.size();
    if (starts > kCertificateNumbers) return LargeSchedule{starts};
    return RowSchedule{table_of_rows(net, layout, found), unit};
  }
  ResourceClocks result;
  result.values.reserve(net.resources.size());
  for (const ResourceToken& held : resource_tokens(net)) {
    const Integer clock = found.proven()[layout.token_at(held.column, held.back)];
    result.values.push_back(unit == Rational(1) ? Rational(clock) : Rational(clock) * unit);
  }
  return result;
}

// Among the paths that end exactly lambda later on a clock of the circuit, the pass prefers those that start on one:
// so following choices closes a circuit of ratio lambda. Otherwise the limit that was met.
template <typename Passes>
std::variant<CriticalCircuit, Limit> rebuild_circuit(const SweepLayout& layout, Passes& passes,
                                                     const WitnessSearch<typename Passes::Number>& found,
                                                     const Options& options) {
  std::vector<bool> marked(found.proven().size());
  for (const std::uint32_t clock : found.circuit()) marked[clock] = true;
  const PassOutcome outcome = passes.record(found.proven(), found.upper()->tokens, marked, options.deadline);
  if (outcome == PassOutcome::out_of_time) return OutOfTime{};
  maxplus::expects(outcome == PassOutcome::done, "a pass that was played can be played again");
  return trace_circuit(layout, passes, found.circuit().front(), options.deadline, options.max_memory);
}

// The ratio to start from, where the numbers hold it.
template <typename Number>
std::optional<ClockRatio<Number>> start_of(const Rational& lambda) {
  if constexpr (std::is_same_v<Number, Integer>) {
    return ClockRatio<Number>{lambda.numerator(), lambda.denominator()};
  } else {
    if (!lambda.numerator().fits_slong_p() || !in_range<Number>(lambda.numerator().get_si())) return std::nullopt;
    if (!lambda.denominator().fits_slong_p() || !in_range<Number>(lambda.denominator().get_si())) return std::nullopt;
    return ClockRatio<Number>{lambda.numerator().get_si(), lambda.denominator().get_si()};
  }
}

// Looks for lambda from clocks that are guessed, or those of the shape.
template <typename Passes>
SearchEnd search_from(Passes& passes, const ClockRatio<typename Passes::Number>& lambda, std::size_t tokens,
                      const SweepShape& shape, const Deadline& deadline,
                      WitnessSearch<typename Passes::Number>& search) {
  using Number = typename Passes::Number;
  std::vector<Number>& clocks = search.prepare(tokens * passes.segments(), passes.segments());
  if (const PassOutcome guessed = passes.guess(deadline, clocks); guessed != PassOutcome::done) {
    return guessed == PassOutcome::out_of_time ? SearchEnd::out_of_time : SearchEnd::too_wide;
  }
  if (shape.clocks.size() == clocks.size()) {
    for (std::size_t v = 0; v < clocks.size(); ++v) clocks[v] = static_cast<long>(shape.clocks[v]);
  }
  const auto pass = [&](const std::vector<Number>& x, const Number& factor, ClockArcs<Number>& arcs) {
    const bool fit = std::ranges::all_of(x, [](const Number& value) { return in_range<Number>(value); });
    return fit ? passes.run(x, factor, deadline, arcs) : PassOutcome::too_wide;
  };
  return search.run(lambda, pass, [](const ClockRatio<Number>&) { return false; });
}

// Completes the evaluation, which holds the bounds before any search. False if the numbers are too narrow.
template <typename Passes>
bool search(const FoldedNet& net, const SweepLayout& layout, Passes& passes, const SweepShape& shape,
            const Options& options, Evaluation& evaluation) {
  using Number = typename Passes::Number;
  const Rational units_per_period(net.pipeline.scale * layout.rows);
  const auto lambda = start_of<Number>(evaluation.lower * units_per_period);
  if (!lambda) return false;
  WitnessSearch<Number> found;
  const SearchEnd end = search_from(passes, *lambda, layout.tokens.size(), shape, options.deadline, found);
  if (end == SearchEnd::too_wide) return false;

  if (shape.passes != nullptr) *shape.passes = found.passes();
  if (found.upper()) {
    const Rational upper =
        Rational::fraction(Integer(found.upper()->weight), Integer(found.upper()->tokens)) / units_per_period;
    if (upper <= evaluation.upper) {
      evaluation.upper = upper;
      evaluation.witness = witness_of(net, layout, found);
    }
  }
  // An interval keeps the largest cycle time as its lower bound: only clocks that prove lambda from above show which
  // operations its circuit is made of.
  bool has_circuit = end == SearchEnd::proved;
  Limit limit = OutOfTime{};
  if (has_circuit && !found.circuit().empty()) {
    auto circuit = rebuild_circuit(layout, passes, found, options);
    has_circuit = std::holds_alternative<CriticalCircuit>(circuit);
    if (has_circuit) {
      evaluation.circuit = std::get<CriticalCircuit>(std::move(circuit));
    } else {
      limit = std::get<Limit>(std::move(circuit));
    }
  }
  if (has_circuit) {
    evaluation.lower = evaluation.upper;
  } else if (!evaluation.exact()) {
    evaluation.limit = std::move(limit);
  }
  if (evaluation.circuit.steps.empty()) evaluation.circuit = own_circuit(net, evaluation.busiest);
  return true;
}

}  // namespace

Evaluation sweep_as(const FoldedNet& net, const Options& options, const SweepShape& shape) {
  const SweepLayout layout = make_layout(net);
  Evaluation evaluation;
  evaluation.method = Method::sweep;
  evaluation.busiest = busiest_resource(net);
  evaluation.lower = net.resources[evaluation.busiest].cycle_time;
  evaluation.upper = Rational::fraction(layout.row_total, net.pipeline.scale);
  evaluation.witness = SequentialSchedule{};
  tell(options.deadline, evaluation);
  const auto answered_by = [&](PassKind kind, auto make_passes) {
    if (kind < shape.first) return false;
    auto passes = make_passes();
    if (!search(net, layout, passes, shape, options, evaluation)) return false;
    if (shape.used != nullptr) *shape.used = kind;
    return true;
  };
  if (layout.plain && layout.row_total.fits_slong_p() && answered_by(PassKind::lanes, [&] {
        return LanePasses(net, layout, shape.lanes ? *shape.lanes : shape_of(layout));
      })) {
    return evaluation;
  }
  const bool answered =
      answered_by(PassKind::rows_64, [&] { return RowPasses<std::int64_t, std::int64_t>(net, layout); }) ||
      answered_by(PassKind::rows_128, [&] { return RowPasses<Integer, Int128>(net, layout); }) ||
      answered_by(PassKind::rows_unbounded, [&] { return RowPasses<Integer, Integer>(net, layout); });
  maxplus::expects(answered, "numbers without a limit hold everything");
  return evaluation;
}

namespace {

// Steps of the circuits that a search traces, about.
double traced_steps(const FoldedNet& net, double rows) {
  constexpr double kStepsPerHeight = 3;
  double heights = 0;
  double tokens = 0;
  double steps_of_capacity = 0;  // of a circuit that goes round by one window, or one room, alone
  for (const tpn::Dependence& d : net.dependences) {
    if (d.height == 0) continue;
    if (!tpn::is_resource(d.kind)) {
      const auto columns = static_cast<double>(net.pipeline.columns.size());
      const double each_time = d.kind == tpn::ConstraintKind::window ? columns : 2;
      steps_of_capacity = std::max(steps_of_capacity, each_time * rows / static_cast<double>(d.height));
    }
    heights += static_cast<double>(d.height) / static_cast<double>(d.modulus);
    tokens += 1 / static_cast<double>(d.modulus);
  }
  return std::max(kStepsPerHeight * rows * std::max(1.0, tokens) / std::max(heights, 1.0), steps_of_capacity);
}

}  // namespace

SweepCost sweep_cost(const FoldedNet& net) {
  // Measured on the benchmark's nets: an operation of all passes, without guards, with them, and where numbers are
  // longer than 62 bits or than 126.
  constexpr double kPerOperation = 1.0;
  constexpr double kPerGuardedOperation = 20;
  constexpr double kLongerNumbers = 4;
  constexpr double kLongestNumbers = 30;
  constexpr double kLanes = 32;
  SweepCost cost;
  cost.rows = tpn::repetition_of(net);
  cost.operations = cost.rows * net.pipeline.columns.size();
  const bool is_guarded = std::ranges::any_of(net.dependences, [](const tpn::Dependence& d) { return d.modulus > 1; });
  const double rows = cost.rows.get_d();
  cost.nanoseconds = cost.operations.get_d() * (is_guarded ? kPerGuardedOperation : kPerOperation);
  Integer longest = 0;
  for (const tpn::Column& column : net.pipeline.columns) longest += column.table.longest();
  if (const std::size_t bits = mpz_sizeinbase(Integer(longest * cost.rows).get_mpz_t(), 2); bits > 48) {
    cost.nanoseconds *= bits <= 112 ? kLongerNumbers : kLongestNumbers;
  }
  cost.bytes = kTracedStepBytes * traced_steps(net, rows);
  if (is_guarded) {
    cost.bytes += cost.operations.get_d();
  } else {
    cost.bytes += rows * static_cast<double>(net.dependences.size()) / 8;
    for (const tpn::Column& column : net.pipeline.columns) {
      cost.bytes += sizeof(std::int64_t) * std::min(kLanes * static_cast<double>(column.period), rows);
    }
  }
  return cost;
}

Evaluation sweep(const FoldedNet& net, const Options& options) {
  const SweepCost cost = sweep_cost(net);
  const std::uint64_t most = kSweepMostOperations / net.pipeline.columns.size();
  const std::uint64_t max_rows = std::min(options.max_rows.value_or(most), most);
  const auto refused = [&](tpn::TooLarge limit) {
    Evaluation evaluation = coarse_bounds(net, Method::sweep);
    if (!evaluation.exact()) evaluation.limit = std::move(limit);
    return evaluation;
  };
  if (cost.rows > max_rows) return refused({tpn::LimitKind::rows, cost.rows, max_rows});
  if (cost.bytes > static_cast<double>(options.max_memory)) {
    return refused({tpn::LimitKind::sweep_bytes, Integer(cost.bytes), options.max_memory});
  }
  return sweep_as(net, options, {});
}

}  // namespace takt::evaluators
