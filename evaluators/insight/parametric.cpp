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

std::vector<Rational> cycle_times(const tpn::FoldedNet& net) {
  std::vector<Rational> result;
  for (const tpn::Resource& resource : net.resources) result.push_back(resource.cycle_time);
  return result;
}

}  // namespace

ParametricNet::ParametricNet(const tpn::FoldedNet& net, tpn::Document& document, const tpn::Parameter& parameter)
    : now_(parameter.weight_of(parameter.value)), rate_net_(net), cycle_times_(cycle_times(net)), current_(net) {
  // Twice the weight, or 1 in place of 0.
  const Rational step = now_.sign() == 0 ? Rational(1) : now_;
  const std::vector<Rational*> numbers = tpn::numbers_at(document, parameter);
  const Rational before = *numbers.front();
  for (Rational* number : numbers) *number = parameter.weight_of(now_ + step);
  const auto changed = tpn::make_pipeline(document);
  for (Rational* number : numbers) *number = before;
  const auto* pipeline = std::get_if<tpn::Pipeline>(&changed);
  maxplus::expects(pipeline != nullptr, "a net that was made can be made with another number");
  find_rates(*pipeline, step);
  find_decisive_times(net);
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
  set_durations(rate_net_, rates_, scale_);
  std::map<tpn::ConstraintKind, std::vector<Rational>> by_kind;
  for (tpn::Resource& resource : rate_net_.resources) {
    auto [times, is_new] = by_kind.try_emplace(resource.kind);
    if (is_new) times->second = tpn::cycle_times_of(rate_net_.pipeline, resource.kind);
    resource.cycle_time = times->second[resource.processor];
  }
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
      entries[c].emplace_back(durations_[c][k] * durations + rates_[c][k] * rates);
    }
  }
  set_durations(current_, std::move(entries), scale_ * denominator);
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

const tpn::FoldedNet& ParametricNet::raised(const Integer& times) { return combined(times, 1, 1); }

const tpn::FoldedNet& ParametricNet::lowered(const Integer& times) {
  maxplus::expects(Rational(times) * now_ >= Rational(1), "no duration falls below 0");
  return combined(times, -1, 1);
}

Rational ParametricNet::rate_of(const CriticalCircuit& circuit) const {
  const tpn::Pipeline& pipeline = rate_net_.pipeline;
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

std::optional<TouchingLine> line_of(const ParametricNet& net, const Rational& weight, const Evaluation& evaluation) {
  if (!evaluation.exact()) return std::nullopt;
  return TouchingLine{weight, evaluation.lower, net.rate_of(evaluation.circuit)};
}

}  // namespace takt::evaluators
