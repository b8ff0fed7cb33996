// The benchmark program: cases named CASE/WHO, whose answers are checked before a time is reported.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "bench/cases.hpp"
#include "bench/commands.hpp"
#include "bench/cycle_ratios.hpp"
#include "bench/draws.hpp"
#include "bench/heuristics.hpp"
#include "bench/memory.hpp"
#include "bench/plans.hpp"
#include "bench/varying.hpp"

namespace takt::bench {
namespace {

// A wrong answer ends the program: no time means anything then.
void require(bool holds, const std::string& what) {
  if (holds) return;
  std::cerr << "takt_bench: " << what << '\n';
  std::exit(1);
}

// A case's problem, the answers of its first participant, and the participants prepared for it.
class Session {
 public:
  explicit Session(const Case& row) : row_(row), problem_(row.build()), answers_(problem_.size()) {}

  const Case& row() const { return row_; }

  void run(benchmark::State& state, const Participant& participant) {
    Contestant& contestant = contestant_of(participant);
    const Runner& runner = contestant.runner;
    if (!runner.unfit.empty()) {
      state.SkipWithError(runner.unfit.c_str());
      return;
    }
    reset_peak_memory();
    while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(answers_.size()))) {
      for (std::size_t net = 0; net < answers_.size(); ++net) answers_[net] = runner.answer(net);
    }
    state.counters["peak_MiB"] = peak_memory();
    check(participant, contestant);
    report(state, runner);
  }

 private:
  struct Contestant {
    Runner runner;
    bool is_proved = false;
  };

  Contestant& contestant_of(const Participant& participant) {
    const auto known = contestants_.find(participant.name);
    if (known != contestants_.end()) return known->second;
    if (!expected_ && &participant != row_.participants.front()) {
      const Participant& reference = *row_.participants.front();
      Contestant& contestant = contestant_of(reference);
      for (std::size_t net = 0; net < answers_.size(); ++net) answers_[net] = contestant.runner.answer(net);
      check(reference, contestant);
    }
    const Runner runner = participant.prepare(problem_, expected_.value_or(std::vector<Answer>{}));
    return contestants_[participant.name] = {runner, false};
  }

  // Exact answers are equal, and lie within intervals.
  void check(const Participant& participant, Contestant& contestant) {
    const std::string name = row_.name + "/" + std::string(participant.name) + ": ";
    if (!expected_) expected_ = answers_;
    for (std::size_t net = 0; net < answers_.size(); ++net) {
      const Answer& answer = answers_[net];
      const Answer& expected = (*expected_)[net];
      require(answer.lower <= answer.upper, name + "the bounds of an interval are exchanged");
      require(answer.lower <= expected.upper && expected.lower <= answer.upper,
              name + "net " + std::to_string(net) + " has period " + answer.upper.rational().to_string() + ", not " +
                  expected.upper.rational().to_string());
    }
    if (contestant.is_proved || !contestant.runner.refute) return;
    const std::string refuted = contestant.runner.refute();
    require(refuted.empty(), name + refuted);
    contestant.is_proved = true;
  }

  void report(benchmark::State& state, const Runner& runner) const {
    state.SetLabel(runner.label);
    if (problem_.torus) {
      state.counters["pairs"] = static_cast<double>(problem_.torus->senders * problem_.torus->receivers);
    }
    if (!problem_.nets.empty()) state.counters["rows"] = problem_.nets.front().pipeline.rows.get_d();
    if (answers_.size() > 1) state.SetItemsProcessed(state.iterations());
    std::size_t intervals = 0;
    for (const Answer& answer : answers_) intervals += answer.exact() ? 0 : 1;
    if (intervals == 0) return;
    state.counters["intervals"] = static_cast<double>(intervals);
    state.counters["lower"] = answers_.front().lower.rational().to_double().value_or(0);
    state.counters["upper"] = answers_.front().upper.rational().to_double().value_or(0);
  }

  const Case& row_;
  Problem problem_;
  std::vector<Answer> answers_;
  std::optional<std::vector<Answer>> expected_;
  std::map<std::string_view, Contestant> contestants_;
};

// One problem at a time is in memory.
void run(benchmark::State& state, const Case& row, const Participant& participant) {
  static std::unique_ptr<Session> session;
  if (!session || &session->row() != &row) {
    session.reset();
    session = std::make_unique<Session>(row);
  }
  session->run(state, participant);
}

void add(const std::vector<Case>& cases) {
  for (const Case& row : cases) {
    for (const Participant* participant : row.participants) {
      const std::string name = row.name + "/" + std::string(participant->name);
      benchmark::RegisterBenchmark(name.c_str(), [&row, participant](benchmark::State& state) {
        run(state, row, *participant);
      })->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace takt::bench

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  const auto cases = takt::bench::all_cases();
  takt::bench::add(cases);
  takt::bench::add_commands();
  takt::bench::add_cycle_ratios();
  takt::bench::add_draws();
  takt::bench::add_varying();
  takt::bench::add_heuristics();
  takt::bench::add_plans();
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
