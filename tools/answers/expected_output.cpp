// From the period of the means up (docs/vary.md, "What is proved").
#include "tools/answers/expected_output.hpp"

#include <fmt/format.h>

#include <string>
#include <utility>
#include <variant>

#include "evaluators/proof/check_expected.hpp"
#include "tools/words/json_results.hpp"
#include "vary/net_times.hpp"

namespace takt::tools {

std::optional<FoundExpectedPeriod> find_expected_period(const EvaluatedInstance& result,
                                                        const tpn::Document& document) {
  if (!vary::has_laws(document)) return std::nullopt;
  const auto found = evaluators::expected_upper(document, result.net, result.evaluation.upper);
  if (const auto* why = std::get_if<std::string>(&found)) return FoundExpectedPeriod{{}, *why};
  return FoundExpectedPeriod{std::get<maxplus::Rational>(found), {}};
}

void add_expected_period(Table& table, const EvaluatedInstance& result) {
  if (!result.expected) return;
  const maxplus::Rational& lower = result.evaluation.lower;
  const auto& upper = result.expected->upper;
  std::string text;
  if (!upper) {
    text = fmt::format("at least {}, whatever the laws; more: takt vary", result.times.amount_per_item(lower));
  } else if (*upper == lower) {
    text = fmt::format("{}: these laws do not change it", result.times.amount_per_item(lower));
  } else {
    text = fmt::format("from {} to {}", result.times.said(lower), result.times.amount_per_item(*upper));
  }
  table.rows.push_back({"expected period", text});
}

void write_expected_period(tpn::JsonWriter& json, const EvaluatedInstance& result) {
  if (!result.expected) return;
  write_exact(json, "expected_period_lower_bound", result.evaluation.lower);
  write_exact(json, "expected_period_upper_bound", result.expected->upper);
  if (!result.expected->upper) json.member("expected_period_reason", result.expected->reason);
}

}  // namespace takt::tools
