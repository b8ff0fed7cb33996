// What is told of a run at a moment, as plain data. Times are seconds since takt began with the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace takt::tools {

/// What a run is at.
enum class RunPhase { starting, running, restarting, ended, failed, interrupted };
inline constexpr std::size_t kRunPhases = 6;

std::string_view name_of(RunPhase phase);
/// Nothing follows.
constexpr bool is_last(RunPhase phase) { return phase >= RunPhase::ended; }

/// Shares of a time: what a processor was at, the first of these that held at each moment.
struct ActivityShares {
  double computing = 0;
  double transferring = 0;
  double blocked = 0;
  double starved = 0;
};

/// A data set that a processor is at.
struct StatusHolding {
  std::uint64_t data_set = 0;
  std::string stages;    // "s0", "s0..s2"; empty for the outside world
  std::string receiver;  // whose turn it is to take it; empty: it is being computed
  double seconds = 0;
};

struct StatusProcessor {
  std::string name;
  bool is_left_out = false;              // its process has died, or does not answer
  std::string stages;                    // that it has by the mapping: "s0, s2..s3"; empty: none
  std::optional<ActivityShares> shares;  // of the last minute; nothing if it has not answered
  std::uint64_t queue = 0;               // data sets that wait for it
  std::optional<double> slowdown;        // times of the last ten seconds by those of the instance; of the last minute
                                         // if there were none
  std::optional<double> believed;        // what a run that adapts believes this to be
  std::vector<StatusHolding> holds;
};

/// A sentence of the story.
struct StatusEvent {
  double seconds = 0;
  std::string words;  // without a period
};

/// How many data sets were delivered by then.
struct StatusPoint {
  double seconds = 0;
  std::uint64_t delivered = 0;
};

/// What a mapping is predicted to take, from a moment on.
struct StatusPrediction {
  double seconds = 0;
  double period = 0;  // seconds per data set
};

/// A start after a job that failed.
struct StatusRestart {
  double seconds = 0;
  std::string failure;
  std::string processor;  // left out from then on; or empty
  std::uint64_t delivered = 0;
};

struct LiveStatus {
  std::string file;
  std::string model;
  bool is_rehearsal = false;  // on a virtual clock: no measurement
  RunPhase phase = RunPhase::starting;
  std::int64_t begun = 0;  // seconds since 1970; 0 in a rehearsal
  std::int64_t written = 0;
  double seconds = 0;
  std::optional<std::uint64_t> data_sets;  // in all, where that is known
  std::uint64_t first_data_set = 0;        // of those before it the journal had the results
  std::uint64_t delivered = 0;             // with these
  std::uint64_t failed = 0;                // of those that were delivered by this takt
  std::uint64_t under_way = 0;
  std::uint64_t window = 0;        // 0: none
  std::optional<double> rate;      // data sets per second in the last minute
  double rate_seconds = 0;         // how long that is: fewer than 60 at the beginning
  std::optional<double> now_rate;  // in the last five seconds
  double predicted_period = 0;     // of the present mapping, seconds per data set
  std::optional<double> max_rate;
  std::optional<double> seconds_left;  // at the rate of the last minute
  double seconds_since_delivery = 0;   // or since the begin
  std::uint64_t mapping_from = 0;      // the first data set of the mapping
  std::string mapping;                 // on one line
  std::uint64_t mappings = 1;          // that data sets have had in all
  std::uint64_t decisions = 0;         // where the run adapts: whether to take another mapping
  std::vector<StatusRestart> restarts;
  std::vector<StatusProcessor> processors;
  std::vector<StatusEvent> events;   // the latest, in order
  std::uint64_t earlier_events = 0;  // that are left out
  std::vector<StatusPoint> points;   // in order; thinned out in long runs
  std::vector<StatusPrediction> predictions;
};

/// Data sets per second that are predicted; nothing if the period is 0.
std::optional<double> predicted_rate(const LiveStatus& status);

}  // namespace takt::tools
