// What a run did as a file, where its mapping may have changed on the way.
#pragma once

#include <string>
#include <vector>

#include "evaluators/play/play.hpp"
#include "live/files/run_result.hpp"
#include "tools/command.hpp"
#include "tools/live/run_setup.hpp"

namespace takt::tools {

/// Writes the trace in the form that the file's name says, each data set by the mapping that it had: one mapping after
/// the other in CSV, an object for each in JSON. For Perfetto there is the first mapping alone, and the streams hear
/// so. Throws FileError.
void write_run_trace(const std::string& path, const PreparedRun& run, const live::RunResult& result,
                     const std::vector<evaluators::Firing>& trace, Streams& streams);

}  // namespace takt::tools
