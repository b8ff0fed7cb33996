// Prices as whole numbers of their greatest common divisor.
#include "heuristics/search/price_goal.hpp"

#include "tpn/hosts.hpp"

namespace takt::heuristics {

using maxplus::Integer;
using maxplus::Rational;

PriceGoal::PriceGoal(const tpn::Document& problem, const Rational& period, const Rational& least_cost)
    : period_(period),
      row_(problem.platform.processors.size() + 1),
      unit_(price_step(problem)),
      machines_(tpn::machines_of(problem.platform)) {
  for (const tpn::Processor& processor : problem.platform.processors)
    prices_.push_back((processor.price / unit_).numerator() * row_ + 1);
  const Rational least = least_cost / unit_;
  least_ = (least.numerator() + least.denominator() - 1) / least.denominator();
  used_.resize(prices_.size());
}

Integer PriceGoal::cost_of(std::span<const tpn::Part> mapping) {
  used_.assign(used_.size(), false);
  Integer sum = 0;
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors) {
      const std::size_t machine = machines_[p];
      if (used_[machine]) continue;
      used_[machine] = true;
      sum += prices_[machine];
    }
  }
  return sum;
}

Rational PriceGoal::price_of(const Integer& cost) const { return Rational(Integer(cost / row_)) * unit_; }

Rational price_of(const tpn::Document& problem, std::span<const tpn::Part> mapping) {
  const std::vector<std::size_t> machines = tpn::machines_of(problem.platform);
  std::vector<bool> used(machines.size());
  Rational sum;
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors) {
      if (!used[machines[p]]) sum += problem.platform.processors[p].price;
      used[machines[p]] = true;
    }
  }
  return sum;
}

Rational price_step(const tpn::Document& problem) {
  Integer numerator = 0;
  Integer denominator = 1;
  for (const tpn::Processor& processor : problem.platform.processors)
    denominator = lcm(denominator, processor.price.denominator());
  for (const tpn::Processor& processor : problem.platform.processors)
    numerator = gcd(numerator, (processor.price * denominator).numerator());
  return numerator == 0 ? Rational(1) : Rational::fraction(numerator, denominator);
}

}  // namespace takt::heuristics
