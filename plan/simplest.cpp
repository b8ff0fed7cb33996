// By continued fractions: while both ends have the same whole part, go on with the inverses of what is left.
#include "plan/simplest.hpp"

#include <utility>
#include <vector>

#include "maxplus/contract.hpp"

namespace takt::plan {

maxplus::Rational simplest_between(const maxplus::Rational& low, const maxplus::Rational& high) {
  using maxplus::Integer;
  using maxplus::Rational;
  maxplus::expects(low.sign() >= 0 && low <= high, "an interval of numbers at least 0");
  Rational a = low;
  Rational b = high;
  std::vector<Integer> wholes;
  Integer whole;
  while (true) {
    whole = a.ceiling();
    if (Rational(whole) <= b) break;
    whole = a.floor();
    wholes.push_back(whole);
    const Rational low_rest = a - Rational(whole);
    a = Rational(1) / (b - Rational(whole));
    b = Rational(1) / low_rest;
  }
  Rational result(whole);
  for (; !wholes.empty(); wholes.pop_back()) result = Rational(wholes.back()) + Rational(1) / result;
  return result;
}

}  // namespace takt::plan
