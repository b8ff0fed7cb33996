// In the order of --help.
#include "tools/live/run_options.hpp"

#include <string>
#include <vector>

#include "tools/frame/heuristic_options.hpp"
#include "tools/frame/laws.hpp"
#include "tools/frame/options.hpp"
#include "tools/frame/rates.hpp"
#include "tools/live/launcher.hpp"

namespace takt::tools {

namespace {

// Times that vary, and arrivals.
void add_variation_options(CommandLine& line, RunChoices& choices) {
  line.option("--jitter", choices.jitter,
              "emulated times vary: by this law for all (such as lognormal:0.5, see takt vary), or \"file\": by the "
              "laws in the file")
      .check(law_text(kLawsOfFile))
      .type_name("LAW")
      .group("Time");
  line.option("--seed", choices.seed, "seed of --jitter and --arrivals; default: 1")
      .check(whole_number())
      .type_name("N")
      .group("Time");
  line.option("--rate", choices.rate,
              "data sets arrive at this rate, such as 120/s; takt measures latencies and prints them beside those of "
              "takt vary; default: a data set is always waiting")
      .check(positive_rate())
      .type_name("RATE")
      .group("Time");
  line.option("--arrivals", choices.arrivals,
              "with --rate: periodic (evenly spaced) or poisson (at random); default: periodic")
      .check(one_of({"periodic", "poisson"}))
      .type_name("KIND")
      .group("Time");
}

}  // namespace

void add_clock_options(CommandLine& line, RunChoices& choices) {
  line.option("--unit", choices.unit,
              "how long a time unit lasts, such as 43us; default: such that the predicted period is 10 ms; 1 s if "
              "times have units or stages are programs or functions")
      .check(positive_time())
      .type_name("T")
      .group("Time");
  line.option("--kernel", choices.kernel,
              "what a stage does: emulate sleeps, spin uses processor time; --program implies program, --executable "
              "library; default: emulate")
      .check(one_of({"emulate", "spin", "program", "library"}))
      .type_name("KIND")
      .group("Stages");
  line.option("--links", choices.links,
              "emulate: a transfer takes its predicted time; real: what the network takes; default: real if stages are "
              "programs or functions, else emulate")
      .check(one_of({"emulate", "real"}))
      .type_name("KIND")
      .group("Time");
  line.option("--anchor", choices.anchor,
              "when a transfer starts: when the receiver sees it (observed), when both sides are ready (agreed), or "
              "when the model says so (logical, for tests)")
      .check(one_of({"observed", "agreed", "logical"}))
      .type_name("KIND")
      .shows_default()
      .group("Time");
  add_variation_options(line, choices);
  line.option("--wait", choices.wait,
              "how processes wait: bell (through shared memory) or poll; auto: bell if they share memory")
      .check(one_of({"auto", "bell", "poll"}))
      .type_name("KIND")
      .shows_default()
      .group("Processes");
  line.option("--realtime", choices.real_time,
              "real-time priority: on, off, or auto (if permitted, and no stage is a program or function)")
      .check(one_of({"auto", "on", "off"}))
      .type_name("KIND")
      .shows_default()
      .group("Processes");
}

namespace {

// What says that a processor has changed.
void add_rule_options(CommandLine& line, RunChoices& choices) {
  line.option("--adapt-rule", choices.adapt_rule,
              "safe: on evidence that a processor has changed, with a limit on what a wrong decision may cost; paper: "
              "the monitor of Gonzalez-Velez and Cole, for constant times")
      .check(one_of({"safe", "paper"}))
      .type_name("RULE")
      .shows_default()
      .group("Adapting");
  line.option("--normal", choices.normal,
              "with the safe rule: the normal times of stages, as a CSV trace of an earlier run (--trace-file) or of "
              "takt probe --times-file; default: the times of this run")
      .type_name("FILE")
      .group("Adapting");
  line.option("--threshold", choices.threshold,
              "with the paper's rule: how much slower than the slowest, or faster than the fastest, a processor must "
              "become, such as 0.5 or 50%; default: 50%")
      .check(growth())
      .type_name("X")
      .group("Adapting");
}

}  // namespace

void add_adaptation_options(CommandLine& line, RunChoices& choices) {
  line.option("--adapt", choices.adapt,
              "find a new mapping with this heuristic when a processor becomes slower or faster; all: compare the ways "
              "to handle loads up to that of --load")
      .check(one_of(heuristic_names({"off", kAllWays})))
      .type_name("HEURISTIC")
      .shows_default()
      .group("Adapting");
  add_rule_options(line, choices);
  line.option("--switch", choices.switch_kind,
              "when a new mapping starts: roll (with the next data set) or drain (once the pipeline is empty)")
      .check(one_of({"roll", "drain"}))
      .type_name("KIND")
      .shows_default()
      .group("Adapting");
  line.option("--load", choices.loads,
              "slow processor P down by a factor of 1 + LOAD, from FROM to TO after the start: P4:2:240ms; default TO: "
              "the end")
      .type_name("P:LOAD:FROM[:TO]")
      .group("Adapting");
  line.option("--log", choices.log, "write every measurement and decision to this file")
      .check(output_name())
      .type_name("OUT")
      .group("Adapting");
}

namespace {

void add_process_options(CommandLine& line, RunChoices& choices) {
  line.option("--retries", choices.retries, "if a process dies, start again without its processor, at most R times")
      .check(whole_number())
      .type_name("R")
      .group("Processes");
  line.option("--remap", choices.remap, "with --retries: the heuristic that finds the new mapping, within 1 s")
      .check(one_of(heuristic_names()))
      .type_name("HEURISTIC")
      .shows_default()
      .group("Processes");
  line.option("--start-limit", choices.start_limit,
              "end a job if not all processes have started after this time; default: 30s, or no limit with --launcher")
      .check(positive_time())
      .type_name("T")
      .group("Processes");
  line.option(
          "--stall-limit", [&choices](const std::string& text) { choices.stall_limit = read_seconds(text); },
          "end a job that delivers nothing for this time, and start again, up to --retries times, without the "
          "processors that do not answer; default: report after 30 s or 50 periods where data sets are, and wait")
      .check(positive_seconds())
      .type_name("T")
      .group("Processes");
  line.option("--launcher", choices.launcher,
              std::string("the command that starts processes; default: \"") + kLauncher + "\"")
      .type_name("COMMAND")
      .group("Processes");
}

}  // namespace

void add_output_options(CommandLine& line, RunChoices& choices) {
  line.option(
          "--trace-file", choices.trace_file,
          "write start and end of each operation: .csv or .json as in takt simulate, .trace.json for ui.perfetto.dev")
      .check(output_name())
      .type_name("OUT")
      .group("Results");
  line.option(
          "--journal", choices.journal,
          "write each result once and in order, for takt journal; if FILE is a journal already, the run continues it")
      .check(output_name())
      .type_name("FILE")
      .group("Results");
  line.flag("--same-journal", choices.same_journal,
            "continue a journal although the programs have changed; the journal notes the change")
      .group("Results");
  line.option("--sync", choices.sync, "force the journal to disk every K data sets, in case the machine fails")
      .check(positive_integer())
      .type_name("K")
      .group("Results");
  line.option("--segment", choices.segment,
              "split a new journal into segments of N data sets: FILE.000001, FILE.000002, ...; complete ones may be "
              "read and deleted during the run")
      .check(positive_integer())
      .type_name("N")
      .group("Results");
  add_process_options(line, choices);
  line.option("--tolerance", choices.tolerance,
              "largest deviation of the measured period, else exit status 1: 0.05, 1/20 or 5%")
      .check(share())
      .type_name("T")
      .group("Results");
  line.flag("--json", choices.json, "print JSON: an object").group("Results");
  line.flag("--verbose", choices.verbose, "print the output of the processes").group("Results");
}

}  // namespace takt::tools
