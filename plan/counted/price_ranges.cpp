// The end of a range is where the plan and the cheapest one beyond it cost the same.
#include "plan/counted/price_ranges.hpp"

#include <utility>

namespace takt::plan {

namespace {

// The search has no time left, or has reached its limit.
struct CutShort {};

class RangeSearch {
 public:
  RangeSearch(const Catalogue& catalogue, const CountedQuery& query, const std::vector<std::uint64_t>& machines,
              std::size_t type)
      : catalogue_(catalogue), query_(query), machines_(machines), type_(type) {
    query_.has_potentials = false;
    query_.query.latency_weight = 0;
  }

  // Throws CutShort.
  PriceRange find() {
    PriceRange range{type_, {}, {}};
    const Machines most = cheapest_at(0);
    range.lowest = cost_at(most, 0) < cost_at(machines_, 0) ? end_from(most) : Rational(0);
    const Machines fewest = cheapest_by([&](std::size_t t) { return Rational(t == type_ ? 1 : 0); });
    if (fewest[type_] < machines_[type_]) range.highest = end_from(fewest);
    return range;
  }

 private:
  using Machines = std::vector<std::uint64_t>;

  Rational price(std::size_t t, const Rational& of_type) const {
    return t == type_ ? of_type : catalogue_.types[t].price;
  }

  Rational cost_at(const Machines& machines, const Rational& of_type) const {
    Rational cost;
    for (std::size_t t = 0; t < machines.size(); ++t) cost += price(t, of_type) * Rational(machines[t]);
    return cost;
  }

  template <typename Weight>
  Machines cheapest_by(const Weight& weight) {
    query_.query.weights.clear();
    for (std::size_t t = 0; t < machines_.size(); ++t) query_.query.weights.push_back(weight(t));
    const CountedAnswer answer = solve_within(catalogue_, query_);
    if (answer.cut_short || !answer.plan) throw CutShort();
    return PlanFacts(catalogue_, query_.query.model, *answer.plan).machines_by_type();
  }
  Machines cheapest_at(const Rational& of_type) {
    return cheapest_by([&](std::size_t t) { return price(t, of_type); });
  }

  // From a plan with another number of machines of the type, which is cheaper on its side of where both cost the same.
  Rational end_from(Machines other) {
    for (;;) {
      const Rational saved = cost_at(other, 0) - cost_at(machines_, 0);
      Rational end = saved / (Rational(machines_[type_]) - Rational(other[type_]));
      other = cheapest_at(end);
      if (cost_at(other, end) == cost_at(machines_, end)) return end;
    }
  }

  const Catalogue& catalogue_;
  CountedQuery query_;
  const Machines& machines_;
  std::size_t type_;
};

}  // namespace

PriceRanges price_ranges(const Catalogue& catalogue, const CountedQuery& query,
                         const std::vector<std::uint64_t>& machines) {
  PriceRanges result;
  try {
    for (std::size_t t = 0; t < machines.size(); ++t)
      result.ranges.push_back(RangeSearch(catalogue, query, machines, t).find());
  } catch (const CutShort&) {
    result.cut_short = true;
  }
  return result;
}

}  // namespace takt::plan
