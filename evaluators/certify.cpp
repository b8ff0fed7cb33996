// Puts an evaluation's witnesses into the form of a certificate.
#include "evaluators/certify.hpp"

#include <algorithm>
#include <utility>

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

ResourceName named(const FoldedNet& net, std::size_t resource) {
  return {net.pipeline.processors[net.resources[resource].processor], net.resources[resource].kind};
}

CertificateWalk walk(const CriticalCircuit& circuit) {
  CertificateWalk result;
  result.data_set = circuit.data_set;
  for (std::size_t t = 0; t < circuit.steps.size(); ++t) {
    const CircuitStep& next = circuit.steps[(t + 1) % circuit.steps.size()];
    result.steps.push_back({circuit.steps[t].column, next.column, circuit.steps[t].height});
  }
  return result;
}

// Every data set starts when the one before has ended, each column taking its longest duration.
std::variant<std::vector<ColumnSchedule>, tpn::TooLarge> sequential_schedule(const FoldedNet& net) {
  std::vector<Integer> classes;
  Integer numbers = 0;
  for (const tpn::Column& column : net.pipeline.columns) classes.emplace_back(column.period);
  for (const tpn::Dependence& d : net.dependences) classes[d.from] = lcm(classes[d.from], Integer(d.modulus));
  for (const Integer& count : classes) numbers += count;
  if (numbers > kCertificateNumbers) return tpn::TooLarge{"numbers in the certificate", numbers, kCertificateNumbers};

  Integer longest_data_set = 0;
  for (const tpn::Column& column : net.pipeline.columns) longest_data_set += *std::ranges::max_element(column.table);
  std::vector<ColumnSchedule> schedules;
  Integer before = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    ColumnSchedule schedule{c, {}};
    for (unsigned long p = 0; p < classes[c].get_ui(); ++p) {
      schedule.start.push_back(Rational::fraction(before + longest_data_set * p, net.pipeline.scale));
    }
    schedules.push_back(std::move(schedule));
    before += *std::ranges::max_element(net.pipeline.columns[c].table);
  }
  return schedules;
}

}  // namespace

std::variant<Certificate, tpn::TooLarge> certify(const FoldedNet& net, const Evaluation& evaluation) {
  Certificate certificate;
  certificate.model = net.model;
  certificate.lower = evaluation.lower;
  certificate.upper = evaluation.upper;
  if (evaluation.circuit.resource) {
    certificate.circuit = named(net, *evaluation.circuit.resource);
  } else {
    const Integer steps = evaluation.circuit.steps.size();
    if (steps > kCertificateNumbers) return tpn::TooLarge{"steps of the circuit", steps, kCertificateNumbers};
    certificate.circuit = walk(evaluation.circuit);
  }
  if (const auto* clocks = std::get_if<ResourceClocks>(&evaluation.witness)) {
    std::vector<CertificateClock> named_clocks;
    for (std::size_t r = 0; r < clocks->values.size(); ++r) named_clocks.push_back({named(net, r), clocks->values[r]});
    certificate.witness = std::move(named_clocks);
  } else if (const auto* rows = std::get_if<RowSchedule>(&evaluation.witness)) {
    const Integer numbers = rows->starts.size();
    if (numbers > kCertificateNumbers) return tpn::TooLarge{"numbers in the certificate", numbers, kCertificateNumbers};
    const std::size_t columns = net.pipeline.columns.size();
    std::vector<ColumnSchedule> schedules(columns);
    for (std::size_t c = 0; c < columns; ++c) schedules[c].column = c;
    for (std::size_t v = 0; v < rows->starts.size(); ++v) schedules[v % columns].start.push_back(rows->starts[v]);
    certificate.witness = std::move(schedules);
  } else {
    auto schedule = sequential_schedule(net);
    if (auto* too_large = std::get_if<tpn::TooLarge>(&schedule)) return *too_large;
    certificate.witness = std::get<std::vector<ColumnSchedule>>(std::move(schedule));
  }
  return certificate;
}

}  // namespace takt::evaluators
