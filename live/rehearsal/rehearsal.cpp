// All ranks step until none moves; then the clock goes to the next moment at which something happens by itself.
#include "live/rehearsal/rehearsal.hpp"

#include <cmath>
#include <memory>
#include <span>
#include <variant>

#include "live/adaptation/first_free.hpp"
#include "live/engine/drawn_times.hpp"
#include "live/measurement/trace.hpp"
#include "live/rehearsal/virtual_world.hpp"
#include "maxplus/contract.hpp"
#include "tpn/capabilities.hpp"

namespace takt::live {

namespace {

// Takes as long as the instance says, or longer under load.
class NominalComputer : public Computer {
 public:
  NominalComputer(std::size_t processor, const tpn::ProblemView& problem, const StageFlow& flow,
                  const RehearsalTerms& terms)
      : processor_(processor),
        problem_(problem),
        flow_(flow),
        loads_(terms.loads),
        factors_(terms.factors),
        action_(terms.action) {}

  std::optional<Ticks> begin(const PartCall& call, Packet packet) override {
    packet_ = std::move(packet);
    if (call.first_stage <= call.last_stage) act(call);
    const Ticks time = factors_ && call.first_stage <= call.last_stage ? varied(call) : call.nominal;
    return loads_.empty() ? call.start + time : loaded_end(loads_, processor_, call.start, time);
  }
  bool is_done() override { return true; }
  Packet take() override { return std::move(packet_); }
  StageTimes stage_times() const override { return stage_times_; }

 private:
  void act(const PartCall& call) {
    if (flow_.is_chain() && !action_) return;
    run_stages(flow_, call.first_stage, call.last_stage, packet_,
               [&](std::size_t stage, Packet& packet) { action_ ? action_(stage, packet) : packet.bytes.clear(); });
  }

  // A stage's part of the nominal time is that of the instance.
  Ticks varied(const PartCall& call) {
    std::vector<double> times;
    double nominal = 0;
    double all = 0;
    for (std::size_t k = call.first_stage; k <= call.last_stage; ++k) {
      const double alone = problem_.timing().computation(k, k, processor_).to_double().value_or(0);
      times.push_back(alone * factors_(packet_.data_set, k));
      nominal += alone;
      all += times.back();
    }
    const double scale = nominal > 0 ? static_cast<double>(call.nominal) / nominal : 0;
    stage_times_.clear();
    for (const double time : times) stage_times_.push_back(std::llround(time * scale));
    return std::llround(all * scale);
  }

  std::size_t processor_;
  const tpn::ProblemView& problem_;
  const StageFlow& flow_;
  std::span<const BackgroundLoad> loads_;
  const StageFactors& factors_;
  const StageAction& action_;
  StageTimes stage_times_;
  Packet packet_;
};

class NoLog : public RunLog {
 public:
  void write(const RunLogEntry&) override {}
};

class KeptResults : public ResultSink {
 public:
  explicit KeptResults(const std::function<void(const RunView&)>& on_view) : on_view_(on_view) {}

  void seen(const RunView& view) override {
    if (on_view_) on_view_(view);
  }
  void append(std::uint64_t, const std::string& bytes) override { results.push_back(bytes); }

  std::vector<std::string> results;

 private:
  const std::function<void(const RunView&)>& on_view_;
};

// A processor with all that belongs to it.
struct VirtualRank {
  VirtualRank(VirtualWorld& world, std::size_t processor, const tpn::ProblemView& problem, const RunTerms& terms,
              const RehearsalTerms& rehearsal)
      : transport(world, processor),
        computer(processor, problem, terms.flow, rehearsal),
        participant(processor, problem, terms, transport, computer) {}

  VirtualTransport transport;
  NominalComputer computer;
  Participant participant;
};

using VirtualRanks = std::vector<std::unique_ptr<VirtualRank>>;

// False if it was broken off.
bool run_to_the_end(VirtualWorld& world, const VirtualRanks& ranks, Coordinator& coordinator,
                    const RehearsalTerms& terms) {
  constexpr std::uint64_t kAsked = 256;
  for (std::uint64_t k = 0; !coordinator.is_over(); ++k) {
    if (terms.stops && k % kAsked == 0 && terms.stops()) return false;
    StepResult all = coordinator.step();
    for (const auto& rank : ranks) all.add(rank->participant.step());
    if (all.has_moved) continue;
    maxplus::expects(all.next.has_value(), "a run that is not over goes on");
    if (terms.until && *all.next > *terms.until) return false;
    world.advance_to(*all.next);
  }
  return true;
}

RunTerms run_terms(const RehearsalTerms& terms, const tpn::Document& instance, const tpn::Pipeline& pipeline,
                   const Route& route, StageFlow flow, const Rational& ticks_per_unit) {
  RunTerms run;
  const RunEnds ends = run_ends(route);
  run.model = terms.model;
  run.engine = terms.engine;
  run.ticks_per_unit = ticks_per_unit;
  run.coordinator = pipeline.processors.size();
  run.sources = ends.sources;
  run.entry_parts = ends.entry_parts;
  run.deliverers = ends.deliverers;
  run.is_ahead = route.largest_shift() > 0;
  run.flow = std::move(flow);
  for (std::size_t p = 0; p < run.coordinator; ++p)
    if (!pipeline.is_host(p) && !pipeline.is_segment(p)) run.processors.push_back(p);
  run.tells_times = terms.adaptation.has_value();
  run.lends_inputs = terms.adaptation && terms.adaptation->rule == AdaptationRule::safe;
  run.tells_last_state = terms.coordination.looks_every.has_value();
  run.data_sets = terms.coordination.data_sets;
  if (terms.jitter) run.durations = drawn_durations(instance, pipeline, *terms.jitter, ticks_per_unit);
  return run;
}

CoordinatorTerms coordination_of(const RehearsalTerms& terms, const Rational& ticks_per_unit) {
  CoordinatorTerms coordination = terms.coordination;
  if (terms.arrivals) coordination.arrives = drawn_arrivals(*terms.arrivals, ticks_per_unit);
  return coordination;
}

std::vector<Rational> deliveries_of(const Coordinator& coordinator, const Rational& ticks_per_unit) {
  std::vector<Rational> deliveries;
  for (const Ticks moment : coordinator.deliveries()) deliveries.push_back(Rational(moment) / ticks_per_unit);
  return deliveries;
}

}  // namespace

std::optional<Rehearsal> rehearse(const tpn::Document& instance, const RehearsalTerms& terms) {
  const bool turns_change = terms.adaptation || terms.engine.turns == TurnOrder::first_free;
  turns_change ? tpn::require_taken(kChangingRunsTake, instance) : require_run(instance);
  const auto made = tpn::make_pipeline(instance);
  const auto* pipeline = std::get_if<tpn::Pipeline>(&made);
  if (pipeline == nullptr) return std::nullopt;
  const Rational ticks_per_unit = terms.ticks_per_unit.value_or(exact_ticks(*pipeline));
  StageFlow flow(instance.application);
  const tpn::ProblemView problem(instance);
  const auto route = Route::make(*pipeline, ticks_per_unit, flow, {}, &problem.timing());
  if (!route) return std::nullopt;
  const RunTerms run = run_terms(terms, instance, *pipeline, *route, std::move(flow), ticks_per_unit);
  VirtualWorld world;
  VirtualRanks ranks;
  for (const std::size_t p : run.processors)
    ranks.push_back(std::make_unique<VirtualRank>(world, p, problem, run, terms));
  VirtualTransport transport(world, run.coordinator);
  KeptResults kept(terms.on_view);
  NoLog no_log;
  RunLog& log = terms.log == nullptr ? no_log : *terms.log;
  std::unique_ptr<Adaptation> adaptation;
  if (terms.adaptation) adaptation = make_adaptation(instance, ticks_per_unit, *terms.adaptation, log);
  std::optional<FirstFree> first_free;
  if (run.engine.turns == TurnOrder::first_free) first_free.emplace(problem, *pipeline, ticks_per_unit);
  Coordinator coordinator(run, coordination_of(terms, ticks_per_unit), *instance.mapping, transport, kept,
                          adaptation.get(), nullptr, first_free ? &*first_free : nullptr);
  const bool is_whole = run_to_the_end(world, ranks, coordinator, terms);
  const std::uint64_t next = terms.coordination.first_data_set + kept.results.size();
  std::vector<Rational> deliveries = deliveries_of(coordinator, ticks_per_unit);
  const Rational end = deliveries.empty() ? Rational(0) : deliveries.back();
  return Rehearsal{trace_of(coordinator.records(), run.ticks_per_unit),
                   std::move(kept.results),
                   coordinator.mappings(),
                   std::move(deliveries),
                   end,
                   first_free ? first_free->shares(coordinator.records()) : ComputationShares{},
                   next,
                   !is_whole};
}

}  // namespace takt::live
