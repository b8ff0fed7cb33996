// Ticks to time units and back, and the way from the solver in 64 bits to the general evaluators.
#include "evaluators/mappings/evaluator.hpp"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "evaluators/mappings/solver.hpp"
#include "tpn/circuits.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Integer;
using maxplus::Rational;

// numerator / denominator times factor / divisor, all positive but the numerator; nothing beyond 64 bits.
std::optional<NarrowFraction> product(NarrowFraction a, NarrowFraction b) {
  std::int64_t common = std::gcd(a.numerator, b.denominator);
  a.numerator /= common;
  b.denominator /= common;
  common = std::gcd(b.numerator, a.denominator);
  b.numerator /= common;
  a.denominator /= common;
  NarrowFraction result;
  if (__builtin_mul_overflow(a.numerator, b.numerator, &result.numerator)) return std::nullopt;
  if (__builtin_mul_overflow(a.denominator, b.denominator, &result.denominator)) return std::nullopt;
  return result;
}

Rational rational(const NarrowFraction& ratio) {
  return Period::fraction(ratio.numerator, ratio.denominator).rational();
}

// A solver, and its ticks as time units.
class ScaledSolver {
 public:
  ScaledSolver(const tpn::ProblemView& problem, const tpn::TickTimes& times, const MappingLimits& limits)
      : solver_(problem, times, limits.operations) {
    const Period scale = this->scale();
    if (const NarrowFraction* narrow = scale.narrow()) scale_ = {narrow->numerator, narrow->denominator};
  }

  MappingSolver& solver() { return solver_; }

  Period time_units(const NarrowFraction& ticks) const {
    if (scale_.denominator != 0) {
      std::int64_t denominator = 0;
      if (scale_.denominator == 1 && !__builtin_mul_overflow(ticks.denominator, scale_.numerator, &denominator)) {
        return Period::fraction(ticks.numerator, denominator);
      }
      if (const auto units = product(ticks, {scale_.denominator, scale_.numerator})) {
        return Period::fraction(units->numerator, units->denominator);
      }
    }
    return rational(ticks) / scale();
  }

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
  const Rational& scale() const { return solver_.times().scale(); }

  NarrowFraction ticks_above(const Period& period) const {
    const NarrowFraction* narrow = period.narrow();
    if (narrow != nullptr && scale_.denominator != 0) {
      const std::int64_t common = std::gcd(narrow->numerator, narrow->denominator);
      if (const auto ticks = product({narrow->numerator / common, narrow->denominator / common}, scale_)) return *ticks;
    }
    // Rounded up to a multiple of 2^-kFraction; no period has 2^61 ticks, as MappingSolver's columns don't.
    constexpr unsigned kFraction = 20;
    const Rational ticks = period.rational() * scale();
    if (ticks >= Rational(std::int64_t{1} << (62 - kFraction))) {
      if (ticks >= Rational(std::int64_t{1} << 62)) return {std::int64_t{1} << 62, 1};
      return {ceiling(ticks), 1};
    }
    return {std::max(ceiling(ticks * Rational(std::int64_t{1} << kFraction)), kLowest), std::int64_t{1} << kFraction};
  }

  static std::int64_t ceiling(const Rational& value) {
    Integer result;
    mpz_cdiv_q(result.get_mpz_t(), value.numerator().get_mpz_t(), value.denominator().get_mpz_t());
    return result < kLowest ? kLowest : result.get_si();
  }

  // Every period is beyond it.
  static constexpr std::int64_t kLowest = -1;

  MappingSolver solver_;
  NarrowFraction scale_{0, 0};  // denominator 0: not 64 bits
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
    const tpn::TickTimes* exact = problem.exact_ticks();
    if (exact != nullptr) exact_.emplace(problem, *exact, limits_);
    const tpn::TickTimes* shorter = problem.short_ticks();
    if (shorter != nullptr && shorter != exact) rounded_.emplace(problem, *shorter, limits_);
  }

  MappingEvaluation evaluate(std::span<const tpn::Part> mapping, tpn::Model model, const Cutoff* cutoff) {
    TickAnswerKind kind = TickAnswerKind::unfit;
    if (exact_) {
      const TickCutoff beyond = cutoff == nullptr ? TickCutoff{} : exact_->ticks(*cutoff);
      const TickAnswer answer = exact_->solver().solve(mapping, model, beyond, SolveFor::period);
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
      const TickAnswer answer = rounded_->solver().solve(mapping, model, rounded_->ticks(*cutoff), SolveFor::period);
      if (answer.kind == TickAnswerKind::cut_off) return cut_off(*rounded_, answer);
    }
    return evaluate_in_general(mapping, model);
  }

  std::optional<Period> largest_cycle_time(std::span<const tpn::Part> mapping, tpn::Model model) {
    if (exact_) {
      const TickAnswer answer = exact_->solver().solve(mapping, model, {}, SolveFor::cycle_time);
      if (answer.kind == TickAnswerKind::exact) return exact_->time_units(answer.lower);
    }
    const auto pipeline = tpn::make_pipeline(problem_, mapping);
    if (std::holds_alternative<tpn::TooLarge>(pipeline)) return std::nullopt;
    return largest_cycle_time(std::get<tpn::Pipeline>(pipeline), model);
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
    auto& columns = std::get<tpn::Pipeline>(pipeline);
    const std::uint64_t max_rows = std::max<std::uint64_t>(limits_.operations / columns.columns.size(), 1);
    // Bounds need no circuits, which may be long; nor does a processor's circuit outlast the rows.
    if (columns.rows > max_rows) return bounds(columns, model);
    const auto folded = tpn::fold(columns, model, std::max(limits_.operations, tpn::kDefaultCircuitSteps));
    if (std::holds_alternative<tpn::TooLarge>(folded)) return bounds(columns, model);
    Options options;
    options.max_rows = max_rows;
    const Evaluation evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(folded), options);
    return {evaluation.exact() ? MappingAnswer::exact : MappingAnswer::interval, evaluation.lower, evaluation.upper};
  }

  static Rational largest_cycle_time(const tpn::Pipeline& pipeline, tpn::Model model) {
    Rational largest;
    for (const tpn::ConstraintKind kind : model->resources) {
      for (const Rational& time : tpn::cycle_times_of(pipeline, kind)) largest = std::max(largest, time);
    }
    return largest;
  }

  static MappingEvaluation bounds(const tpn::Pipeline& pipeline, tpn::Model model) {
    Integer total = 0;
    for (const tpn::Column& column : pipeline.columns) total += column.table.longest();
    const Rational upper = Rational::fraction(total, pipeline.scale);
    const Rational lower = largest_cycle_time(pipeline, model);
    return {lower == upper ? MappingAnswer::exact : MappingAnswer::interval, lower, upper};
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
