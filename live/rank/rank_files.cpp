// Progress is told twice a second.
#include "live/rank/rank_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <utility>
#include <vector>

#include "live/files/mix_kernel.hpp"
#include "live/files/run_result.hpp"
#include "live/rank/scheduling.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.flush();
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be written: {}", path, std::strerror(errno)));
}

void replace_text(const std::string& path, std::string_view text) {
  const std::string beside = path + ".new";
  write_text(beside, text);
  std::filesystem::rename(beside, path);
}

namespace {

std::vector<std::string> all_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be read", path));
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(std::move(line));
  return lines;
}

}  // namespace

PacketSource lines_of(const std::string& path) {
  if (path.empty()) return nullptr;
  return [path, lines = std::vector<std::string>(), is_read = false](std::uint64_t data_set) mutable {
    if (!is_read) lines = all_lines(path);
    is_read = true;
    if (data_set >= lines.size()) {
      throw std::runtime_error(
          fmt::format("{}: found {} lines, and none for data set {}", path, lines.size(), data_set));
    }
    return lines[data_set];
  };
}

PacketSource input_of(const RunPlan& plan) {
  if (!plan.input.empty()) return lines_of(plan.input);
  if (plan.kernel != KernelKind::program || !plan.spool.empty()) return nullptr;
  return [](std::uint64_t data_set) { return std::to_string(data_set); };
}

std::optional<std::string> LineFeed::next() {
  const std::uint64_t data_set = next_++;
  return lines_(plan_.again.empty() ? data_set : plan_.again[data_set]);
}

void CheckedResults::append(std::uint64_t data_set, const std::string& bytes) {
  const bool is_known = plan_.kernel == KernelKind::emulate || plan_.kernel == KernelKind::spin;
  const std::size_t stages = plan_.instance.application.stages.size();
  if (is_known && bytes != expected_result(data_set, flow_, stages, plan_.bytes)) ++wrong_;
  ++delivered_;
  if (journal_ != nullptr && !plan_.again.empty()) {
    journal_->replace(plan_.again[data_set], bytes, RecordKind::replacement);
  } else if (journal_ != nullptr) {
    journal_->append(data_set, bytes);
  }
  count(data_set);
}

void CheckedResults::append_failure(std::uint64_t data_set, const std::string& failure) {
  const auto why = decode_failure(failure);
  if (plan_.on_failure.stops) throw StageStopsRun(why ? why->words : "a stage failed");
  ++delivered_;
  ++failed_;
  events_.write({.time = monotonic_now() - begin_,
                 .words = fmt::format(
                     "data set {} failed{}", plan_.again.empty() ? data_set : plan_.again[data_set],
                     why ? fmt::format(" in stage {}: {}", tpn::visible(why->stage), tpn::visible(why->words)) : ""),
                 .is_failure = true});
  if (journal_ != nullptr && !plan_.again.empty()) {
    journal_->replace(plan_.again[data_set], failure, RecordKind::failure);
  } else if (journal_ != nullptr) {
    journal_->append_failure(data_set, failure);
  }
  count(data_set);
}

// Behind the journal: what is not in it yet must be there to be read again.
void CheckedResults::count(std::uint64_t data_set) {
  if (spool_ != nullptr) spool_->deliver(data_set + 1);
  if (monotonic_now() >= next_word_) tell(data_set + 1);
}

void CheckedResults::say(std::size_t stage, const std::string& words) {
  if (told_of_.insert(stage).second) tell_user(words);
}

void CheckedResults::tell_user(const std::string& words) const {
  std::ofstream file(fmt::format("{}/{}", plan_.output, kWordsFile), std::ios::app);
  file << words + '\n' << std::flush;
}

void CheckedResults::stalled(const Standstill& stall) {
  const std::string words = stall_words(stall, plan_, names_);
  if (!stall.is_last) return tell_user(words);
  std::string ranks;
  for (const std::size_t processor : stall.silent) {
    const auto rank = std::ranges::find(plan_.processors, processor) - plan_.processors.begin() + 1;
    ranks += fmt::format("{}{}", ranks.empty() ? "" : " ", rank);
  }
  write_text(fmt::format("{}/{}", plan_.output, kStallFile), fmt::format("{}\n{}\n", ranks, words));
  throw std::runtime_error(words);
}

void CheckedResults::resumed(std::uint64_t data_set, Ticks lasted) {
  tell_user(fmt::format("the run goes on: data set {} was delivered after {}",
                        plan_.again.empty() ? data_set : plan_.again[data_set], readable_ticks(lasted)));
}

void CheckedResults::seen(const RunView& view) {
  replace_text(fmt::format("{}/{}", plan_.output, kViewFile), write_run_view(view));
}

void CheckedResults::tell(std::uint64_t data_sets) {
  constexpr std::int64_t kNowAndThen = 500'000'000;
  next_word_ = monotonic_now() + kNowAndThen;
  write_text(fmt::format("{}/{}", plan_.output, kBegunFile), std::to_string(data_sets));
}

EventFile::EventFile(const RunPlan& plan) {
  if (plan.coordination.looks_every) file_.open(fmt::format("{}/{}", plan.output, kEventsFile));
}

void EventFile::write(const RunEvent& event) {
  if (file_.is_open()) file_ << write_run_event(event) << std::flush;
}

FileLog::FileLog(const RunPlan& plan, EventFile& events)
    : plan_(plan), events_(events), file_(fmt::format("{}/{}", plan.output, kLogFile)) {}

void FileLog::write(const RunLogEntry& entry) {
  file_ << log_line(entry, plan_.instance) << std::endl;
  if (const auto event = event_of(entry, plan_.instance)) events_.write(*event);
}

}  // namespace takt::live
