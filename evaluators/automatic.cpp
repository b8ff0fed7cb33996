// The estimates, and the attempts in their order.
#include "evaluators/automatic.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "evaluators/columns/pattern.hpp"
#include "evaluators/residue/residue.hpp"
#include "evaluators/sweep/sweep.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

// Measured on the benchmark's nets, to one digit: an operation of a sweep of all passes, with and without guards, and
// a visit of `residue`.
constexpr double kNanosecondsPerOperation = 0.7;
constexpr double kNanosecondsPerGuardedOperation = 20;
constexpr double kNanosecondsPerVisit = 10;
// A sweep of less time is not worth an attempt to avoid it.
constexpr double kShortSweepNanoseconds = 1e6;

bool has_guards(const FoldedNet& net) {
  return std::ranges::any_of(net.dependences, [](const tpn::Dependence& d) { return d.modulus > 1; });
}

// Durations that `residue` lists before it starts: each dependence has a table of its own.
double listed_durations(const FoldedNet& net) {
  double listed = 0;
  for (const tpn::Dependence& d : net.dependences) listed += static_cast<double>(net.pipeline.columns[d.from].period);
  return listed;
}

Evaluation because(std::string why, Evaluation evaluation) {
  evaluation.why = std::move(why);
  return evaluation;
}

// An attempt by `residue` for about half of what a sweep would take, then the sweep.
Evaluation attempt_residue(const FoldedNet& net, const Options& options, const Integer& operations, double visits) {
  Evaluation evaluation = residue(net, options, visits);
  if (evaluation.exact()) {
    return because(fmt::format("a sweep would visit {} operations; {:.0f} visits to classes sufficed, or fewer",
                               operations.get_str(), visits),
                   std::move(evaluation));
  }
  if (std::holds_alternative<OutOfTime>(evaluation.limit)) {
    return because("there was no time for more", std::move(evaluation));
  }
  Evaluation swept = sweep(net, options);
  if (!swept.exact() && evaluation.upper - evaluation.lower < swept.upper - swept.lower) {
    evaluation.limit = swept.limit;
    return because("its bounds are nearer than those of a sweep that did not end", std::move(evaluation));
  }
  return because(
      fmt::format("residue is not done after {:.0f} visits to classes, half of what a sweep is estimated to take",
                  visits),
      std::move(swept));
}

// Between a sweep, whose cost is known, and `residue`, whose cost is not.
Evaluation sweep_or_residue(const FoldedNet& net, const Options& options) {
  const Integer rows = tpn::repetition_of(net);
  const Integer operations = rows * net.pipeline.columns.size();
  if (options.max_rows && rows > *options.max_rows) {
    return because("more rows were not allowed", sweep(net, options));
  }
  if (operations > kSweepOperations) {
    return because(fmt::format("a sweep would visit {} operations, at most {} is sensible", operations.get_str(),
                               kSweepOperations),
                   residue(net, options));
  }
  const double sweep_time =
      operations.get_d() * (has_guards(net) ? kNanosecondsPerGuardedOperation : kNanosecondsPerOperation);
  if (sweep_time < kShortSweepNanoseconds) {
    return because(fmt::format("a sweep has {} operations to visit, which are few", operations.get_str()),
                   sweep(net, options));
  }
  const double visits = sweep_time / 2 / kNanosecondsPerVisit;
  if (const double listed = listed_durations(net); listed > visits) {
    return because(fmt::format("residue would list {:.0f} durations first, more than a sweep of {} operations is worth",
                               listed, operations.get_str()),
                   sweep(net, options));
  }
  return attempt_residue(net, options, operations, visits);
}

}  // namespace

Evaluation automatic(const FoldedNet& net, const Options& options) {
  Options chosen = options;
  chosen.solver = nullptr;
  if (!unfit_for_pattern(net)) {
    Evaluation evaluation = because("no circuit leaves its column", pattern(net, chosen));
    if (!std::holds_alternative<tpn::TooLarge>(evaluation.limit)) return evaluation;
  }
  return sweep_or_residue(net, chosen);
}

}  // namespace takt::evaluators
