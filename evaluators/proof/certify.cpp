// Puts an evaluation's witnesses into the form of a certificate.
#include "evaluators/proof/certify.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "evaluators/bounds.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

using Schedules = std::variant<std::vector<ColumnSchedule>, tpn::TooLarge>;

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

std::vector<CertificateBuffer> buffers_by_name(const FoldedNet& net) {
  std::vector<CertificateBuffer> named;
  named.reserve(net.capacity.buffers.size());
  for (const tpn::Buffer& buffer : net.capacity.buffers) {
    named.push_back({net.pipeline.processors[buffer.processor], net.pipeline.parts[buffer.part].mapping_part,
                     buffer.side, buffer.room, tpn::other_part_of(buffer, net.pipeline)});
  }
  return named;
}

// By column, the data sets after which its durations and the dependences that leave it repeat. Any modulus would do for
// a schedule; with a multiple of this all operations of a class are alike.
std::vector<Integer> least_moduli(const FoldedNet& net) {
  std::vector<Integer> moduli;
  for (const tpn::Column& column : net.pipeline.columns) moduli.emplace_back(column.period);
  for (const tpn::Dependence& d : net.dependences) moduli[d.from] = lcm(moduli[d.from], Integer(d.modulus));
  return moduli;
}

// The schedule with every modulus raised to such a multiple.
Schedules class_schedule(const FoldedNet& net, const ClassSchedule& classes, const Rational& upper) {
  std::vector<Integer> moduli = least_moduli(net);
  Integer numbers = 0;
  for (std::size_t c = 0; c < moduli.size(); ++c) {
    moduli[c] = lcm(moduli[c], Integer(classes.starts[c].size()));
    numbers += moduli[c];
  }
  if (numbers > kCertificateNumbers)
    return tpn::TooLarge{tpn::LimitKind::certificate_numbers, numbers, kCertificateNumbers};
  std::vector<ColumnSchedule> schedules;
  for (std::size_t c = 0; c < moduli.size(); ++c) {
    const tpn::DurationTable& starts = classes.starts[c];
    ColumnSchedule schedule{c, {}};
    for (std::size_t p = 0; p < moduli[c].get_ui(); ++p) {
      schedule.start.push_back(Rational::fraction(starts[p % starts.size()], classes.unit) + upper * Rational(p));
    }
    schedules.push_back(std::move(schedule));
  }
  return schedules;
}

// Every data set starts when the one before has ended, each column taking its longest duration.
Schedules sequential_schedule(const FoldedNet& net) {
  const std::vector<Integer> classes = least_moduli(net);
  Integer numbers = 0;
  for (const Integer& count : classes) numbers += count;
  if (numbers > kCertificateNumbers)
    return tpn::TooLarge{tpn::LimitKind::certificate_numbers, numbers, kCertificateNumbers};

  Integer longest_data_set = 0;
  for (const tpn::Column& column : net.pipeline.columns) longest_data_set += column.table.longest();
  std::vector<ColumnSchedule> schedules;
  Integer before = 0;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    ColumnSchedule schedule{c, {}};
    for (unsigned long p = 0; p < classes[c].get_ui(); ++p) {
      schedule.start.push_back(Rational::fraction(before + longest_data_set * p, net.pipeline.scale));
    }
    schedules.push_back(std::move(schedule));
    before += net.pipeline.columns[c].table.longest();
  }
  return schedules;
}

// By induction the operation of a slack column on data set j starts no later than M_ct * j; these clocks say so.
void add_slack_clocks(const FoldedNet& net, const ColumnClocks& clocks, std::vector<Rational>& values) {
  if (clocks.slack_columns.empty()) return;
  const Rational& cycle_time = largest_cycle_time(net);
  std::vector<std::optional<Rational>> longest(net.pipeline.columns.size());
  for (const std::size_t column : clocks.slack_columns) {
    longest[column] = Rational::fraction(net.pipeline.columns[column].table.longest(), net.pipeline.scale);
  }
  for (const ResourceToken& token : resource_tokens(net)) {
    if (!longest[token.column]) continue;
    values[token.resource] = *longest[token.column] - cycle_time * Rational(token.back);
  }
}

// The clocks sorted by the column of their resource, for resources come by column.
std::vector<ColumnClockList> column_clocks(const FoldedNet& net, const ColumnClocks& clocks) {
  std::vector<Rational> values = clocks.values;
  add_slack_clocks(net, clocks, values);
  std::vector<ColumnClockList> columns;
  for (std::size_t r = 0; r < values.size(); ++r) {
    const std::size_t column = net.resources[r].first_column;
    if (columns.empty() || columns.back().column != column) columns.push_back({column, {}});
    columns.back().clocks.push_back({named(net, r), values[r]});
  }
  return columns;
}

std::vector<CertificateClock> named_clocks(const FoldedNet& net, const ResourceClocks& clocks) {
  std::vector<CertificateClock> result;
  result.reserve(clocks.values.size());
  for (std::size_t r = 0; r < clocks.values.size(); ++r) result.push_back({named(net, r), clocks.values[r]});
  return result;
}

Schedules row_schedule(const FoldedNet& net, const RowSchedule& rows) {
  const Integer numbers = rows.starts.size();
  if (numbers > kCertificateNumbers)
    return tpn::TooLarge{tpn::LimitKind::certificate_numbers, numbers, kCertificateNumbers};
  const std::size_t columns = net.pipeline.columns.size();
  std::vector<ColumnSchedule> schedules(columns);
  for (std::size_t c = 0; c < columns; ++c) {
    schedules[c].column = c;
    schedules[c].start.reserve(rows.starts.size() / columns);
  }
  for (std::size_t v = 0; v < rows.starts.size(); ++v)
    schedules[v % columns].start.push_back(Rational(rows.starts[v]) * rows.unit);
  return schedules;
}

// What makes the certificate too large, if anything does.
std::optional<tpn::TooLarge> take(Schedules schedules, Certificate& certificate) {
  if (auto* too_large = std::get_if<tpn::TooLarge>(&schedules)) return *too_large;
  certificate.witness = std::get<std::vector<ColumnSchedule>>(std::move(schedules));
  return std::nullopt;
}

std::optional<tpn::TooLarge> take(const PotentialSchedule& potentials, Certificate& certificate) {
  Integer numbers = 0;
  for (const TransferPotentials& transfer : potentials.transfers) numbers += transfer.potentials.size();
  if (numbers > kCertificateNumbers)
    return tpn::TooLarge{tpn::LimitKind::certificate_numbers, numbers, kCertificateNumbers};
  certificate.witness = potentials;
  return std::nullopt;
}

std::optional<tpn::TooLarge> add_witness(const FoldedNet& net, const Evaluation& evaluation, Certificate& certificate) {
  const auto& witness = evaluation.witness;
  if (const auto* rows = std::get_if<RowSchedule>(&witness)) return take(row_schedule(net, *rows), certificate);
  if (const auto* potentials = std::get_if<PotentialSchedule>(&witness)) return take(*potentials, certificate);
  if (const auto* classes = std::get_if<ClassSchedule>(&witness))
    return take(class_schedule(net, *classes, evaluation.upper), certificate);
  if (const auto* large = std::get_if<LargeSchedule>(&witness))
    return tpn::TooLarge{tpn::LimitKind::certificate_numbers, large->starts, kCertificateNumbers};
  if (const auto* clocks = std::get_if<ResourceClocks>(&witness)) {
    certificate.witness = named_clocks(net, *clocks);
    return std::nullopt;
  }
  if (const auto* by_column = std::get_if<ColumnClocks>(&witness)) {
    certificate.witness = column_clocks(net, *by_column);
    return std::nullopt;
  }
  return take(sequential_schedule(net), certificate);
}

}  // namespace

std::variant<Certificate, tpn::TooLarge> certify(const FoldedNet& net, const Evaluation& evaluation) {
  Certificate certificate;
  certificate.model = net.model;
  certificate.window = net.capacity.window;
  certificate.buffers = buffers_by_name(net);
  certificate.lower = evaluation.lower;
  certificate.upper = evaluation.upper;
  if (evaluation.circuit.resource) {
    certificate.circuit = named(net, *evaluation.circuit.resource);
  } else {
    const Integer steps = evaluation.circuit.steps.size();
    if (steps > kCertificateNumbers)
      return tpn::TooLarge{tpn::LimitKind::certificate_steps, steps, kCertificateNumbers};
    certificate.circuit = walk(evaluation.circuit);
  }
  if (const auto too_large = add_witness(net, evaluation, certificate)) return *too_large;
  return certificate;
}

}  // namespace takt::evaluators
