// takt run --rehearse: the run on a virtual clock, with its loads, its decisions, and processors that die.
//
// Stages and transfers take what the instance says, messages, mapping and starts no time. What dies is left out as a
// run leaves it out: the next job has what is not delivered yet, mapped anew.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "live/engine/route.hpp"
#include "live/files/run_result.hpp"
#include "live/measurement/measurement.hpp"
#include "live/measurement/trace.hpp"
#include "tools/command.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/live/job_series.hpp"
#include "tools/live/run_setup.hpp"

namespace takt::tools {

/// "--rehearse" and "--kill".
void add_rehearsal_options(CommandLine& line, RunChoices& choices);

/// Throws UsageError if the choices ask for what a rehearsal has not.
void require_rehearsable(const RunChoices& choices);

struct RehearsedRun {
  live::RunResult result;  // without records; its clock begins with 0
  live::Trace trace;       // of a run in which nobody dies
  std::string log;         // of a run that adapts: lines
  std::vector<Restart> restarts;
  std::optional<std::string> failure;  // why it did not come to its end
  bool is_interrupted = false;
};

/// Also writes the files of --status, once. The plan of `run` is the last job's afterwards. Throws UsageError if
/// --kill names no processor or time, FileError.
RehearsedRun rehearse_run(const RunChoices& choices, PreparedRun& run, Streams& streams);

}  // namespace takt::tools
