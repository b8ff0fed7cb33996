// Options of `takt run` beside those of stages: time and processes, adapting, results.
#pragma once

#include "tools/frame/command_line.hpp"
#include "tools/live/run_setup.hpp"

namespace takt::tools {

/// "--unit", "--kernel", "--links", "--anchor", "--wait" and "--realtime".
void add_clock_options(CommandLine& line, RunChoices& choices);

/// "--adapt", "--adapt-rule", "--normal", "--threshold", "--switch", "--load" and "--log".
void add_adaptation_options(CommandLine& line, RunChoices& choices);

/// "--trace-file", "--journal" and what else becomes of results; "--retries" and what starts processes.
void add_output_options(CommandLine& line, RunChoices& choices);

}  // namespace takt::tools
