// All ranks step until none moves; then the clock goes to the next moment at which something happens by itself.
#include "live/rehearsal.hpp"

#include <memory>
#include <numeric>
#include <variant>

#include "live/trace.hpp"
#include "live/virtual_world.hpp"
#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

// Takes as long as the instance says, and leaves packets as they are.
class NominalComputer : public Computer {
 public:
  std::optional<Ticks> begin(const PartCall& call, Packet packet) override {
    packet_ = std::move(packet);
    return call.start + call.nominal;
  }
  bool is_done() override { return true; }
  Packet take() override { return std::move(packet_); }

 private:
  Packet packet_;
};

class KeptResults : public ResultSink {
 public:
  void append(std::uint64_t, const std::string& bytes) override { results.push_back(bytes); }

  std::vector<std::string> results;
};

// A processor with all that belongs to it.
struct VirtualRank {
  VirtualRank(VirtualWorld& world, std::size_t processor, const tpn::ProblemView& problem, const RunTerms& terms)
      : transport(world, processor), participant(processor, problem, terms, transport, computer) {}

  VirtualTransport transport;
  NominalComputer computer;
  Participant participant;
};

}  // namespace

std::optional<Rehearsal> rehearse(const tpn::Document& instance, const RehearsalTerms& terms) {
  const auto made = tpn::make_pipeline(instance);
  const auto* pipeline = std::get_if<tpn::Pipeline>(&made);
  if (pipeline == nullptr || !Route::make(*pipeline, exact_ticks(*pipeline))) return std::nullopt;
  const tpn::ProblemView problem(instance);
  RunTerms run;
  run.model = terms.model;
  run.engine = terms.engine;
  run.ticks_per_unit = exact_ticks(*pipeline);
  run.coordinator = pipeline->processors.size();
  run.processors.resize(run.coordinator);
  std::iota(run.processors.begin(), run.processors.end(), std::size_t{0});
  VirtualWorld world;
  std::vector<std::unique_ptr<VirtualRank>> ranks;
  for (std::size_t p = 0; p < run.coordinator; ++p) {
    ranks.push_back(std::make_unique<VirtualRank>(world, p, problem, run));
  }
  VirtualTransport transport(world, run.coordinator);
  KeptResults kept;
  Coordinator coordinator(run, terms.coordination, *instance.mapping, transport, kept);
  while (!coordinator.is_over()) {
    StepResult all = coordinator.step();
    for (const auto& rank : ranks) all.add(rank->participant.step());
    if (all.has_moved) continue;
    maxplus::expects(all.next.has_value(), "a run that is not over goes on");
    world.advance_to(*all.next);
  }
  return Rehearsal{trace_of(coordinator.records(), run.ticks_per_unit), std::move(kept.results),
                   coordinator.mappings()};
}

}  // namespace takt::live
