// What each number of a document means for the period: shares, derivatives, gains, slack, targets and curves.
//
// Problem. Which number is worth improving, by how much does that help, what limits then, and which may get worse for
// nothing? For each parameter of an instance (tpn/parameters.hpp), in terms of its weight, in which durations are
// linear.
//
// Method. The period is a convex, piecewise linear, non-decreasing function of the weight; every exact evaluation gives
// a line that touches it (evaluators/insight/parametric.hpp).
//   off the circuit  a parameter without which the critical circuit takes as long has no effect where it becomes
//   smaller: the
//                    circuit stays, and by convexity nothing to the left is above
//   derivatives      from evaluations of K d + b and K d - b for a decisive K, where the circuit is not the only one
//   slack            Newton's method from the right: from where one of the parameter's own resources is always busy,
//   or,
//                    where none is its own, from where the circuit that grows fastest is as long as the period, to
//                    where the line that was found meets the period, until the period is that
//   target           the same from the weight now, to the left
//   curve            where lines cross (convex_curve.hpp)
// Proofs in docs/insight.md.
//
// Cost. One to five evaluations for a slack, two to seventeen for a curve, a derivative one.
//
// References. [eisner1976mathematical], [karp1981parametric], [young1991faster].
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/insight/convex_curve.hpp"
#include "tpn/document.hpp"
#include "tpn/parameters.hpp"

namespace takt::evaluators {

/// What is asked of every parameter beside its share and its slack.
struct SensitivityQuestions {
  /// The gain where a parameter's weight is divided by 1 + this; above 0.
  Rational faster = Rational::fraction(1, 10);
  std::optional<Rational> target;  // a period, in time units per data set, above 0
  bool curve = false;              // on weights from 0 to twice what they are
  bool derivatives = false;        // both, where shares do not say them
  Options evaluation;              // how to evaluate, and until when
};

/// A period with another weight of a parameter, and what limits it.
struct LimitedPeriod {
  Rational period;
  std::optional<std::size_t> resource;  // of FoldedNet::resources, where one is always busy
  CriticalCircuit circuit;              // otherwise
};

/// Of a target: the weight that alone gives this period, the largest one of a target above the period. Nothing if no
/// weight does.
struct TargetWeight {
  std::optional<Rational> weight;
};

/// What a parameter means for the period. What is absent was not asked for, or not found before the deadline or for
/// want of an exact evaluation.
struct ParameterInsight {
  tpn::Parameter parameter;
  Rational share;  // of the period, that the critical circuit spends on what grows with the weight: 0 to 1
  std::optional<Rational> left_derivative;  // of the period by the weight; none at weight 0
  std::optional<Rational> right_derivative;
  std::optional<Rational> faster_period;
  std::optional<LimitedPeriod> free;
  /// By how much the weight may grow with the period as it is. Nothing, too, if it may grow without a limit.
  std::optional<Rational> slack;
  bool is_without_limit = false;  // no circuit grows with the weight
  std::optional<TargetWeight> target;
  std::optional<Polyline> curve;
  std::vector<LimitedPeriod> curve_limits;  // half way along each piece of the curve

  /// Whether less of it gives a smaller period.
  bool helps(const Rational& period) const { return faster_period && *faster_period < period; }
};

/// The insights of parameters, in their order.
struct ParameterAnalysis {
  std::vector<ParameterInsight> insights;
  std::size_t unasked = 0;  // parameters that there was no time to look at

  bool is_whole() const { return unasked == 0; }
};

/// The insight of each of the document's parameters, or groups of them, that some duration of the net grows with. The
/// net must be one of the document, the evaluation an exact one of the net.
ParameterAnalysis analyze_parameters(const tpn::FoldedNet& net, const tpn::Document& document,
                                     const Evaluation& evaluation, const SensitivityQuestions& questions,
                                     std::span<const tpn::Parameter> parameters);

/// Those worth most first: by the period of becoming faster, then of becoming free, then the smallest slack, relative
/// to the weight unless all are times; at ties in the order given.
void sort_by_gain(std::vector<ParameterInsight>& insights);

}  // namespace takt::evaluators
