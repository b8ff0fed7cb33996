// Asks the evaluators one question after the other, what matters most first.
#include "tools/report/findings.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <numeric>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/files/signals.hpp"
#include "tools/vary/vary_plot.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/models.hpp"
#include "vary/net_times.hpp"

namespace takt::tools {

using evaluators::Deadline;
using evaluators::Evaluation;
using tpn::ColumnKind;

namespace {

// Proves the answer, and has the very text checked that is shown.
ProofFinding prove(const ReportFindings& findings, const Deadline& deadline) {
  ProofFinding proof;
  const auto certified = evaluators::certify(findings.net, findings.evaluation);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&certified)) {
    proof.why_not = "No certificate was made: " + too_large_text(*too_large) + ".";
    return proof;
  }
  proof.text = evaluators::write_certificate(std::get<evaluators::Certificate>(certified));
  const auto is_over = [&deadline] { return deadline.has_passed(); };
  const auto certificate = evaluators::read_certificate(proof.text, "certificate", is_over);
  const std::string out_of_time = "The certificate was not checked: the time limit was reached.";
  if (!certificate) {
    proof.why_not = out_of_time;
    return proof;
  }
  proof.has_walk = std::holds_alternative<evaluators::CertificateWalk>(certificate->circuit);
  const auto verdict = evaluators::check(findings.document, *certificate, {evaluators::kCheckedOperations, is_over});
  proof.is_proved = std::holds_alternative<evaluators::Proven>(verdict);
  if (const auto* refused = std::get_if<evaluators::Refused>(&verdict)) {
    proof.why_not = "The checker refused the certificate: " + refused->reason + ".";
  } else if (const auto* too_large = std::get_if<tpn::TooLarge>(&verdict)) {
    proof.why_not = "The certificate was not checked: " + too_large_text(*too_large) + ".";
  } else if (!proof.is_proved) {
    proof.why_not = out_of_time;
  }
  return proof;
}

std::optional<OtherPeriod> compare(const ReportFindings& findings, const Deadline& deadline) {
  const auto models = tpn::default_models();
  const auto other = std::ranges::find_if(models, [&](const tpn::Model& model) { return model != findings.net.model; });
  if (other == models.end() || !findings.exact()) return std::nullopt;
  const auto folded = tpn::fold(findings.document, *other, deadline);
  const auto* net = std::get_if<tpn::FoldedNet>(&folded);
  if (net == nullptr) return std::nullopt;
  evaluators::Options options;
  options.deadline = deadline;
  const Evaluation evaluation = evaluators::evaluate(*net, options);
  if (!evaluation.exact()) return std::nullopt;
  return OtherPeriod{*other, evaluation.upper};
}

// Collects what each pair of processors of a net transfers.
class LoadCollector {
 public:
  explicit LoadCollector(const tpn::FoldedNet& net)
      : pipeline_(net.pipeline), is_strict_(tpn::shares_processors(net.model)) {
    loads_.processors.resize(pipeline_.processors.size());
    loads_.operations.resize(pipeline_.columns.size());
  }

  bool add(tpn::ColumnIndex column) {
    return pipeline_.columns[column].kind == ColumnKind::compute ? add_computations(column) : add_transfers(column);
  }

  NetLoads take() { return std::move(loads_); }

 private:
  void add(std::size_t column, std::pair<std::size_t, std::size_t> who, const Rational& duration,
           const Rational& frequency) {
    TransferLoad& load = loads_.operations[column][who];
    load.duration = std::max(load.duration, duration);
    load.frequency += frequency;
  }

  // Who does one thing at a time is busy himself; ports are busy on the mean.
  void add_load(std::size_t processor, Rational ProcessorLoad::*what, const Rational& time, bool is_within_host) {
    const std::size_t owner = pipeline_.port_owner(processor);
    const tpn::PortCount ports = pipeline_.port_count(owner);
    if (is_strict_ && !pipeline_.has_ports_beside(processor)) loads_.processors[processor].*what += time;
    if ((is_strict_ && !pipeline_.has_ports_beside(owner)) || is_within_host || ports == tpn::kUnlimitedPorts) return;
    loads_.processors[owner].*what += time / Rational(ports);
  }

  bool add_computations(tpn::ColumnIndex column) {
    const auto& sequence = pipeline_.parts[pipeline_.columns[column].part].sequence;
    const Rational frequency = Rational::fraction(1, Integer(sequence.size()));
    for (std::size_t a = 0; a < sequence.size(); ++a) {
      const Rational duration = pipeline_.duration({a + pipeline_.columns[column].shift, column});
      add(column, {sequence[a], sequence[a]}, duration, frequency);
      loads_.processors[sequence[a]].computes += duration * frequency;
    }
    return true;
  }

  bool add_transfers(tpn::ColumnIndex index) {
    const tpn::Column& column = pipeline_.columns[index];
    const auto& senders = pipeline_.parts[column.part].sequence;
    const auto& receivers = pipeline_.parts[column.receiver].sequence;
    const std::size_t common = std::gcd(senders.size(), receivers.size());
    const Rational frequency = Rational::fraction(Integer(common), Integer(senders.size()) * Integer(receivers.size()));
    for (std::size_t a = 0; a < senders.size(); ++a) {
      for (std::size_t b = a % common; b < receivers.size(); b += common) {
        if (senders[a] == receivers[b]) continue;
        const Integer ticks = column.table[column.sender_offset[(a + column.shift) % senders.size()] +
                                           column.receiver_offset[(b + column.shift) % receivers.size()]];
        const Rational duration = Rational::fraction(ticks, pipeline_.scale);
        add(index, {senders[a], receivers[b]}, duration, frequency);
        const bool is_within_host = pipeline_.port_owner(senders[a]) == pipeline_.port_owner(receivers[b]);
        add_load(senders[a], &ProcessorLoad::sends, duration * frequency, is_within_host);
        add_load(receivers[b], &ProcessorLoad::receives, duration * frequency, is_within_host);
        for (std::size_t k = 0; k < pipeline_.ports.segments.size(); ++k) {
          const std::size_t segment = pipeline_.ports.first_segment + k;
          const tpn::PortCount ports = pipeline_.port_count(segment);
          if (ports != tpn::kUnlimitedPorts && pipeline_.segment(segment).passes(senders[a], receivers[b]))
            loads_.processors[segment].sends += duration * frequency / Rational(ports);
        }
        if (++meetings_ > kMostMeetings) return false;
      }
    }
    return true;
  }

  const tpn::Pipeline& pipeline_;
  bool is_strict_;
  std::uint64_t meetings_ = 0;
  NetLoads loads_;
};

// Why a question stayed open.
std::string words_of(const evaluators::Limit& limit) {
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&limit)) return too_large_text(*too_large);
  return "the time limit was reached";
}

void find_steady_state(ReportFindings& findings, const Deadline& deadline) {
  if (!findings.exact()) {
    findings.unsteady = "the period is not known exactly";
    return;
  }
  auto paced = evaluators::paced_schedule(findings.net, findings.period(), deadline);
  if (const auto* limit = std::get_if<evaluators::Limit>(&paced)) {
    findings.unsteady = words_of(*limit);
    return;
  }
  SteadyFindings steady{std::get<evaluators::PacedSchedule>(std::move(paced)), {}, {}, {}};
  steady.latency = evaluators::latency_of(findings.net, steady.paced);
  steady.critical = evaluators::critical_operations(findings.net, steady.paced);
  auto floats = evaluators::operation_floats(findings.net, steady.paced, deadline);
  if (auto* all = std::get_if<evaluators::OperationFloats>(&floats)) steady.floats = std::move(*all);
  findings.steady = std::move(steady);
}

// Operations of nets that are small enough to be played or changed many times.
constexpr unsigned kFewOperations = 20'000;

bool is_small(const tpn::FoldedNet& net) {
  return tpn::repetition_of(net) * net.pipeline.columns.size() <= kFewOperations;
}

void find_start_up(ReportFindings& findings, const Deadline& deadline) {
  evaluators::Options options;
  options.deadline = deadline;
  const std::vector<Integer> asked = {1, 10, 100, 1000};
  findings.start_up.completions = evaluators::completions_of(findings.net, asked, options).times;
  if (!is_small(findings.net)) return;
  const auto ends = evaluators::repeating_ends(findings.net, options);
  if (!ends) return;
  findings.start_up.transient = ends->transient;
  findings.start_up.repeats_every = ends->repeats_every;
}

void find_rooms(ReportFindings& findings, const Deadline& deadline) {
  const tpn::Model& model = findings.net.model;
  if (tpn::why_refused(evaluators::kRoomsTake, findings.net)) return;
  if (!tpn::separates_operations(model) || model.rooms() != 0 || !tpn::is_resources_only(model)) return;
  if (!findings.exact() || findings.period().sign() == 0 || !is_small(findings.net)) return;
  evaluators::Options options;
  options.deadline = deadline;
  findings.rooms = evaluators::rooms_of(findings.net, options);
}

}  // namespace

std::optional<NetLoads> loads_of(const tpn::FoldedNet& net) {
  LoadCollector collector(net);
  for (const tpn::ColumnIndex column : net.pipeline.all_columns()) {
    if (!collector.add(column)) return std::nullopt;
  }
  return collector.take();
}

std::optional<std::vector<CircuitShare>> circuit_shares(const tpn::FoldedNet& net, const Evaluation& evaluation) {
  const tpn::Pipeline& pipeline = net.pipeline;
  const auto& circuit = evaluation.circuit;
  std::uint64_t height = 0;
  for (const auto& step : circuit.steps) height += step.height;
  if (height == 0) return std::vector<CircuitShare>{};
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, Rational> times;
  std::uint64_t meetings = 0;
  std::uint64_t first = circuit.data_set;
  for (const auto& step : circuit.steps) {
    const tpn::Column& column = pipeline.columns[step.column];
    const auto& senders = pipeline.parts[column.part].sequence;
    const auto& receivers = column.kind == ColumnKind::compute ? senders : pipeline.parts[column.receiver].sequence;
    // Lap after lap the step meets data sets `height` further on: the same processors after `turn` data sets.
    const std::uint64_t turn = std::lcm(senders.size(), receivers.size());
    const std::uint64_t laps = turn / std::gcd(turn, height);
    meetings += laps;
    if (meetings > kMostMeetings) return std::nullopt;
    const Rational weight = Rational::fraction(1, Integer(height) * Integer(laps));
    std::uint64_t data_set = first % turn;
    for (std::uint64_t lap = 0; lap < laps; ++lap) {
      const tpn::Operation operation{data_set, step.column};
      times[{step.column, pipeline.sender_of(operation), pipeline.receiver_of(operation)}] +=
          pipeline.duration(operation) * weight;
      data_set = (data_set + height % turn) % turn;
    }
    first += step.height;
  }
  std::vector<CircuitShare> shares;
  for (const auto& [who, time] : times) {
    if (time.sign() == 0) continue;
    shares.push_back({tpn::ColumnIndex(std::get<0>(who)), std::get<1>(who), std::get<2>(who), time});
  }
  std::ranges::stable_sort(shares, std::greater{}, &CircuitShare::time);
  return shares;
}

std::optional<Rational> ReportFindings::share(const Rational& time) const {
  if (!exact() || period().sign() == 0) return std::nullopt;
  return time / period();
}

bool ReportFindings::is_critical(const tpn::Resource& resource) const {
  return exact() && period().sign() != 0 && resource.cycle_time == period();
}

namespace {

void find_changes(ReportFindings& findings, const Deadline& deadline) {
  evaluators::Options options;
  options.deadline = within_reason(deadline);
  findings.advice = find_advice(findings.document, findings.net, findings.evaluation, options, true);
}

// With the same random times as takt vary has by itself.
void find_variation(ReportFindings& findings, const Deadline& deadline) {
  if (!vary::has_laws(findings.document)) return;
  VaryQuestion question;
  question.loads = curve_loads();
  question.settings.deadline = deadline;
  auto answer = vary_instance(findings.file, findings.document, findings.net.model, question);
  if (auto* found = std::get_if<VariedInstance>(&answer)) findings.varied = std::move(*found);
}

}  // namespace

Deadline within_reason(const Deadline& deadline) {
  constexpr std::chrono::seconds kLongest{20};
  return deadline.time() ? deadline : Deadline(Deadline::Clock::now() + kLongest).or_on(interruption());
}

std::variant<ReportFindings, tpn::TooLarge> find_out(const ReportInput& input, const tpn::Model& model,
                                                     const Deadline& deadline) {
  auto folded = tpn::fold(input.document, model, deadline);
  if (auto* too_large = std::get_if<tpn::TooLarge>(&folded)) return std::move(*too_large);
  ReportFindings findings{};
  findings.file = input.file == "-" ? input.file : std::filesystem::path(input.file).filename().string();
  findings.text = input.text;
  findings.document = input.document;
  findings.net = std::get<tpn::FoldedNet>(std::move(folded));
  evaluators::Options options;
  // What is left over has to prove it.
  options.deadline = deadline.after_part(2, 3);
  findings.evaluation = evaluators::evaluate(findings.net, options);
  findings.proof = prove(findings, deadline);
  findings.loads = loads_of(findings.net);
  if (findings.exact()) findings.shares = circuit_shares(findings.net, findings.evaluation);
  find_steady_state(findings, deadline);
  find_changes(findings, deadline.after_part(1, 4));
  find_start_up(findings, deadline);
  findings.other = compare(findings, deadline.half_way());
  constexpr std::size_t kCurves = 20;
  findings.parameters = find_parameters(findings, kCurves, deadline);
  find_rooms(findings, deadline);
  // Under another model it is another plan.
  if (input.document.model == model) {
    findings.plan = planned(input.document, deadline);
    if (!findings.plan) findings.wider_plan = planned_wider(input.document, deadline);
  }
  find_variation(findings, deadline);
  findings.is_out_of_time = deadline.has_passed();
  return findings;
}

}  // namespace takt::tools
