// takt experiment: experiments over thousands of draws, from a description to a directory of exact rows.
#include <array>

#include "tools/experiment/commands.hpp"
#include "tools/frame/command_line.hpp"

namespace takt::tools {

Action define_experiment(CommandLine& line) {
  static constexpr std::array<Command, 9> kCommands = {
      {{"list", "list the built-in experiments: paper, table or figure, draws", define_experiment_list},
       {"show", "print the description of an experiment, to copy and change", define_experiment_show},
       {"run", "compute the draws of an experiment, or resume it", define_experiment_run},
       {"status", "print what of a run is done, left or failed", define_experiment_status},
       {"report", "print the tables of a run, and whether the expectations hold", define_experiment_report},
       {"rows", "print the result of each draw, as a table for data frames", define_experiment_rows},
       {"plot", "draw the figures of a run with gnuplot", define_experiment_plot},
       {"merge", "take over the results of other runs of the same experiment", define_experiment_merge},
       {"draw", "write one draw of a run as a document", define_experiment_draw}}};
  line.footer(
      "Example:\n"
      "  takt experiment run replicated-table-2 -o table-2\n"
      "  takt experiment status table-2\n"
      "  takt experiment report table-2");
  return line.commands(kCommands);
}

}  // namespace takt::tools
