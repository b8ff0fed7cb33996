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
  line.option(
          "--jitter", choices.jitter,
          "emulated times vary, by this law in place of all (lognormal:0.5, as of takt vary), or by the laws of the "
          "file: file")
      .check(law_text(kLawsOfFile))
      .type_name("LAW")
      .group("Time");
  line.option("--seed", choices.seed, "of the random numbers of --jitter and --arrivals; default: 1")
      .check(whole_number())
      .type_name("N")
      .group("Time");
  line.option(
          "--rate", choices.rate,
          "data sets arrive at this rate, such as 120/s, and begin no sooner; latencies are measured, and what takt "
          "vary says of them stands beside; default: they are always there")
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
              "how long a time unit lasts: 43us; default: so that the predicted period is 10 ms, or a second where "
              "times have units or stages are real")
      .check(positive_time())
      .type_name("T")
      .group("Time");
  line.option("--kernel", choices.kernel,
              "what a stage does: emulate sleeps, spin takes processor time, program and library follow from --program "
              "and --executable; default: emulate")
      .check(one_of({"emulate", "spin", "program", "library"}))
      .type_name("KIND")
      .group("Stages");
  line.option("--links", choices.links,
              "emulate holds a transfer for its predicted time, real lets the network take what it takes; emulate "
              "unless stages are real")
      .check(one_of({"emulate", "real"}))
      .type_name("KIND")
      .group("Time");
  line.option("--anchor", choices.anchor,
              "when a transfer starts: when it is seen (observed), when both sides were ready (agreed), or when the "
              "model says so (logical, for tests: messages are real, times are not)")
      .check(one_of({"observed", "agreed", "logical"}))
      .type_name("KIND")
      .shows_default()
      .group("Time");
  add_variation_options(line, choices);
  line.option("--wait", choices.wait,
              "how processes wait: bell (memory that they share), poll; auto is bell where they share memory")
      .check(one_of({"auto", "bell", "poll"}))
      .type_name("KIND")
      .shows_default()
      .group("Processes");
  line.option("--realtime", choices.real_time,
              "real-time priority: auto (where it is permitted and stages are not real), on or off")
      .check(one_of({"auto", "on", "off"}))
      .type_name("KIND")
      .shows_default()
      .group("Processes");
}

namespace {

// What says that a processor has changed.
void add_rule_options(CommandLine& line, RunChoices& choices) {
  line.option("--adapt-rule", choices.adapt_rule,
              "when: safe acts on evidence that a processor has changed, and limits what it may lose; paper is the "
              "monitor of Gonzalez-Velez "
              "and Cole, for constant times")
      .check(one_of({"safe", "paper"}))
      .type_name("RULE")
      .shows_default()
      .group("Adapting");
  line.option("--normal", choices.normal,
              "what stages take while nothing has changed, for the safe rule: a trace in CSV, of an earlier run "
              "(--trace-file) or of takt probe --times-file; default: the run's own times, as they come")
      .type_name("FILE")
      .group("Adapting");
  line.option("--threshold", choices.threshold,
              "of the paper's rule: by how much a processor must be slower than the slowest was, or faster than the "
              "fastest, such as 0.5 or 50%, 3 or 300%; default: 50%")
      .check(growth())
      .type_name("X")
      .group("Adapting");
}

}  // namespace

void add_adaptation_options(CommandLine& line, RunChoices& choices) {
  line.option("--adapt", choices.adapt,
              "map anew when a processor becomes slower or faster, by this heuristic (calibrate, hedpm, polish, ...); "
              "all compares ways to meet the loads up to that of --load")
      .check(one_of(heuristic_names({"off", kAllWays})))
      .type_name("HEURISTIC")
      .shows_default()
      .group("Adapting");
  add_rule_options(line, choices);
  line.option("--switch", choices.switch_kind,
              "how a new mapping is taken up: roll (from the next data set on) or drain (when all under way are "
              "delivered)")
      .check(one_of({"roll", "drain"}))
      .type_name("KIND")
      .shows_default()
      .group("Adapting");
  line.option("--load", choices.loads,
              "slow a processor down, (1 + LOAD) times, from a time after the begin on: P4:2:240ms, or up to another")
      .type_name("P:LOAD:FROM[:TO]")
      .group("Adapting");
  line.option("--log", choices.log, "write every measurement and decision to this file")
      .check(output_name())
      .type_name("OUT")
      .group("Adapting");
}

namespace {

void add_process_options(CommandLine& line, RunChoices& choices) {
  line.option("--retries", choices.retries, "start again so often where a process dies, without its processor")
      .check(whole_number())
      .type_name("R")
      .group("Processes");
  line.option("--remap", choices.remap, "what maps the pipeline then: a heuristic (takt heuristics), given a second")
      .check(one_of(heuristic_names()))
      .type_name("HEURISTIC")
      .shows_default()
      .group("Processes");
  line.option("--start-limit", choices.start_limit,
              "end a job of which not all processes have begun after this time; 30s unless there is a --launcher")
      .check(positive_time())
      .type_name("T")
      .group("Processes");
  line.option(
          "--stall-limit", [&choices](const std::string& text) { choices.stall_limit = read_seconds(text); },
          "end a job that has delivered nothing for this time, and start again as --retries allows, without processors "
          "that do not answer; default: say who holds what after 30 s or 50 periods, and wait")
      .check(positive_seconds())
      .type_name("T")
      .group("Processes");
  line.option("--launcher", choices.launcher, std::string("what starts processes, in place of \"") + kLauncher + "\"")
      .type_name("COMMAND")
      .group("Processes");
}

}  // namespace

void add_output_options(CommandLine& line, RunChoices& choices) {
  line.option("--trace-file", choices.trace_file,
              "write when each operation took place: .csv or .json as takt simulate, .trace.json for ui.perfetto.dev")
      .check(output_name())
      .type_name("OUT")
      .group("Results");
  line.option("--journal", choices.journal,
              "keep each result, once and in order; a journal that is there already goes on (takt journal reads it)")
      .check(output_name())
      .type_name("FILE")
      .group("Results");
  line.flag("--same-journal", choices.same_journal,
            "go on with a journal of other programs, which were changed on purpose; the journal notes it")
      .group("Results");
  line.option("--sync", choices.sync, "the disk has the journal every K data sets, against the end of the machine")
      .check(positive_integer())
      .type_name("K")
      .group("Results");
  line.option("--segment", choices.segment,
              "a new journal is made of segments of N data sets: complete ones are FILE.000001, FILE.000002, ..., and "
              "may be read and deleted while the run goes on")
      .check(positive_integer())
      .type_name("N")
      .group("Results");
  add_process_options(line, choices);
  line.option("--tolerance", choices.tolerance,
              "the answer is no where the measured period is further off: 0.05, 1/20 or 5%")
      .check(share())
      .type_name("T")
      .group("Results");
  line.flag("--json", choices.json, "print JSON: an object").group("Results");
  line.flag("--verbose", choices.verbose, "show what processes print").group("Results");
}

}  // namespace takt::tools
