// Each line ends with its share of the predicted period; the shares sum up to how far off the measured one is.
#include "tools/live/explanation_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"

namespace takt::tools {

using live::AddedTime;
using live::Cause;
using maxplus::Rational;

namespace {

// What adds less than this part of the predicted period does not count.
constexpr long kLeastPart = 100;
// Of the transient: less is not told at all.
constexpr long kLeastTransient = 1000;

live::Causes causes_of(const ExplainedRun& run) {
  return live::causes_of(run.explanation, run.predicted, run.measured);
}

std::vector<AddedTime> main_causes(const ExplainedRun& run) {
  return live::main_causes(causes_of(run), run.predicted / Rational(kLeastPart));
}

const Rational& added_by(const live::Causes& causes, Cause cause) {
  return std::ranges::find(causes, cause, &AddedTime::cause)->time;
}

// ": on the busiest, p1 compute, compute b takes 27.1 ms, not 20 ms".
std::string most_changed_words(const ExplainedRun& run, const RunTimeWords& times) {
  const auto& changed = run.explanation.most_changed;
  if (!changed || run.net == nullptr || run.stages == nullptr) return "";
  const tpn::Pipeline& pipeline = run.net->pipeline;
  const OperationWords words = words_of(pipeline, *run.stages, changed->first);
  const std::string to = words.kind == tpn::ColumnKind::transfer ? " on " + processors_text(words) : "";
  return fmt::format(": on the busiest, {}, {}{} takes {}, not {}",
                     resource_text(run.net->resources[changed->resource], pipeline), operation_text(words), to,
                     times.readable(changed->mean), times.readable(changed->by_instance));
}

std::string cause_words(const AddedTime& added, const ExplainedRun& run, const RunTimeWords& times) {
  switch (added.cause) {
    case Cause::transient:
      return "the run is too short for the steady state of the net";
    case Cause::instance:
      return fmt::format(
          "times are not those of the instance{} (takt measure --measured writes one with the times of the run)",
          most_changed_words(run, times));
    case Cause::variation:
      if (added.time.sign() < 0) return "times vary, and half of the time data sets come sooner than with mean times";
      if (run.window == 0 || run.window >= run.data_sets) return "times vary from data set to data set";
      return fmt::format("times vary from data set to data set (a --window above {} can lessen what that costs)",
                         run.window);
    case Cause::rest:
      break;
  }
  if (added.time.sign() < 0) return "operations began before the end of those that precede them in the net";
  return fmt::format("waits that are not in the net: for messages, for processes to wake, for another order{}",
                     run.window == 0 ? " or a window (--window)" : "");
}

std::string sentence(const ExplainedRun& run, const RunTimeWords& times) {
  const std::vector<AddedTime> main = main_causes(run);
  if (main.empty()) return "nothing: none of these makes a difference of 1 %";
  std::string words;
  for (const AddedTime& added : main) words += (words.empty() ? "" : "; then, ") + cause_words(added, run, times);
  return words;
}

std::string_view name_of(Cause cause) {
  switch (cause) {
    case Cause::transient:
      return "transient";
    case Cause::instance:
      return "instance";
    case Cause::variation:
      return "variation";
    case Cause::rest:
      break;
  }
  return "rest";
}

}  // namespace

void write_explanation(std::ostream& out, const ExplainedRun& run, const RunTimeWords& times) {
  const live::Causes causes = causes_of(run);
  const auto share = [&](Cause cause) -> std::string {
    if (run.predicted.sign() == 0) return "";
    return ", " + signed_percent(added_by(causes, cause) / run.predicted);
  };
  std::vector<std::pair<std::string, std::string>> lines;
  const Rational& transient = added_by(causes, Cause::transient);
  if (std::max(transient, -transient) * Rational(kLeastTransient) > run.predicted) {
    lines.emplace_back("the net over so few data sets",
                       times.readable(run.explanation.by_instance) + share(Cause::transient));
  }
  lines.emplace_back("with mean times", times.readable(run.explanation.by_means) + share(Cause::instance));
  lines.emplace_back("with each operation's own time",
                     times.readable(run.explanation.by_own) + share(Cause::variation));
  const Rational& rest = added_by(causes, Cause::rest);
  lines.emplace_back("the rest",
                     (rest.sign() < 0 ? "-" : "+") + times.readable(std::max(rest, -rest)) + share(Cause::rest));
  const char* heading = "explained";
  for (const auto& [what, amount] : lines) {
    fmt::print(out, "{:9} {:30}  {}\n", std::exchange(heading, ""), what, amount);
  }
  fmt::print(out, "what counts: {}\n", sentence(run, times));
}

void write_explanation_json(tpn::JsonWriter& json, const std::optional<ExplainedRun>& run) {
  if (!run) return json.member("explanation", nullptr);
  json.key("explanation");
  json.begin_object();
  write_exact(json, "instance_period", run->explanation.by_instance);
  write_exact(json, "mean_times_period", run->explanation.by_means);
  write_exact(json, "own_times_period", run->explanation.by_own);
  write_exact(json, "rest_period", added_by(causes_of(*run), Cause::rest));
  json.key("most_changed");
  if (run->explanation.most_changed && run->net != nullptr && run->stages != nullptr) {
    const live::ChangedDuration& changed = *run->explanation.most_changed;
    json.begin_object(tpn::JsonLayout::line);
    write_members(json, words_of(run->net->pipeline, *run->stages, changed.first));
    write_exact(json, "instance_duration", changed.by_instance);
    write_exact(json, "mean_duration", changed.mean);
    json.end();
  } else {
    json.value(nullptr);
  }
  json.key("main_causes");
  json.begin_array();
  for (const AddedTime& added : main_causes(*run)) json.value(name_of(added.cause));
  json.end();
  json.end();
}

}  // namespace takt::tools
