// The estimates, and the attempts in their order.
#include "evaluators/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluators/bounds.hpp"
#include "evaluators/columns/pattern.hpp"
#include "evaluators/evaluate.hpp"
#include "evaluators/potentials/potentials.hpp"
#include "evaluators/residue/residue.hpp"
#include "evaluators/sweep/sweep.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

// Measured on the benchmark's nets, to one digit: a visit of `residue`.
constexpr double kNanosecondsPerVisit = 10;
// A sweep of less time is not worth an attempt to avoid it.
constexpr double kShortSweepNanoseconds = 1e6;
// What an attempt by `residue` may take of the time that a sweep is estimated to take: much where no classes need be
// split, for it mostly ends then, little once they are.
constexpr double kAttempt = 0.5;
constexpr double kSplitAttempt = 0.05;
constexpr std::uint64_t kAttemptMemory = 64 << 20;

// Whether a method gave up before it began.
bool is_refused(const Evaluation& evaluation) {
  const auto* limit = std::get_if<tpn::TooLarge>(&evaluation.limit);
  return limit != nullptr && limit->kind == tpn::LimitKind::least_residue_classes;
}

Evaluation because(std::string why, Evaluation evaluation) {
  evaluation.why = std::move(why);
  return evaluation;
}

// The nearer bounds of two answers for one net; their limit is that of the last attempt.
Evaluation nearer(Evaluation first, Evaluation last, const char* why_first) {
  if (last.exact() || last.upper - last.lower <= first.upper - first.lower) return last;
  first.limit = last.limit;
  return because(why_first, std::move(first));
}

// An attempt by `residue` for a part of what a sweep would take, then the sweep.
Evaluation attempt_residue(const FoldedNet& net, const Options& options, const SweepCost& cost) {
  const double visits = kAttempt * cost.nanoseconds / kNanosecondsPerVisit;
  const VisitLimits limits{.all = visits, .once_split = visits / kAttempt * kSplitAttempt};
  Options attempt = options;
  attempt.max_memory = std::min(options.max_memory, kAttemptMemory);
  Evaluation evaluation = residue(net, attempt, limits);
  if (evaluation.exact()) {
    return because(fmt::format("a sweep would visit {} operations; {:.0f} visits to classes sufficed, or fewer",
                               cost.operations.get_str(), visits),
                   std::move(evaluation));
  }
  if (std::holds_alternative<OutOfTime>(evaluation.limit)) {
    return because("there was no time for more", std::move(evaluation));
  }
  const bool has_begun = !is_refused(evaluation);
  // Unless it found a better one, its circuit is the busiest resource's own, which the sweep has as well.
  const bool is_raised = evaluation.lower > largest_cycle_time(net);
  if (!is_raised) evaluation.circuit = {};
  Evaluation swept = because(
      fmt::format("residue {} {:.0f} visits to classes, {:.0f} where they must be split: parts of what a sweep is "
                  "estimated to take",
                  has_begun ? "is not done after" : "would list more durations before it starts than", limits.all,
                  limits.once_split),
      sweep(net, options));
  if (!is_raised && !swept.exact()) evaluation.circuit = swept.circuit;
  return nearer(std::move(evaluation), std::move(swept),
                "its bounds are nearer than those of a sweep that did not end");
}

// What `residue` does at once, then floors; where nothing limits the time `residue` may go on.
Evaluation large_net(const FoldedNet& net, const Options& options) {
  if (why_unfit(Method::potentials, net)) return residue(net, options);
  Evaluation first = residue(net, options, {.all = kResidueFirstVisits});
  if (first.exact()) return first;
  Evaluation bounded = potentials(net, options, std::move(first));
  if (bounded.exact() || options.deadline.time()) return bounded;
  Evaluation last = residue(net, options);
  if (last.exact() || last.upper < bounded.upper) std::swap(last, bounded);
  if (last.lower > bounded.lower) {
    bounded.lower = std::move(last.lower);
    bounded.circuit = std::move(last.circuit);
  }
  return bounded;
}

// Between a sweep, whose cost is known, and `residue`, whose cost is not.
Evaluation sweep_or_residue(const FoldedNet& net, const Options& options) {
  const SweepCost cost = sweep_cost(net);
  if (options.max_rows && cost.rows > *options.max_rows) {
    return because("more rows were not allowed", sweep(net, options));
  }
  if (cost.operations > kSweepMostOperations) {
    return because(fmt::format("a sweep would visit {} operations, at most {} is sensible", cost.operations.get_str(),
                               kSweepMostOperations),
                   large_net(net, options));
  }
  if (cost.bytes > static_cast<double>(options.max_memory)) {
    return because(fmt::format("a sweep would take {:.0f} MiB", cost.bytes / (1 << 20)), large_net(net, options));
  }
  if (cost.nanoseconds < kShortSweepNanoseconds) {
    return because(fmt::format("a sweep has {} operations to visit, which are few", cost.operations.get_str()),
                   sweep(net, options));
  }
  return attempt_residue(net, options, cost);
}

}  // namespace

Evaluation automatic(const FoldedNet& net, const Options& options) {
  Options chosen = options;
  chosen.solver = nullptr;
  if (!why_unfit(Method::pattern, net) && is_split_by_clusters(net)) {
    Evaluation evaluation =
        because(net.pipeline.is_chain() ? "no circuit leaves its column" : "no circuit leaves its cluster of columns",
                pattern(net, chosen));
    if (!std::holds_alternative<tpn::TooLarge>(evaluation.limit)) return evaluation;
  }
  return sweep_or_residue(net, chosen);
}

}  // namespace takt::evaluators
