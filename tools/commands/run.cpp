// takt run: the mapping as a real MPI program, its period measured and held against the exact one.
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "live/files/run_result.hpp"
#include "live/measurement/measurement.hpp"
#include "live/measurement/trace.hpp"
#include "live/process/journal_file.hpp"
#include "tools/files/files.hpp"
#include "tools/files/scratch_folder.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/command_line.hpp"
#include "tools/frame/options.hpp"
#include "tools/live/core_time_output.hpp"
#include "tools/live/failure_options.hpp"
#include "tools/live/first_free_output.hpp"
#include "tools/live/job_series.hpp"
#include "tools/live/launcher.hpp"
#include "tools/live/measurement_output.hpp"
#include "tools/live/rehearsed_run.hpp"
#include "tools/live/run_options.hpp"
#include "tools/live/run_setup.hpp"
#include "tools/live/run_trace.hpp"
#include "tools/live/run_watch.hpp"
#include "tools/live/stage_options.hpp"
#include "tools/live/stream_input.hpp"
#include "tools/live/total_time_table.hpp"
#include "tools/live/trace_writer.hpp"
#include "tools/live/varied_run.hpp"
#include "tools/words/json_results.hpp"
#include "tpn/json_writer.hpp"
#include "tpn/models.hpp"
#include "tpn/visible.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

// A run that lost something, or that could not be brought to its end.
constexpr int kRunFailed = 70;
// A run that came to its end, and has data sets without a result.
constexpr int kSomeFailed = 71;

class RunCommand {
 public:
  RunCommand(const RunChoices& choices, Streams& streams) : choices_(choices), streams_(streams) {}

  int run() {
    check_outputs();
    auto prepared = prepare_run(choices_, streams_);
    if (!prepared) return kLimit;
    run_ = std::move(*prepared);
    if (choices_.rehearse) return rehearse();
    // An interrupted run ends its processes and removes its files.
    std::optional<InterruptibleSearch> stops(SearchSignals::all_in_order);
    const bool is_left = look_at_journal();
    watch_.emplace(choices_, run_, result_.first_data_set, streams_);
    if (!is_left) return report_journal();
    if (interruption()) return interrupted();
    if (loses_results()) streams_.err << "takt: results of stages are not kept; --journal FILE keeps them\n";
    folder_.emplace("run");
    folder_->require_room(kJobRoom);
    run_.plan.output = folder_->path_of("");
    if (choices_.adapt == kAllWays) return compare_ways();
    const JobEnd end = run_on_input();
    if (end.is_interrupted) return interrupted();
    if (end.failure) return failed(end);
    if (is_complete_) return report_journal();
    read_result();
    tell_end(RunPhase::ended, "the run has come to its end");
    folder_.reset();
    lock_.reset();
    stops.reset();
    return report();
  }

 private:
  void check_outputs() const {
    std::vector<std::string> outputs;
    for (const std::string& path : {choices_.trace_file, choices_.journal, choices_.log}) {
      if (!path.empty()) outputs.push_back(path);
    }
    for (const std::string& path : choices_.status) outputs.push_back(path);
    std::vector<std::string> inputs = {choices_.file};
    if (!choices_.input.empty()) inputs.push_back(choices_.input);
    if (!choices_.normal.empty()) inputs.push_back(choices_.normal);
    require_one_stdin(inputs);
    require_apart(inputs, outputs);
    for (const std::string& path : choices_.status) require_writable(path);
    if (!choices_.trace_file.empty()) {
      require_writable(choices_.trace_file);
      if (!trace_form(choices_.trace_file)) {
        throw UsageError(fmt::format("--trace-file: found {}, expected a name that ends in .csv, .json or .trace.json",
                                     tpn::visible(choices_.trace_file)));
      }
    }
  }

  // What it leaves alone is told; what it says is that of a run otherwise.
  int rehearse() {
    left_alone_ = choices_.journal;
    choices_.journal.clear();
    RehearsedRun done = rehearse_run(choices_, run_, streams_);
    if (done.failure) {
      fmt::print(streams_.err, "takt: {}: {}\n", display_name(choices_.file), *done.failure);
      return done.is_interrupted ? kLimit : kRunFailed;
    }
    restarts_ = std::move(done.restarts);
    result_ = std::move(done.result);
    trace_ = std::move(done.trace);
    log_ = std::move(done.log);
    return report();
  }

  // False if there is nothing left to run.
  bool look_at_journal() {
    if (choices_.journal.empty()) return true;
    std::uint64_t there = 0;
    try {
      lock_.emplace(choices_.journal);
      // The processes of a run that was killed may not have ended yet.
      live::JournalOwner owner{.fingerprint = live::fingerprint_of(run_.plan),
                               .takes_other_programs = choices_.same_journal};
      if (!run_.plan.input.empty()) owner.chain = live::chain_of_lines(run_.plan.input);
      const live::JournalFile journal(choices_.journal, std::move(owner),
                                      {0, std::chrono::seconds(2), choices_.segment});
      there = journal.next();
      run_.plan.again.assign(journal.failed().begin(), journal.failed().end());
      if (journal.has_changed_programs()) {
        fmt::print(streams_.err, "{} notes that its programs differ from data set {} on\n",
                   tpn::visible(choices_.journal), there);
      }
      if (journal.cut_off() > 0) {
        fmt::print(streams_.err, "{}: {} bytes of a torn record at the end are cut off\n",
                   tpn::visible(choices_.journal), journal.cut_off());
      }
    } catch (const live::JournalError& error) {
      throw FileError(error.what());
    }
    if (!choices_.again.empty()) {
      run_.plan.coordination.data_sets = run_.plan.again.size();
      return !run_.plan.again.empty();
    }
    run_.plan.again.clear();
    result_.first_data_set = there;
    const std::uint64_t wanted = run_.plan.coordination.data_sets;
    if (there >= wanted) {
      result_.first_data_set = there;
      return false;
    }
    if (there > 0) {
      fmt::print(streams_.err, "{} holds {} data sets in order: the run goes on with data set {}\n",
                 tpn::visible(choices_.journal), there, there);
    }
    return true;
  }

  // Each load with each way to meet it, as a job of its own.
  int compare_ways() {
    const PreparedRun base = run_;
    const auto setting = total_time_setting(base);
    JobEnd end;
    const RunCase run_case = [&](const live::RunPlan& plan) -> std::optional<live::RunResult> {
      run_.plan = plan;
      end = run_until_done();
      if (end.failure) return std::nullopt;
      return live::read_run_result(output(live::kResultFile), folder_->path_of(live::kResultFile));
    };
    const auto table = total_times(base, setting, run_case, streams_);
    if (!table) return end.is_interrupted ? interrupted() : failed(end);
    choices_.json ? write_total_times_json(streams_.out, choices_.file, *table)
                  : write_total_times(streams_.out, *table);
    return kAnswered;
  }

  // While a stream is read, if the input is one.
  JobEnd run_on_input() {
    if (run_.plan.spool.empty()) return run_until_done();
    StreamInput stream(choices_.input, run_.plan.spool, result_.first_data_set);
    if (stream.cut_off() > 0) {
      fmt::print(streams_.err, "{}: {} bytes of a line that was not whole are cut off\n", tpn::visible(run_.plan.spool),
                 stream.cut_off());
    }
    JobEnd end = run_until_done();
    stream.stop();
    std::error_code ignored;
    if (!end.failure && !run_.plan.keeps_spool) std::filesystem::remove(run_.plan.spool, ignored);
    return end;
  }

  JobEnd run_until_done() {
    JobSeries series(choices_, run_, *folder_, *watch_, streams_);
    JobEnd end = series.run();
    restarts_ = series.restarts();
    is_complete_ = series.is_complete_without_result();
    return end;
  }

  // The last that is told to those who watch.
  void tell_end(RunPhase phase, const std::string& words) {
    if (!watch_->is_on()) return;
    std::uint64_t delivered = result_.first_data_set + result_.delivered;
    if (!choices_.journal.empty() && choices_.again.empty()) delivered = holdings_of(choices_.journal).data_sets;
    watch_->end(phase, delivered, words);
  }

  // Those of programs and functions are somebody's.
  bool loses_results() const {
    return choices_.journal.empty() && choices_.adapt != kAllWays && !choices_.rehearse &&
           !live::is_made_up(run_.plan.kernel);
  }

  // What a run that has not come to its end has kept.
  std::string how_to_go_on() const {
    if (choices_.journal.empty()) return loses_results() ? "; no result was kept (--journal FILE keeps them)" : "";
    const JournalHoldings holdings = holdings_of(choices_.journal);
    if (!choices_.again.empty()) {
      return fmt::format("; {} of {} have no result yet; the same command continues", holdings.failed.size(),
                         tpn::visible(choices_.journal));
    }
    return fmt::format("; {} holds {}{} data sets; the same command continues with the next",
                       tpn::visible(choices_.journal), holdings.data_sets, of_wanted());
  }

  // Nothing if nobody knows how many there are to be.
  std::string of_wanted() const {
    const bool is_known = choices_.again.empty() && run_.plan.spool.empty();
    return is_known ? fmt::format(" of {}", run_.plan.coordination.data_sets) : "";
  }

  int interrupted() {
    const std::string words = "interrupted" + how_to_go_on();
    tell_end(RunPhase::interrupted, words);
    fmt::print(streams_.err, "takt: {}\n", words);
    return kLimit;
  }

  int failed(const JobEnd& end) {
    if (end.cannot_start) {
      throw UsageError(cannot_start_words(end));
    }
    const std::string words = *end.failure + how_to_go_on();
    tell_end(RunPhase::failed, words);
    fmt::print(streams_.err, "takt: {}: {}\n", display_name(choices_.file), words);
    return kRunFailed;
  }

  std::string output(std::string_view name) const {
    std::ifstream file(folder_->path_of(name), std::ios::binary);
    if (!file) throw FileError(fmt::format("{}: cannot be read", folder_->path_of(name)));
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void read_result() {
    result_ = live::read_run_result(output(live::kResultFile), folder_->path_of(live::kResultFile));
    if (run_.plan.adaptation) log_ = output(live::kLogFile);
    auto records = live::decode_records(output(live::kRecordsFile));
    if (!records) throw FileError(fmt::format("{}: found no records", folder_->path_of(live::kRecordsFile)));
    result_.records.push_back(std::move(*records));
    trace_ = live::trace_of(result_.records, run_.plan.unit_seconds * Rational(1'000'000'000), result_.begin);
  }

  bool is_logical() const { return run_.plan.engine.anchor == live::Anchor::logical; }
  bool is_measured() const { return why_beforehand().empty() && is_whole(); }

  // One mapping did it all.
  bool is_whole() const {
    return restarts_.empty() && result_.failed == 0 && result_.first_data_set == 0 && result_.mappings.size() == 1 &&
           result_.delivered >= live::kFewestMeasured;
  }

  // Of a run that measures no period, whatever it does.
  std::string why_beforehand() const {
    if (!choices_.again.empty()) return "these are data sets that had failed";
    if (!run_.plan.spool.empty()) return "the pace is that of the input";
    if (run_.plan.arrivals) return "--rate sets the pace";
    return choices_.max_rate ? "--max-rate sets the pace" : "";
  }

  std::string why_unmeasured() const {
    if (!why_beforehand().empty()) return why_beforehand();
    if (result_.failed > 0) return "data sets have failed";
    if (choices_.rehearse && !restarts_.empty()) return "a processor has died";
    if (result_.mappings.size() > 1) return "the mapping has changed";
    if (result_.first_data_set > 0) return "the journal held the first data sets";
    return fmt::format("it takes at least {} data sets", live::kFewestMeasured);
  }

  // What the coordinator wrote of its decisions.
  void write_log() const {
    if (!run_.plan.adaptation) return;
    if (!choices_.log.empty()) write_file(choices_.log, log_);
    if (choices_.json) return;
    std::istringstream lines(log_);
    for (std::string line; std::getline(lines, line);) {
      if (choices_.log.empty() || line.find("measurement point") == std::string::npos) streams_.out << line << '\n';
    }
    if (!log_.empty()) streams_.out << '\n';
  }

  // What takt vary says of the run, where it says anything.
  void set_varied() {
    constexpr double kSeconds = 20;
    if (!is_whole()) return;
    varied_ = compare_with_vary(run_, choices_.rehearse, trace_, maxplus::Deadline(deadline_in(kSeconds)));
  }

  std::string verb() const { return choices_.rehearse ? "rehearsed" : "measured"; }

  void write_varied() const {
    if (varied_) write_varied_run(streams_.out, run_, *varied_, verb());
  }

  int report() {
    write_log();
    set_varied();
    if (!choices_.trace_file.empty()) write_run_trace(choices_.trace_file, run_, result_, trace_, streams_);
    std::optional<Rational> tolerance;
    if (choices_.tolerance) tolerance = parse_share(*choices_.tolerance);
    bool holds = true;
    if (is_first_free()) {
      choices_.json ? write_total_json() : write_first_free_words();
    } else if (is_measured()) {
      MeasuredRun measured = measured_run(run_.instance, "", trace_, {}, run_.plan.unit_seconds);
      measured.verb = verb();
      holds = !tolerance || measured.is_within(*tolerance);
      choices_.json ? write_json(measured, tolerance) : write_words(measured, holds);
    } else {
      holds = !tolerance;
      choices_.json ? write_total_json() : write_total();
    }
    if (result_.wrong > 0) {
      fmt::print(streams_.err, "takt: {} data sets of {} have wrong contents\n", result_.wrong, result_.delivered);
      return kRunFailed;
    }
    return tell_failed() ? kSomeFailed : holds ? kAnswered : kNo;
  }

  // Whether there are data sets without a result.
  bool tell_failed() const {
    const std::string words = failed_words(choices_.journal, holdings_of(choices_.journal));
    if (!words.empty()) fmt::print(streams_.err, "takt: {}\n", words);
    return !words.empty();
  }

  double seconds() const { return static_cast<double>(result_.end - result_.begin) / 1e9; }

  // What the numbers depend on.
  void write_conditions() const {
    if (is_first_free()) write_shares(streams_.out, first_free());
    if (choices_.rehearse) return write_rehearsal();
    write_core_times(streams_.out, run_.document, result_);
    fmt::print(streams_.out, "\n{} ranks, window of {} data sets{}, {:.3g} s of processor time in {:.4g} s\n",
               run_.plan.processors.size() + 1, run_.plan.coordination.window, reason_words(run_.window),
               static_cast<double>(result_.cpu_nanoseconds) / 1e9, seconds());
    if (result_.machines > 1) {
      fmt::print(streams_.out,
                 "Ranks were on {} machines; their clocks were known to within {:.3g} us when last compared.\n",
                 result_.machines, static_cast<double>(result_.clock_error) / 1e3);
    }
    if (is_logical()) {
      streams_.out << "Times are those of the logical clock: messages and their order are real; times come from the "
                      "model and are no measurement.\n";
      return;
    }
    if (!result_.has_real_time && live::priority_of(run_.plan) != live::RealTime::off) {
      streams_.out << "No real-time priority was permitted: other work on the machine can delay the run by some "
                      "percent.\n";
    }
    const Rational period = run_.instance.evaluation.upper * run_.plan.unit_seconds;
    if (period < Rational::fraction(2, 1000) && run_.plan.kernel == live::KernelKind::emulate) {
      streams_.out << "Below 2 ms per data set the number says more about this machine than about the mapping: use a "
                      "longer --unit.\n";
    }
  }

  void write_rehearsal() const {
    fmt::print(streams_.out, "\n{} ranks, window of {} data sets{}\n", run_.plan.processors.size() + 1,
               run_.plan.coordination.window, reason_words(run_.window));
    if (!restarts_.empty()) write_restarts();
    const bool has_stages = !live::is_made_up(run_.plan.kernel);
    fmt::print(streams_.out,
               "A rehearsal on a virtual clock, and no measurement: times are those of the instance; messages, mapping "
               "and starts take no time.{}{}\n",
               has_stages ? " No stage was run." : "",
               left_alone_.empty() ? "" : fmt::format(" {} was not touched.", tpn::visible(left_alone_)));
  }

  void write_restarts() const {
    std::string names;
    for (const Restart& restart : restarts_) {
      if (restart.processor) names += (names.empty() ? "" : ", ") + tpn::visible(*restart.processor);
    }
    fmt::print(streams_.out, "Started again {}{}.\n",
               restarts_.size() == 1 ? "once" : fmt::format("{} times", restarts_.size()),
               names.empty() ? "" : ", without " + names);
  }

  // The whole run is in the journal, but the last of its jobs, if there was one, has left no result.
  int report_journal() {
    tell_end(RunPhase::ended, is_complete_ ? "the run has come to its end" : "nothing is left to run");
    if (choices_.json) {
      write_total_json();
    } else {
      write_journal();
      if (!is_complete_) streams_.out << "Nothing is left to run.\n";
    }
    return tell_failed() ? kSomeFailed : choices_.tolerance ? kNo : kAnswered;
  }

  void write_journal() const {
    if (loses_results()) streams_.out << "The results were not kept; --journal FILE keeps them.\n";
    if (choices_.journal.empty()) return;
    if (!restarts_.empty()) write_restarts();
    const JournalHoldings holdings = holdings_of(choices_.journal);
    fmt::print(streams_.out, "{} {} {}{} data sets, in order, each once{}{}.\n", tpn::visible(choices_.journal),
               holdings.dropped > 0 ? "has had" : "holds", holdings.data_sets, of_wanted(),
               holdings.dropped > 0 ? fmt::format("; the segments of {} are gone", holdings.dropped) : "",
               holdings.failed.empty() ? "" : fmt::format("; {} of them failed", holdings.failed.size()));
  }

  void write_words(const MeasuredRun& measured, bool holds) const {
    write_measurement(streams_.out, measured);
    write_varied();
    write_conditions();
    write_journal();
    if (!holds) {
      fmt::print(streams_.out, "The measured period is further off than the tolerance of {}.\n",
                 choices_.tolerance->c_str());
    }
  }

  bool is_first_free() const { return run_.plan.engine.turns == live::TurnOrder::first_free; }
  FirstFreeRun first_free() const { return {run_.instance, result_, trace_, run_.plan.unit_seconds, verb()}; }

  void write_first_free_words() const {
    if (!is_measured()) return write_total();
    write_first_free(streams_.out, first_free());
    write_conditions();
    write_journal();
  }

  void write_total() const {
    const std::string first =
        choices_.again.empty() ? fmt::format(", from data set {} on", result_.first_data_set) : "";
    const std::string failed = result_.failed > 0 ? fmt::format(", {} of them failed", result_.failed) : "";
    fmt::print(streams_.out, "{} data sets delivered in order in {:.6g} s{}{}\n", result_.delivered, seconds(), first,
               failed);
    fmt::print(streams_.out, "No period was {}{}: {}.\n", verb(),
               choices_.tolerance ? ", so that it is not within the tolerance" : "", why_unmeasured());
    write_varied();
    write_conditions();
    write_journal();
  }

  void write_facts(tpn::JsonWriter& json) const {
    json.member("rehearsal", choices_.rehearse);
    json.member("seconds", seconds());
    json.member("mappings", result_.mappings.size());
    json.member("first_data_set", result_.first_data_set);
    json.member("failed", result_.failed);
    json.member("wrong", result_.wrong);
    json.member("window_reason", name_of(run_.window.reason));
    json.member("ranks", run_.plan.processors.size() + 1);
    json.member("order", live::name_of(run_.plan.engine.turns));
    write_shares_json(json, first_free());
    json.member("anchor", live::name_of(run_.plan.engine.anchor));
    json.member("link_kind", live::name_of(run_.plan.engine.links));
    json.member("kernel", live::name_of(run_.plan.kernel));
    json.member("real_time", result_.has_real_time);
    json.member("hosts", result_.machines);
    json.member("clock_error_seconds", static_cast<double>(result_.clock_error) / 1e9);
    json.member("cpu_seconds", static_cast<double>(result_.cpu_nanoseconds) / 1e9);
    write_varied_json(json, varied_);
    write_core_times_json(json, run_.document, result_);
    write_journal_json(json);
  }

  void write_journal_json(tpn::JsonWriter& json) const {
    json.key("journal");
    if (choices_.journal.empty()) {
      json.value(nullptr);
    } else {
      json.begin_object();
      json.member("file", choices_.journal);
      const JournalHoldings holdings = holdings_of(choices_.journal);
      json.member("data_sets", holdings.data_sets);
      json.member("failed", holdings.failed.size());
      json.end();
    }
    json.key("restarts");
    json.begin_array();
    for (const Restart& restart : restarts_) {
      json.begin_object();
      json.member("failure", restart.failure);
      json.key("processor");
      restart.processor ? json.value(*restart.processor) : json.value(nullptr);
      json.member("data_sets", restart.data_sets);
      json.end();
    }
    json.end();
  }

  void write_json(const MeasuredRun& measured, const std::optional<Rational>& tolerance) const {
    print_object(streams_.out, [&](tpn::JsonWriter& json) {
      write_measurement_json(json, measured, tolerance, [this](tpn::JsonWriter& facts) { write_facts(facts); });
    });
  }

  void write_total_json() const {
    JsonResults results(JsonResults::Form::object, streams_.out);
    tpn::JsonWriter& json = results.next();
    json.begin_object();
    json.member("file", run_.instance.file);
    tpn::write_model(json, run_.plan.model);
    json.member("window", run_.plan.coordination.window);
    write_time_unit(json, run_.instance.times);
    write_exact(json, "unit_seconds", run_.plan.unit_seconds);
    const bool is_predicted = !is_first_free();
    write_exact(json, "predicted_period", is_predicted ? std::optional(run_.instance.evaluation.upper) : std::nullopt);
    write_exact(json, "period_in_turn", run_.instance.evaluation.upper);
    write_first_free_json(json, first_free(), is_first_free() && is_measured());
    if (choices_.tolerance) {
      write_exact(json, "tolerance", parse_share(*choices_.tolerance));
      json.member("holds", false);
    }
    const std::uint64_t known = result_.first_data_set + result_.delivered;
    json.member("data_sets", run_.plan.spool.empty() ? run_.plan.coordination.data_sets : known);
    json.member("delivered", result_.delivered);
    write_facts(json);
    json.end();
    results.finish();
  }

  RunChoices choices_;
  Streams& streams_;
  std::optional<live::JournalLock> lock_;  // to the end
  std::optional<ScratchFolder> folder_;    // while there are processes
  std::optional<RunWatch> watch_;
  PreparedRun run_;
  std::vector<Restart> restarts_;
  bool is_complete_ = false;
  live::RunResult result_;
  std::string log_;
  std::string left_alone_;  // the journal of a run that is rehearsed
  std::vector<evaluators::Firing> trace_;
  std::optional<VariedRun> varied_;
};

void add_main_options(CommandLine& line, RunChoices& choices) {
  line.positional("INSTANCE", choices.file, "an instance (JSON); - is standard input");
  line.option("--model", choices.model.name,
              "the communication model of the run, " + tpn::json::alternatives(run_model_names()) +
                  "; default: the file's, else overlap")
      .check(one_of(run_model_names()))
      .type_name("MODEL");
  line.option("--data-sets", choices.data_sets, "number of data sets; default: 400, or the lines of --input")
      .check(positive_integer())
      .type_name("N");
  line.option("--window", choices.window,
              "at most W data sets in the pipeline, delivered in order; default: 2 more than the period needs; 8 "
              "per processor with programs or functions as stages, --jitter or --rate")
      .check(positive_integer())
      .type_name("W");
  line.option("--order", choices.order,
              "in-turn: the processors of a replicated stage take data sets in turn, as in the exact period; "
              "first-free: the first free one takes the next, which can be faster than the exact period")
      .check(one_of({"in-turn", "first-free"}))
      .type_name("ORDER")
      .shows_default();
}

}  // namespace

Action define_run(CommandLine& line) {
  auto choices = std::make_shared<RunChoices>();
  add_main_options(line, *choices);
  add_clock_options(line, *choices);
  add_stage_options(line, *choices);
  add_adaptation_options(line, *choices);
  add_output_options(line, *choices);
  add_failure_options(line, *choices);
  add_stream_options(line, *choices);
  add_status_options(line, *choices);
  add_rehearsal_options(line, *choices);
  line.footer(
      "Each processor is a process of an MPI job; one more process starts data sets and collects results. A data set\n"
      "may be computed again after a failure, so its result must depend on nothing else. Details: docs/live.md.\n"
      "Exit status: 0 done; 1 the period is beyond the tolerance, or none was measured; 70 the run failed or lost\n"
      "something; 71 the run is complete, but data sets failed (--on-failure).\n"
      "\n"
      "Examples:\n"
      "  takt run examples/example-a.json --model strict\n"
      "  takt run examples/example-a.json --model overlap --data-sets 1000 --trace-file run.trace.json\n"
      "  takt run examples/example-b.json --model overlap --journal results --retries 2\n"
      "  takt run examples/video.json --model overlap --jitter lognormal:0.5 --rate 100/s --seed 7");
  return [choices](Streams& streams) { return RunCommand(*choices, streams).run(); };
}

}  // namespace takt::tools
