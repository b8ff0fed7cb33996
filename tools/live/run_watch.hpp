// A run that is watched: what its jobs leave is read every second, and told in the files of --status.
#pragma once

#include <chrono>
#include <cstdint>
#include <fstream>
#include <optional>
#include <set>
#include <string>

#include "tools/command.hpp"
#include "tools/files/scratch_folder.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/live/run_setup.hpp"
#include "tools/status/status_keeper.hpp"

namespace takt::tools {

/// "--status".
void add_status_options(CommandLine& line, RunChoices& choices);

/// Does nothing if nobody asks for a status. A file that cannot be written is told once; the run goes on.
class RunWatch {
 public:
  /// Keeps references. Data sets before the first are in the journal.
  RunWatch(const RunChoices& choices, const PreparedRun& run, std::uint64_t first_data_set, Streams& streams);

  bool is_on() const { return !choices_.status.empty(); }
  /// A job is started, whose files stand in the folder.
  void start(const PreparedRun& run, const ScratchFolder& folder);
  /// Reads what the job has left by now, and writes.
  void renew();
  /// A sentence for the story, without its period.
  void tell(const std::string& words);
  /// The job has failed, and another follows, without the processors of these numbers.
  void restart(const StatusRestart& restart, const std::set<std::size_t>& left_out, const std::string& words);
  void end(RunPhase phase, std::uint64_t delivered, const std::string& words);

 private:
  double now() const;
  void read_view();
  void read_events();
  void write();

  const RunChoices& choices_;
  Streams& streams_;
  StatusKeeper keeper_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::string view_file_;
  std::string events_file_;
  std::ifstream events_;
  std::string line_;  // what is there of the next event
  bool has_told_ = false;
};

/// What a status calls the instance and its pace.
StatusSubject status_subject(const RunChoices& choices, std::uint64_t first_data_set);

}  // namespace takt::tools
