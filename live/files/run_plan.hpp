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
#include "live/engine/drawn_times.hpp"
#include "live/engine/engine.hpp"
#include "live/engine/load.hpp"
#include "live/files/journal.hpp"
#include "live/probing/probe.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// What stands behind a computation: a sleep, a thread that spins, a program for each stage, or functions of the
/// program that runs.
enum class KernelKind { emulate, spin, program, library };

/// No stage of a user runs: what a run takes is that of the instance.
constexpr bool is_made_up(KernelKind kernel) { return kernel == KernelKind::emulate || kernel == KernelKind::spin; }

/// How a rank waits for messages: in shared memory, woken by the sender, or by polling.
enum class WaitKind { automatic, bell, poll };

/// Automatic: where it is permitted and no stage of a user runs, which the ranks would delay.
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
  AdaptationRule rule = AdaptationRule::safe;
  std::vector<std::vector<std::uint64_t>> normal{};  // times from before the run (SafeTerms), in nanoseconds
};

/// How the durations of a run vary.
struct JitterPlan {
  std::string law;  // as tpn::parse_law reads it; empty: the laws of the instance
  std::uint64_t seed = 1;
};

/// A stage that is known to fail on a data set.
struct KnownFailure {
  std::uint64_t data_set = 0;
  std::string stage;
  std::string words;
};

/// What follows where a stage fails on a data set.
struct FailurePlan {
  bool stops = true;                // the run ends; else the data set has no result, and the run goes on
  std::uint64_t retries = 0;        // before that
  std::vector<KnownFailure> known;  // what is not tried any more: it has ended its process too often
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
  std::vector<std::string> each;                              // stages whose program is started for each data set
  RecordForm records = RecordForm::sized;
  std::uint64_t stage_limit_ms = 0;  // that a program may take for a data set, but for its start; 0: any time
  std::string input;                 // a file whose lines are the first stage's packets, or empty
  WaitKind wait = WaitKind::automatic;
  RealTime real_time = RealTime::automatic;
  std::vector<BackgroundLoad> loads;  // in nanoseconds of the run's clock
  std::optional<AdaptationPlan> adaptation;
  std::optional<JitterPlan> jitter{};      // none: durations are the instance's
  std::optional<ArrivalTerms> arrivals{};  // none: data sets are always there
  std::string journal;                     // a file, or empty
  std::uint64_t sync = 0;
  std::uint64_t segment = 0;  // data sets of each segment of a new journal; 0: it is one file
  FailurePlan on_failure;
  /// Data sets that have failed and run again, in order: those of the run, in place of 0, 1, ...; empty: no such run.
  std::vector<std::uint64_t> again;
  /// A file to which lines are appended while the run goes on (input_spool.hpp), in place of `input`; or empty.
  std::string spool;
  bool keeps_spool = false;  // also what is delivered
  std::string executable;    // with functions: what is known of its bytes, or where they cannot be read its name
  std::string output;        // a folder for what is to be read when the run has ended
  std::optional<ProbeTerms> probe{};  // then nothing runs: stages and links are timed, and there need be no mapping
};

/// What a journal of the run belongs to: its application, its stages and what they run, whatever the mapping.
Fingerprint fingerprint_of(const RunPlan& plan);

/// What makes the adaptation of such a run, which adapts. Throws std::runtime_error if takt has no such heuristic.
AdaptationTerms adaptation_terms(const RunPlan& plan, const CoordinatorTerms& coordination);

/// What such a plan, which read_run_plan or a user's text has passed, says of durations.
JitterTerms jitter_terms(const JitterPlan& plan);

/// Two lines of JSON: the instance, and the rest.
std::string write_run_plan(const RunPlan& plan);

/// Throws tpn::ParseError or tpn::InvalidInstance where the text is no plan.
RunPlan read_run_plan(std::string_view text, const std::string& file);

std::string_view name_of(Anchor anchor);
std::string_view name_of(LinkUse links);
std::string_view name_of(TurnOrder turns);
std::string_view name_of(KernelKind kernel);
std::string_view name_of(WaitKind wait);
std::string_view name_of(RealTime real_time);
/// What ranks try to have: off for automatic where stages are real.
RealTime priority_of(const RunPlan& plan);
std::string_view name_of(RecordForm records);

}  // namespace takt::live
