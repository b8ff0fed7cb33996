// Searches that signals interrupt and terminals watch.
#include "tools/answers/evaluating.hpp"

#include <fmt/format.h>

#include <utility>

#include "evaluators/evaluate.hpp"
#include "evaluators/proof/certify.hpp"
#include "tools/answers/estimate_output.hpp"
#include "tools/answers/expected_output.hpp"
#include "tools/answers/latency_output.hpp"
#include "tools/answers/limit_words.hpp"
#include "tools/files/files.hpp"
#include "tools/frame/limited_search.hpp"
#include "tools/words/number_words.hpp"
#include "tools/words/operation_words.hpp"
#include "tools/words/time_words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

// The instance as it is where nothing that is ahead makes it faster; `document` becomes what is evaluated.
std::variant<EvaluatedInstance, tpn::TooLarge> with_best_ahead(EvaluatedInstance result, tpn::Document& document,
                                                               const evaluators::Options& settings) {
  auto found = find_ahead(document, result.net, result.evaluation, settings, AheadEffort::full);
  result.wants_ahead = true;
  if (!found) return result;
  document.transfers = found->transfers;
  auto folded = fold_instance(result.file, document, result.net.model, settings.deadline);
  if (auto* const instance = std::get_if<EvaluatedInstance>(&folded)) {
    instance->evaluation = evaluators::evaluate(instance->net, settings);
    instance->advice.ahead = std::move(found);
    instance->is_ahead = true;
  }
  return folded;
}

// Beside what was asked for.
void add_advice(EvaluatedInstance& result, const tpn::Document& document, const evaluators::Options& settings) {
  const bool asks_ahead = result.is_ahead || result.wants_ahead;
  Advice advice = find_advice(document, result.net, result.evaluation, settings, !asks_ahead);
  if (asks_ahead) advice.ahead = std::move(result.advice.ahead);
  result.advice = std::move(advice);
}

}  // namespace

std::variant<EvaluatedInstance, tpn::TooLarge> evaluate_instance(const std::string& file, const tpn::Document& document,
                                                                 tpn::Model model, const EvaluateOptions& options,
                                                                 Streams& streams) {
  const LimitedSearch search(options.time_limit, streams,
                             fmt::format("{}, {}", printable(display_name(file)), tpn::label_of(model)),
                             TimeWords(document));
  evaluators::Options settings = evaluator_options(options);
  settings.deadline = search.deadline();
  auto folded =
      fold_instance(file, document, model, settings.deadline, options.window.value_or(0), rated_stages(options));
  if (auto* result = std::get_if<EvaluatedInstance>(&folded)) {
    require_fit(*result, options);
    result->evaluation = evaluators::evaluate(result->net, settings);
    if (result->net.in_sequence) return folded;
    tpn::Document evaluated = document;
    if (!options.ahead.empty()) folded = with_best_ahead(std::move(*result), evaluated, settings);
    if (auto* const answer = std::get_if<EvaluatedInstance>(&folded)) add_advice(*answer, evaluated, settings);
  }
  if (auto* result = std::get_if<EvaluatedInstance>(&folded))
    result->expected = find_expected_period(*result, document);
  return folded;
}

std::variant<evaluators::Certificate, std::string> certificate_of(const EvaluatedInstance& result) {
  if (std::holds_alternative<evaluators::RatesOnly>(result.evaluation.limit)) return limit_text(result.evaluation);
  auto certificate = evaluators::certify(result.net, result.evaluation);
  if (const auto* too_large = std::get_if<tpn::TooLarge>(&certificate)) return too_large_text(*too_large);
  auto& made = std::get<evaluators::Certificate>(certificate);
  if (result.expected) made.expected_upper = result.expected->upper;
  return std::move(made);
}

std::optional<evaluators::Limit> add_latency_as_asked(EvaluatedInstance& result, const EvaluateOptions& options) {
  const LimitedSearch search(options.time_limit);
  const evaluators::Deadline& deadline = search.deadline();
  const bool is_asked = options.latency || options.latency_curve;
  if (!is_asked && !options.json) result.latency = quick_latency(result, deadline);
  if (!is_asked || !result.evaluation.exact()) return std::nullopt;
  auto found =
      find_latency(result, options.latency_curve ? LatencyDetail::all_and_curve : LatencyDetail::all, deadline);
  if (auto* limit = std::get_if<evaluators::Limit>(&found)) return std::move(*limit);
  result.latency = std::get<FoundLatency>(std::move(found));
  return std::nullopt;
}

void add_estimate_as_asked(EvaluatedInstance& result, const EvaluateOptions& options) {
  if (!options.estimate) return;
  const LimitedSearch search(std::nullopt);
  result.estimate = find_estimate(result, options.seed.value_or(kEstimateSeed), search.deadline());
}

}  // namespace takt::tools
