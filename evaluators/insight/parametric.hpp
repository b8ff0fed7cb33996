// A net whose durations grow with one parameter of its document.
//
// Durations are d + b (weight - now), b >= 0, or the larger of that and a constant, where the lesser of several
// bandwidths holds. So the period is a convex, piecewise linear function of the weight: the largest of finitely many
// such, one for each circuit of the unfolded net. An evaluation has a circuit, and so a line that touches the function.
// Dependences do not change with a parameter: only tables and cycle times are replaced.
//
// References. [baccelli1992synchronization]; the design of parametric critical paths follows [karp1981parametric] and
// [young1991faster], whose pivots are not needed where two or three evaluations answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/insight/convex_curve.hpp"
#include "tpn/document.hpp"
#include "tpn/parameters.hpp"

namespace takt::evaluators {

class ParametricNet {
 public:
  /// The document must be the one that the net is of; it is left as it was. A weight of 0 is one that durations may
  /// grow from all the same.
  /// Cost: that of tpn::make_pipeline.
  ParametricNet(const tpn::FoldedNet& net, tpn::Document& document, const tpn::Parameter& parameter);

  /// The parameter's weight in the document.
  const Rational& now() const { return now_; }
  /// Whether any duration of the net grows with the parameter.
  bool matters() const { return matters_; }

  /// The net at a weight, at least 0. Refers to this object, until the next call.
  const tpn::FoldedNet& at(const Rational& weight);
  /// The net whose durations are those now, `times` times, and b once, in the unit of durations now.
  const tpn::FoldedNet& raised(const Integer& times);
  /// The same with b taken away; `times * now() >= 1`.
  const tpn::FoldedNet& lowered(const Integer& times);
  /// A number above beta T^2 of the theorem on one-sided derivatives (docs/insight.md): `times` for `raised` and
  /// `lowered`.
  const Integer& decisive_times() const { return decisive_times_; }

  /// By which a closed walk's mean duration per data set grows with the weight, from that weight on.
  Rational rate_of(const CriticalCircuit& circuit, const Rational& weight) const;
  /// By which it falls where the weight becomes smaller than now.
  Rational left_rate_of(const CriticalCircuit& circuit) const;

  /// An entry of a column's table and the parameter: the duration falls with a smaller weight, only grows with a larger
  /// one (where other bandwidths are equal to it), or neither.
  enum class Effect : unsigned char { none, grows_only, falls };
  /// By column and entry of its table; empty columns where the parameter has no effect.
  std::vector<std::vector<Effect>> effects() const;

  /// The smallest weight, at least now(), at which a resource whose cycle time grows with the parameter takes that long
  /// per data set, which none does now; nothing if there is none.
  std::optional<Rational> weight_at_cycle_time(const Rational& period) const;
  /// The net with b for durations: its period is how fast the period grows with large weights.
  const tpn::FoldedNet& growth() const { return rate_net_; }

 private:
  const tpn::FoldedNet& combined(const Integer& durations, const Integer& rates, const Integer& denominator);
  const tpn::FoldedNet& bent(const std::vector<std::vector<Integer>>& rates, const Integer& durations,
                             const Integer& sign);
  void find_rates(const tpn::Pipeline& changed, const Rational& step);
  void find_bends(const tpn::Pipeline& low, const tpn::Pipeline& high, const tpn::Pipeline& higher,
                  const std::array<Rational, 2>& weights);
  void find_rate_net();
  void find_decisive_times(const tpn::FoldedNet& net);
  void set_current(std::vector<std::vector<Integer>> entries, const Integer& scale);
  // b of the entries that grow right of a weight, or left of it where they are above what else holds.
  std::vector<std::vector<Integer>> rates_at(const Rational& weight, bool to_the_left) const;
  bool can_bend() const { return !floors_.empty(); }

  Rational now_;
  bool matters_ = false;
  Integer scale_ = 1;                            // of the two tables
  std::vector<std::vector<Integer>> durations_;  // by column and place in its table, now, of the growing line
  std::vector<std::vector<Integer>> rates_;      // b
  std::vector<std::vector<Integer>> floors_;     // durations are no smaller; empty if they cannot bend
  tpn::FoldedNet rate_net_;                      // with b for durations
  bool are_times_linear_;                        // the resources' cycle times, in the weight
  std::vector<Rational> cycle_times_;            // of the resources, now, of the growing lines; of ports the mean
  Integer decisive_times_ = 1;
  tpn::FoldedNet current_;
};

/// The net with the durations of another pipeline of the same form: the same mapping with other numbers.
tpn::FoldedNet with_durations_of(const tpn::FoldedNet& net, const tpn::Pipeline& changed);

/// The line of an exact evaluation of net.at(weight); nothing if the evaluation is an interval.
std::optional<TouchingLine> line_of(const ParametricNet& net, const Rational& weight, const Evaluation& evaluation);

}  // namespace takt::evaluators
