// Options that say what stands behind the stages, of all commands that start processes.
#pragma once

#include "tools/frame/command_line.hpp"
#include "tools/live/run_setup.hpp"

namespace takt::tools {

/// "--program", "--each", "--records", "--executable", "--input" and "--bytes".
void add_stage_options(CommandLine& line, RunChoices& choices);

}  // namespace takt::tools
