// Ends by play, their lines, and bounds from schedules and circuits.
#include "evaluators/insight/completion.hpp"

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/kernel/numbers.hpp"
#include "evaluators/play/firing.hpp"
#include "evaluators/play/play.hpp"
#include "evaluators/play/simulate.hpp"
#include "tpn/errors.hpp"

namespace takt::evaluators {

namespace {

using maxplus::modulo;
using tpn::FoldedNet;

// Data sets of which ends are kept.
constexpr std::uint64_t kMostEnds = 5'000'000;
// Steps beyond whole laps that a lower bound walks along a circuit.
constexpr std::uint64_t kMostExtraSteps = 1'000'000;

// The computations that deliver data sets: of the parts that send nothing.
std::vector<tpn::ColumnIndex> deliveries_of(const tpn::Pipeline& pipeline) {
  std::vector<tpn::ColumnIndex> deliveries;
  for (const tpn::PartIndex part : pipeline.exits()) deliveries.push_back(pipeline.parts[part].computation);
  return deliveries;
}

// By exit, in column order, the ends of its first operations; fewer if the deadline passes.
using EndsByExit = std::vector<std::vector<Integer>>;

template <typename Number>
EndsByExit played_ends(const FoldedNet& net, std::uint64_t data_sets, const Deadline& deadline) {
  constexpr std::uint64_t kInterval = 1024;
  constexpr std::size_t kNoExit = static_cast<std::size_t>(-1);
  const FiringPlan plan = make_firing_plan(net);
  EarliestFiring<Number> firing(plan, net);
  const std::vector<tpn::ColumnIndex> deliveries = deliveries_of(net.pipeline);
  std::vector<std::size_t> exit_at(net.pipeline.columns.size(), kNoExit);
  for (std::size_t k = 0; k < deliveries.size(); ++k) exit_at[deliveries[k]] = k;
  EndsByExit ends(deliveries.size());
  for (std::vector<Integer>& own : ends) own.reserve(data_sets);
  for (std::uint64_t j = 0; j < data_sets; ++j) {
    if (j % kInterval == 0 && has_passed(deadline)) return ends;
    firing.fire_data_set([&](std::size_t column, const Number&, const Number& end) {
      if (exit_at[column] != kNoExit) ends[exit_at[column]].push_back(widen(end));
    });
  }
  return ends;
}

EndsByExit ends_of(const FoldedNet& net, std::uint64_t data_sets, const Deadline& deadline) {
  return ends_fit_64_bits(net, data_sets) ? played_ends<std::int64_t>(net, data_sets, deadline)
                                          : played_ends<Integer>(net, data_sets, deadline);
}

// The largest data set below `data_sets` that is `residue` modulo `modulus`; nothing if there is none.
std::optional<Integer> last_of_class(const Integer& data_sets, std::uint64_t residue, std::uint64_t modulus) {
  const Integer last = data_sets - 1;
  if (last < residue) return std::nullopt;
  return last - modulo(last - residue, modulus);
}

// The round in which a column is on a data set.
Integer round_of(const FoldedNet& net, tpn::ColumnIndex column, const Integer& data_set) {
  return data_set + net.pipeline.columns[column].shift;
}

Rational paced_completion(const FoldedNet& net, const PacedSchedule& paced, const Integer& data_sets) {
  Rational latest;
  for (const tpn::ColumnIndex last : deliveries_of(net.pipeline)) {
    for (std::uint64_t row = 0; row < paced.rows; ++row) {
      const auto j = last_of_class(data_sets, row, paced.rows);
      if (!j) break;
      const Integer round = round_of(net, last, *j);
      const std::uint64_t alike = modulo(round, net.pipeline.columns[last].period);
      latest = std::max(latest, paced.start(round, last) + net.pipeline.duration({alike, last}));
    }
  }
  return latest;
}

Rational longest_of(const FoldedNet& net, std::size_t column) {
  return Rational::fraction(net.pipeline.columns[column].table.longest(), net.pipeline.scale);
}

// A schedule in which the operation of column c starts on data set j at starts[c][j mod K] / unit + period j, moved so
// that nothing starts before time 0.
Rational class_completion(const FoldedNet& net, const ClassSchedule& schedule, const Rational& period,
                          const Integer& data_sets) {
  std::optional<Rational> earliest;
  for (const tpn::DurationTable& starts : schedule.starts) {
    for (std::size_t p = 0; p < starts.size(); ++p) {
      const Rational start = Rational::fraction(starts[p], schedule.unit) + period * Rational(p);
      if (!earliest || start < *earliest) earliest = start;
    }
  }
  std::optional<Rational> latest;
  for (const tpn::ColumnIndex last : deliveries_of(net.pipeline)) {
    const tpn::DurationTable& starts = schedule.starts[last];
    for (std::size_t p = 0; p < starts.size(); ++p) {
      const auto round = last_of_class(round_of(net, last, data_sets), p, starts.size());
      if (!round) break;
      const Rational end =
          Rational::fraction(starts[p], schedule.unit) + period * Rational(*round) + longest_of(net, last);
      if (!latest || end > *latest) latest = end;
    }
  }
  return *latest - *earliest;
}

Rational upper_bound(const FoldedNet& net, const Evaluation& evaluation, const Integer& data_sets,
                     const Deadline& deadline) {
  if (evaluation.exact()) {
    const auto paced = paced_schedule(net, evaluation.upper, deadline);
    if (const auto* schedule = std::get_if<PacedSchedule>(&paced)) return paced_completion(net, *schedule, data_sets);
  }
  UniformSchedule uniform = uniform_schedule(net);
  ClassSchedule schedule;
  for (Integer& start : uniform.starts) schedule.starts.emplace_back(std::vector<Integer>{std::move(start)});
  schedule.unit = uniform.unit;
  Rational upper = class_completion(net, schedule, uniform.period, data_sets);
  if (const auto* classes = std::get_if<ClassSchedule>(&evaluation.witness)) {
    upper = std::min(upper, class_completion(net, *classes, evaluation.upper, data_sets));
  }
  return upper;
}

// From an operation on a data set, that one's duration not included, along its files to where the data set is
// delivered.
Rational way_out(const FoldedNet& net, tpn::ColumnIndex column, const Integer& data_set) {
  const tpn::Pipeline& pipeline = net.pipeline;
  std::vector<Rational> longest(pipeline.columns.size());  // from the end of an operation on
  const auto with = [&](tpn::ColumnIndex c) {
    return pipeline.duration({modulo(round_of(net, c, data_set), pipeline.columns[c].period), c}) + longest[c];
  };
  for (std::size_t later = pipeline.columns.size(); later > column; --later) {
    const tpn::ColumnIndex c(later - 1);
    if (pipeline.is_transfer(c)) {
      longest[c] = with(pipeline.parts[pipeline.columns[c].receiver].computation);
    } else {
      for (const tpn::ColumnIndex sending : pipeline.parts[pipeline.columns[c].part].sendings)
        longest[c] = std::max(longest[c], with(sending));
    }
  }
  return longest[column];
}

// Whole laps along the circuit, then its steps below `data_sets`, then the way out.
Rational circuit_time(const FoldedNet& net, const Evaluation& evaluation, const Integer& data_sets) {
  const CriticalCircuit& circuit = evaluation.circuit;
  // Of a net in rounds these are rounds: none is before the data set that its operation is on.
  Integer data_set = circuit.data_set;
  if (data_set >= data_sets) return {};
  Integer height = 0;
  for (const CircuitStep& step : circuit.steps) height += step.height;
  height *= circuit.laps;
  const Integer whole = Rational::fraction(data_sets - 1 - data_set, height).floor() * height;
  Rational time = evaluation.lower * Rational(whole);
  data_set += whole;
  Rational longest;
  for (std::uint64_t t = 0; t < kMostExtraSteps && data_set < data_sets; ++t) {
    const CircuitStep& step = circuit.steps[t % circuit.steps.size()];
    const std::uint64_t row = modulo(data_set, net.pipeline.columns[step.column].period);
    time += net.pipeline.duration({row, step.column});
    const bool is_last = data_set + step.height >= data_sets || t + 1 == kMostExtraSteps;
    if (t % circuit.steps.size() == 0 || is_last) {
      const Integer on = data_set - net.pipeline.columns[step.column].shift;
      longest = std::max(longest, time + way_out(net, step.column, on));
    }
    data_set += step.height;
  }
  return longest;
}

// When so many data sets are done, of a net in rounds: behind them there are none, which each number changes.
std::optional<Rational> played_alone(const FoldedNet& net, const Integer& data_sets, const Deadline& deadline) {
  if (data_sets * net.pipeline.columns.size() > kCompletionOperations) return std::nullopt;
  maxplus::DeadlineWatch watch(deadline);
  const std::vector<tpn::ColumnIndex> deliveries = deliveries_of(net.pipeline);
  Rational latest;
  bool is_done = true;
  play(net, data_sets.get_ui(), [&](const Firing& firing) {
    if (std::ranges::find(deliveries, firing.operation.column) != deliveries.end())
      latest = std::max(latest, firing.end);
    is_done = !watch.has_passed();
    return is_done;
  });
  return is_done ? std::optional(latest) : std::nullopt;
}

// Of a net in rounds; the evaluation is made once it is needed.
class CompletionsInRounds {
 public:
  CompletionsInRounds(const FoldedNet& net, const Options& options) : net_(net), options_(options) {}

  // A last batch that is not full takes no longer than a full one, and ends no sooner than the one before it.
  CompletionTime of(const Integer& count) {
    if (!net_.pipeline.has_batches()) return of_whole(count);
    constexpr std::uint64_t kMostBeyond = 1'000'000;
    // No batch is cut by a multiple of the rows.
    const Integer rest = count % net_.pipeline.rows;
    const Integer laps = count - rest;
    const auto more = rest <= std::numeric_limits<std::uint64_t>::max() - kMostBeyond
                          ? tpn::with_whole_batches(net_.pipeline, rest.get_ui(), rest.get_ui() + kMostBeyond)
                          : std::nullopt;
    if (!more) {
      throw tpn::InvalidInstance("/mapping",
                                 "batches that are not full at the last of " + count.get_str() + " data sets",
                                 "another number of data sets");
    }
    if (*more == rest) return of_whole(count);
    const Integer fewer = laps + tpn::whole_batches_within(net_.pipeline, rest.get_ui());
    return {count, fewer == 0 ? Rational() : of_whole(fewer).lower, of_whole(laps + *more).upper};
  }

 private:
  CompletionTime of_whole(const Integer& count) {
    if (const auto time = played_alone(net_, count, options_.deadline)) return {count, *time, *time};
    if (!evaluation_) evaluation_ = evaluate(net_, options_);
    return completion_bounds(net_, *evaluation_, count, options_.deadline);
  }

  const FoldedNet& net_;
  const Options& options_;
  std::optional<Evaluation> evaluation_;
};

Completions completions_in_rounds(const FoldedNet& net, std::span<const Integer> data_sets, const Options& options) {
  Completions result;
  CompletionsInRounds completions(net, options);
  for (const Integer& count : data_sets) result.times.push_back(completions.of(count));
  return result;
}

// When the first 1, 2, ... data sets are done, up to the most of those asked for that are quickly played.
std::vector<Rational> played_completions(const FoldedNet& net, std::span<const Integer> data_sets,
                                         const Deadline& deadline) {
  Integer most = 0;
  for (const Integer& count : data_sets) {
    if (count > most && count * net.pipeline.columns.size() <= kCompletionOperations) most = count;
  }
  const EndsByExit ends = ends_of(net, most.get_ui(), deadline);
  std::vector<Rational> done;
  Integer latest = 0;
  for (std::size_t j = 0; j < ends.front().size(); ++j) {
    for (const std::vector<Integer>& own : ends) latest = std::max(latest, own[j]);
    done.push_back(Rational::fraction(latest, net.pipeline.scale));
  }
  return done;
}

}  // namespace

Rational RepeatingEnds::completion(const Integer& data_sets) const {
  maxplus::expects(data_sets >= 1, "some data sets are done");
  Integer latest = 0;
  for (const std::vector<Integer>& own : ends) {
    for (std::uint64_t j = 0; j < transient && data_sets > j; ++j) latest = std::max(latest, own[j]);
    for (std::uint64_t r = transient; r < transient + repeats_every && data_sets > r; ++r) {
      const Integer laps = Rational::fraction(data_sets - 1 - r, repeats_every).floor();
      latest = std::max(latest, Integer(own[r] + (own[r + repeats_every] - own[r]) * laps));
    }
  }
  return Rational::fraction(latest, unit);
}

std::optional<RepeatingEnds> repeating_ends(const FoldedNet& net, const Options& options) {
  // Three hyper-periods are the least that shows a repetition.
  if (net.pipeline.is_shifted() || net.pipeline.has_batches() ||
      net.pipeline.rows * 3 * net.pipeline.columns.size() > kSimulateOperations)
    return std::nullopt;
  Options played = options;
  played.method = Method::simulate;
  played.max_rows.reset();
  const Evaluation evaluation = simulate(net, played);
  if (!evaluation.measurement || !evaluation.measurement->repeats) return std::nullopt;
  const Repetition& repeats = *evaluation.measurement->repeats;
  RepeatingEnds result;
  result.unit = net.pipeline.scale;
  for (const tpn::ColumnIndex exit : deliveries_of(net.pipeline))
    result.transient = std::max(result.transient, repeats.transients[exit]);
  result.repeats_every = repeats.hyper_periods * net.pipeline.rows.get_ui();
  const std::uint64_t needed = result.transient + 2 * result.repeats_every;
  if (needed > kMostEnds) return std::nullopt;
  result.ends = ends_of(net, needed, options.deadline);
  for (const std::vector<Integer>& own : result.ends)
    if (own.size() < needed) return std::nullopt;
  return result;
}

CompletionTime completion_bounds(const FoldedNet& net, const Evaluation& evaluation, const Integer& data_sets,
                                 const Deadline& deadline) {
  maxplus::expects(data_sets >= 1, "some data sets are done");
  Rational alone;
  for (const tpn::PartIndex part : net.pipeline.entries()) {
    const tpn::ColumnIndex arrival = net.pipeline.parts[part].computation;
    alone = std::max(alone, net.pipeline.duration({0, arrival}) + way_out(net, arrival, 0));
  }
  return {data_sets, std::max(alone, circuit_time(net, evaluation, data_sets)),
          upper_bound(net, evaluation, data_sets, deadline)};
}

Completions completions_of(const FoldedNet& net, std::span<const Integer> data_sets, const Options& options) {
  if (net.pipeline.is_shifted() || net.pipeline.has_batches()) return completions_in_rounds(net, data_sets, options);
  Completions result;
  const std::vector<Rational> played = played_completions(net, data_sets, options.deadline);
  const auto is_played = [&](const Integer& count) { return count <= played.size(); };
  std::optional<RepeatingEnds> repeating;
  std::optional<Evaluation> evaluation;
  if (!std::ranges::all_of(data_sets, is_played)) {
    repeating = repeating_ends(net, options);
    if (!repeating) evaluation = evaluate(net, options);
  }
  for (const Integer& count : data_sets) {
    maxplus::expects(count >= 1, "some data sets are done");
    if (is_played(count) || repeating) {
      const Rational time = is_played(count) ? played[count.get_ui() - 1] : repeating->completion(count);
      result.times.push_back({count, time, time});
    } else {
      result.times.push_back(completion_bounds(net, *evaluation, count, options.deadline));
    }
  }
  if (repeating) {
    result.repeats_every = repeating->repeats_every;
    result.transient = repeating->transient;
  }
  return result;
}

}  // namespace takt::evaluators
