// Words and fields of an estimate.
#include "tools/answers/estimate_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>

#include "evaluators/play/sampled.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

using evaluators::SampledMean;
using evaluators::SampledPeriod;

// "5.65145 ± 0.00051 time units": to two digits of the half-width, at most twelve behind the point.
std::string mean_text(const SampledMean& sampled, const TimeWords& times) {
  const TimeScale scale = times.scale_for(sampled.mean);
  const double length = scale.length.to_double().value_or(1);
  const double half_width = (sampled.high - sampled.low) / 2 / length;
  const double mean = (sampled.high + sampled.low) / 2 / length;
  const double digits = half_width > 0 ? std::clamp(1 - std::floor(std::log10(half_width)), 0.0, 12.0) : 6;
  return fmt::format("{:.{}f} ± {:.{}f} {}", mean, static_cast<int>(digits), half_width, static_cast<int>(digits),
                     scale.name.empty() ? "time units" : scale.name);
}

void write_mean(tpn::JsonWriter& json, const SampledMean& sampled) {
  write_exact(json, "mean", sampled.mean);
  json.member("mean_low", sampled.low);
  json.member("mean_high", sampled.high);
}

}  // namespace

FoundEstimate find_estimate(const EvaluatedInstance& result, std::uint64_t seed, const evaluators::Deadline& deadline) {
  if (result.evaluation.exact()) return "the period is exact";
  if (auto reason = evaluators::unfit_for_sample(result.net)) return *std::move(reason);
  auto sampled = evaluators::sample_period(result.net, evaluators::usual_sample(result.net, seed), deadline);
  if (!sampled) return "it was interrupted";
  return *std::move(sampled);
}

void add_estimate(Table& table, const FoundEstimate& estimate, const TimeWords& times) {
  if (const auto* reason = std::get_if<std::string>(&estimate)) {
    table.rows.push_back({"estimate", "none: " + *reason});
    return;
  }
  const auto& sampled = std::get<SampledPeriod>(estimate);
  const evaluators::SampleSettings& settings = sampled.settings;
  table.rows.push_back({"estimate", mean_text(sampled.growth, times) + times.per_item() + "; statistical, not proved"});
  table.rows.push_back({"", fmt::format("{:g} % confidence, {} random starts of {} data sets, seed {}",
                                        100 * settings.confidence, settings.draws, settings.data_sets, settings.seed)});
}

void write_estimate(tpn::JsonWriter& json, const FoundEstimate& estimate) {
  json.key("estimate");
  if (const auto* reason = std::get_if<std::string>(&estimate)) {
    json.value(nullptr);
    json.member("no_estimate", *reason);
    return;
  }
  const auto& sampled = std::get<SampledPeriod>(estimate);
  json.begin_object();
  write_mean(json, sampled.growth);
  json.member("confidence", sampled.settings.confidence);
  json.member("draws", sampled.settings.draws);
  json.member("data_sets", sampled.settings.data_sets);
  json.member("seed", sampled.settings.seed);
  json.key("from_empty");
  json.begin_object();
  write_mean(json, sampled.from_empty);
  write_count(json, "gap", sampled.gap);
  json.member("period_low", sampled.low);
  json.member("period_high", sampled.high);
  json.end();
  json.end();
}

}  // namespace takt::tools
