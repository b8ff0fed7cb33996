// What the processes of a run are started with, as a text that `takt run` writes and each of them reads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "live/adaptation/coordinator.hpp"
#include "live/adaptation/run_log.hpp"
#include "live/engine/engine.hpp"
#include "live/engine/load.hpp"
#include "live/probing/probe.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// What stands behind a computation: a sleep, a thread that spins, a program for each stage, or functions of the
/// program that runs.
enum class KernelKind { emulate, spin, program, library };

/// How a rank waits for messages: in shared memory, woken by whoever sends, or by looking again and again.
enum class WaitKind { automatic, bell, poll };

enum class RealTime { automatic, on, off };

/// Files of programs: a length before the bytes, or a line.
enum class RecordForm { sized, lines };

/// How a run adapts: what AdaptationTerms are made of.
struct AdaptationPlan {
  std::string heuristic;  // one of heuristics::heuristics()
  Rational threshold = Rational::fraction(1, 2);
  SwitchKind kind = SwitchKind::roll;
  std::uint64_t limit_ms = 50;  // that a search may take
  bool logs_all_times = false;
};

struct RunPlan {
  tpn::Document instance;  // has a mapping
  tpn::Model model = tpn::Model::kOverlap;
  EngineTerms engine;
  CoordinatorTerms coordination;
  Rational unit_seconds = 1;            // of a time unit
  std::vector<std::size_t> processors;  // with a rank: rank k + 1 has the k-th; the coordinator is rank 0
  KernelKind kernel = KernelKind::emulate;
  std::uint64_t bytes = 1024;                                 // of a packet that is made up
  std::vector<std::pair<std::string, std::string>> programs;  // stage and command
  RecordForm records = RecordForm::sized;
  std::uint64_t stage_limit_ms = 0;  // that a program may take for a data set; 0: any time
  std::string input;                 // a file whose lines are the first stage's packets, or empty
  WaitKind wait = WaitKind::automatic;
  RealTime real_time = RealTime::automatic;
  std::vector<BackgroundLoad> loads;  // in nanoseconds of the run's clock
  std::optional<AdaptationPlan> adaptation;
  std::string journal;  // a file, or empty
  std::uint64_t sync = 0;
  std::string output;                 // a folder for what is to be read when the run has ended
  std::optional<ProbeTerms> probe{};  // then nothing runs: stages and links are timed, and there need be no mapping
};

/// What a journal of the run belongs to: its application and what stages do, whatever the mapping.
std::string fingerprint_of(const RunPlan& plan);

/// Two lines of JSON: the instance, and the rest.
std::string write_run_plan(const RunPlan& plan);

/// Throws tpn::ParseError or tpn::InvalidInstance where the text is no plan.
RunPlan read_run_plan(std::string_view text, const std::string& file);

std::string_view name_of(Anchor anchor);
std::string_view name_of(LinkUse links);
std::string_view name_of(KernelKind kernel);
std::string_view name_of(WaitKind wait);
std::string_view name_of(RealTime real_time);
std::string_view name_of(RecordForm records);

}  // namespace takt::live
