// First the evaluator of many mappings, then the one of single nets.
#include "experiments/studies/periods.hpp"

#include <fmt/format.h>

#include "evaluators/evaluate.hpp"
#include "tpn/folded_net.hpp"

namespace takt::experiments {

PeriodOrReason exact_period(evaluators::MappingEvaluator& evaluator, const tpn::Document& problem,
                            const tpn::Mapping& mapping, const tpn::Model& model, const maxplus::Deadline& deadline) {
  const evaluators::MappingEvaluation quick = evaluator.evaluate(mapping, model);
  if (quick.answer == evaluators::MappingAnswer::exact) return quick.lower.rational();
  tpn::Document document = problem;
  document.mapping = mapping;
  const auto folded = tpn::fold(document, model);
  const auto* net = std::get_if<tpn::FoldedNet>(&folded);
  if (net == nullptr) return std::string("the net is too large");
  evaluators::Options options;
  options.deadline = deadline;
  const evaluators::Evaluation evaluation = evaluators::evaluate(*net, options);
  if (evaluation.exact()) return evaluation.lower;
  return fmt::format("the period is known to lie from {} to {} only", evaluation.lower.to_string(),
                     evaluation.upper.to_string());
}

}  // namespace takt::experiments
