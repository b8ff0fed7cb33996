// Job after job, each until the next processor dies.
#include "tools/live/rehearsed_run.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <set>
#include <utility>

#include "heuristics/registry.hpp"
#include "live/files/run_view.hpp"
#include "live/rehearsal/rehearsal.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/options.hpp"
#include "tools/live/map_without.hpp"
#include "tools/live/run_watch.hpp"
#include "tools/live/stream_input.hpp"
#include "tools/status/status_files.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/json.hpp"
#include "tpn/units.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;

struct Kill {
  std::size_t processor = 0;
  live::Ticks time = 0;  // since the first job began
};

// PROCESSOR:TIME. Names may hold colons.
Kill kill_of(const std::string& text, const PreparedRun& run) {
  const auto fail = [&](const std::string& what) {
    throw UsageError(fmt::format("--kill: found {}, expected {}", tpn::json::quote(text), what));
  };
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) fail("PROCESSOR:TIME");
  const auto& processors = run.document.platform.processors;
  const auto found = std::ranges::find(processors, text.substr(0, colon), &tpn::Processor::name);
  if (found == processors.end()) fail("the name of a processor before the last colon");
  const std::string field = text.substr(colon + 1);
  const auto time = read_quantity(field, tpn::Quantity::time);
  if (!time || time->sign() < 0) fail("a time of 0 or more behind the last colon");
  const Rational seconds = tpn::has_unit(field) ? *time : *time * run.plan.unit_seconds;
  const maxplus::Integer ticks = Rational(seconds * Rational(1'000'000'000)).floor();
  if (!ticks.fits_slong_p()) fail("a shorter time");
  return {static_cast<std::size_t>(found - processors.begin()), static_cast<live::Ticks>(ticks.get_si())};
}

double seconds_of(live::Ticks ticks) { return static_cast<double>(ticks) / 1e9; }

class RehearsalSeries : private live::RunLog {
 public:
  RehearsalSeries(const RunChoices& choices, PreparedRun& run, Streams& streams)
      : choices_(choices),
        run_(run),
        streams_(streams),
        keeper_(status_subject(choices, 0), 0, run.plan, predicted_seconds(run), run.plan.coordination.data_sets) {
    for (const std::string& text : choices.kills) kills_.push_back(kill_of(text, run));
    std::ranges::stable_sort(kills_, {}, &Kill::time);
  }

  RehearsedRun run() {
    while (run_once()) {
    }
    done_.result.delivered = next_;
    done_.result.end = end_;
    const RunPhase phase = done_.is_interrupted ? RunPhase::interrupted
                           : done_.failure      ? RunPhase::failed
                                                : RunPhase::ended;
    keeper_.end(seconds_of(end_), phase, next_, done_.failure.value_or("the run has come to its end"));
    if (!choices_.status.empty()) write_status(choices_.status, keeper_.status(seconds_of(end_), 0));
    return std::move(done_);
  }

 private:
  // The next of those that have a process to be killed.
  const Kill* next_kill() {
    const auto has_process = [&](std::size_t processor) {
      return std::ranges::find(run_.plan.processors, processor) != run_.plan.processors.end();
    };
    while (killed_ < kills_.size() && !has_process(kills_[killed_].processor)) {
      fmt::print(streams_.err, "takt: --kill {}: the processor has no process then\n",
                 tpn::visible(choices_.kills[killed_]));
      ++killed_;
    }
    return killed_ < kills_.size() ? &kills_[killed_] : nullptr;
  }

  live::RehearsalTerms terms(const Kill* kill) {
    live::RehearsalTerms terms;
    terms.model = run_.plan.model;
    terms.engine.turns = run_.plan.engine.turns;
    terms.coordination = run_.plan.coordination;
    terms.coordination.first_data_set = next_;
    terms.coordination.stalls.reset();
    terms.ticks_per_unit = run_.plan.unit_seconds * Rational(1'000'000'000);
    terms.loads = run_.plan.loads;
    if (run_.plan.jitter) terms.jitter = live::jitter_terms(*run_.plan.jitter);
    terms.arrivals = run_.plan.arrivals;
    terms.log = this;
    terms.stops = []() -> bool { return interruption(); };
    terms.on_view = [this](const live::RunView& view) { keeper_.see(view); };
    terms.coordination.looks_every = look_interval(*terms.ticks_per_unit);
    if (kill != nullptr) terms.until = std::max<live::Ticks>(0, kill->time - base_);
    if (!run_.plan.adaptation) return terms;
    terms.adaptation = live::adaptation_terms(run_.plan, terms.coordination);
    // The same answer on every machine.
    terms.adaptation->remapping.time_limit.reset();
    terms.adaptation->gone = gone_;
    return terms;
  }

  // Some hundred looks at a run.
  live::Ticks look_interval(const Rational& ticks_per_unit) const {
    constexpr double kLooks = 300;
    const double period = (run_.instance.evaluation.upper * ticks_per_unit).to_double().value_or(0);
    const double time = period * static_cast<double>(run_.plan.coordination.data_sets - next_) / kLooks;
    return static_cast<live::Ticks>(std::clamp(time, 1.0, 1e15));
  }

  // Whether another job follows.
  bool run_once() {
    const Kill* kill = next_kill();
    const double period = predicted_seconds(run_);
    keeper_.start(seconds_of(base_), run_.plan, period, run_.plan.coordination.data_sets);
    keeper_.begin(seconds_of(base_));
    auto rehearsed = live::rehearse(run_.document, terms(kill));
    if (!rehearsed) {
      done_.failure = "its net is too large";
      return false;
    }
    next_ = rehearsed->next;
    end_ = base_ + Rational(rehearsed->end * run_.plan.unit_seconds * Rational(1'000'000'000)).floor().get_si();
    for (const auto& [processor, share] : rehearsed->computed) {
      live::ComputationShare& sum = done_.result.computed[processor];
      sum.data_sets += share.data_sets;
      sum.time += share.time;
    }
    std::ranges::move(rehearsed->mappings, std::back_inserter(done_.result.mappings));
    done_.is_interrupted = interruption();
    if (done_.is_interrupted) done_.failure = "interrupted";
    if (rehearsed->is_broken_off) return !done_.is_interrupted && goes_on_without(*kill);
    done_.trace = std::move(rehearsed->trace);
    for (; killed_ < kills_.size(); ++killed_) {
      fmt::print(streams_.err, "takt: --kill {}: the run has ended before\n", tpn::visible(choices_.kills[killed_]));
    }
    return false;
  }

  bool goes_on_without(const Kill& kill) {
    base_ = kill.time;
    end_ = base_;
    ++killed_;
    gone_.insert(kill.processor);
    // A copy: map_without replaces the document.
    const std::string name = run_.document.platform.processors[kill.processor].name;
    const std::string who = tpn::visible(name) + " died";
    const std::string held = fmt::format("{} of {} data sets are delivered", next_, run_.plan.coordination.data_sets);
    if (done_.restarts.size() == choices_.retries) {
      done_.failure = fmt::format("{}; {}", who, held);
      return false;
    }
    if (const auto reason = map_without(run_, gone_, *heuristics::find_heuristic(choices_.remap), std::nullopt)) {
      done_.failure = fmt::format("{}, and there is no mapping without it: {}; {}", who, *reason, held);
      return false;
    }
    done_.restarts.push_back({who, name, next_});
    const std::string words =
        fmt::format("{}; {}; start {} of {}, mapped anew, {} {} per data set", who, held, done_.restarts.size() + 1,
                    choices_.retries + 1, period_word(run_),
                    TimeWords::of_seconds().readable(run_.instance.evaluation.upper * run_.plan.unit_seconds));
    fmt::print(streams_.err, "takt: {}\n", words);
    keeper_.restart(seconds_of(base_), {seconds_of(base_), who, name, next_}, gone_, words);
    return true;
  }

  // Its times are since the first job began.
  void write(const live::RunLogEntry& entry) override {
    live::RunLogEntry since_begin = entry;
    since_begin.time += base_;
    done_.log += live::log_line(since_begin, run_.document) + '\n';
    if (const auto event = live::event_of(entry, run_.document)) keeper_.hear(*event);
  }

  const RunChoices& choices_;
  PreparedRun& run_;
  Streams& streams_;
  StatusKeeper keeper_;
  std::vector<Kill> kills_;  // by time
  std::size_t killed_ = 0;   // of these
  std::set<std::size_t> gone_;
  live::Ticks base_ = 0;  // when the job began, since the first one did
  live::Ticks end_ = 0;
  std::uint64_t next_ = 0;
  RehearsedRun done_;
};

}  // namespace

void add_rehearsal_options(CommandLine& line, RunChoices& choices) {
  line.flag("--rehearse", choices.rehearse,
            "start no process: simulate the same run on a virtual clock, with the times of the instance")
      .group("Watching");
  line.option(
          "--kill", choices.kills,
          "with --rehearse: the process of processor P dies this long after the start, such as P4:240ms; see --retries")
      .type_name("P:TIME")
      .group("Watching");
}

void require_rehearsable(const RunChoices& choices) {
  if (!choices.rehearse) {
    if (!choices.kills.empty()) throw UsageError("--kill goes with --rehearse: takt kills no real process");
    return;
  }
  const auto refuse = [](std::string_view option, std::string_view why) {
    throw UsageError(fmt::format("--rehearse and {} exclude each other: {}", option, why));
  };
  if (choices.adapt == kAllWays) refuse("--adapt all", "that compares runs");
  if (!choices.again.empty()) refuse("--again", "a rehearsal has no failures of stages");
  if (choices.anchor == "logical") refuse("--anchor logical", "a rehearsal has no other clock than that of the model");
  if (is_stream(choices.input)) refuse("--input of a stream", "a rehearsal needs an end");
  if (!choices.kills.empty() && !choices.trace_file.empty()) {
    throw UsageError("--kill and --trace-file exclude each other: a process that dies leaves no record");
  }
}

RehearsedRun rehearse_run(const RunChoices& choices, PreparedRun& run, Streams& streams) {
  const InterruptibleSearch stops(SearchSignals::interrupt_and_terminate);
  return RehearsalSeries(choices, run, streams).run();
}

}  // namespace takt::tools
