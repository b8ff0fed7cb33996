// A heuristic has a second for a new mapping: the pipeline stands still meanwhile.
#include "tools/live/job_series.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "heuristics/registry.hpp"
#include "live/files/run_result.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/files/signals.hpp"
#include "tools/frame/options.hpp"
#include "tools/live/failure_options.hpp"
#include "tools/live/map_without.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr std::chrono::milliseconds kMappingTime{1000};
constexpr double kUsualPatience = 30;

// Known of a launcher that starts at once; one of users may wait for its turn.
std::optional<std::chrono::milliseconds> patience_of(const RunChoices& choices) {
  if (choices.start_limit.empty() && !choices.launcher.empty()) return std::nullopt;
  const double seconds = choices.start_limit.empty() ? kUsualPatience : *read_seconds(choices.start_limit);
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(seconds, 1e9) * 1000));
}

// False if a signal comes meanwhile.
bool rests(std::chrono::seconds time) {
  constexpr std::chrono::milliseconds kLook{20};
  for (auto left = std::chrono::milliseconds(time); left.count() > 0 && !interruption(); left -= kLook) {
    std::this_thread::sleep_for(kLook);
  }
  return !interruption();
}

// The coordinator itself may be what stands still: it has some seconds more than a run.
void set_silence(Launch& launch, const std::optional<live::StallTerms>& stalls) {
  constexpr std::chrono::seconds kMore{5};
  const auto time = [](live::Ticks ticks) {
    return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::nanoseconds(ticks));
  };
  if (!stalls) return;
  launch.silence_told = time(stalls->told_after);
  if (stalls->ended_after) launch.silence_allowed = time(*stalls->ended_after) + kMore;
}

std::string seconds_words(const maxplus::Rational& seconds) { return TimeWords::of_seconds().readable(seconds); }

}  // namespace

JobSeries::JobSeries(const RunChoices& choices, PreparedRun& run, const ScratchFolder& folder, RunWatch& watch,
                     Streams& streams)
    : choices_(choices), run_(run), folder_(folder), watch_(watch), streams_(streams) {}

JobEnd JobSeries::run() {
  again_ = run_.plan.again;
  if (!again_.empty()) repeated_before_ = holdings_of(choices_.journal).repeated;
  for (;;) {
    JobEnd end = run_once();
    if (!end.failure || end.is_interrupted || end.cannot_start) return end;
    const auto failure = stage_failure_of(end);
    if (end.is_given && !failure) return end;
    const std::uint64_t held = leave_out_done();
    if (!choices_.journal.empty() && held >= wanted()) {
      is_complete_ = true;
      return {};
    }
    if (failure) {
      if (!take_failure(*end.failure, *failure, held)) return end;
    } else if (!goes_on_without(end, held)) {
      return end;
    }
  }
}

// How many data sets of the run are done; those of a run of failed ones are taken out of the plan.
std::uint64_t JobSeries::leave_out_done() {
  const JournalHoldings holdings = holdings_of(choices_.journal);
  if (again_.empty()) return holdings.data_sets;
  const std::uint64_t done = std::min<std::uint64_t>(holdings.repeated - repeated_before_, again_.size());
  run_.plan.again.assign(again_.begin() + static_cast<std::ptrdiff_t>(done), again_.end());
  run_.plan.coordination.data_sets = run_.plan.again.size();
  return done;
}

std::uint64_t JobSeries::wanted() const { return again_.empty() ? run_.plan.coordination.data_sets : again_.size(); }

std::string JobSeries::held_words(std::uint64_t held) const {
  if (!run_.plan.spool.empty()) return fmt::format("{} holds {} data sets", tpn::visible(choices_.journal), held);
  return again_.empty() ? fmt::format("{} holds {} of {} data sets", tpn::visible(choices_.journal), held, wanted())
                        : fmt::format("{} of {} data sets that had failed are done", held, wanted());
}

// A process died: without its processor. False if that cannot be, which the end then says.
bool JobSeries::goes_on_without(JobEnd& end, std::uint64_t held) {
  const std::size_t present = gone_.size();
  const std::string who = leave_out(end);
  const bool is_less = gone_.size() > present;
  end.failure = who;
  if (deaths_ == choices_.retries) return false;
  if (is_less) {
    if (const auto reason = map_anew()) {
      end.failure = fmt::format("{}, and there is no mapping without it: {}", who, *reason);
      return false;
    }
  }
  ++deaths_;
  const std::chrono::seconds rest = rest_before_start(held, is_less);
  restarts_.push_back({who, is_less ? left_out_ : std::nullopt, held});
  say_restart(fmt::format("{}; {}; start {} of {}{}, {}, {} {} per data set", who, held_words(held), deaths_ + 1,
                          choices_.retries + 1, rest.count() > 0 ? fmt::format(" in {} s", rest.count()) : "",
                          is_less ? "mapped anew" : "the same mapping", period_word(run_),
                          seconds_words(run_.instance.evaluation.upper * run_.plan.unit_seconds)));
  if (!rests(rest)) end = interrupted_end();
  return !end.is_interrupted;
}

// Who has died or does not answer takes no part any more: that in words.
std::string JobSeries::leave_out(const JobEnd& end) {
  left_out_.reset();
  if (end.has_stalled) {
    for (const std::size_t rank : end.silent) {
      if (auto name = processor_of(rank)) left_out_ = left_out_ ? *left_out_ + ", " + *name : std::move(name);
    }
    return *end.failure;
  }
  if (end.rank) left_out_ = processor_of(*end.rank);
  if (left_out_) return tpn::visible(*left_out_) + " died";
  return end.rank == 0U ? "the coordinator died" : *end.failure;
}

// None as long as jobs come further or the next is another one; then a second, and twice as long each time.
std::chrono::seconds JobSeries::rest_before_start(std::uint64_t held, bool is_another) {
  constexpr std::size_t kMostDoublings = 5;
  idle_ = !is_another && !restarts_.empty() && restarts_.back().data_sets == held ? idle_ + 1 : 0;
  return std::chrono::seconds(idle_ == 0 ? 0 : 1 << std::min(idle_ - 1, kMostDoublings));
}

// Of a stage that has ended its process.
std::optional<live::KnownFailure> JobSeries::stage_failure_of(const JobEnd& end) const {
  if (!end.is_given) return std::nullopt;
  for (const tpn::Stage& stage : run_.document.application.stages) {
    const std::string begin = fmt::format("stage {}, data set ", tpn::visible(stage.name));
    if (!end.failure->starts_with(begin)) continue;
    live::KnownFailure failure{0, stage.name, ""};
    const char* const last = end.failure->data() + end.failure->size();
    const auto [rest, error] = std::from_chars(end.failure->data() + begin.size(), last, failure.data_set);
    const std::string_view words(rest, static_cast<std::size_t>(last - rest));
    if (error != std::errc() || !words.starts_with(": ")) continue;
    failure.words = words.substr(2);
    return failure;
  }
  return std::nullopt;
}

// Where it stops the run a last job has what comes before it delivered. False if nothing is left to do.
bool JobSeries::take_failure(const std::string& words, const live::KnownFailure& failure, std::uint64_t held) {
  const bool stops = run_.plan.on_failure.stops;
  if (stops && (choices_.journal.empty() || !again_.empty() || held >= failure.data_set)) return false;
  const std::uint64_t tries = ++failures_[{failure.data_set, failure.stage}];
  if (stops) last_ = failure.data_set;
  const bool is_last = stops || tries > run_.plan.on_failure.retries;
  restarts_.push_back({words, std::nullopt, held});
  std::string next =
      stops ? "the data sets before this one follow" : "the run goes on without a result of this data set";
  if (is_last) {
    run_.plan.on_failure.known.push_back(failure);
  } else {
    const auto processor = turn(failure);
    next = fmt::format("try {} of {} follows{}", tries + 1, run_.plan.on_failure.retries + 1,
                       processor ? " on " + tpn::visible(*processor) : "");
  }
  say_restart(fmt::format("{}; {}; {}", words, held_words(held), next));
  return true;
}

// The last of the restarts, in words.
void JobSeries::say_restart(const std::string& words) {
  fmt::print(streams_.err, "takt: {}\n", words);
  streams_.err.flush();
  const Restart& restart = restarts_.back();
  watch_.restart({0, restart.failure, restart.processor.value_or(""), restart.data_sets}, gone_, words);
}

// Gives the data set to the next processor of the part, if there is another, by turning the part's sequence: its name.
std::optional<std::string> JobSeries::turn(const live::KnownFailure& failure) {
  const auto& stages = run_.document.application.stages;
  const auto stage =
      static_cast<std::size_t>(std::ranges::find(stages, failure.stage, &tpn::Stage::name) - stages.begin());
  const auto& again = run_.plan.again;
  const std::uint64_t turn_of_it =
      again.empty() ? failure.data_set
                    : static_cast<std::uint64_t>(std::ranges::find(again, failure.data_set) - again.begin());
  tpn::Document document = run_.document;
  for (tpn::Part& part : *document.mapping) {
    if (stage < part.first_stage || stage > part.last_stage) continue;
    std::vector<std::size_t>& sequence = part.processors;
    const std::size_t place = turn_of_it % sequence.size();
    const std::size_t there = sequence[place];
    for (std::size_t k = 1; k < sequence.size() && sequence[place] == there; ++k) {
      std::rotate(sequence.begin(), sequence.begin() + 1, sequence.end());
    }
    const std::size_t next = sequence[place];
    if (next == there || !take_mapping(run_, std::move(document), gone_)) return std::nullopt;
    return run_.document.platform.processors[next].name;
  }
  return std::nullopt;
}

JobEnd JobSeries::run_once() {
  Launch launch;
  launch.launcher = choices_.launcher.empty() ? kLauncher : choices_.launcher;
  launch.executable = choices_.executable.empty() ? live_program() : choices_.executable;
  launch.messages = folder_.path_of("messages");
  if (choices_.verbose) launch.shown = &streams_.err;
  launch.failure = folder_.path_of(live::kFailureFile);
  launch.result = folder_.path_of(live::kResultFile);
  launch.begun = folder_.path_of(live::kBegunFile);
  launch.words = folder_.path_of(live::kWordsFile);
  launch.stall = folder_.path_of(live::kStallFile);
  launch.coordinator = folder_.path_of(live::kCoordinatorFile);
  set_silence(launch, run_.plan.coordination.stalls);
  launch.on_words = [this](const std::string& words) {
    fmt::print(streams_.err, "takt: {}\n", words);
    watch_.tell(words);
  };
  launch.patience = patience_of(choices_);
  Progress line(streams_);
  launch.on_progress = [&](const std::string& delivered) {
    watch_.renew();
    if (delivered.empty()) return;
    const std::string wanted = run_.plan.spool.empty() ? fmt::format(" of {}", run_.plan.coordination.data_sets) : "";
    line.show(fmt::format("{}{} data sets delivered", delivered, wanted));
  };
  launch.processes = run_.plan.processors.size() + 1;
  live::RunPlan plan = run_.plan;
  if (last_) plan.coordination.data_sets = *last_ + 1;
  launch.plan = folder_.write("plan.json", live::write_run_plan(plan));
  watch_.start(run_, folder_);
  JobEnd end = run_job(launch);
  watch_.renew();
  // A process that cannot write why it fails does not say so.
  if (end.failure && !end.is_interrupted && !end.is_given) {
    try {
      folder_.require_room(kJobRoom);
    } catch (const FileError& error) {
      end.failure = error.what();
      end.is_given = true;
    }
  }
  return end;
}

// Nothing if no processor of the platform has the rank: the coordinator's, the outside world's.
std::optional<std::string> JobSeries::processor_of(std::size_t rank) {
  const auto& processors = run_.document.platform.processors;
  if (rank == 0 || rank > run_.plan.processors.size()) return std::nullopt;
  const std::size_t processor = run_.plan.processors[rank - 1];
  if (processor >= processors.size()) return std::nullopt;
  gone_.insert(processor);
  return processors[processor].name;
}

// Why there is no mapping, if there is none.
std::optional<std::string> JobSeries::map_anew() {
  return map_without(run_, gone_, *heuristics::find_heuristic(choices_.remap), kMappingTime);
}

}  // namespace takt::tools
