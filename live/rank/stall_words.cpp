// What has lasted longest comes first.
#include "live/rank/stall_words.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "live/process/child_process.hpp"
#include "tpn/visible.hpp"

namespace takt::live {

namespace {

constexpr std::size_t kMostNamed = 8;

// SIGSTOP, or a debugger.
bool is_stopped(std::int64_t process) {
  const char state = process_state(static_cast<pid_t>(process));
  return state == 'T' || state == 't';
}

class StallSentence {
 public:
  StallSentence(const Standstill& stall, const RunPlan& plan, const RankNames& names)
      : stall_(stall), plan_(plan), names_(names) {}

  std::string text() const {
    std::vector<std::string> all = silent();
    for (std::string& words : holding()) all.push_back(std::move(words));
    std::string found = all.empty() ? "no processor holds a data set" : "";
    if (all.size() > kMostNamed) {
      const std::size_t more = all.size() - kMostNamed;
      all.resize(kMostNamed);
      all.push_back(fmt::format("and {} more", more));
    }
    found += fmt::format("{}", fmt::join(all, "; "));
    return fmt::format("{}: {}", beginning(), found);
  }

 private:
  std::string beginning() const {
    const std::string time = readable_ticks(stall_.lasted);
    if (stall_.is_ending) return fmt::format("all data sets are delivered, and for {} the run has not ended", time);
    return fmt::format("nothing has been delivered for {}, data set {} is next", time, number(stall_.next));
  }

  std::uint64_t number(std::uint64_t data_set) const {
    return data_set < plan_.again.size() ? plan_.again[data_set] : data_set;
  }

  std::string name(std::size_t processor) const { return tpn::visible(names_.processors.at(processor)); }

  std::string stages(const Holding& holding) const {
    const auto& all = plan_.instance.application.stages;
    if (holding.first_stage > holding.last_stage || holding.last_stage >= all.size()) return "";
    const std::string first = tpn::visible(all[holding.first_stage].name);
    if (holding.first_stage == holding.last_stage) return " in stage " + first;
    return fmt::format(" in stages {} to {}", first, tpn::visible(all[holding.last_stage].name));
  }

  std::vector<std::string> silent() const {
    std::vector<std::string> all;
    for (const std::size_t processor : stall_.silent) {
      const std::int64_t process = names_.processes.at(processor);
      all.push_back(fmt::format("{} (process {}) {}", name(processor), process,
                                names_.are_here && is_stopped(process) ? "is stopped" : "does not answer"));
    }
    return all;
  }

  std::vector<std::string> holding() const {
    std::vector<std::pair<Ticks, std::string>> all;
    for (const auto& [processor, holdings] : stall_.held) {
      for (const Holding& holding : holdings) {
        const std::string time = readable_ticks(std::max<Ticks>(stall_.now - holding.since, 0));
        const std::uint64_t data_set = number(holding.data_set);
        all.emplace_back(holding.since, holding.receiver
                                            ? fmt::format("{} has waited {} for {} to take data set {}",
                                                          name(processor), time, name(*holding.receiver), data_set)
                                            : fmt::format("{} has had data set {}{} for {}", name(processor), data_set,
                                                          stages(holding), time));
      }
    }
    std::ranges::stable_sort(all, {}, &std::pair<Ticks, std::string>::first);
    std::vector<std::string> words;
    words.reserve(all.size());
    for (auto& [since, text] : all) words.push_back(std::move(text));
    return words;
  }

  const Standstill& stall_;
  const RunPlan& plan_;
  const RankNames& names_;
};

}  // namespace

std::string readable_ticks(Ticks time) {
  const double seconds = static_cast<double>(time) / 1e9;
  return seconds < 120 ? fmt::format("{:.3g} s", seconds) : fmt::format("{:.3g} min", seconds / 60);
}

std::string stall_words(const Standstill& stall, const RunPlan& plan, const RankNames& names) {
  return StallSentence(stall, plan, names).text();
}

}  // namespace takt::live
