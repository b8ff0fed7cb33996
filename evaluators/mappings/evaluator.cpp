// Ticks to time units and back, and the way from the solver in 64 bits to the general evaluators.
#include "evaluators/mappings/evaluator.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "evaluators/mappings/general.hpp"
#include "evaluators/mappings/problem_times.hpp"
#include "evaluators/mappings/solver.hpp"
#include "evaluators/mappings/tick_scale.hpp"
#include "evaluators/mappings/workflow_solver.hpp"
#include "tpn/capabilities.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/workflow.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Integer;
using maxplus::Rational;

// A solver, and its ticks as time units.
class ScaledSolver {
 public:
  ScaledSolver(const tpn::ProblemView& problem, const tpn::TickTimes& times, const MappingLimits& limits)
      : scale_(times.scale()) {
    if (tpn::is_chain(problem.document().application)) {
      solver_.emplace<ChainSolver>(ProblemTimes(problem, times), limits.operations);
    } else {
      solver_.emplace<WorkflowSolver>(problem, times, limits.operations);
    }
  }

  TickAnswer solve(std::span<const tpn::Part> mapping, tpn::Model model, const TickCutoff& cutoff, SolveFor aim) {
    if (auto* const chain = std::get_if<ChainSolver>(&solver_)) return answer(*chain, mapping, model, cutoff, aim);
    return answer(std::get<WorkflowSolver>(solver_), mapping, model, cutoff, aim);
  }

  Period time_units(const NarrowFraction& ticks) const { return scale_.time_units(ticks); }

  // Never below what was asked for. A climber asks with the same period many times.
  const TickCutoff& ticks(const Cutoff& cutoff) {
    if (!known_ || known_->period != cutoff.period) {
      known_ = cutoff;
      ticks_.ticks = ticks_above(cutoff.period);
    }
    ticks_.when_reached = cutoff.at == CutoffAt::reached;
    return ticks_;
  }

 private:
  using ChainSolver = MappingSolver<ProblemTimes>;

  template <typename Solver>
  static TickAnswer answer(Solver& solver, std::span<const tpn::Part> mapping, tpn::Model model,
                           const TickCutoff& cutoff, SolveFor aim) {
    solver.begin(mapping);
    return solver.solve(model, cutoff, aim);
  }

  NarrowFraction ticks_above(const Period& period) const {
    const NarrowFraction* narrow = period.narrow();
    if (narrow != nullptr && scale_.narrow()) {
      const std::int64_t common = std::gcd(narrow->numerator, narrow->denominator);
      const NarrowFraction reduced{narrow->numerator / common, narrow->denominator / common};
      if (const auto ticks = product(reduced, *scale_.narrow())) return *ticks;
    }
    // Rounded up to a multiple of 2^-kFraction; no period has 2^61 ticks, as MappingSolver's columns don't.
    constexpr unsigned kFraction = 20;
    const Rational ticks = period.rational() * scale_.ticks_per_unit();
    if (ticks >= Rational(std::int64_t{1} << (62 - kFraction))) {
      if (ticks >= Rational(std::int64_t{1} << 62)) return {std::int64_t{1} << 62, 1};
      return {ceiling(ticks), 1};
    }
    return {std::max(ceiling(ticks * Rational(std::int64_t{1} << kFraction)), kLowest), std::int64_t{1} << kFraction};
  }

  static std::int64_t ceiling(const Rational& value) {
    const Integer result = value.ceiling();
    return result < kLowest ? kLowest : result.get_si();
  }

  // Every period is beyond it.
  static constexpr std::int64_t kLowest = -1;

  std::variant<std::monostate, ChainSolver, WorkflowSolver> solver_;
  TickScale scale_;
  std::optional<Cutoff> known_;
  TickCutoff ticks_;
};

}  // namespace

class MappingEvaluator::TwoSolvers {
 public:
  TwoSolvers(const tpn::Document& problem, const MappingLimits& limits)
      : TwoSolvers(std::make_unique<const OwnProblem>(problem), limits) {}

  TwoSolvers(const tpn::ProblemView& problem, const MappingLimits& limits) : limits_(limits), problem_(problem) {
    maxplus::expects(limits.operations > 0, "an evaluation may visit some operations");
    tpn::require_taken({.workflows = true,
                        .shared_resources = true,
                        .several_ends = true,
                        .segments = true,
                        .quotas = true,
                        .partitions = true},
                       problem.document());
    // The solvers know ports that handle one file at a time, each those of one processor, and nothing between them.
    const tpn::Platform& platform = problem.document().platform;
    if (tpn::has_other_ports(platform) || !platform.segments.empty()) return;
    const tpn::TickTimes* exact = problem.exact_ticks();
    if (exact != nullptr) exact_.emplace(problem, *exact, limits_);
    const tpn::TickTimes* shorter = problem.short_ticks();
    if (shorter != nullptr && shorter != exact) rounded_.emplace(problem, *shorter, limits_);
  }

  MappingEvaluation evaluate(std::span<const tpn::Part> mapping, tpn::Model model, const Cutoff* cutoff) {
    TickAnswerKind kind = TickAnswerKind::unfit;
    if (exact_) {
      const TickCutoff beyond = cutoff == nullptr ? TickCutoff{} : exact_->ticks(*cutoff);
      const TickAnswer answer = exact_->solve(mapping, model, beyond, SolveFor::period);
      kind = answer.kind;
      if (kind == TickAnswerKind::cut_off) return cut_off(*exact_, answer);
      if (kind == TickAnswerKind::exact) {
        const Period period = exact_->time_units(answer.lower);
        return {MappingAnswer::exact, period, period};
      }
      if (kind == TickAnswerKind::interval) {
        return {MappingAnswer::interval, exact_->time_units(answer.lower), exact_->time_units(answer.upper)};
      }
    }
    if (kind == TickAnswerKind::unfit && rounded_ && cutoff != nullptr) {
      const TickAnswer answer = rounded_->solve(mapping, model, rounded_->ticks(*cutoff), SolveFor::period);
      if (answer.kind == TickAnswerKind::cut_off) return cut_off(*rounded_, answer);
    }
    return evaluate_in_general(mapping, model);
  }

  std::optional<Period> largest_cycle_time(std::span<const tpn::Part> mapping, tpn::Model model) {
    if (exact_) {
      const TickAnswer answer = exact_->solve(mapping, model, {}, SolveFor::cycle_time);
      if (answer.kind == TickAnswerKind::exact) return exact_->time_units(answer.lower);
    }
    const auto pipeline = tpn::make_pipeline(problem_, mapping);
    if (std::holds_alternative<tpn::TooLarge>(pipeline)) return std::nullopt;
    return evaluators::largest_cycle_time(std::get<tpn::Pipeline>(pipeline), model);
  }

 private:
  struct OwnProblem {
    explicit OwnProblem(const tpn::Document& problem) : document(problem), view(document) {}

    const tpn::Document document;
    const tpn::ProblemView view;
  };

  TwoSolvers(std::unique_ptr<const OwnProblem> own, const MappingLimits& limits) : TwoSolvers(own->view, limits) {
    own_ = std::move(own);
  }

  static MappingEvaluation cut_off(const ScaledSolver& by, const TickAnswer& answer) {
    return {MappingAnswer::cut_off, by.time_units(answer.lower), std::nullopt};
  }

  MappingEvaluation evaluate_in_general(std::span<const tpn::Part> mapping, tpn::Model model) {
    auto pipeline = tpn::make_pipeline(problem_, mapping);
    if (std::holds_alternative<tpn::TooLarge>(pipeline)) return {MappingAnswer::interval, Period(), std::nullopt};
    return evaluators::evaluate_in_general(std::get<tpn::Pipeline>(pipeline), model, limits_);
  }

  std::unique_ptr<const OwnProblem> own_;  // where nobody else keeps one
  MappingLimits limits_;
  const tpn::ProblemView& problem_;
  std::optional<ScaledSolver> exact_;
  std::optional<ScaledSolver> rounded_;  // where exact ticks may not do
};

MappingEvaluator::MappingEvaluator(const tpn::Document& problem, const MappingLimits& limits)
    : solvers_(std::make_unique<TwoSolvers>(problem, limits)) {}
MappingEvaluator::MappingEvaluator(const tpn::ProblemView& problem, const MappingLimits& limits)
    : solvers_(std::make_unique<TwoSolvers>(problem, limits)) {}
MappingEvaluator::MappingEvaluator(MappingEvaluator&&) noexcept = default;
MappingEvaluator& MappingEvaluator::operator=(MappingEvaluator&&) noexcept = default;
MappingEvaluator::~MappingEvaluator() = default;

MappingEvaluation MappingEvaluator::evaluate(std::span<const tpn::Part> mapping, tpn::Model model) {
  return solvers_->evaluate(mapping, model, nullptr);
}

MappingEvaluation MappingEvaluator::evaluate(std::span<const tpn::Part> mapping, tpn::Model model,
                                             const Cutoff& cutoff) {
  return solvers_->evaluate(mapping, model, &cutoff);
}

std::optional<Period> MappingEvaluator::largest_cycle_time(std::span<const tpn::Part> mapping, tpn::Model model) {
  return solvers_->largest_cycle_time(mapping, model);
}

}  // namespace takt::evaluators
