// Durations become whole numbers over one denominator, and are played.
#include "live/measurement/explanation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <utility>
#include <vector>

#include "evaluators/play/firing.hpp"
#include "live/measurement/occupation.hpp"

namespace takt::live {

using evaluators::Firing;
using maxplus::Integer;
using tpn::FoldedNet;

namespace {

// Durations by operation, in the order of a trace, in parts of a time unit.
struct PlayedDurations {
  std::vector<Integer> values;
  Integer scale = 1;
};

PlayedDurations over_one_denominator(const std::vector<Rational>& durations) {
  PlayedDurations result;
  for (const Rational& duration : durations) {
    if (!mpz_divisible_p(result.scale.get_mpz_t(), duration.denominator().get_mpz_t())) {
      result.scale = lcm(result.scale, duration.denominator());
    }
  }
  result.values.reserve(durations.size());
  for (const Rational& duration : durations) {
    result.values.push_back(duration.numerator() * (result.scale / duration.denominator()));
  }
  return result;
}

class Plays {
 public:
  Plays(const FoldedNet& net, const MeasuredStretch& stretch, const maxplus::Deadline& deadline)
      : stretch_(stretch), watch_(deadline), pipeline_(net.pipeline), plan_(evaluators::make_firing_plan(net)) {}

  // When all up to each data set of the stretch are done; nothing if the deadline has passed.
  std::optional<std::vector<Rational>> deliveries(const std::vector<Rational>& durations) {
    const PlayedDurations parts = over_one_denominator(durations);
    Integer sum;
    for (const Integer& value : parts.values) sum += value;
    if (!sum.fits_slong_p()) return play(parts.values, parts.scale);
    std::vector<std::int64_t> narrow;
    narrow.reserve(parts.values.size());
    for (const Integer& value : parts.values) narrow.push_back(value.get_si());
    return play(narrow, parts.scale);
  }

 private:
  // No end is later than the sum of all durations.
  template <typename Number>
  std::optional<std::vector<Rational>> play(const std::vector<Number>& durations, const Integer& scale) {
    const std::size_t columns = plan_.columns();
    evaluators::FiringOrder order(plan_);
    std::vector<Number> ends(plan_.slots);
    std::vector<std::vector<Number>> delivered(columns);
    for (const tpn::PartIndex exit : pipeline_.exits())
      delivered[pipeline_.parts[exit].computation].resize(stretch_.data_sets);
    for (std::uint64_t j = 0; j < stretch_.data_sets; ++j) {
      if (watch_.has_passed(static_cast<double>(columns))) return std::nullopt;
      for (std::size_t c = 0; c < columns; ++c) {
        Number start = 0;
        order.for_each_predecessor(c, [&](std::size_t slot) {
          if (ends[slot] > start) start = ends[slot];
        });
        const Number& end = ends[order.slot(c)] = start + durations[j * columns + c];
        if (!delivered[c].empty()) delivered[c][j] = end;
      }
      order.advance();
    }
    const auto end_of = [&](std::size_t column, std::uint64_t j) -> const Number& { return delivered[column][j]; };
    std::vector<Rational> times;
    Number latest = 0;
    for (const Number& end : ends_of_data_sets<Number>(pipeline_, stretch_.data_sets, end_of)) {
      latest = std::max(latest, end);
      times.push_back(Rational::fraction(maxplus::integer_of(latest), scale));
    }
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(stretch_.first));
    return times;
  }

  const MeasuredStretch& stretch_;
  maxplus::DeadlineWatch watch_;
  const tpn::Pipeline& pipeline_;
  evaluators::FiringPlan plan_;
};

std::vector<Rational> instance_durations(const FoldedNet& net, const Trace& trace) {
  std::vector<Rational> durations;
  durations.reserve(trace.size());
  for (const Firing& firing : trace) durations.push_back(net.pipeline.duration(firing.operation));
  return durations;
}

std::vector<Rational> own_durations(const Trace& trace) {
  std::vector<Rational> durations;
  durations.reserve(trace.size());
  for (const Firing& firing : trace) durations.push_back(std::max(firing.end - firing.start, Rational()));
  return durations;
}

// Of the operations on data sets that count; of a class that has none there, of all.
std::vector<Rational> mean_durations(const FoldedNet& net, const Trace& trace, const std::vector<Rational>& own,
                                     const std::vector<bool>& counts) {
  struct ClassSum {
    Rational sum;
    std::uint64_t count = 0;
    Rational other_sum;
    std::uint64_t other_count = 0;
  };
  std::map<ClassKey, ClassSum> classes;
  std::vector<const ClassSum*> class_at(trace.size());
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const tpn::Operation& operation = trace[i].operation;
    ClassSum& sum = classes[class_of(net.pipeline, operation, counts.size())];
    class_at[i] = &sum;
    const bool is_counted = counts[operation.data_set];
    (is_counted ? sum.sum : sum.other_sum) += own[i];
    ++(is_counted ? sum.count : sum.other_count);
  }
  for (auto& [key, sum] : classes) {
    sum.sum = sum.count > 0 ? sum.sum / Rational(sum.count) : sum.other_sum / Rational(sum.other_count);
  }
  std::vector<Rational> durations;
  durations.reserve(trace.size());
  for (const ClassSum* const sum : class_at) durations.push_back(sum->sum);
  return durations;
}

struct CountedClass {
  std::size_t first = 0;  // index into the trace
  std::uint64_t count = 0;
  std::vector<std::size_t> resources;
};

std::map<ClassKey, CountedClass> counted_classes(const FoldedNet& net, const Trace& trace) {
  const Occupation occupation(net);
  const std::uint64_t data_sets = trace.size() / net.pipeline.columns.size();
  std::map<ClassKey, CountedClass> classes;
  for (std::size_t i = 0; i < trace.size(); ++i) {
    const auto [at, is_new] = classes.try_emplace(class_of(net.pipeline, trace[i].operation, data_sets));
    CountedClass& counted = at->second;
    ++counted.count;
    if (!is_new) continue;
    counted.first = i;
    occupation.for_each(trace[i].operation, [&](std::size_t resource) { counted.resources.push_back(resource); });
  }
  return classes;
}

std::optional<ChangedDuration> most_changed(const FoldedNet& net, const Trace& trace,
                                            const std::vector<Rational>& by_instance,
                                            const std::vector<Rational>& means, bool is_slower) {
  const std::map<ClassKey, CountedClass> classes = counted_classes(net, trace);
  std::vector<Rational> busy(net.resources.size());
  for (const auto& [key, counted] : classes) {
    for (const std::size_t r : counted.resources) busy[r] += means[counted.first] * Rational(counted.count);
  }
  if (busy.empty()) return std::nullopt;
  const auto busiest = static_cast<std::size_t>(std::ranges::max_element(busy) - busy.begin());
  std::optional<ChangedDuration> most;
  Rational most_time;
  for (const auto& [key, counted] : classes) {
    if (std::ranges::find(counted.resources, busiest) == counted.resources.end()) continue;
    Rational time = (means[counted.first] - by_instance[counted.first]) * Rational(counted.count);
    if (!is_slower) time = -time;
    if (time <= most_time) continue;
    most_time = time;
    most = ChangedDuration{busiest, trace[counted.first].operation, by_instance[counted.first], means[counted.first]};
  }
  return most;
}

}  // namespace

std::optional<Explanation> explain(const FoldedNet& net, const Trace& trace, const RunMeasurement& run,
                                   const maxplus::Deadline& deadline) {
  if (net.pipeline.is_shifted()) return std::nullopt;
  Plays plays(net, run.stretch, deadline);
  const std::vector<Rational> said = instance_durations(net, trace);
  const auto by_instance = plays.deliveries(said);
  if (!by_instance) return std::nullopt;
  const std::vector<Rational> own = own_durations(trace);
  const std::vector<Rational> means = mean_durations(net, trace, own, counting_data_sets(run));
  const auto by_means = plays.deliveries(means);
  if (!by_means) return std::nullopt;
  const auto by_own = plays.deliveries(own);
  if (!by_own) return std::nullopt;
  const auto period = [&](const std::vector<Rational>& times) {
    return period_of_deliveries(run.stretch, times, *by_instance);
  };
  Explanation result{period(*by_instance), period(*by_means), period(*by_own)};
  result.most_changed = most_changed(net, trace, said, means, result.by_means >= result.by_instance);
  return result;
}

Causes causes_of(const Explanation& explanation, const Rational& predicted, const Rational& measured) {
  return {{{Cause::transient, explanation.by_instance - predicted},
           {Cause::instance, explanation.by_means - explanation.by_instance},
           {Cause::variation, explanation.by_own - explanation.by_means},
           {Cause::rest, measured - explanation.by_own}}};
}

std::vector<AddedTime> main_causes(const Causes& causes, const Rational& least) {
  const auto size = [](const AddedTime& added) { return added.time.sign() < 0 ? -added.time : added.time; };
  std::vector<AddedTime> main(causes.begin(), causes.end());
  std::ranges::stable_sort(main, std::greater(), size);
  const Rational half = size(main.front()) / Rational(2);
  std::erase_if(main, [&](const AddedTime& added) {
    return added.time.sign() == 0 || size(added) < least || size(added) < half;
  });
  return main;
}

}  // namespace takt::live
