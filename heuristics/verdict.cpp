// Comparisons of exact numbers; no epsilon but the user's tolerance.
#include "heuristics/verdict.hpp"

namespace takt::heuristics {

using maxplus::Rational;

std::string_view name_of(Relation relation) {
  switch (relation) {
    case Relation::equal:
      return "equal";
    case Relation::optimistic:
      return "optimistic";
    case Relation::pessimistic:
      return "pessimistic";
    case Relation::undecided:
      break;
  }
  return "undecided";
}

Relation relation_of(const Rational& predicted, const PeriodBounds& period) {
  if (predicted < period.lower) return Relation::optimistic;
  if (predicted > period.upper) return Relation::pessimistic;
  return period.lower == period.upper ? Relation::equal : Relation::undecided;
}

Holds holds_within(const Rational& predicted, const PeriodBounds& period, const Rational& tolerance) {
  // Both sides of |predicted - x| <= tolerance * x are linear in x: the periods x that the prediction holds for are an
  // interval.
  const auto is_high_enough = [&](const Rational& x) { return x * (tolerance + 1) >= predicted; };
  const auto is_low_enough = [&](const Rational& x) { return x - x * tolerance <= predicted; };
  const auto holds = [&](const Rational& x) { return is_high_enough(x) && is_low_enough(x); };
  if (holds(period.lower) && holds(period.upper)) return Holds::yes;
  if (!is_high_enough(period.upper) || !is_low_enough(period.lower)) return Holds::no;
  return Holds::undecided;
}

std::optional<Rational> gap(const Rational& predicted, const Rational& period) {
  if (predicted == period) return Rational(0);
  if (period.sign() == 0) return std::nullopt;
  return (predicted - period) / period;
}

}  // namespace takt::heuristics
