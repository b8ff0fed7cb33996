// Tables of durations and of what they grow by, over one scale, and their sums.
#include "evaluators/insight/parametric.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "evaluators/bounds.hpp"
#include "maxplus/contract.hpp"
#include "tpn/circuits.hpp"
#include "tpn/column_period.hpp"

namespace takt::evaluators {

namespace {

// The entries of every column's table, over a scale that is a multiple of the pipeline's.
std::vector<std::vector<Integer>> entries_of(const tpn::Pipeline& pipeline, const Integer& scale) {
  const Integer factor = scale / pipeline.scale;
  std::vector<std::vector<Integer>> result;
  for (const tpn::Column& column : pipeline.columns) {
    std::vector<Integer>& entries = result.emplace_back();
    entries.reserve(column.table.size());
    for (std::size_t k = 0; k < column.table.size(); ++k) entries.emplace_back(column.table[k] * factor);
  }
  return result;
}

// Replaces tables, and what follows from them.
void set_durations(tpn::FoldedNet& net, std::vector<std::vector<Integer>> entries, const Integer& scale) {
  tpn::Pipeline& pipeline = net.pipeline;
  pipeline.scale = scale;
  for (std::size_t c = 0; c < entries.size(); ++c) {
    pipeline.columns[c].table = tpn::DurationTable(std::move(entries[c]));
    pipeline.columns[c].period = tpn::minimal_period(pipeline.columns[c]);
  }
}

// Of all resources of a net that has that pipeline.
std::vector<Rational> cycle_times(const tpn::FoldedNet& net, const tpn::Pipeline& pipeline,
                                  tpn::OfPorts which = tpn::OfPorts::busiest) {
  std::map<tpn::ConstraintKind, std::vector<Rational>> by_kind;
  std::vector<Rational> result;
  for (const tpn::Resource& resource : net.resources) {
    auto [times, is_new] = by_kind.try_emplace(resource.kind);
    if (is_new) times->second = tpn::cycle_times_of(pipeline, resource.kind, which);
    result.push_back(times->second[resource.processor]);
  }
  return result;
}

// The inverses of the bandwidths that the lesser of several may hold of: the smallest and the largest.
std::pair<Rational, Rational> range_of_inverses(const tpn::Platform& platform) {
  std::vector<Rational> all;
  const auto add = [&](const std::optional<Rational>& bandwidth) {
    if (bandwidth) all.push_back(Rational(1) / *bandwidth);
  };
  for (const tpn::Processor& processor : platform.processors) add(processor.bandwidth);
  for (const tpn::NetworkSegment& segment : platform.segments) add(segment.bandwidth);
  add(platform.defaults.bandwidth);
  for (const auto* const end : {&platform.source, &platform.sink}) {
    if (!*end) continue;
    for (const tpn::Endpoint& one : (*end)->in_turn()) add(one.timing.bandwidth);
  }
  const auto [least, most] = std::ranges::minmax_element(all);
  return {*least, *most};
}

// The document's pipeline with another weight of the parameter.
class ChangedPipelines {
 public:
  ChangedPipelines(tpn::Document& document, const tpn::Parameter& parameter)
      : document_(document), parameter_(parameter), numbers_(tpn::numbers_at(document, parameter)) {}

  tpn::Pipeline at(const Rational& weight) const {
    const Rational before = *numbers_.front();
    for (Rational* number : numbers_) *number = parameter_.weight_of(weight);
    auto changed = tpn::make_pipeline(document_);
    for (Rational* number : numbers_) *number = before;
    auto* pipeline = std::get_if<tpn::Pipeline>(&changed);
    maxplus::expects(pipeline != nullptr, "a net that was made can be made with another number");
    return std::move(*pipeline);
  }

 private:
  tpn::Document& document_;
  const tpn::Parameter& parameter_;
  std::vector<Rational*> numbers_;
};

std::vector<Rational> cycle_times(const tpn::FoldedNet& net) {
  std::vector<Rational> result;
  for (const tpn::Resource& resource : net.resources) result.push_back(resource.cycle_time);
  return result;
}

// Which of several ports is the busiest may change with a parameter: then their largest cycle time is not linear in it.
bool has_several_ports(const tpn::FoldedNet& net) {
  return std::ranges::any_of(net.resources, [&](const tpn::Resource& resource) {
    return tpn::can_be_several(resource.kind) && net.pipeline.port_count(resource.processor) != tpn::kOnePort;
  });
}

// The mean per data set of a closed walk's table entries, for every lap until they repeat.
Rational mean_of(const tpn::Pipeline& pipeline, const CriticalCircuit& circuit) {
  Integer height = 0;
  for (const CircuitStep& step : circuit.steps) height += step.height;
  // A step's data sets are `height` apart, lap after lap: b repeats after q / gcd(q, height) of them.
  Rational rate;
  std::uint64_t data_set = circuit.data_set;
  for (const CircuitStep& step : circuit.steps) {
    const tpn::Column& column = pipeline.columns[step.column];
    const std::uint64_t apart = maxplus::modulo(height, column.period);
    std::uint64_t residue = data_set % column.period;
    const std::uint64_t first = residue;
    Integer sum = 0;
    std::uint64_t laps = 0;
    do {
      sum += column.duration(residue);
      residue = (residue + apart) % column.period;
      ++laps;
    } while (residue != first);
    rate += Rational::fraction(sum, Integer(laps));
    data_set += step.height;
  }
  return rate / Rational(pipeline.scale * height);
}

}  // namespace

ParametricNet::ParametricNet(const tpn::FoldedNet& net, tpn::Document& document, const tpn::Parameter& parameter)
    : now_(parameter.weight_of(parameter.value)),
      rate_net_(net),
      are_times_linear_(!has_several_ports(net)),
      cycle_times_(are_times_linear_ ? cycle_times(net) : cycle_times(net, net.pipeline, tpn::OfPorts::mean)),
      current_(net) {
  const ChangedPipelines changed(document, parameter);
  if (parameter.may_bend) {
    // Below and above all other bandwidths' inverses.
    const auto [least, most] = range_of_inverses(document.platform);
    const std::array<Rational, 2> weights{least / Rational(2), most * Rational(2)};
    find_bends(changed.at(weights[0]), changed.at(weights[1]), changed.at(weights[1] * Rational(2)), weights);
  } else {
    // Twice the weight, or 1 in place of 0.
    const Rational step = now_.sign() == 0 ? Rational(1) : now_;
    find_rates(changed.at(now_ + step), step);
  }
  find_rate_net();
  find_decisive_times(net);
}

// At both higher weights the line holds wherever it grows; what holds at the low one in place of it is the floor.
void ParametricNet::find_bends(const tpn::Pipeline& low, const tpn::Pipeline& high, const tpn::Pipeline& higher,
                               const std::array<Rational, 2>& weights) {
  const auto& [low_weight, step] = weights;  // from high to higher it is as much again
  const Rational back = step - now_;
  const Integer whole = step.numerator() * back.denominator() * Integer((step - low_weight).denominator());
  scale_ = lcm(Integer(lcm(low.scale, high.scale)), Integer(lcm(higher.scale, current_.pipeline.scale))) * whole;
  const auto now = entries_of(current_.pipeline, scale_);
  floors_ = entries_of(low, scale_);
  durations_ = entries_of(high, scale_);
  rates_ = entries_of(higher, scale_);
  const auto over = [](const Integer& rate, const Rational& way) -> Integer {
    return rate / way.denominator() * way.numerator();
  };
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    for (std::size_t k = 0; k < rates_[c].size(); ++k) {
      Integer& rate = rates_[c][k];
      rate = Integer(rate - durations_[c][k]) / step.numerator() * step.denominator();
      if (floors_[c][k] == durations_[c][k] - over(rate, step - low_weight)) floors_[c][k] = 0;
      durations_[c][k] -= over(rate, back);
      matters_ = matters_ || sgn(rate) > 0;
      maxplus::expects(std::max(durations_[c][k], floors_[c][k]) == now[c][k], "a duration bends once");
    }
  }
  const std::vector<Rational> at_high = cycle_times(current_, high, tpn::OfPorts::mean);
  const std::vector<Rational> at_higher = cycle_times(current_, higher, tpn::OfPorts::mean);
  for (std::size_t r = 0; r < at_high.size(); ++r)
    cycle_times_[r] = at_high[r] - (at_higher[r] - at_high[r]) / step * back;
}

void ParametricNet::find_rates(const tpn::Pipeline& changed, const Rational& step) {
  const tpn::Pipeline& pipeline = current_.pipeline;
  // b = (changed - now) / step = (changed - now) q / p, over scale * p.
  scale_ = lcm(pipeline.scale, changed.scale) * step.numerator();
  durations_ = entries_of(pipeline, scale_);
  rates_ = entries_of(changed, scale_);
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    maxplus::expects(rates_[c].size() == durations_[c].size(), "tables do not change their form with a number");
    for (std::size_t k = 0; k < rates_[c].size(); ++k) {
      rates_[c][k] = (rates_[c][k] - durations_[c][k]) / step.numerator() * step.denominator();
      matters_ = matters_ || sgn(rates_[c][k]) > 0;
    }
  }
}

void ParametricNet::find_rate_net() {
  set_durations(rate_net_, rates_, scale_);
  const std::vector<Rational> times = cycle_times(rate_net_, rate_net_.pipeline, tpn::OfPorts::mean);
  for (std::size_t r = 0; r < times.size(); ++r) rate_net_.resources[r].cycle_time = times[r];
}

std::vector<std::vector<Integer>> ParametricNet::rates_at(const Rational& weight, bool to_the_left) const {
  std::vector<std::vector<Integer>> rates = rates_;
  if (!can_bend()) return rates;
  const Rational more = weight - now_;
  for (std::size_t c = 0; c < rates.size(); ++c) {
    for (std::size_t k = 0; k < rates[c].size(); ++k) {
      if (sgn(rates[c][k]) == 0) continue;
      const Integer line = durations_[c][k] * more.denominator() + rates[c][k] * more.numerator();
      const int above = cmp(line, Integer(floors_[c][k] * more.denominator()));
      if (above < 0 || (above == 0 && to_the_left)) rates[c][k] = 0;
    }
  }
  return rates;
}

std::vector<std::vector<ParametricNet::Effect>> ParametricNet::effects() const {
  const auto left = rates_at(now_, true);
  const auto right = rates_at(now_, false);
  std::vector<std::vector<Effect>> result(rates_.size());
  for (std::size_t c = 0; c < rates_.size(); ++c) {
    if (std::ranges::all_of(right[c], [](const Integer& rate) { return sgn(rate) == 0; })) continue;
    for (std::size_t k = 0; k < right[c].size(); ++k) {
      const bool falls = sgn(left[c][k]) > 0 && now_.sign() > 0;
      result[c].push_back(falls                                ? Effect::falls
                          : can_bend() && sgn(right[c][k]) > 0 ? Effect::grows_only
                                                               : Effect::none);
    }
  }
  return result;
}

void ParametricNet::set_current(std::vector<std::vector<Integer>> entries, const Integer& scale) {
  set_durations(current_, std::move(entries), scale);
  if (!can_bend() && are_times_linear_) return;
  const std::vector<Rational> times = cycle_times(current_, current_.pipeline);
  for (std::size_t r = 0; r < times.size(); ++r) current_.resources[r].cycle_time = times[r];
}

// `durations` times those now, and the rates once, up or down.
const tpn::FoldedNet& ParametricNet::bent(const std::vector<std::vector<Integer>>& rates, const Integer& durations,
                                          const Integer& sign) {
  std::vector<std::vector<Integer>> entries(rates.size());
  for (std::size_t c = 0; c < entries.size(); ++c)
    for (std::size_t k = 0; k < rates[c].size(); ++k)
      entries[c].emplace_back(std::max(durations_[c][k], floors_[c][k]) * durations + rates[c][k] * sign);
  set_current(std::move(entries), scale_);
  return current_;
}

void ParametricNet::find_decisive_times(const tpn::FoldedNet& net) {
  Integer tokens = 0;
  for (const tpn::Dependence& d : net.dependences) tokens += (d.height + d.modulus - 1) / d.modulus;
  const Integer rows = lcm(tpn::repetition_of(net), tpn::repetition_of(rate_net_));
  Integer longest = 0;
  for (const tpn::Column& column : rate_net_.pipeline.columns) longest += column.table.longest();
  decisive_times_ = longest * rows * tokens * tokens + 1;
  if (now_.sign() > 0) decisive_times_ = std::max(decisive_times_, Integer(now_.denominator() / now_.numerator() + 1));
}

const tpn::FoldedNet& ParametricNet::combined(const Integer& durations, const Integer& rates,
                                              const Integer& denominator) {
  std::vector<std::vector<Integer>> entries(durations_.size());
  for (std::size_t c = 0; c < entries.size(); ++c) {
    entries[c].reserve(durations_[c].size());
    for (std::size_t k = 0; k < durations_[c].size(); ++k) {
      Integer& entry = entries[c].emplace_back(durations_[c][k] * durations + rates_[c][k] * rates);
      if (can_bend()) entry = std::max(entry, Integer(floors_[c][k] * durations));
    }
  }
  set_current(std::move(entries), scale_ * denominator);
  if (can_bend() || !are_times_linear_) return current_;
  const Rational times = Rational::fraction(durations, denominator);
  const Rational share = Rational::fraction(rates, denominator);
  for (std::size_t r = 0; r < cycle_times_.size(); ++r) {
    current_.resources[r].cycle_time = cycle_times_[r] * times + rate_net_.resources[r].cycle_time * share;
  }
  return current_;
}

const tpn::FoldedNet& ParametricNet::at(const Rational& weight) {
  maxplus::expects(weight.sign() >= 0, "a parameter's weight is not negative");
  const Rational more = weight - now_;
  return combined(more.denominator(), more.numerator(), more.denominator());
}

const tpn::FoldedNet& ParametricNet::raised(const Integer& times) {
  return can_bend() ? bent(rates_at(now_, false), times, 1) : combined(times, 1, 1);
}

const tpn::FoldedNet& ParametricNet::lowered(const Integer& times) {
  maxplus::expects(Rational(times) * now_ >= Rational(1), "no duration falls below 0");
  return can_bend() ? bent(rates_at(now_, true), times, -1) : combined(times, -1, 1);
}

Rational ParametricNet::rate_of(const CriticalCircuit& circuit, const Rational& weight) const {
  if (!can_bend()) return mean_of(rate_net_.pipeline, circuit);
  tpn::FoldedNet rates = rate_net_;
  set_durations(rates, rates_at(weight, false), scale_);
  return mean_of(rates.pipeline, circuit);
}

Rational ParametricNet::left_rate_of(const CriticalCircuit& circuit) const {
  if (!can_bend()) return mean_of(rate_net_.pipeline, circuit);
  tpn::FoldedNet rates = rate_net_;
  set_durations(rates, rates_at(now_, true), scale_);
  return mean_of(rates.pipeline, circuit);
}

std::optional<Rational> ParametricNet::weight_at_cycle_time(const Rational& period) const {
  std::optional<Rational> least;
  for (std::size_t r = 0; r < cycle_times_.size(); ++r) {
    const Rational& rate = rate_net_.resources[r].cycle_time;
    if (rate.sign() == 0) continue;
    const Rational weight = now_ + (period - cycle_times_[r]) / rate;
    if (!least || weight < *least) least = weight;
  }
  return least;
}
tpn::FoldedNet with_durations_of(const tpn::FoldedNet& net, const tpn::Pipeline& changed) {
  tpn::FoldedNet result = net;
  set_durations(result, entries_of(changed, changed.scale), changed.scale);
  const std::vector<Rational> times = cycle_times(result, result.pipeline);
  for (std::size_t r = 0; r < times.size(); ++r) result.resources[r].cycle_time = times[r];
  return result;
}

std::optional<TouchingLine> line_of(const ParametricNet& net, const Rational& weight, const Evaluation& evaluation) {
  if (!evaluation.exact()) return std::nullopt;
  return TouchingLine{weight, evaluation.lower, net.rate_of(evaluation.circuit, weight)};
}

}  // namespace takt::evaluators
