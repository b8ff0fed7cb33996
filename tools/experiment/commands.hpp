// The commands of takt experiment, each defined in a file of its own or with its like.
#pragma once

#include "tools/command.hpp"

namespace takt::tools {

Action define_experiment_list(CommandLine& line);
Action define_experiment_show(CommandLine& line);
Action define_experiment_run(CommandLine& line);
Action define_experiment_status(CommandLine& line);
Action define_experiment_merge(CommandLine& line);
Action define_experiment_draw(CommandLine& line);
Action define_experiment_report(CommandLine& line);
Action define_experiment_rows(CommandLine& line);
Action define_experiment_plot(CommandLine& line);

}  // namespace takt::tools
