// Two periods in sentences, a table of processors.
#include "tools/live/first_free_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <vector>

#include "tools/answers/evaluation_output.hpp"
#include "tools/files/files.hpp"
#include "tools/live/measurement_output.hpp"
#include "tools/live/run_time_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/table.hpp"
#include "tpn/capacity.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

using maxplus::Rational;

namespace {

struct Share {
  const tpn::NetPart* part = nullptr;
  std::size_t processor = 0;
  live::ComputationShare taken;
  std::uint64_t in_turn = 0;
  double busy = 0;
};

// How many of the data sets below one are the turn of an entry of a sequence.
std::uint64_t turns_below(std::uint64_t data_set, std::size_t entry, std::size_t length) {
  return data_set / length + (data_set % length > entry ? 1 : 0);
}

std::vector<Share> shares_of(const FirstFreeRun& run) {
  const live::RunResult& result = run.result;
  const double time = std::max(1.0, static_cast<double>(result.end - result.begin));
  std::vector<Share> shares;
  for (const tpn::NetPart& part : run.instance.net.pipeline.parts) {
    for (std::size_t k = 0; k < part.sequence.size(); ++k) {
      const std::size_t processor = part.sequence[k];
      const auto taken = result.computed.find(processor);
      const bool is_first = std::find(part.sequence.begin(), part.sequence.begin() + static_cast<std::ptrdiff_t>(k),
                                      processor) == part.sequence.begin() + static_cast<std::ptrdiff_t>(k);
      if (taken == result.computed.end() || !is_first) continue;
      Share& share = shares.emplace_back(Share{&part, processor, taken->second});
      const std::size_t length = part.sequence.size();
      for (std::size_t entry = k; entry < length; ++entry) {
        if (part.sequence[entry] != processor) continue;
        share.in_turn += turns_below(result.first_data_set + result.delivered, entry, length) -
                         turns_below(result.first_data_set, entry, length);
      }
      share.busy = static_cast<double>(taken->second.time) / time;
    }
  }
  return shares;
}

std::string name_of(const FirstFreeRun& run, const Share& share) {
  return run.instance.net.pipeline.processors[share.processor];
}

// ", 9 % less than in turn"; nothing if the period in turn is not known exactly.
std::string beside_words(const FirstFreeRun& run, const Rational& period) {
  const evaluators::Evaluation& in_turn = run.instance.evaluation;
  if (!in_turn.exact() || in_turn.upper.sign() == 0) return "";
  const Rational gap = (period - in_turn.upper) / in_turn.upper;
  const Rational size = gap.sign() < 0 ? -gap : gap;
  if (size < Rational::fraction(1, 10'000)) return ", as long as in turn";
  return fmt::format(", {:.3g} % {} than in turn", 100 * size.to_double().value_or(0),
                     gap.sign() < 0 ? "less" : "more");
}

}  // namespace

void write_first_free(std::ostream& out, const FirstFreeRun& run) {
  const tpn::FoldedNet& net = run.instance.net;
  const RunTimeWords times(run.instance.times, run.unit_seconds);
  const evaluators::Evaluation& in_turn = run.instance.evaluation;
  const live::DeliveredPace pace = live::pace_of(net, run.trace);
  fmt::print(out, "{}, {}{}, FIRST FREE\n", display_name(run.instance.file), tpn::title_of(net.model),
             tpn::capacity_title(net.capacity.buffers.size(), net.capacity.window));
  fmt::print(out, "{:<{}}  {}{}, by the instance's times: no prediction of this run, but a bound to beat\n", "in turn",
             run.verb.size(), in_turn.exact() ? "" : times.readable(in_turn.lower) + " to ",
             times.readable(in_turn.upper));
  fmt::print(out, "{}  {}{}", run.verb, times.readable(pace.period), beside_words(run, pace.period));
  if (pace.interval) {
    fmt::print(out, " (95 %: {} .. {})", times.readable(std::max(pace.interval->low, 0.0)),
               times.readable(pace.interval->high));
  }
  fmt::print(out, "\n{} delivered in order, none lost, none twice", plural(pace.stretch.data_sets, "data set"));
  if (pace.overtaking > 0) fmt::print(out, "; {} had to wait for an earlier one", pace.overtaking);
  out << '\n';
}

void write_shares(std::ostream& out, const FirstFreeRun& run) {
  const std::vector<Share> shares = shares_of(run);
  if (shares.empty()) return;
  out << "\n"
         "The first free processor took the next data set\n";
  Table table{
      {{"stages"}, {"processor"}, {"data sets", Align::right}, {"in turn", Align::right}, {"computing", Align::right}},
      {}};
  for (const Share& share : shares) {
    const std::vector<std::string>& stages = run.instance.stages;
    const std::string first = printable(stages[share.part->first_stage]);
    const std::string last = printable(stages[share.part->last_stage]);
    table.rows.push_back({first == last ? first : fmt::format("{} to {}", first, last), printable(name_of(run, share)),
                          std::to_string(share.taken.data_sets), std::to_string(share.in_turn),
                          fmt::format("{:.1f} %", 100 * share.busy)});
  }
  table.write(out);
}

void write_first_free_json(tpn::JsonWriter& json, const FirstFreeRun& run, bool is_measured) {
  std::optional<live::DeliveredPace> pace;
  if (is_measured) pace = live::pace_of(run.instance.net, run.trace);
  write_exact(json, "measured_period", pace ? std::optional(pace->period) : std::nullopt);
  write_interval_json(json, pace ? pace->interval : std::nullopt);
}

void write_shares_json(tpn::JsonWriter& json, const FirstFreeRun& run) {
  json.key("shares");
  json.begin_array();
  for (const Share& share : shares_of(run)) {
    json.begin_object(tpn::JsonLayout::line);
    json.member("processor", name_of(run, share));
    json.member("data_sets", share.taken.data_sets);
    json.member("data_sets_in_turn", share.in_turn);
    json.member("computing_share", share.busy);
    json.end();
  }
  json.end();
}

}  // namespace takt::tools
