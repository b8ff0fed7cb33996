// The critical circuit as a bar of shares and as a story, step by step.
#include <fmt/format.h>

#include <algorithm>

#include "tools/drawing/critical_steps.hpp"
#include "tools/report/sections.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

using tpn::ColumnKind;
using tpn::ConstraintKind;

constexpr double kBarPixels = 1070;
constexpr double kPixelsPerCharacter = 7.2;

double share_of(const ReportFindings& findings, const Rational& time) {
  const auto share = findings.share(time);
  return share ? share->to_double().value_or(0) : 0;
}

PageShare share_in_words(const ReportFindings& findings, const ReportWords& words, const CircuitShare& share) {
  PageShare part;
  part.operation = words.operation(share.column, share.processor, share.peer);
  part.share = share_of(findings, share.time);
  const PageNumber time = words.time(share.time);
  part.time = time.readable;
  part.exact = time.exact.empty() ? time.readable : time.exact;
  const double pixels = static_cast<double>(part.operation.size()) * kPixelsPerCharacter + 10;
  if (pixels < part.share * kBarPixels) part.label = part.operation;
  return part;
}

// Where the circuit is after a number of steps.
class CircuitWalk {
 public:
  explicit CircuitWalk(const ReportFindings& findings)
      : net_(findings.net),
        circuit_(findings.evaluation.circuit),
        critical_({findings.document, findings.net, findings.evaluation}),
        data_set_(circuit_.data_set) {}

  tpn::Operation operation() const { return {data_set_, step().column}; }
  /// Why the step after this one waits for it.
  const tpn::Dependence& next() const {
    const std::size_t to = circuit_.steps[(at_ + 1) % circuit_.steps.size()].column;
    return net_.dependences[critical_.dependence(data_set_, step(), to)];
  }
  std::uint64_t data_set() const { return data_set_; }
  void advance() {
    data_set_ += step().height;
    at_ = (at_ + 1) % circuit_.steps.size();
  }

 private:
  const evaluators::CircuitStep& step() const { return circuit_.steps[at_]; }

  const tpn::FoldedNet& net_;
  const evaluators::CriticalCircuit& circuit_;
  CriticalSteps critical_;
  std::uint64_t data_set_;
  std::size_t at_ = 0;
};

// Why an operation waits, after another on that data set.
std::string reason(const ReportFindings& findings, const ReportWords& words, const tpn::Dependence& dependence,
                   std::uint64_t data_set) {
  const tpn::Pipeline& pipeline = findings.net.pipeline;
  if (dependence.kind == ConstraintKind::flow) {
    return pipeline.columns[dependence.to].kind == ColumnKind::compute ? "needs that file" : "sends that result";
  }
  if (dependence.kind == ConstraintKind::window)
    return fmt::format("waits for an earlier {} to be delivered", words.times().item());
  const std::size_t processor = pipeline.owner(dependence, data_set);
  if (dependence.kind == ConstraintKind::room) return "waits for room on " + words.processor(processor);
  return fmt::format("waits for {} to be free again", words.resource(dependence.kind, processor));
}

// The operations of the circuit until its durations repeat.
Integer operations_of(const evaluators::CriticalCircuit& circuit) { return circuit.laps * circuit.steps.size(); }

std::string read_downwards(const ReportFindings& findings, const ReportWords& words) {
  const auto& circuit = findings.evaluation.circuit;
  Integer height = 0;
  for (const auto& step : circuit.steps) height += step.height;
  height *= circuit.laps;
  return fmt::format("Read downwards; after the last step it begins again, {} later.", words.times().items(height));
}

}  // namespace

PageShares shares_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageShares section;
  if (!findings.shares || findings.shares->empty()) return section;
  section.is_shown = true;
  section.introduction = fmt::format(
      "The critical chain spends the {} of each {} on these operations. Making any other operation faster has no "
      "effect.",
      words.span(findings.period()), words.times().item());
  Rational others;
  std::size_t counted = 0;
  const bool is_cut = findings.shares->size() > limits.shares;
  for (const CircuitShare& share : *findings.shares) {
    if (is_cut && section.parts.size() + 1 >= limits.shares) {
      others += share.time;
      ++counted;
      continue;
    }
    section.parts.push_back(share_in_words(findings, words, share));
  }
  if (counted == 0) return section;
  PageShare rest;
  rest.operation = fmt::format("{} others", grouped(counted));
  rest.label = share_of(findings, others) > 0.1 ? rest.operation : "";
  rest.share = share_of(findings, others);
  rest.time = words.time(others).readable;
  rest.exact = words.time(others).exact;
  section.parts.push_back(rest);
  return section;
}

PageSteps steps_of(const ReportFindings& findings, const ReportWords& words, const PageLimits& limits) {
  PageSteps section;
  if (!findings.exact() || findings.period().sign() == 0 || findings.evaluation.circuit.steps.empty()) return section;
  section.is_shown = true;
  section.introduction = read_downwards(findings, words);
  const Integer operations = operations_of(findings.evaluation.circuit);
  const std::size_t shown = Integer(std::min(operations, Integer(limits.steps))).get_ui();
  CircuitWalk walk(findings);
  std::vector<Rational> starts;
  Rational now;
  std::string why;
  for (std::size_t k = 0; k < shown; ++k) {
    const tpn::Operation operation = walk.operation();
    const Rational duration = findings.net.pipeline.duration(operation);
    starts.push_back(now);
    section.steps.push_back({words.operation(operation),
                             fmt::format("{} {}", words.times().item(), findings.net.pipeline.data_set_of(operation)),
                             words.time(duration), 0, 0, why});
    now += duration;
    why = reason(findings, words, walk.next(), walk.data_set());
    walk.advance();
  }
  if (operations == shown) section.steps.front().why = why + ": the last step";
  if (now.sign() != 0) {
    for (std::size_t k = 0; k < shown; ++k) {
      const Rational end = k + 1 < shown ? starts[k + 1] : now;
      section.steps[k].start = (starts[k] / now).to_double().value_or(0);
      section.steps[k].width = ((end - starts[k]) / now).to_double().value_or(0);
    }
  }
  if (operations > shown) {
    section.left_out = fmt::format("The first {} of {} steps; takt evaluate {} {} --circuit full lists them.", shown,
                                   grouped(operations), words.command_file(), words.model_options());
  }
  return section;
}

}  // namespace takt::tools
