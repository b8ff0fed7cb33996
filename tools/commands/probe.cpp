// takt probe: how long stages take on processors and messages between them, measured; a document of it.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "live/files/run_result.hpp"
#include "live/probing/probed_document.hpp"
#include "tools/files/files.hpp"
#include "tools/files/scratch_folder.hpp"
#include "tools/files/several_files.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/live/launcher.hpp"
#include "tools/live/probe_output.hpp"
#include "tools/live/probe_setup.hpp"
#include "tools/live/stage_options.hpp"
#include "tools/words/csv.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

// As of takt run: a stage failed, or a process died.
constexpr int kProbeFailed = 70;

std::string seconds_text(std::int64_t nanoseconds) {
  constexpr std::int64_t kSecond = 1'000'000'000;
  return fmt::format("{}.{:09}", nanoseconds / kSecond, nanoseconds % kSecond);
}

void check_files(const ProbeChoices& choices) {
  if (choices.run.input == "-") throw UsageError("--input takes a file: every process reads it");
  if (choices.run.json && !choices.output) {
    throw UsageError("--json goes with -o; standard output holds the document");
  }
  std::vector<std::string> inputs = {choices.run.file};
  if (!choices.run.input.empty()) inputs.push_back(choices.run.input);
  if (choices.times_file && !choices.one_stage.empty()) {
    throw UsageError("--times-file needs the times of all stages; --one-stage measures one");
  }
  std::vector<std::string> outputs;
  for (const auto& output : {choices.output, choices.times_file})
    if (output) outputs.push_back(*output);
  require_apart(inputs, outputs);
  for (const std::string& output : outputs) require_writable(output);
}

JobEnd run_probe(const ProbeChoices& choices, live::RunPlan& plan, const ScratchFolder& folder) {
  plan.output = folder.path_of("");
  Launch launch;
  launch.launcher = choices.run.launcher.empty() ? kLauncher : choices.run.launcher;
  launch.executable = choices.run.executable.empty() ? live_program() : choices.run.executable;
  launch.messages = choices.run.verbose ? "" : folder.path_of("messages");
  launch.failure = folder.path_of(live::kFailureFile);
  launch.result = folder.path_of(live::kResultFile);
  launch.processes = plan.processors.size() + 1;
  launch.plan = folder.write("plan.json", live::write_run_plan(plan));
  return run_job(launch);
}

void tell(const ProbeChoices& choices, const PreparedProbe& asked, const live::ProbedDocument& probed,
          Streams& streams) {
  const std::string text = tpn::write_document(probed.document);
  if (!choices.output) {
    streams.out << text;
    return;
  }
  write_file(*choices.output, text);
  if (choices.run.json) {
    return print_object(streams.out, [&](tpn::JsonWriter& json) {
      write_probe_json(json, asked, probed, choices.run.file, *choices.output);
    });
  }
  write_probe(streams.out, asked, probed);
  fmt::print(streams.out, "\n{}: the document with these times, in seconds\n", tpn::visible(*choices.output));
}

// A trace in CSV: each repeat of each processor is a data set of its own, from time 0 on, in seconds.
std::string times_text(const PreparedProbe& asked, const live::ProbeResult& result) {
  const auto& stages = asked.document.application.stages;
  const auto& processors = asked.document.platform.processors;
  std::string text = "data_set,operation,stages,processor,start,end\n";
  std::size_t data_set = 0;
  for (std::size_t p = 0; p < processors.size(); ++p)
    for (std::uint64_t repeat = 0; repeat < asked.plan.probe->repeats; ++repeat, ++data_set) {
      std::int64_t now = 0;
      for (std::size_t k = 0; k < stages.size(); ++k) {
        const std::int64_t end = now + result.times[k][p][repeat];
        text += fmt::format("{},compute,{},{},{},{}\n", data_set, csv_field(stages[k].name),
                            csv_field(processors[p].name), seconds_text(now), seconds_text(end));
        now = end;
      }
    }
  return text;
}

int probe(const ProbeChoices& choices, Streams& streams) {
  check_files(choices);
  PreparedProbe asked = prepare_probe(choices, streams);
  const ScratchFolder folder("probe");
  folder.require_room(kJobRoom);
  const JobEnd end = run_probe(choices, asked.plan, folder);
  if (end.is_interrupted) {
    streams.err << "takt: interrupted\n";
    return kLimit;
  }
  if (end.cannot_start) throw UsageError(cannot_start_words(end));
  if (end.failure) {
    fmt::print(streams.err, "takt: {}: {}\n", display_name(choices.run.file), *end.failure);
    return kProbeFailed;
  }
  const std::string path = folder.path_of(live::kResultFile);
  const live::ProbeResult result = live::read_probe_result(read_text(path, streams), path);
  const auto probed = live::probed_document(asked.document, *asked.plan.probe, result, asked.fit);
  if (choices.times_file) write_file(*choices.times_file, times_text(asked, result));
  tell(choices, asked, probed, streams);
  return kAnswered;
}

void add_measuring_options(CommandLine& line, ProbeChoices& choices) {
  line.option("--repeat", choices.repeats, "timed runs of each stage, after one that does not count")
      .check(positive_integer())
      .type_name("R")
      .shows_default()
      .group("Measuring");
  line.flag("--in-turn", choices.in_turn,
            "time one processor after another, if there are more processors than cores; default: all at once, as in a "
            "run")
      .group("Measuring");
  line.option(
          "--one-stage", choices.one_stage,
          "all processors compute this stage only, for their speeds; the first computes all stages, for their works")
      .type_name("STAGE")
      .group("Measuring");
  line.option("--misfit", choices.misfit,
              "largest deviation from work / speed: 0.05, 1/20 or 5%; beyond it, each stage gets a time per processor; "
              "default: 5%")
      .check(share())
      .type_name("M")
      .group("Measuring");
  line.flag("--alike", choices.alike,
            "one speed for all processors, one latency and bandwidth for all links; default: if they differ less than "
            "repeats do")
      .group("Measuring");
  line.flag("--apart", choices.apart,
            "a speed for each processor, a latency and bandwidth for each link; implied by --misfit and --one-stage")
      .group("Measuring");
  line.option("--sizes", choices.sizes, "message sizes that time the links")
      .type_name("B,B,...")
      .shows_default()
      .group("Measuring");
  line.option("--round-trips", choices.exchanges, "timed round trips of each message, after one that does not count")
      .check(positive_integer())
      .type_name("N")
      .shows_default()
      .group("Measuring");
}

void add_result_options(CommandLine& line, ProbeChoices& choices) {
  line.option("-o", choices.output, "write the problem to this file, and the measurements to standard output")
      .check(output_name())
      .type_name("OUT")
      .group("Results");
  line.option("--times-file", choices.times_file,
              "write the time of each stage at each repeat as a CSV trace, for takt run --normal")
      .check(output_name())
      .type_name("OUT")
      .group("Results");
  line.flag("--json", choices.run.json, "print the measurements as JSON: an object").group("Results");
  line.option("--launcher", choices.run.launcher,
              std::string("the command that starts processes; default: \"") + kLauncher + "\"")
      .type_name("COMMAND")
      .group("Processes");
  line.flag("--verbose", choices.run.verbose, "print the output of the processes").group("Results");
}

}  // namespace

Action define_probe(CommandLine& line) {
  auto choices = std::make_shared<ProbeChoices>();
  line.positional("PROBLEM", choices->run.file,
                  "a problem or an instance (JSON); - is standard input. takt replaces its works, speeds, sizes and "
                  "links, so any will do, such as \"speed\": 1");
  add_stage_options(line, choices->run);
  line.option("--kernel", choices->run.kernel,
              "for tests: stages sleep (emulate) or use processor time (spin) for the times in the file")
      .check(one_of({"emulate", "spin", "program", "library"}))
      .type_name("KIND")
      .group("Stages");
  line.option("--unit", choices->run.unit, "with emulate or spin: how long a time unit lasts; default: 1 s")
      .check(positive_time())
      .type_name("T")
      .group("Stages");
  add_measuring_options(line, *choices);
  add_result_options(line, *choices);
  line.footer(
      "Each processor, source and sink is a process of an MPI job; one more process collects the times. Each stage "
      "gets\n"
      "the result of the stage before it. takt times one link at a time, while the others sleep, with sends that wait\n"
      "for the receiver. The result is in seconds, ready for takt map.\n"
      "Exit status: 70 if a stage failed or a process died.\n"
      "\n"
      "Examples:\n"
      "  takt probe problem.json --program \"a=python3 cut.py\" --program \"b=./sew\" --input lines.txt -o "
      "probed.json\n"
      "  takt probe problem.json --executable ./stages --in-turn --repeat 11 -o probed.json\n"
      "  takt map probed.json --heuristic polish --model overlap -o mapped.json");
  return [choices](Streams& streams) { return probe(*choices, streams); };
}

}  // namespace takt::tools
