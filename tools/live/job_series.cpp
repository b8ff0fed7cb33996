// A heuristic has a second for a new mapping: the pipeline stands still meanwhile.
#include "tools/live/job_series.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <utility>

#include "heuristics/registry.hpp"
#include "live/adaptation/remapping.hpp"
#include "live/files/run_result.hpp"
#include "live/process/journal_file.hpp"
#include "tools/files/files.hpp"
#include "tools/files/progress.hpp"
#include "tools/frame/options.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/links.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr std::chrono::milliseconds kMappingTime{1000};
constexpr double kUsualPatience = 30;

// What is left of a mapping: nothing where a part has no processor any more, or pairs meet that are not linked.
std::optional<tpn::Mapping> rest_of(const tpn::Document& document, const std::set<std::size_t>& gone) {
  tpn::Mapping mapping = *document.mapping;
  for (tpn::Part& part : mapping) {
    std::erase_if(part.processors, [&](std::size_t p) { return gone.contains(p); });
    if (part.processors.empty()) return std::nullopt;
  }
  if (tpn::missing_link(tpn::ProblemView(document), mapping)) return std::nullopt;
  return mapping;
}

// Known of a launcher that starts at once; one of users may wait for its turn.
std::optional<std::chrono::milliseconds> patience_of(const RunChoices& choices) {
  if (choices.start_limit.empty() && !choices.launcher.empty()) return std::nullopt;
  const double seconds = choices.start_limit.empty() ? kUsualPatience : *read_seconds(choices.start_limit);
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(seconds, 1e9) * 1000));
}

std::string seconds_words(const maxplus::Rational& seconds) { return TimeWords::of_seconds().readable(seconds); }

}  // namespace

JobSeries::JobSeries(const RunChoices& choices, PreparedRun& run, const ScratchFolder& folder, Streams& streams)
    : choices_(choices), run_(run), folder_(folder), streams_(streams) {}

JobEnd JobSeries::run() {
  for (;;) {
    JobEnd end = run_once();
    if (!end.failure || end.is_interrupted || end.is_given || end.cannot_start) return end;
    const std::uint64_t held = data_sets_in(choices_.journal);
    if (!choices_.journal.empty() && held >= run_.plan.coordination.data_sets) {
      is_complete_ = true;
      return {};
    }
    std::optional<std::string> processor;
    if (end.rank) processor = processor_of(*end.rank);
    const std::string who = processor        ? tpn::visible(*processor) + " died"
                            : end.rank == 0U ? "the coordinator died"
                                             : *end.failure;
    end.failure = who;
    if (restarts_.size() == choices_.retries) return end;
    if (processor) {
      if (const auto reason = map_anew()) {
        end.failure = fmt::format("{}, and there is no mapping without it: {}", who, *reason);
        return end;
      }
    }
    restarts_.push_back({*end.failure, processor, held});
    fmt::print(streams_.err, "takt: {}; {} holds {} of {} data sets; start {} of {}, {}, predicted {} per data set\n",
               who, tpn::visible(choices_.journal), held, run_.plan.coordination.data_sets, restarts_.size() + 1,
               choices_.retries + 1, processor ? "mapped anew" : "the same mapping",
               seconds_words(run_.instance.evaluation.upper * run_.plan.unit_seconds));
    streams_.err.flush();
  }
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
  launch.patience = patience_of(choices_);
  Progress line(streams_);
  launch.on_progress = [&](const std::string& delivered) {
    if (delivered.empty()) return;
    line.show(fmt::format("{} of {} data sets delivered", delivered, run_.plan.coordination.data_sets));
  };
  launch.processes = run_.plan.processors.size() + 1;
  launch.plan = folder_.write("plan.json", live::write_run_plan(run_.plan));
  return run_job(launch);
}

// Nothing where no processor of the platform has the rank: the coordinator's, the outside world's.
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
  const auto rest = rest_of(run_.document, gone_);
  live::RemappingTerms terms;
  terms.heuristic = heuristics::find_heuristic(choices_.remap);
  terms.model = run_.plan.model;
  terms.window = run_.is_window_chosen ? 0 : run_.plan.coordination.window;
  terms.time_limit = kMappingTime;
  const live::Remapping found = live::remap(run_.document, gone_, rest ? &*rest : nullptr, terms);
  if (!found.mapping && !rest) return fmt::format("{}: {}", choices_.remap, found.reason);
  tpn::Document document = run_.document;
  document.mapping = found.mapping ? *found.mapping : *rest;
  // What was said of another mapping.
  document.predicted_period.reset();
  document.heuristic.reset();
  document.remarks.clear();
  auto next = prepared_again(run_, std::move(document), run_.plan.adaptation.has_value());
  if (!next) return "its net is too large";
  std::erase_if(next->plan.processors, [&](std::size_t p) { return gone_.contains(p); });
  run_ = std::move(*next);
  return std::nullopt;
}

std::uint64_t data_sets_in(const std::string& journal) {
  std::error_code ignored;
  if (journal.empty() || !std::filesystem::exists(journal, ignored)) return 0;
  try {
    return live::JournalInput(journal).scan().records;
  } catch (const live::JournalError& error) {
    throw FileError(error.what());
  }
}

}  // namespace takt::tools
