// When a job's clock began is known from its first view: how old the file is, and what time it tells.
#include "tools/live/run_watch.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <filesystem>
#include <iterator>
#include <ostream>
#include <system_error>
#include <utility>

#include "live/files/run_result.hpp"
#include "live/files/run_view.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/options.hpp"
#include "tools/status/status_files.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

std::int64_t seconds_since_1970() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count();
}

// Nothing of a stream, which has no known end.
std::optional<std::uint64_t> known_data_sets(const PreparedRun& run) {
  return run.plan.spool.empty() ? std::optional(run.plan.coordination.data_sets) : std::nullopt;
}

std::string check_status_name(const std::string& path) {
  if (is_status_name(path)) return "";
  return fmt::format("found \"{}\", expected a name that ends in {}", tpn::visible(path), kStatusEnds);
}

}  // namespace

void add_status_options(CommandLine& line, RunChoices& choices) {
  line.option("--status", choices.status,
              "write the state of the run to this file every second and at the end: a page (.html), JSON (.json) or "
              "metrics for Prometheus (.prom); repeatable")
      .check(check_status_name)
      .type_name("FILE")
      .group("Watching");
}

StatusSubject status_subject(const RunChoices& choices, std::uint64_t first_data_set) {
  StatusSubject subject;
  subject.file = choices.file;
  subject.is_rehearsal = choices.rehearse;
  subject.first_data_set = first_data_set;
  if (choices.max_rate) {
    if (const auto rate = read_number(*choices.max_rate)) subject.max_rate = rate->to_double();
  }
  return subject;
}

RunWatch::RunWatch(const RunChoices& choices, const PreparedRun& run, std::uint64_t first_data_set, Streams& streams)
    : choices_(choices),
      streams_(streams),
      keeper_(status_subject(choices, first_data_set), 0, run.plan, predicted_seconds(run), known_data_sets(run)) {}

double RunWatch::now() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
}

void RunWatch::start(const PreparedRun& run, const ScratchFolder& folder) {
  if (!is_on()) return;
  view_file_ = folder.path_of(live::kViewFile);
  events_file_ = folder.path_of(live::kEventsFile);
  // Those of the job before it.
  std::error_code ignored;
  std::filesystem::remove(view_file_, ignored);
  std::filesystem::remove(events_file_, ignored);
  events_.close();
  line_.clear();
  keeper_.start(now(), run.plan, predicted_seconds(run), known_data_sets(run));
  write();
}

void RunWatch::renew() {
  if (!is_on()) return;
  read_view();
  read_events();
  write();
}

void RunWatch::read_view() {
  std::error_code error;
  const auto written = std::filesystem::last_write_time(view_file_, error);
  std::ifstream file(view_file_, std::ios::binary);
  if (error || !file) return;
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const live::RunView view = live::read_run_view(text, view_file_);
  if (!keeper_.has_begun()) {
    const auto age = std::chrono::duration<double>(std::filesystem::file_time_type::clock::now() - written).count();
    keeper_.begin(now() - age - static_cast<double>(view.now) / 1e9);
  }
  keeper_.see(view);
}

// Before the first view nobody knows when they were.
void RunWatch::read_events() {
  if (!keeper_.has_begun()) return;
  if (!events_.is_open()) events_.open(events_file_, std::ios::binary);
  if (!events_.is_open()) return;
  line_.append(std::istreambuf_iterator<char>(events_), {});
  events_.clear();
  for (std::size_t end = 0; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1)) {
    keeper_.hear(live::read_run_event(std::string_view(line_).substr(0, end), events_file_));
  }
}

void RunWatch::tell(const std::string& words) {
  if (is_on()) keeper_.tell(now(), words);
}

void RunWatch::restart(const StatusRestart& restart, const std::set<std::size_t>& left_out, const std::string& words) {
  if (!is_on()) return;
  StatusRestart timed = restart;
  timed.seconds = now();
  keeper_.restart(timed.seconds, timed, left_out, words);
  write();
}

void RunWatch::end(RunPhase phase, std::uint64_t delivered, const std::string& words) {
  if (!is_on()) return;
  keeper_.end(now(), phase, delivered, words);
  write();
}

void RunWatch::write() {
  try {
    write_status(choices_.status, keeper_.status(now(), seconds_since_1970()));
    has_told_ = false;
  } catch (const FileError& error) {
    if (!std::exchange(has_told_, true)) fmt::print(streams_.err, "takt: {}; the run goes on\n", error.what());
  }
}

}  // namespace takt::tools
