// takt experiment: experiments over thousands of draws, from a description to a directory of exact rows.
#include <array>

#include "tools/experiment/commands.hpp"
#include "tools/frame/command_line.hpp"

namespace takt::tools {

Action define_experiment(CommandLine& line) {
  static constexpr std::array<Command, 9> kCommands = {
      {{"list", "the built-in experiments: paper, table or figure, draws", define_experiment_list},
       {"show", "the description of an experiment, to be copied and changed", define_experiment_show},
       {"run", "compute the draws of an experiment, or go on with them", define_experiment_run},
       {"status", "what of a run is done, left or failed", define_experiment_status},
       {"report", "its tables, and whether what was expected holds", define_experiment_report},
       {"rows", "what each draw gave, as a table for data frames", define_experiment_rows},
       {"plot", "its figures, drawn by gnuplot", define_experiment_plot},
       {"merge", "take over what runs of the same experiment have done elsewhere", define_experiment_merge},
       {"draw", "one draw of a run as a document", define_experiment_draw}}};
  line.footer(
      "Example:\n"
      "  takt experiment run replicated-table-2 -o table-2\n"
      "  takt experiment status table-2\n"
      "  takt experiment report table-2");
  return line.commands(kCommands);
}

}  // namespace takt::tools
