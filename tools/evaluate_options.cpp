// From options to what evaluators take.
#include "tools/evaluate_options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluators/evaluate.hpp"
#include "maxplus/solvers.hpp"
#include "tools/files.hpp"
#include "tools/signals.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

evaluators::Options evaluator_options(const EvaluateOptions& options) {
  evaluators::Options result;
  result.method = *evaluators::find_method(options.method);
  if (!options.solver.empty()) result.solver = maxplus::find_solver(options.solver);
  result.max_rows = options.max_rows;
  constexpr std::uint64_t kMebibyte = 1 << 20;
  if (options.max_memory) result.max_memory = std::min(*options.max_memory, UINT64_MAX / kMebibyte) * kMebibyte;
  if (options.time_limit) result.deadline = deadline_in(*options.time_limit);
  result.deadline = result.deadline.or_on(interruption());
  return result;
}

void require_fit(const EvaluatedInstance& result, const EvaluateOptions& options) {
  const auto& evaluator = evaluators::evaluator_of(*evaluators::find_method(options.method));
  if (evaluator.unfit == nullptr) return;
  if (const auto reason = evaluator.unfit(result.net)) {
    throw UsageError(fmt::format("--method {} does not fit {} under {}: {}", options.method, display_name(result.file),
                                 tpn::label_of(result.net.model), *reason));
  }
}

}  // namespace takt::tools
