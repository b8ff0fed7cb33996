// Evaluates under several models at once; a prediction is for one, people ask for the other.
#include "tools/answers/verification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "evaluators/evaluate.hpp"
#include "maxplus/contract.hpp"
#include "tools/answers/latency_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/words/json_results.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt::tools {

using heuristics::PeriodBounds;
using heuristics::Relation;
using maxplus::Rational;

std::optional<PeriodBounds> ModelPeriod::bounds() const {
  const EvaluatedInstance* evaluated = result();
  if (evaluated == nullptr) return std::nullopt;
  return PeriodBounds{evaluated->evaluation.lower, evaluated->evaluation.upper};
}

std::vector<tpn::Model> models_beside(const std::optional<tpn::Model>& wanted) {
  const auto standard = tpn::default_models();
  std::vector<tpn::Model> models(standard.begin(), standard.end());
  if (wanted && std::ranges::find(models, *wanted) == models.end()) models.push_back(*wanted);
  return models;
}

std::vector<ModelPeriod> periods_of(const std::string& file, const tpn::Document& document,
                                    std::span<const tpn::Model> models, const evaluators::Deadline& deadline) {
  std::vector<ModelPeriod> periods;
  for (std::size_t k = 0; k < models.size(); ++k) {
    evaluators::Options options;
    options.deadline = deadline.after_part(1, static_cast<int>(models.size() - k));
    auto folded = fold_instance(file, document, models[k], options.deadline, 0, tpn::RatedStages::as_loads);
    if (auto* result = std::get_if<EvaluatedInstance>(&folded)) {
      result->evaluation = evaluators::evaluate(result->net, options);
    }
    periods.push_back({models[k], std::move(folded)});
  }
  return periods;
}

const ModelPeriod& period_under(const std::vector<ModelPeriod>& periods, const tpn::Model& model) {
  const auto found = std::ranges::find(periods, model, &ModelPeriod::model);
  maxplus::expects(found != periods.end(), "periods_of was asked for the model");
  return *found;
}

std::string period_cell(const ModelPeriod& period) {
  const auto bounds = period.bounds();
  if (!bounds) return "unknown";
  const TimeWords& times = period.result()->times;
  if (bounds->lower == bounds->upper) return times.readable(bounds->lower);
  return fmt::format("{} to {}", times.readable(bounds->lower), times.readable(bounds->upper));
}

std::string latency_cell(const ModelPeriod& period) {
  const EvaluatedInstance* result = period.result();
  const auto latency = result == nullptr ? std::nullopt : quick_latency(*result);
  return latency ? result->times.readable(latency->paced.paced) : "-";
}

std::string longest_sequence_cell(const tpn::Document& document) {
  std::size_t longest = 1;
  for (const tpn::Part& part : *document.mapping) longest = std::max(longest, part.processors.size());
  return std::to_string(longest);
}

std::optional<Rational> exact_period(const ModelPeriod& period) {
  const auto bounds = period.bounds();
  return bounds && bounds->lower == bounds->upper ? std::optional(bounds->lower) : std::nullopt;
}

void write_model_period(tpn::JsonWriter& json, const tpn::Model& model, const std::optional<Rational>& period) {
  json.begin_object();
  tpn::write_model(json, model);
  write_exact(json, "period", period);
  json.end();
}

void write_periods(tpn::JsonWriter& json, const std::vector<ModelPeriod>& periods) {
  json.begin_array();
  for (const ModelPeriod& period : periods) write_model_period(json, period.model, exact_period(period));
  json.end();
}

std::string gap_cell(const Rational& predicted, const std::optional<PeriodBounds>& period) {
  if (!period) return "";
  const bool is_exact = period->lower == period->upper;
  if (!is_exact && predicted >= period->lower && predicted <= period->upper) return "";
  const auto difference = heuristics::gap(predicted, predicted < period->lower ? period->lower : period->upper);
  if (!difference) return "infinite";
  const auto percentage = in_percent(*difference);
  if (!percentage) return "";
  if (difference->sign() != 0 && *percentage > -0.05 && *percentage < 0.05) {
    return difference->sign() < 0 ? "> -0.1 %" : "< +0.1 %";
  }
  return difference->sign() == 0 ? "0 %" : fmt::format("{:+.1f} %", *percentage);
}

Relation relation_under(const Rational& predicted, const ModelPeriod& period) {
  const auto bounds = period.bounds();
  return bounds ? heuristics::relation_of(predicted, *bounds) : Relation::undecided;
}

void write_relation(tpn::JsonWriter& json, const Rational& predicted, const ModelPeriod& period) {
  json.member("relation", heuristics::name_of(relation_under(predicted, period)));
  const auto exact = exact_period(period);
  const auto difference = exact ? heuristics::gap(predicted, *exact) : std::nullopt;
  write_percent(json, "gap_percent", difference);
}

std::string limit_of(const ModelPeriod& period) {
  const EvaluatedInstance* result = period.result();
  return result != nullptr ? limit_text(result->evaluation) : too_large_text(std::get<tpn::TooLarge>(period.answer));
}

}  // namespace takt::tools
