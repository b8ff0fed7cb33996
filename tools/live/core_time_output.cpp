// Sums over processors, per data set.
#include "tools/live/core_time_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tools/words/json_results.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/table.hpp"
#include "tools/words/time_words.hpp"

namespace takt::tools {

using live::RunResult;
using live::StageWork;
using maxplus::Rational;

namespace {

// What is less than this part of the time on the clock is not told of, nor stages of a few microseconds.
constexpr std::int64_t kPart = 10;
constexpr std::int64_t kLeastWall = 100'000;

struct StageSum {
  StageWork work;
  std::uint64_t processors = 0;

  std::int64_t asleep() const { return work.wall - work.running - work.waiting.value_or(0); }
  bool differs() const {
    const std::int64_t off = work.wall > work.running ? work.wall - work.running : work.running - work.wall;
    return work.wall >= kLeastWall * static_cast<std::int64_t>(work.calls) && off * kPart > work.wall;
  }
  bool waits() const { return work.waiting.value_or(0) * kPart > work.wall; }
};

std::map<std::size_t, StageSum> sums_of(const RunResult& result) {
  std::map<std::size_t, StageSum> sums;
  for (const auto& [processor, stages] : result.work) {
    for (const StageWork& work : stages) {
      const auto [at, is_new] = sums.try_emplace(work.stage);
      StageSum& sum = at->second;
      if (is_new) sum.work = {work.stage, 0, 0, 0, 0};
      ++sum.processors;
      sum.work.calls += work.calls;
      sum.work.wall += work.wall;
      sum.work.running += work.running;
      if (sum.work.waiting && work.waiting) {
        *sum.work.waiting += *work.waiting;
      } else {
        sum.work.waiting.reset();
      }
    }
  }
  return sums;
}

// Three digits are enough of what is never the same twice.
std::string per_call(std::int64_t nanoseconds, std::uint64_t calls) {
  const double seconds = static_cast<double>(std::max<std::int64_t>(nanoseconds, 0)) / 1e9 / static_cast<double>(calls);
  const auto rounded = maxplus::parse_decimal(fmt::format("{:.2e}", seconds));
  return TimeWords::of_seconds().readable(std::get<Rational>(rounded));
}

// By all stages, from the first data set to the last.
std::string cores_had(const RunResult& result) {
  std::int64_t running = 0;
  for (const auto& [processor, stages] : result.work) {
    for (const StageWork& work : stages) running += work.running;
  }
  const std::int64_t time = std::max<std::int64_t>(result.end - result.begin, 1);
  return fmt::format("{:.2f}", static_cast<double>(running) / static_cast<double>(time));
}

// What the table shows, in words.
void write_reasons(std::ostream& out, const tpn::Document& document, const RunResult& result,
                   const std::vector<StageSum>& shown) {
  std::vector<std::string> waiting;
  std::vector<std::string> asleep;
  std::vector<std::string> parallel;
  for (const StageSum& sum : shown) {
    const std::string name = printable(document.application.stages[sum.work.stage].name);
    if (sum.waits()) waiting.push_back(name);
    if (sum.work.waiting && sum.asleep() * kPart > sum.work.wall) asleep.push_back(name);
    if (sum.work.running > sum.work.wall) parallel.push_back(name);
  }
  if (!waiting.empty()) {
    const std::size_t processors = result.work.size();
    out << listing(waiting) << (waiting.size() == 1 ? " waits" : " wait") << " for cores";
    if (result.cores > 0 && processors > result.cores) {
      fmt::print(out, ": {} share {}, and had {} on the average", plural(processors, "processor"),
                 plural(result.cores, "core"), cores_had(result));
    } else if (result.cores > 0) {
      fmt::print(out, ", though there are {} for {}: other programs, or more threads than processors, have them",
                 result.cores, plural(processors, "processor"));
    }
    out << '\n';
  }
  if (!asleep.empty()) {
    fmt::print(out, "{} {} asleep part of the time, or at input and output\n", listing(asleep),
               asleep.size() == 1 ? "is" : "are");
  }
  if (!parallel.empty()) {
    fmt::print(out, "{} {}\n", listing(parallel),
               parallel.size() == 1 ? "uses several cores at once, or works on after its result"
                                    : "use several cores at once, or work on after their results");
  }
}

}  // namespace

void write_core_times(std::ostream& out, const tpn::Document& document, const RunResult& result) {
  std::vector<StageSum> shown;
  for (const auto& [stage, sum] : sums_of(result)) {
    if (sum.work.calls > 0 && sum.differs()) shown.push_back(sum);
  }
  if (shown.empty()) return;
  out << "\nStages on the clock and on cores, per data set\n";
  Table table{{{"stage"},
               {"processors", Align::right},
               {"on the clock", Align::right},
               {"on a core", Align::right},
               {"waiting for one", Align::right},
               {"asleep", Align::right}},
              {}};
  for (const StageSum& sum : shown) {
    const StageWork& work = sum.work;
    table.rows.push_back({printable(document.application.stages[work.stage].name), std::to_string(sum.processors),
                          per_call(work.wall, work.calls), per_call(work.running, work.calls),
                          work.waiting ? per_call(*work.waiting, work.calls) : "-",
                          work.waiting ? per_call(sum.asleep(), work.calls) : "-"});
  }
  table.write(out);
  write_reasons(out, document, result, shown);
}

void write_core_times_json(tpn::JsonWriter& json, const tpn::Document& document, const RunResult& result) {
  json.key("core_count");
  result.cores > 0 ? json.value(result.cores) : json.value(nullptr);
  json.key("stage_work");
  json.begin_array();
  for (const auto& [processor, stages] : result.work) {
    for (const StageWork& work : stages) {
      json.begin_object(tpn::JsonLayout::line);
      json.member("stage", document.application.stages[work.stage].name);
      json.member("processor", document.platform.processors[processor].name);
      json.member("calls", work.calls);
      json.member("wall_seconds", static_cast<double>(work.wall) / 1e9);
      json.member("core_seconds", static_cast<double>(work.running) / 1e9);
      json.key("waiting_seconds");
      work.waiting ? json.value(static_cast<double>(*work.waiting) / 1e9) : json.value(nullptr);
      json.end();
    }
  }
  json.end();
}

}  // namespace takt::tools
