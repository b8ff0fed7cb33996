// The jobs of a run: where one fails the next goes on with what the journal lacks, without the processor that died.
//
// Problem. Open MPI ends a job of which a process dies. What was delivered stands in the journal; the rest is to be
// done by those that are left.
//
// Method. The launcher says which process died, the coordinator which did not answer in a job that stood still; its
// processor is left out from then on, a heuristic maps the problem without it, and a new job begins with the first data
// set that the journal lacks. Where it is unknown, or was the coordinator or an end of the pipeline, the next
// job has the same mapping. Processors keep their numbers: only the mapping is another, and only those that it names
// have a process.
//
// A stage that has ended its process says so itself. Where failures do not stop the run, the next job has another
// processor of the same part take that data set; when the stage has been tried on it often enough, the next job knows.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tools/command.hpp"
#include "tools/files/scratch_folder.hpp"
#include "tools/live/launcher.hpp"
#include "tools/live/run_setup.hpp"
#include "tools/live/run_watch.hpp"

namespace takt::tools {

/// A job that failed and had a successor.
struct Restart {
  std::string failure;                   // a phrase of one line
  std::optional<std::string> processor;  // whose process died or did not answer: left out from then on
  std::uint64_t data_sets = 0;           // that the journal held then
};

class JobSeries {
 public:
  /// Keeps references. The plan of `run` is the last job's from run() on. Files of jobs stand in the folder.
  JobSeries(const RunChoices& choices, PreparedRun& run, const ScratchFolder& folder, RunWatch& watch,
            Streams& streams);

  /// The end of the last job, without a failure where the journal is complete all the same. Each start but the first is
  /// told on standard error. Throws FileError if no process can be started or the journal cannot be read.
  JobEnd run();

  const std::vector<Restart>& restarts() const { return restarts_; }
  /// The last job failed, but not before all had been delivered: it has left no result.
  bool is_complete_without_result() const { return is_complete_; }

 private:
  JobEnd run_once();
  std::uint64_t leave_out_done();
  std::uint64_t wanted() const;
  std::string held_words(std::uint64_t held) const;
  bool goes_on_without(JobEnd& end, std::uint64_t held);
  std::optional<live::KnownFailure> stage_failure_of(const JobEnd& end) const;
  bool take_failure(const std::string& words, const live::KnownFailure& failure, std::uint64_t held);
  void say_restart(const std::string& words);
  std::optional<std::string> turn(const live::KnownFailure& failure);
  std::optional<std::string> processor_of(std::size_t rank);
  std::string leave_out(const JobEnd& end);
  std::chrono::seconds rest_before_start(std::uint64_t held, bool is_another);
  std::optional<std::string> map_anew();

  const RunChoices& choices_;
  PreparedRun& run_;
  const ScratchFolder& folder_;
  RunWatch& watch_;
  Streams& streams_;
  std::set<std::size_t> gone_;
  std::vector<Restart> restarts_;
  std::map<std::pair<std::uint64_t, std::string>, std::uint64_t> failures_;  // that ended processes, by data set, stage
  std::vector<std::uint64_t> again_;                                         // what is to run again, at first
  std::uint64_t repeated_before_ = 0;  // of the journal (JournalScan::repeated) then
  std::optional<std::uint64_t> last_;  // the data set on which a stage has failed, where that ends the run
  std::size_t deaths_ = 0;
  std::optional<std::string> left_out_;  // processors, because of the last end
  std::size_t idle_ = 0;                 // jobs in a row, the last ones, that have added nothing to the journal
  bool is_complete_ = false;
};

}  // namespace takt::tools
