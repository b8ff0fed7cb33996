// Which numbers of an instance are asked about, so that large ones are answered in seconds.
#include <algorithm>
#include <chrono>

#include "tools/files/signals.hpp"
#include "tools/report/findings.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/parameters.hpp"
#include "tpn/segments.hpp"

namespace takt::tools {

namespace {

using Clock = evaluators::Deadline::Clock;
using tpn::ColumnKind;
using tpn::Parameter;
using tpn::PartRole;

// Each question costs a look at all pairs of processors that meet, and some evaluations.
constexpr std::size_t kMostLooks = 1'000'000;
constexpr std::size_t kLooksBeside = 300;       // that an evaluation costs at least
constexpr std::size_t kOperationsPerLook = 20;  // of a method that looks at all rows
constexpr std::size_t kResidueLooks = 20'000;   // of the one that counts classes
constexpr std::size_t kAskedAtLeast = 4;
constexpr std::chrono::seconds kLongestForOneMore{2};

// Whether the critical circuit may meet what grows with a parameter: if not, the parameter does not help.
class CircuitMembers {
 public:
  explicit CircuitMembers(const ReportFindings& findings)
      : findings_(findings), hosts_(findings.document.platform), segments_(findings.document.platform) {}

  bool may_have(const Parameter& parameter) const {
    if (!parameter.alike.empty())
      return std::ranges::any_of(parameter.alike, [&](const Parameter& one) { return may_have(one); });
    return std::ranges::any_of(*findings_.shares,
                               [&](const CircuitShare& share) { return may_grow(share, parameter); });
  }

 private:
  bool may_grow(const CircuitShare& share, const Parameter& parameter) const {
    const tpn::Pipeline& pipeline = findings_.net.pipeline;
    const tpn::NetPart& part = pipeline.parts[pipeline.columns[share.column].part];
    const bool computes = pipeline.columns[share.column].kind == ColumnKind::compute;
    switch (parameter.quantity) {
      case Parameter::Quantity::stage_work:
      case Parameter::Quantity::stage_time:
      case Parameter::Quantity::stage_fixed:
        return computes && part.first_stage <= parameter.index && parameter.index <= part.last_stage;
      case Parameter::Quantity::processor_time:
      case Parameter::Quantity::processor_speed:
        return computes &&
               (parameter.is_of_type ? findings_.document.platform.processors[share.processor].type == parameter.index
                                     : are_together(share.processor, parameter.index));
      case Parameter::Quantity::stage_output:
        return !computes && std::ranges::find(pipeline.columns[share.column].files, parameter.index) !=
                                pipeline.columns[share.column].files.end();
      case Parameter::Quantity::input:
        return !computes && part.role == PartRole::source;
      case Parameter::Quantity::link_time:
      case Parameter::Quantity::link_latency:
      case Parameter::Quantity::link_bandwidth:
        return !computes && may_use(share, parameter);
      case Parameter::Quantity::segment_bandwidth:
        return !computes && is_on_segment(share, parameter);
      case Parameter::Quantity::port_bandwidth:
      case Parameter::Quantity::memory_bandwidth:
        return !computes && (has_port(share.processor, parameter) || has_port(share.peer, parameter));
    }
    return true;
  }

  // In either direction.
  bool is_on_segment(const CircuitShare& share, const Parameter& parameter) const {
    const tpn::SegmentSide here = segments_.side(parameter.index, share.processor);
    const tpn::SegmentSide there = segments_.side(parameter.index, share.peer);
    return here != tpn::SegmentSide::none && there != tpn::SegmentSide::none && here != there;
  }

  // Source and sink stand behind the document's processors.
  bool has_port(std::size_t processor, const Parameter& parameter) const {
    const auto& processors = findings_.document.platform.processors;
    if (!parameter.is_of_type) return are_together(processor, parameter.index);
    return processor < processors.size() && processors[processor].type == parameter.index;
  }

  // A parameter is told of one of a host's processors.
  bool are_together(std::size_t processor, std::size_t other) const {
    return processor == other ||
           (processor < findings_.document.platform.processors.size() && hosts_.are_together(processor, other));
  }

  bool may_use(const CircuitShare& share, const Parameter& parameter) const {
    if (parameter.links != Parameter::Links::listed) return true;
    const tpn::Link& link = findings_.document.platform.links[parameter.index];
    const auto joins = [&](std::size_t from, std::size_t to) {
      return are_together(share.processor, from) && are_together(share.peer, to);
    };
    return joins(link.from, link.to) || joins(link.to, link.from);
  }

  const ReportFindings& findings_;
  tpn::HostIndex hosts_;
  tpn::SegmentIndex segments_;
};

std::size_t looks_for_one(const ReportFindings& findings) {
  std::size_t looks = kLooksBeside + findings.evaluation.circuit.steps.size();
  for (const auto& column : findings.loads->operations) looks += column.size();
  const auto method = findings.evaluation.method;
  if (method == evaluators::Method::residue) return looks + kResidueLooks;
  if (method == evaluators::Method::pattern) return looks;
  const Integer operations = tpn::repetition_of(findings.net) * findings.net.pipeline.columns.size();
  return looks + Integer(std::min(operations, Integer(kMostLooks * kOperationsPerLook)) / kOperationsPerLook).get_ui();
}

// Where no number helps alone.
void find_together(ParameterFindings& result, const ReportFindings& findings,
                   const evaluators::SensitivityQuestions& questions) {
  const bool is_whole = result.unasked_too == 0 && !result.insights.empty();
  result.helps_together = is_whole && std::ranges::all_of(result.insights, [&](const auto& insight) {
                            return insight.faster_period && !insight.helps(findings.period());
                          });
  if (!result.helps_together) return;
  result.together = evaluators::change_together(findings.net, findings.document, findings.evaluation, result.asked,
                                                questions.faster, questions.evaluation);
}

// In little time: other turns can make a net much larger.
evaluators::OneMoreAnalysis find_one_more(const ReportFindings& findings, evaluators::Options options) {
  const auto end = Clock::now() + kLongestForOneMore;
  if (!options.deadline.time() || end < *options.deadline.time())
    options.deadline = evaluators::Deadline(end).or_on(interruption());
  const auto rows = evaluators::one_more_rows(findings.net, findings.document, false);
  auto analysis = evaluators::analyze_one_more(findings.net, findings.document, findings.evaluation, options, rows);
  evaluators::sort_by_period(analysis.rows);
  return analysis;
}

}  // namespace

ParameterFindings find_parameters(const ReportFindings& findings, std::size_t curves,
                                  const evaluators::Deadline& deadline) {
  ParameterFindings result;
  if (!findings.exact() || findings.period().sign() == 0 || !findings.shares || !findings.loads) return result;
  const std::size_t affordable = std::max(kMostLooks / looks_for_one(findings), kAskedAtLeast);
  const std::vector<Parameter> all = tpn::with_alike_together(findings.document, tpn::parameters_of(findings.document));
  const CircuitMembers circuit(findings);
  std::vector<Parameter>& asked = result.asked;
  for (const bool on_circuit : {true, false}) {
    for (const Parameter& parameter : all) {
      if (circuit.may_have(parameter) != on_circuit) continue;
      if (asked.size() < affordable) {
        asked.push_back(parameter);
      } else {
        (on_circuit ? result.unasked_too : result.unasked) += parameter.size();
      }
    }
  }
  evaluators::SensitivityQuestions questions;
  questions.evaluation.deadline = within_reason(deadline);
  const auto answer = [&](const std::vector<Parameter>& parameters) {
    return evaluators::analyze_parameters(findings.net, findings.document, findings.evaluation, questions, parameters);
  };
  auto analysis = answer(asked);
  result.unasked_too += analysis.unasked;
  result.insights = std::move(analysis.insights);
  evaluators::sort_by_gain(result.insights);
  // Curves cost a few times as much.
  std::vector<Parameter> drawn;
  for (std::size_t k = 0; k < std::min({curves, result.insights.size(), affordable / 4}); ++k)
    drawn.push_back(result.insights[k].parameter);
  questions.curve = true;
  auto curved = answer(drawn).insights;
  for (std::size_t k = 0; k < curved.size(); ++k) result.insights[k].curve = std::move(curved[k].curve);
  find_together(result, findings, questions);
  result.one_more = find_one_more(findings, questions.evaluation);
  return result;
}

}  // namespace takt::tools
