// Deliveries to windows and batches; operations to resources and classes.
#include "live/measurement/measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "evaluators/play/round_waits.hpp"
#include "live/measurement/occupation.hpp"
#include "maxplus/contract.hpp"

namespace takt::live {

using evaluators::Firing;
using maxplus::Integer;
using tpn::ColumnKind;
using tpn::FoldedNet;
using tpn::PartRole;

namespace {

constexpr std::uint64_t kWindowsAcross = 25;
constexpr std::uint64_t kLeastHyperPeriods = 10;
constexpr std::uint64_t kDroppedPart = 5;
constexpr std::size_t kBatches = 10;
constexpr int kStallDeviations = 5;
constexpr long kStallPart = 1000;
constexpr long kEarlyPart = 10;
// Student's t for 95 % by degrees of freedom, from 1.
constexpr std::array<double, kBatches - 1> kStudent = {12.7062, 4.3027, 3.1824, 2.7764, 2.5706,
                                                       2.4469,  2.3646, 2.3060, 2.2622};

std::uint64_t rounded_up(std::uint64_t number, std::uint64_t to) { return (number + to - 1) / to * to; }

// The mean of the two in the middle of an even number. There is one at least.
Rational median_of(std::vector<Rational>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / Rational(2);
}

// When all data sets up to each are done.
std::vector<Rational> deliveries(const FoldedNet& net, const Trace& trace, std::uint64_t& overtaking) {
  std::vector<Rational> times = ends_of_data_sets(net.pipeline, trace);
  for (std::size_t j = 1; j < times.size(); ++j) {
    if (times[j] >= times[j - 1]) continue;
    ++overtaking;
    times[j] = times[j - 1];
  }
  return times;
}

// The same of the play, from the first data set that is looked at on.
std::vector<Rational> played_deliveries(const FoldedNet& net, const MeasuredStretch& stretch) {
  const tpn::Pipeline& pipeline = net.pipeline;
  const std::uint64_t data_sets = evaluators::played_data_sets(net, stretch.data_sets);
  std::vector<std::vector<Rational>> ends(pipeline.columns.size());
  for (const tpn::PartIndex exit : pipeline.exits()) ends[pipeline.parts[exit].computation].resize(data_sets);
  evaluators::play(net, data_sets, [&](const Firing& firing) {
    std::vector<Rational>& of_column = ends[firing.operation.column];
    if (!of_column.empty()) of_column[pipeline.data_set_of(firing.operation)] = firing.end;
    return true;
  });
  const auto end_of = [&](std::size_t column, std::uint64_t j) -> const Rational& { return ends[column][j]; };
  std::vector<Rational> times = ends_of_data_sets<Rational>(pipeline, data_sets, end_of);
  for (std::size_t j = 1; j < times.size(); ++j) times[j] = std::max(times[j], times[j - 1]);
  times.resize(stretch.data_sets);
  times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(stretch.first));
  return times;
}

Rational growth_of(std::span<const Rational> times) {
  return (times.back() - times.front()) / Rational(times.size() - 1);
}

// What a run has taken longer than the play, as if the play grew evenly.
void hold_against_play(std::vector<Rational>& times, std::span<const Rational> played) {
  const Rational growth = growth_of(played);
  for (std::size_t i = 0; i < times.size(); ++i) times[i] += Rational(i) * growth - (played[i] - played[0]);
}

// Time per data set of each window.
std::vector<Rational> window_rates(std::uint64_t window, std::span<const Rational> times) {
  std::vector<Rational> rates;
  rates.reserve(times.size());
  for (std::size_t i = window; i < times.size(); ++i)
    rates.push_back((times[i] - times[i - window]) / Rational(window));
  return rates;
}

void measure_windows(RunMeasurement& result, std::span<const Rational> times) {
  const std::vector<Rational> rates = window_rates(result.stretch.window, times);
  result.windows = rates.size();
  std::vector<Rational> sorted = rates;
  result.period = median_of(sorted);
  for (Rational& rate : sorted) {
    rate -= result.period;
    if (rate.sign() < 0) rate = -rate;
  }
  const Rational deviation = median_of(sorted) * Rational(kStallDeviations);
  const Rational limit = result.period + std::max(deviation, result.period / Rational(kStallPart));
  bool stalls = false;
  for (std::size_t i = 0; i < rates.size(); ++i) {
    const bool is_slow = rates[i] > limit;
    if (is_slow) ++result.slow_windows;
    if (is_slow && !stalls) result.stalls.push_back({result.stretch.first + i + 1, 0});
    if (is_slow) result.stalls.back().last = result.stretch.first + i + result.stretch.window;
    stalls = is_slow;
  }
}

// Times as shares of all of it, from 0: doubles that neither overflow nor cancel.
struct ScaledTimes {
  std::vector<double> values;
  double span = 0;  // time units
};

std::optional<ScaledTimes> scaled(std::span<const Rational> times) {
  const auto [least, most] = std::ranges::minmax(times);
  const Rational span = most - least;
  const auto length = span.to_double();
  if (!length) return std::nullopt;
  ScaledTimes result{{}, *length};
  for (const Rational& time : times) {
    result.values.push_back(span.sign() == 0 ? 0 : ((time - times.front()) / span).to_double().value_or(0));
  }
  return result;
}

double slope_of(const ScaledTimes& times) {
  const auto count = static_cast<double>(times.values.size());
  double mean = 0;
  for (const double value : times.values) mean += value / count;
  double products = 0;
  double squares = 0;
  for (std::size_t i = 0; i < times.values.size(); ++i) {
    const double x = static_cast<double>(i) - (count - 1) / 2;
    products += x * (times.values[i] - mean);
    squares += x * x;
  }
  return products / squares * times.span;
}

// Batches of whole hyper-periods, at the end of the stretch.
std::optional<MeanInterval> interval_of(const ScaledTimes& times, std::uint64_t repeat) {
  const std::size_t steps = times.values.size() - 1;
  const std::size_t length = std::max<std::size_t>(steps / kBatches / repeat, 1) * repeat;
  const std::size_t batches = std::min(kBatches, steps / length);
  if (batches < 2) return std::nullopt;
  std::vector<double> means;
  for (std::size_t b = 0; b < batches; ++b) {
    const std::size_t end = steps - b * length;
    means.push_back((times.values[end] - times.values[end - length]) / static_cast<double>(length) * times.span);
  }
  const auto count = static_cast<double>(batches);
  double mean = 0;
  for (const double value : means) mean += value / count;
  double squares = 0;
  for (const double value : means) squares += (value - mean) * (value - mean);
  const double half = kStudent[batches - 2] * std::sqrt(squares / (count - 1) / count);
  return MeanInterval{mean, mean - half, mean + half, batches};
}

struct Busy {
  Rational start;
  Rational end;
};

// How long some of these are busy at the same time or alone. Runs tell of operations that overlap a little.
Rational time_of_any(std::vector<Busy> intervals) {
  std::ranges::sort(intervals, {}, &Busy::start);
  Rational time;
  std::optional<Rational> until;
  for (const Busy& busy : intervals) {
    const Rational from = until ? std::max(*until, busy.start) : busy.start;
    if (busy.end <= from) continue;
    time += busy.end - from;
    until = busy.end;
  }
  return time;
}

// How many operations it handles at a time, in turn.
std::uint64_t places_of(const tpn::Pipeline& pipeline, const tpn::Resource& resource) {
  return tpn::handles_computations(resource.kind) ? 1 : pipeline.port_count(resource.processor);
}

// When the places of a resource were busy: one, or those of several ports, which take its operations in turn.
class ResourceTimes {
 public:
  explicit ResourceTimes(std::uint64_t places) : places_(places) {}

  // In the order in which the resource handles them.
  void add(const Firing& firing, bool counts) {
    Place& place = places_[next_++ % places_.size()];
    if (counts) {
      ++counted_;
      return place.intervals.push_back({firing.start, firing.end});
    }
    if (!place.free_since || *place.free_since < firing.end) place.free_since = firing.end;
  }

  // Of the busiest place in `time`, in which all repeated so often. Places that are alike but for where they are cut
  // off count with their mean (tpn::busiest_port).
  Rational share(const Rational& time, std::uint64_t repetitions) {
    const std::size_t kinds = std::gcd(places_.size(), counted_ / repetitions);
    Rational most;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
      Rational sum;
      for (std::size_t k = kind; k < places_.size(); k += kinds) sum += share(places_[k], time);
      most = std::max(most, sum * Rational::fraction(kinds, places_.size()));
    }
    return most;
  }

 private:
  struct Place {
    std::vector<Busy> intervals;
    std::optional<Rational> free_since;  // the end of the last operation before these
  };

  static Rational share(Place& place, const Rational& time) {
    if (place.intervals.empty()) return 0;
    Rational begin = std::ranges::min(place.intervals, {}, &Busy::start).start;
    if (place.free_since) begin = std::min(begin, *place.free_since);
    const Rational own = std::ranges::max(place.intervals, {}, &Busy::end).end - begin;
    return time_of_any(std::move(place.intervals)) / std::max(time, own);
  }

  std::vector<Place> places_;
  std::uint64_t next_ = 0;     // how many operations it has handled
  std::uint64_t counted_ = 0;  // of these
};

// Places in the trace as resources handle them: by round, then column.
std::vector<std::size_t> in_rounds(const tpn::Pipeline& pipeline, const Trace& trace) {
  std::vector<std::size_t> places(trace.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  if (!pipeline.is_shifted()) return places;
  std::ranges::sort(places, {}, [&](std::size_t i) {
    const auto [data_set, column] = trace[i].operation;
    return std::pair(data_set + pipeline.columns[column].shift, column);
  });
  return places;
}

// Of the operations on the last data sets, as many whole hyper-periods as there are, against the time between their
// deliveries: an early column may have been done with them long before that. Where a resource took longer for its own
// operations than the deliveries took, as when the pipeline runs empty, that time counts: no share exceeds 1.
std::vector<Rational> busy_shares(const FoldedNet& net, const Trace& trace, const std::vector<Rational>& times,
                                  std::uint64_t repeat) {
  const std::size_t counted = (times.size() - 1) / repeat * repeat;
  const Rational time = times.back() - times[times.size() - 1 - counted];
  if (time.sign() == 0) return {};
  const Occupation occupation(net);
  std::vector<ResourceTimes> resources;
  for (const tpn::Resource& resource : net.resources) resources.emplace_back(places_of(net.pipeline, resource));
  const std::size_t first = trace.size() - counted * net.pipeline.columns.size();
  for (const std::size_t i : in_rounds(net.pipeline, trace)) {
    occupation.for_each(trace[i].operation,
                        [&](std::size_t resource) { resources[resource].add(trace[i], i >= first); });
  }
  std::vector<Rational> busy;
  busy.reserve(resources.size());
  for (ResourceTimes& resource : resources) busy.push_back(resource.share(time, counted / repeat));
  return busy;
}

// Effective durations, gathered by class.
class EffectiveDurations {
 public:
  EffectiveDurations(const FoldedNet& net, const Trace& trace)
      : net_(net), trace_(trace), data_sets_(trace.size() / net.pipeline.columns.size()), waits_(net, data_sets_) {
    waits_.pass_on_missing();
  }

  // Those that count; of a class that has none of them, all.
  void gather(RunMeasurement& result) {
    const std::vector<bool> counts = counting_data_sets(result);
    std::map<ClassKey, std::vector<Rational>> others;
    for (const Firing& firing : trace_) add(firing, counts[firing.operation.data_set] ? values_ : others, result);
    values_.merge(others);
    for (auto& [key, values] : values_) {
      const auto [column, sender, receiver, size] = key;
      Rational sum;
      for (const Rational& value : values) sum += value;
      result.classes.push_back(
          {column, sender, receiver, size, values.size(), sum / Rational(values.size()), median_of(values)});
      std::ranges::sort(values);
      result.classes.back().durations = std::move(values);
    }
  }

 private:
  // Null if nothing of the trace is waited for.
  const Rational* ready(const tpn::Operation& operation) const {
    const Rational* latest = nullptr;
    waits_.for_each({operation.data_set + shift_of(operation.column), operation.column},
                    [&](const tpn::Operation& from) {
                      const std::uint64_t data_set = from.data_set - shift_of(from.column);
                      const Rational& end = trace_[data_set * net_.pipeline.columns.size() + from.column.value()].end;
                      if (latest == nullptr || end > *latest) latest = &end;
                    });
    return latest;
  }

  void add(const Firing& firing, std::map<ClassKey, std::vector<Rational>>& values, RunMeasurement& result) const {
    const Rational* const latest = ready(firing.operation);
    if (latest != nullptr && firing.start < *latest) {
      const Rational by = *latest - firing.start;
      if (by * Rational(kEarlyPart) > result.period) ++result.early;
      result.earliest = std::max(result.earliest, by);
    }
    const tpn::Pipeline& pipeline = net_.pipeline;
    const auto [j, c] = firing.operation;
    const tpn::Column& column = pipeline.columns[c];
    const tpn::NetPart& part = pipeline.parts[column.part];
    const bool is_transfer = column.kind == ColumnKind::transfer;
    if (is_transfer ? pipeline.is_internal(c, j + column.shift) : part.role != PartRole::mapped) return;
    const ClassKey key = class_of(pipeline, firing.operation, data_sets_);
    if (std::get<3>(key) == 0) return;
    values[key].push_back(firing.end - (latest != nullptr ? *latest : firing.start));
  }

  // Nets count rounds, traces data sets.
  std::uint64_t shift_of(tpn::ColumnIndex column) const { return net_.pipeline.columns[column].shift; }

  const FoldedNet& net_;
  const Trace& trace_;
  std::uint64_t data_sets_;
  evaluators::RoundWaits waits_;
  std::map<ClassKey, std::vector<Rational>> values_;
};

// Nothing if it is too long for a run of that length. That of the processors' turns, even where all are equal:
// they are not in a run.
std::optional<std::uint64_t> hyper_period(const FoldedNet& net, std::uint64_t data_sets) {
  const Integer& rows = net.pipeline.rows;
  return rows <= Integer(data_sets / kLeastHyperPeriods) ? std::optional(rows.get_ui()) : std::nullopt;
}

// Some nets repeat after several hyper-periods only: windows are multiples of as many as the least window can hold.
std::uint64_t whole_repetitions(std::uint64_t hyper_period, std::uint64_t least_window) {
  for (const std::uint64_t several : {12U, 6U, 4U, 3U, 2U}) {
    if (several * hyper_period <= least_window) return several * hyper_period;
  }
  return hyper_period;
}

}  // namespace

ClassKey class_of(const tpn::Pipeline& pipeline, const tpn::Operation& operation, std::uint64_t data_sets) {
  const auto [j, c] = operation;
  const tpn::Column& column = pipeline.columns[c];
  const tpn::NetPart& part = pipeline.parts[column.part];
  const std::size_t sender = part.processor_at(j);
  if (column.kind == ColumnKind::transfer) return {c, sender, pipeline.parts[column.receiver].processor_at(j), 1};
  const std::uint64_t batch_end = part.computed_with(j);
  const std::uint64_t missing = j + 1 == data_sets ? batch_end - j : 0;
  const bool computes = batch_end == j || missing > 0;
  return {c, sender, sender, computes ? part.computed_at(batch_end) - missing : 0};
}

std::vector<Rational> ends_of_data_sets(const tpn::Pipeline& pipeline, const Trace& trace) {
  const std::size_t columns = pipeline.columns.size();
  return ends_of_data_sets<Rational>(
      pipeline, trace.size() / columns,
      [&](std::size_t column, std::uint64_t j) -> const Rational& { return trace[j * columns + column].end; });
}

MeasuredStretch stretch_of(const FoldedNet& net, std::uint64_t data_sets, bool needs_play) {
  const auto repeat = needs_play ? std::nullopt : hyper_period(net, data_sets);
  const std::uint64_t least = rounded_up(data_sets, kWindowsAcross) / kWindowsAcross;
  const std::uint64_t window = repeat ? rounded_up(least, whole_repetitions(*repeat, least)) : least;
  // A play knows no rounds.
  return {data_sets, data_sets / kDroppedPart, window, !repeat && !net.pipeline.is_shifted()};
}

std::vector<bool> counting_data_sets(const RunMeasurement& run) {
  std::vector<bool> counts(run.stretch.data_sets, true);
  std::fill_n(counts.begin(), run.stretch.first, false);
  for (const Stall& stall : run.stalls) {
    std::fill(counts.begin() + static_cast<std::ptrdiff_t>(stall.first),
              counts.begin() + static_cast<std::ptrdiff_t>(stall.last) + 1, false);
  }
  return counts;
}

Rational played_period(const FoldedNet& net, const MeasuredStretch& stretch) {
  return growth_of(played_deliveries(net, stretch));
}

Rational period_of_deliveries(const MeasuredStretch& stretch, std::vector<Rational> times,
                              std::span<const Rational> played) {
  if (stretch.is_played) hold_against_play(times, played);
  std::vector<Rational> rates = window_rates(stretch.window, times);
  return median_of(rates);
}

DeliveredPace pace_of(const FoldedNet& net, const Trace& trace) {
  DeliveredPace pace;
  const std::vector<Rational> all = deliveries(net, trace, pace.overtaking);
  maxplus::expects(all.size() >= kFewestMeasured, "a trace has enough data sets");
  pace.stretch = stretch_of(net, all.size(), true);
  pace.stretch.is_played = false;
  const std::span<const Rational> times = std::span(all).subspan(pace.stretch.first);
  pace.period = growth_of(times);
  if (const auto values = scaled(times)) pace.interval = interval_of(*values, 1);
  return pace;
}

RunMeasurement measure(const FoldedNet& net, const Trace& trace, bool needs_play) {
  const std::uint64_t data_sets = trace.size() / net.pipeline.columns.size();
  maxplus::expects(data_sets >= kFewestMeasured && trace.size() % net.pipeline.columns.size() == 0,
                   "a trace has all operations of its data sets, of which there are enough");
  RunMeasurement result;
  result.stretch = stretch_of(net, data_sets, needs_play);
  const std::vector<Rational> all = deliveries(net, trace, result.overtaking);
  std::vector<Rational> times(all.begin() + static_cast<std::ptrdiff_t>(result.stretch.first), all.end());
  const std::uint64_t repeat = result.stretch.is_played ? 1 : hyper_period(net, data_sets).value_or(1);
  result.busy = busy_shares(net, trace, times, repeat);
  if (result.stretch.is_played) {
    const std::vector<Rational> played = played_deliveries(net, result.stretch);
    result.played = growth_of(played);
    hold_against_play(times, played);
  }
  measure_windows(result, times);
  if (const auto values = scaled(times)) {
    result.slope = slope_of(*values);
    result.interval = interval_of(*values, repeat);
  }
  EffectiveDurations(net, trace).gather(result);
  return result;
}

}  // namespace takt::live
