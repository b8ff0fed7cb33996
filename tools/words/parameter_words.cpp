// Values, gains and limits.
#include "tools/words/parameter_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <vector>

#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"

namespace takt::tools {

using maxplus::Rational;
using tpn::Parameter;

namespace {

// "41 %", "0.3 %".
std::string rounded_percent(const Rational& share) {
  const auto value = in_percent(share);
  if (!value) return "-";
  return *value < 1 ? fmt::format("{:.2g} %", *value) : fmt::format("{:.0f} %", *value);
}

// The processors that the steps meet, lap after lap, up to some thousand operations.
std::vector<std::string> processors_on(const tpn::FoldedNet& net, const evaluators::CriticalCircuit& circuit) {
  constexpr std::uint64_t kMostSteps = 10'000;
  const tpn::Pipeline& pipeline = net.pipeline;
  std::set<std::size_t> found;
  std::uint64_t data_set = circuit.data_set;
  std::uint64_t looked_at = 0;
  for (maxplus::Integer lap = 0; lap < circuit.laps && looked_at < kMostSteps; ++lap) {
    for (const evaluators::CircuitStep& step : circuit.steps) {
      found.insert(pipeline.sender_of({data_set, step.column}));
      found.insert(pipeline.receiver_of({data_set, step.column}));
      data_set += step.height;
      ++looked_at;
    }
  }
  std::vector<std::string> names;
  names.reserve(found.size());
  for (const std::size_t processor : found) names.push_back(pipeline.processors[processor]);
  std::ranges::sort(names, tpn::natural_less);
  return names;
}

}  // namespace

bool is_time(const Parameter& parameter) {
  using Quantity = Parameter::Quantity;
  return parameter.quantity == Quantity::stage_time || parameter.quantity == Quantity::stage_fixed ||
         parameter.quantity == Quantity::processor_time || parameter.quantity == Quantity::link_time ||
         parameter.quantity == Quantity::link_latency;
}

std::optional<tpn::Quantity> quantity_of(const Parameter& parameter) {
  switch (parameter.quantity) {
    case Parameter::Quantity::stage_work:
      return std::nullopt;
    case Parameter::Quantity::stage_output:
    case Parameter::Quantity::input:
      return tpn::Quantity::size;
    case Parameter::Quantity::processor_speed:
      return tpn::Quantity::speed;
    case Parameter::Quantity::link_bandwidth:
    case Parameter::Quantity::port_bandwidth:
    case Parameter::Quantity::memory_bandwidth:
    case Parameter::Quantity::segment_bandwidth:
      return tpn::Quantity::bandwidth;
    case Parameter::Quantity::stage_time:
    case Parameter::Quantity::stage_fixed:
    case Parameter::Quantity::processor_time:
    case Parameter::Quantity::link_time:
    case Parameter::Quantity::link_latency:
      break;
  }
  return tpn::Quantity::time;
}

std::string value_text(const Parameter& parameter, const Rational& value, const TimeWords& times) {
  if (is_time(parameter)) return times.readable(value);
  const auto quantity = quantity_of(parameter);
  return quantity ? times.readable(value, *quantity) : cells(value).readable;
}

std::string slack_text(const Parameter& parameter, const Rational& slack, const TimeWords& times) {
  if (slack.sign() == 0) return "0";
  const Rational weight = parameter.weight_of(parameter.value);
  if (parameter.is_inverse()) {
    return fmt::format("down to {} ({} slower)", value_text(parameter, parameter.weight_of(weight + slack), times),
                       rounded_percent(slack / weight));
  }
  const std::string text = value_text(parameter, slack, times);
  return weight.sign() == 0 ? text : fmt::format("{} ({})", text, rounded_percent(slack / weight));
}

std::string limiting_text(const tpn::FoldedNet& net, const evaluators::LimitedPeriod& period) {
  if (period.period.sign() == 0) return "";  // nothing takes time
  if (period.resource) return resource_text(net.resources[*period.resource], net.pipeline) + ", always busy";
  const std::vector<std::string> names = processors_on(net, period.circuit);
  if (names.empty()) return "";
  constexpr std::size_t kNamed = 2;
  std::string text = "a circuit through " + printable(names[0]);
  if (names.size() == 2) text += " and " + printable(names[1]);
  if (names.size() > 2) text += fmt::format(", {} and {} more", printable(names[1]), names.size() - kNamed);
  return text;
}

std::string gain_text(const Rational& period, const Rational& smaller) {
  if (!(smaller < period)) return "nothing";
  if (smaller.sign() == 0) return "no limit";
  const auto gain = gain_percent(period, smaller);
  if (!gain) return "-";
  return *gain < 0.1 ? "under +0.1 %" : fmt::format("+{:.1f} %", *gain);
}

}  // namespace takt::tools
