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
    throw UsageError("--times-file wants the times of all stages; --one-stage has those of one");
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
  line.option("--repeat", choices.repeats, "how often each stage is computed, after once that does not count")
      .check(positive_integer())
      .type_name("R")
      .shows_default()
      .group("Measuring");
  line.flag("--in-turn", choices.in_turn,
            "one processor after the other: where there are more of them than cores; else all at once, as they work")
      .group("Measuring");
  line.option("--one-stage", choices.one_stage,
              "all processors compute this stage alone, the first all of them: works by the first, speeds by the stage")
      .type_name("STAGE")
      .group("Measuring");
  line.option("--misfit", choices.misfit,
              "where work / speed is further off, each stage gets a time for each processor: 0.05, 1/20 or 5%; "
              "default: 5%")
      .check(share())
      .type_name("M")
      .group("Measuring");
  line.flag(
          "--alike", choices.alike,
          "all processors have one speed, all links one latency and bandwidth; default: where repeats spread more than "
          "they differ")
      .group("Measuring");
  line.flag("--apart", choices.apart,
            "each processor has a speed of its own, each link its latency and bandwidth; so with --misfit, --one-stage")
      .group("Measuring");
  line.option("--sizes", choices.sizes, "sizes of the messages by which links are timed")
      .type_name("B,B,...")
      .shows_default()
      .group("Measuring");
  line.option("--round-trips", choices.exchanges, "how often each goes to and fro, after once that does not count")
      .check(positive_integer())
      .type_name("N")
      .shows_default()
      .group("Measuring");
}

void add_result_options(CommandLine& line, ProbeChoices& choices) {
  line.option("-o", choices.output, "write the document there, and what was measured to standard output")
      .check(output_name())
      .type_name("OUT")
      .group("Results");
  line.option("--times-file", choices.times_file,
              "write what each stage took at each repeat, as a trace in CSV: the normal times of takt run --normal")
      .check(output_name())
      .type_name("OUT")
      .group("Results");
  line.flag("--json", choices.run.json, "print what was measured as JSON: an object").group("Results");
  line.option("--launcher", choices.run.launcher,
              std::string("what starts processes, in place of \"") + kLauncher + "\"")
      .type_name("COMMAND")
      .group("Processes");
  line.flag("--verbose", choices.run.verbose, "show what processes print").group("Results");
}

}  // namespace

Action define_probe(CommandLine& line) {
  auto choices = std::make_shared<ProbeChoices>();
  line.positional("PROBLEM", choices->run.file,
                  "a problem or an instance (JSON); - is standard input. Its works, speeds, sizes and links are "
                  "replaced: \"speed\": 1 for each processor will do");
  add_stage_options(line, choices->run);
  line.option("--kernel", choices->run.kernel,
              "for tests: stages sleep (emulate), or take processor time (spin), for as long as the document says")
      .check(one_of({"emulate", "spin", "program", "library"}))
      .type_name("KIND")
      .group("Stages");
  line.option("--unit", choices->run.unit, "of such stages: how long a time unit lasts; default: a second")
      .check(positive_time())
      .type_name("T")
      .group("Stages");
  add_measuring_options(line, *choices);
  add_result_options(line, *choices);
  line.footer(
      "Each processor is a process of an MPI job, as are source and sink where the platform has them; one more "
      "gathers.\n"
      "Each stage gets what the one before it has made. Links are timed one pair at a time, while the others sleep, "
      "by\n"
      "sends that wait for the receiver. The document has a time unit, the second, and goes straight into takt map.\n"
      "Exit status 70 where a stage failed or a process died.\n"
      "\n"
      "Examples:\n"
      "  takt probe problem.json --program \"a=python3 cut.py\" --program \"b=./sew\" --input lines.txt -o "
      "probed.json\n"
      "  takt probe problem.json --executable ./stages --in-turn --repeat 11 -o probed.json\n"
      "  takt map probed.json --heuristic polish --model overlap -o mapped.json");
  return [choices](Streams& streams) { return probe(*choices, streams); };
}

}  // namespace takt::tools
