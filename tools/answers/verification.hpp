// A mapping's predicted period against its exact periods, for the commands that show it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "heuristics/verdict.hpp"
#include "tools/answers/evaluation_output.hpp"
#include "tools/answers/result.hpp"
#include "tpn/document.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// An instance's period under one model, or what its net would need.
struct ModelPeriod {
  tpn::Model model;
  std::variant<EvaluatedInstance, tpn::TooLarge> answer;

  const EvaluatedInstance* result() const { return std::get_if<EvaluatedInstance>(&answer); }
  /// Nothing if the net was too large even to be listed.
  std::optional<heuristics::PeriodBounds> bounds() const;
};

/// The models that predictions are shown beside: tpn::default_models(), and the one that is wanted.
std::vector<tpn::Model> models_beside(const std::optional<tpn::Model>& wanted);

/// The periods of an instance under these models, in their order, as far as a deadline for all of them allows.
std::vector<ModelPeriod> periods_of(const std::string& file, const tpn::Document& document,
                                    std::span<const tpn::Model> models, const evaluators::Deadline& deadline);

const ModelPeriod& period_under(const std::vector<ModelPeriod>& periods, const tpn::Model& model);

/// "3.70901", "3.2 to 3.8", "unknown".
std::string period_cell(const ModelPeriod& period);

/// How long data sets stay in an even stream, where the period is exact and that is quickly found: "744.667", "-".
std::string latency_cell(const ModelPeriod& period);

/// The longest sequence of processors of a mapping's parts.
std::string longest_sequence_cell(const tpn::Document& document);

/// Nothing if only bounds are known.
std::optional<maxplus::Rational> exact_period(const ModelPeriod& period);

/// {"model": "overlap", "period": "22/15", "period_decimal": 1.4666666666666666}; null if it is not known.
void write_model_period(tpn::JsonWriter& json, const tpn::Model& model, const std::optional<maxplus::Rational>& period);
/// A list of such objects.
void write_periods(tpn::JsonWriter& json, const std::vector<ModelPeriod>& periods);

/// "-4.4 %"; with `period` an interval the gap to the nearer end; "" if there is none to tell.
std::string gap_cell(const maxplus::Rational& predicted, const std::optional<heuristics::PeriodBounds>& period);

heuristics::Relation relation_under(const maxplus::Rational& predicted, const ModelPeriod& period);

/// The members "relation" and "gap_percent" (null unless the period is exact).
void write_relation(tpn::JsonWriter& json, const maxplus::Rational& predicted, const ModelPeriod& period);

/// Why a period is not exact.
std::string limit_of(const ModelPeriod& period);

}  // namespace takt::tools
