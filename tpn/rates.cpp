// Who sends how many files to whom, by units, and the loads that follow.
#include "tpn/rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/timing.hpp"

namespace takt::tpn {

namespace {

// Runs of files between the same two processors that are looked at, per transfer.
constexpr std::uint64_t kMostRuns = 1'000'000;

// The files that a part takes, and makes, in a unit.
struct UnitFiles {
  Integer taken = 1;
  Integer made = 1;
};

UnitFiles unit_files(const std::vector<Stage>& stages, const NetPart& part) {
  if (part.role != PartRole::mapped) return {};
  Rational firings = 1;  // of a stage, for one of the part's first
  Integer unit = 1;
  for (std::size_t k = part.first_stage + 1; k <= part.last_stage; ++k) {
    firings = firings * stages[k - 1].produces / stages[k].consumes;
    unit = lcm(unit, firings.denominator());
  }
  const Rational made = firings * Rational(unit) * stages[part.last_stage].produces;
  return {unit * stages[part.first_stage].consumes.numerator(), made.numerator()};
}

// Entries of a sender's and a receiver's sequence, and how many of `all` files go from the one to the other.
struct SharedFiles {
  std::map<std::pair<std::size_t, std::size_t>, Integer> files;
  Integer all;
};

std::variant<SharedFiles, TooLarge> shared_files(const Integer& made, std::size_t senders, const Integer& taken,
                                                 std::size_t receivers) {
  SharedFiles shared;
  shared.all = lcm(Integer(made * Integer(senders)), Integer(taken * Integer(receivers)));
  const Integer runs = shared.all / made + shared.all / taken;
  if (runs > kMostRuns) return TooLarge{LimitKind::meetings, runs, kMostRuns};
  std::size_t sender = 0;
  std::size_t receiver = 0;
  Integer sent = made;
  Integer received = taken;
  for (Integer file = 0; file < shared.all;) {
    const Integer end = std::min(sent, received);
    shared.files[{sender, receiver}] += end - file;
    file = end;
    if (sent == end) {
      sent += made;
      sender = (sender + 1) % senders;
    }
    if (received == end) {
      received += taken;
      receiver = (receiver + 1) % receivers;
    }
  }
  return shared;
}

// By processor, how long it is busy per data set.
struct ProcessorLoads {
  explicit ProcessorLoads(std::size_t processors) : receiving(processors), computing(processors), sending(processors) {}

  std::vector<Rational> receiving;
  std::vector<Rational> computing;
  std::vector<Rational> sending;
  Rational in_sequence;  // the longest operations of all columns together

  Rational of(const Resource& resource) const {
    Rational load;
    if (handles_receptions(resource.kind)) load += receiving[resource.processor];
    if (handles_computations(resource.kind)) load += computing[resource.processor];
    if (handles_sendings(resource.kind)) load += sending[resource.processor];
    return load;
  }
};

void add_computation(const Timing& timing, const NetPart& part, ProcessorLoads& loads) {
  if (part.role != PartRole::mapped) return;
  Rational longest;
  for (const std::size_t processor : part.sequence) {
    const Rational time = timing.computation(part.first_stage, part.last_stage, processor);
    loads.computing[processor] += time / Rational(part.sequence.size());
    longest = std::max(longest, time);
  }
  loads.in_sequence += longest;
}

std::optional<TooLarge> add_transfer(const Document& document, const Pipeline& pipeline, const Column& transfer,
                                     const Timing& timing, ProcessorLoads& loads) {
  const NetPart& from = pipeline.parts[transfer.part];
  const NetPart& to = pipeline.parts[transfer.receiver];
  const std::vector<Stage>& stages = document.application.stages;
  const auto shared = shared_files(unit_files(stages, from).made, from.sequence.size(), unit_files(stages, to).taken,
                                   to.sequence.size());
  if (const auto* too_large = std::get_if<TooLarge>(&shared)) return *too_large;
  const auto& [files, all] = std::get<SharedFiles>(shared);
  Rational longest;
  for (const auto& [entries, count] : files) {
    const std::size_t sender = from.sequence[entries.first];
    const std::size_t receiver = to.sequence[entries.second];
    const Rational time = transfer_time(pipeline, transfer, sender, receiver, timing);
    const Rational load = time * Rational::fraction(count, all);
    loads.sending[sender] += load;
    loads.receiving[receiver] += load;
    longest = std::max(longest, time);
  }
  loads.in_sequence += longest;
  return std::nullopt;
}

std::optional<std::size_t> first_with_rates(const Application& application) {
  const auto& stages = application.stages;
  const auto found = std::ranges::find_if(
      stages, [](const Stage& stage) { return stage.consumes != Rational(1) || stage.produces != Rational(1); });
  if (found == stages.end()) return std::nullopt;
  return static_cast<std::size_t>(found - stages.begin());
}

}  // namespace

bool has_rates(const Application& application) { return first_with_rates(application).has_value(); }

void require_single_files(const Application& application) {
  const auto found = first_with_rates(application);
  if (!found) return;
  const Stage& stage = application.stages[*found];
  const bool consumes = stage.consumes != Rational(1);
  throw InvalidInstance(
      fmt::format("/application/stages/{}/{}", *found, consumes ? "consumes" : "produces"),
      (consumes ? stage.consumes : stage.produces).to_string(),
      "1: of stages that consume or produce several files takt knows rates only, the load of each resource "
      "(takt evaluate), not when a file is sent or a data set is done");
}

std::optional<TooLarge> add_loads(const Document& document, FoldedNet& net) {
  if (net.model->has_rooms) require_single_files(document.application);
  const Timing timing(document);
  ProcessorLoads loads(net.pipeline.processors.size());
  for (const NetPart& part : net.pipeline.parts) add_computation(timing, part, loads);
  for (const Column& column : net.pipeline.columns) {
    if (column.kind != ColumnKind::transfer) continue;
    if (auto too_large = add_transfer(document, net.pipeline, column, timing, loads)) return too_large;
  }
  for (Resource& resource : net.resources) resource.cycle_time = loads.of(resource);
  net.in_sequence = loads.in_sequence;
  return std::nullopt;
}

std::optional<std::string> why_rates_only(const FoldedNet& net) {
  if (!net.in_sequence) return std::nullopt;
  if (std::ranges::any_of(net.pipeline.parts, [](const NetPart& part) { return part.sequence.size() > 1; }))
    return "a part has several turns";
  const auto leaves_column = [](const Dependence& d) { return d.to < d.from || (d.from < d.to && d.height > 0); };
  if (std::ranges::any_of(net.dependences, leaves_column))
    return "receptions, computations and sendings wait for one another";
  return std::nullopt;
}

}  // namespace takt::tpn
