// Latency in words.
#include "tools/answers/latency_output.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>
#include <utility>
#include <variant>

#include "evaluators/insight/paced.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/errors.hpp"

namespace takt::tools {

using evaluators::Limit;
using maxplus::Rational;
using tpn::JsonLayout;
using tpn::JsonWriter;

namespace {

/// Classes of data sets whose latencies JSON lists.
constexpr std::size_t kListedClasses = 1'000;

Rational largest(const std::vector<Rational>& numbers) { return *std::ranges::max_element(numbers); }

// The answer, or the limit goes to `limit`.
template <typename Answer>
std::optional<Answer> answer_or(std::variant<Answer, Limit> found, Limit& limit) {
  if (auto* answer = std::get_if<Answer>(&found)) return std::move(*answer);
  limit = std::get<Limit>(std::move(found));
  return std::nullopt;
}

void write_list(JsonWriter& json, const char* key, const std::vector<Rational>& numbers) {
  if (numbers.size() <= kListedClasses) write_exact_list(json, key, numbers);
}

void write_unpaced(JsonWriter& json, const std::vector<Rational>& growth) {
  json.key("unpaced");
  json.begin_object(JsonLayout::line);
  const Rational most = largest(growth);
  json.member("bounded", most.sign() == 0);
  if (most.sign() > 0) {
    write_exact(json, "growth", most);
    write_list(json, "growth_by_data_set", growth);
  }
  json.end();
}

// A curve is told where the latency is known to fall as the period grows.
void require_falling(const tpn::Pipeline& pipeline) {
  if (pipeline.has_batches()) {
    throw tpn::InvalidInstance("/mapping", "batches, whose latency at other periods is not known",
                               "a mapping without \"batch\", or --latency in place of --latency-curve");
  }
  if (pipeline.is_shifted()) {
    throw tpn::InvalidInstance("/transfers", "transfers ahead, with which the latency may rise with the period",
                               "transfers without \"ahead\", or --latency in place of --latency-curve");
  }
}

}  // namespace

std::variant<FoundLatency, Limit> find_latency(const EvaluatedInstance& result, LatencyDetail detail,
                                               const evaluators::Deadline& deadline) {
  const Rational& period = result.evaluation.lower;
  if (detail == LatencyDetail::all_and_curve) require_falling(result.net.pipeline);
  Limit limit;
  const auto paced = answer_or(evaluators::paced_schedule(result.net, period, deadline), limit);
  if (!paced) return limit;
  FoundLatency found{evaluators::latency_of(result.net, *paced), {}, {}, {}};
  if (detail == LatencyDetail::paced) return found;
  const auto least = answer_or(evaluators::least_latency(result.net, period, deadline), limit);
  if (!least) return limit;
  found.least = least->value;
  found.unpaced_growth = answer_or(evaluators::unpaced_growth(result.net, deadline), limit);
  if (!found.unpaced_growth) return limit;
  if (detail != LatencyDetail::all_and_curve) return found;
  found.curve = answer_or(evaluators::latency_curve(result.net, period, deadline), limit);
  if (!found.curve) return limit;
  return found;
}

std::optional<FoundLatency> quick_latency(const EvaluatedInstance& result, const evaluators::Deadline& deadline) {
  if (!result.evaluation.exact() || result.net.in_sequence || tpn::repetition_of(result.net) > kLatencyRows)
    return std::nullopt;
  Limit limit;
  return answer_or(find_latency(result, LatencyDetail::paced, deadline), limit);
}

void add_latency(Table& table, const FoundLatency& latency, const TimeWords& times) {
  const Rational& paced = latency.paced.paced;
  const Rational& alone = latency.paced.alone;
  if (latency.paced.has_batches) {
    table.rows.push_back({"latency", fmt::format("{} at most in an even stream, {} without waiting for full batches",
                                                 times.amount(paced), times.said(alone))});
  } else {
    table.rows.push_back({"latency", paced == alone ? fmt::format("{}, alone or in an even stream", times.amount(alone))
                                                    : fmt::format("{} at most in an even stream, {} alone",
                                                                  times.amount(paced), times.said(alone))});
  }
  if (latency.least) {
    table.rows.push_back({"least latency", fmt::format("{}, at this period", times.amount(*latency.least))});
  }
  if (!latency.unpaced_growth) return;
  const Rational growth = largest(*latency.unpaced_growth);
  table.rows.push_back({"let in at will", growth.sign() == 0 ? "latency stays bounded"
                                                             : fmt::format("latency grows without bound, by up to {}",
                                                                           times.amount(growth, times.per_item()))});
}

void write_latency_curve(std::ostream& out, const FoundLatency& latency, const TimeWords& times) {
  if (!latency.curve) return;
  if (latency.curve->size() < 2) {
    fmt::print(out,
               "\n"
               "No trade-off: {} need as much time at longer periods.\n",
               times.item_plural());
    return;
  }
  out << "\n"
         "Trade-off: the least latency at longer periods, linear between these\n";
  Table table{
      {{"period", Align::right}, {"exactly", Align::right}, {"least latency", Align::right}, {"exactly", Align::right}},
      {}};
  for (const auto& [period, least] : *latency.curve) {
    const Cells x = times.cells(period);
    const Cells y = times.cells(least);
    table.rows.push_back({x.readable, x.exact, y.readable, y.exact});
  }
  table.write(out);
}

void write_latency(JsonWriter& json, const FoundLatency& latency) {
  json.key("latencies");
  json.begin_object();
  write_exact(json, "latency_alone", latency.paced.alone);
  if (latency.least) write_exact(json, "least_latency", latency.least);
  write_exact(json, "paced_latency", latency.paced.paced);
  write_list(json, "paced_latency_by_data_set", latency.paced.paced_by_class);
  if (latency.unpaced_growth) write_unpaced(json, *latency.unpaced_growth);
  if (latency.curve) {
    write_curve(json, "latency_curve", *latency.curve, "period", "least_latency");
  }
  json.end();
}

std::size_t longest_sequence(const tpn::Pipeline& pipeline) {
  std::size_t longest = 1;
  for (const tpn::NetPart& part : pipeline.parts) longest = std::max(longest, part.sequence.size());
  return longest;
}

}  // namespace takt::tools
