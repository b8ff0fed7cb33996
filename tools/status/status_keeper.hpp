// From what a run's coordinator and takt hear, second by second, to what is told of the run, across all of its jobs.
//
// Rates and shares are those of the last minute: between what is known now and what was known a minute ago. A job that
// follows another one counts its processors' times from its own begin; data sets are numbered through.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "live/files/run_plan.hpp"
#include "live/files/run_view.hpp"
#include "tools/status/run_status.hpp"

namespace takt::tools {

/// What does not change in a run.
struct StatusSubject {
  std::string file;
  bool is_rehearsal = false;
  std::uint64_t first_data_set = 0;
  std::optional<double> max_rate{};
};

class StatusKeeper {
 public:
  /// Of the plan of its first job, whether that is ever started; as for `start`.
  StatusKeeper(StatusSubject subject, double now, const live::RunPlan& plan, double period,
               std::optional<std::uint64_t> data_sets);

  /// A job of this plan is started; with the predicted seconds per data set of its mapping. `data_sets` is
  /// nothing if the input has no known end.
  void start(double now, const live::RunPlan& plan, double period, std::optional<std::uint64_t> data_sets);
  /// Its clock began at this moment.
  void begin(double moment);
  bool has_begun() const { return begin_.has_value(); }
  /// After `begin`.
  void see(const live::RunView& view);
  void hear(const live::RunEvent& event);
  /// A sentence, without its period.
  void tell(double now, std::string words);
  /// The job has failed, and another follows, without the processors of these numbers.
  void restart(double now, const StatusRestart& restart, const std::set<std::size_t>& left_out, std::string words);
  void end(double now, RunPhase phase, std::uint64_t delivered, std::string words);

  LiveStatus status(double now, std::int64_t written) const;

 private:
  struct Sample {
    double moment = 0;
    std::uint64_t delivered = 0;
    std::map<std::size_t, live::RankState> states;  // of the present job
  };

  void add_point(double moment, std::uint64_t delivered);
  void tell_loads(double until);
  void add_rates(LiveStatus& status, double now) const;
  std::vector<StatusProcessor> processors(double now) const;
  StatusProcessor processor(std::size_t number, double now) const;
  const live::RankState* state_before(std::size_t processor, double moment) const;
  std::vector<StatusHolding> holdings(const live::RankState& state) const;
  std::string name(std::size_t processor) const;
  std::string stages(std::size_t first, std::size_t last) const;
  std::string stages_of(std::size_t processor) const;

  StatusSubject subject_;
  live::RunPlan plan_;  // of the last job
  std::vector<std::string> names_;
  std::optional<std::uint64_t> data_sets_;
  RunPhase phase_ = RunPhase::starting;
  double ended_ = 0;
  std::optional<double> begin_;        // of the job's clock
  std::optional<double> first_begin_;  // of the first job's
  std::optional<live::RunView> view_;  // of the job
  std::uint64_t base_ = 0;  // numbers of a job of data sets that had failed are places among those that are left
  std::uint64_t delivered_ = 0;
  double last_delivery_ = 0;
  std::uint64_t failed_ = 0;
  std::uint64_t mappings_ = 0;
  std::uint64_t decisions_ = 0;
  std::set<std::size_t> left_out_;
  std::vector<bool> told_loads_;
  std::vector<StatusRestart> restarts_;
  std::deque<StatusEvent> events_;
  std::uint64_t earlier_events_ = 0;
  std::deque<Sample> samples_;
  std::vector<StatusPoint> points_;
  double least_gap_ = 0;  // between points
  std::vector<StatusPrediction> predictions_;
};

}  // namespace takt::tools
