// One parameter at a time, by as few evaluations as answer.
#include "evaluators/insight/sensitivity.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/critical.hpp"
#include "evaluators/insight/paced.hpp"
#include "evaluators/insight/parametric.hpp"
#include "maxplus/contract.hpp"
#include "tpn/hosts.hpp"

namespace takt::evaluators {

namespace {

// Answers for one parameter.
class ParameterStudy {
 public:
  ParameterStudy(ParametricNet& net, const Evaluation& evaluation, const SensitivityQuestions& questions)
      : net_(net),
        questions_(questions),
        period_(evaluation.lower),
        rate_(net.left_rate_of(evaluation.circuit)),
        right_rate_(net.rate_of(evaluation.circuit, net.now())) {}

  Rational share() const { return rate_ * net_.now() / period_; }

  void answer(ParameterInsight& insight, bool is_only_circuit) {
    insight.share = period_.sign() == 0 ? Rational() : share();
    if (is_only_circuit) {
      if (net_.now().sign() > 0) insight.left_derivative = rate_;
      insight.right_derivative = right_rate_;
    }
    insight.faster_period = period_below(net_.now() / (Rational(1) + questions_.faster));
    insight.free = free();
    if (questions_.derivatives && !is_only_circuit) {
      insight.left_derivative = left_derivative();
      insight.right_derivative = right_derivative();
    }
    // The circuit found grows with the weight, and so does the period.
    insight.slack = right_rate_.sign() > 0 ? Rational() : slack(insight.is_without_limit);
    if (questions_.target) insight.target = target(*questions_.target);
    if (!questions_.curve) return;
    insight.curve = curve();
    if (insight.curve) insight.curve_limits = limits_along(*insight.curve);
  }

 private:
  std::optional<Evaluation> exact(const tpn::FoldedNet& net) const {
    if (questions_.evaluation.deadline.has_passed()) return std::nullopt;
    Evaluation evaluation = evaluate(net, questions_.evaluation);
    if (!evaluation.exact()) return std::nullopt;
    return evaluation;
  }

  std::optional<TouchingLine> line_at(const Rational& weight) {
    const auto evaluation = exact(net_.at(weight));
    if (!evaluation) return std::nullopt;
    return line_of(net_, weight, *evaluation);
  }

  bool is_off_circuit() const { return rate_.sign() == 0; }

  std::optional<Rational> period_below(const Rational& weight) {
    if (is_off_circuit()) return period_;
    const auto line = line_at(weight);
    if (!line) return std::nullopt;
    return line->value;
  }

  std::optional<LimitedPeriod> free() {
    if (is_off_circuit()) return LimitedPeriod{period_, std::nullopt, {}};
    return limited_period(Rational());
  }

  std::optional<LimitedPeriod> limited_period(const Rational& weight) {
    const tpn::FoldedNet& net = net_.at(weight);
    const auto evaluation = exact(net);
    if (!evaluation) return std::nullopt;
    LimitedPeriod result{evaluation->lower, std::nullopt, evaluation->circuit};
    if (net.resources[evaluation->busiest].cycle_time == evaluation->lower) result.resource = evaluation->busiest;
    return result;
  }

  std::optional<Rational> right_derivative() {
    const auto raised = exact(net_.raised(net_.decisive_times()));
    if (!raised) return std::nullopt;
    return raised->lower - period_ * Rational(net_.decisive_times());
  }

  std::optional<Rational> left_derivative() {
    if (net_.now().sign() == 0) return std::nullopt;
    if (is_off_circuit()) return Rational();
    const auto lowered = exact(net_.lowered(net_.decisive_times()));
    if (!lowered) return std::nullopt;
    return period_ * Rational(net_.decisive_times()) - lowered->lower;
  }

  // Where no resource handles what grows, as copies within a host: some circuit of the fastest growth is as long as
  // `period` at this weight at the latest.
  std::optional<Rational> weight_of_growth(const Rational& period, bool& is_without_limit) {
    const auto growth = exact(net_.growth());
    if (!growth) return std::nullopt;
    is_without_limit = growth->lower.sign() == 0;
    if (is_without_limit) return std::nullopt;
    return net_.now() + period / growth->lower;
  }

  // The largest weight with this period, which is not below that now. A line's value falls to the period at a smaller
  // weight, where the function is not below it.
  std::optional<Rational> largest_weight(const Rational& period, bool& is_without_limit) {
    auto weight = net_.weight_at_cycle_time(period);
    if (!weight) weight = weight_of_growth(period, is_without_limit);
    if (!weight) return std::nullopt;
    for (;;) {
      const auto line = line_at(*weight);
      if (!line) return std::nullopt;
      if (line->value == period) return weight;
      maxplus::expects(line->slope.sign() > 0, "a period that has grown grows");
      *weight -= (line->value - period) / line->slope;
    }
  }

  std::optional<Rational> slack(bool& is_without_limit) {
    const auto weight = largest_weight(period_, is_without_limit);
    if (!weight) return std::nullopt;
    return *weight - net_.now();
  }

  // Of a target below the period.
  std::optional<TargetWeight> smaller_weight(const Rational& wanted) {
    TouchingLine line{net_.now(), period_, rate_};
    while (line.value != wanted) {
      if (line.slope.sign() == 0) return TargetWeight{};
      const Rational weight = line.at - (line.value - wanted) / line.slope;
      if (weight.sign() < 0) return TargetWeight{};
      const auto next = line_at(weight);
      if (!next) return std::nullopt;
      line = *next;
    }
    return TargetWeight{line.at};
  }

  std::optional<TargetWeight> target(const Rational& wanted) {
    if (wanted == period_) return TargetWeight{net_.now()};
    if (wanted < period_) return smaller_weight(wanted);
    bool is_without_limit = false;
    const auto weight = largest_weight(wanted, is_without_limit);
    if (!weight && !is_without_limit) return std::nullopt;
    return TargetWeight{weight};
  }

  std::optional<Polyline> curve() {
    const auto left = line_at(Rational());
    const auto right = line_at(net_.now().sign() == 0 ? Rational(1) : net_.now() * Rational(2));
    if (!left || !right) return std::nullopt;
    return convex_curve(*left, *right, [&](const Rational& weight) { return line_at(weight); });
  }

  std::vector<LimitedPeriod> limits_along(const Polyline& curve) {
    std::vector<LimitedPeriod> limits;
    for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
      auto limit = limited_period((curve[k].first + curve[k + 1].first) / Rational(2));
      if (!limit) return {};
      limits.push_back(std::move(*limit));
    }
    return limits;
  }

  ParametricNet& net_;
  const SensitivityQuestions& questions_;
  Rational period_;
  Rational rate_;        // of the critical circuit, to the left: between the derivatives
  Rational right_rate_;  // likewise to the right
};

// The processors whose operations a circuit has, lap after lap, up to some thousand operations; and which of them a
// parameter concerns.
class CircuitProcessors {
 public:
  CircuitProcessors(const tpn::FoldedNet& net, const tpn::Document& document, const CriticalCircuit& circuit)
      : document_(document), hosts_(document.platform), on_circuit_(document.platform.processors.size()) {
    constexpr std::uint64_t kMostOperations = 10'000;
    const tpn::Pipeline& pipeline = net.pipeline;
    std::uint64_t data_set = circuit.data_set;
    std::uint64_t seen = 0;
    for (Integer lap = 0; lap < circuit.laps && seen < kMostOperations; ++lap) {
      for (const CircuitStep& step : circuit.steps) {
        add(pipeline.sender_of({data_set, step.column}));
        add(pipeline.receiver_of({data_set, step.column}));
        data_set += step.height;
        ++seen;
      }
    }
  }

  // May be wrong either way; it only says what is looked at first.
  bool may_have(const tpn::Parameter& parameter) const {
    using Quantity = tpn::Parameter::Quantity;
    if (!parameter.alike.empty())
      return std::ranges::any_of(parameter.alike, [&](const tpn::Parameter& one) { return may_have(one); });
    if (parameter.is_of_type) return true;
    switch (parameter.quantity) {
      case Quantity::stage_time:
      case Quantity::stage_fixed:
        return on_circuit_[document_.application.stages[parameter.index].times[parameter.inner].processor];
      case Quantity::processor_time:
      case Quantity::processor_speed:
      case Quantity::port_bandwidth:
      case Quantity::memory_bandwidth:
        return on_circuit_[parameter.index];
      case Quantity::link_time:
      case Quantity::link_latency:
      case Quantity::link_bandwidth: {
        if (parameter.links != tpn::Parameter::Links::listed) return true;
        const tpn::Link& link = document_.platform.links[parameter.index];
        return on_circuit_[link.from] && on_circuit_[link.to];
      }
      case Quantity::stage_work:
      case Quantity::stage_output:
      case Quantity::input:
      case Quantity::segment_bandwidth:
        return true;
    }
    return true;
  }

 private:
  // Those behind the document's are the source and the sink.
  void add(std::size_t processor) {
    if (processor >= on_circuit_.size() || on_circuit_[processor]) return;
    on_circuit_[processor] = true;
    // Parameters are told of the first of several cores, and of one of a host's processors.
    if (hosts_.size_of(processor) == 1) return;
    for (std::size_t p = 0; p < on_circuit_.size(); ++p)
      if (hosts_.are_together(p, processor)) on_circuit_[p] = true;
  }

  const tpn::Document& document_;
  tpn::HostIndex hosts_;
  std::vector<bool> on_circuit_;
};

// The places of parameters, those first that may matter to the critical circuit: they may help.
std::vector<std::size_t> order_of(std::span<const tpn::Parameter> parameters, const CircuitProcessors& circuit) {
  std::vector<std::size_t> order(parameters.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(), [&](std::size_t p) { return circuit.may_have(parameters[p]); });
  return order;
}

// Whether one circuit alone is critical, among all data sets: then it says the derivatives of every parameter.
bool is_only_circuit(const tpn::FoldedNet& net, const Rational& period, const Deadline& deadline) {
  if (tpn::repetition_of(net) != net.pipeline.rows) return false;
  const auto paced = paced_schedule(net, period, deadline);
  const auto* schedule = std::get_if<PacedSchedule>(&paced);
  return schedule != nullptr && critical_operations(net, *schedule).single_circuit;
}

}  // namespace

ParameterAnalysis analyze_parameters(const tpn::FoldedNet& net, const tpn::Document& document,
                                     const Evaluation& evaluation, const SensitivityQuestions& questions,
                                     std::span<const tpn::Parameter> parameters) {
  maxplus::expects(evaluation.exact(), "sensitivities are those of an exact period");
  const bool only_circuit = is_only_circuit(net, evaluation.lower, questions.evaluation.deadline);
  tpn::Document changeable = document;
  ParameterAnalysis analysis;
  std::map<std::size_t, ParameterInsight> found;  // by place
  for (const std::size_t p : order_of(parameters, CircuitProcessors(net, document, evaluation.circuit))) {
    if (questions.evaluation.deadline.has_passed()) {
      ++analysis.unasked;
      continue;
    }
    ParametricNet parametric(net, changeable, parameters[p]);
    if (!parametric.matters()) continue;
    ParameterInsight& insight = found[p];
    insight.parameter = parameters[p];
    ParameterStudy(parametric, evaluation, questions).answer(insight, only_circuit);
  }
  for (auto& [place, insight] : found) analysis.insights.push_back(std::move(insight));
  return analysis;
}

void sort_by_gain(std::vector<ParameterInsight>& insights) {
  using Quantity = tpn::Parameter::Quantity;
  const bool are_times = std::ranges::all_of(insights, [](const ParameterInsight& insight) {
    const Quantity quantity = insight.parameter.quantity;
    return quantity == Quantity::stage_time || quantity == Quantity::stage_fixed ||
           quantity == Quantity::processor_time || quantity == Quantity::link_time ||
           quantity == Quantity::link_latency;
  });
  const auto free = [](const ParameterInsight& insight) {
    return insight.free ? std::optional(insight.free->period) : std::nullopt;
  };
  // Times compare with each other; a time and a speed only by their shares.
  const auto slack = [&](const ParameterInsight& insight) -> std::optional<Rational> {
    const Rational weight = insight.parameter.weight_of(insight.parameter.value);
    if (are_times || !insight.slack || insight.slack->sign() == 0) return insight.slack;
    if (weight.sign() == 0) return std::nullopt;
    return *insight.slack / weight;
  };
  // What was not found comes last.
  const auto less = [](const std::optional<Rational>& x, const std::optional<Rational>& y) {
    return x && (!y || *x < *y);
  };
  std::ranges::stable_sort(insights, [&](const ParameterInsight& a, const ParameterInsight& b) {
    if (a.faster_period != b.faster_period) return less(a.faster_period, b.faster_period);
    if (free(a) != free(b)) return less(free(a), free(b));
    return less(slack(a), slack(b));
  });
}

}  // namespace takt::evaluators
