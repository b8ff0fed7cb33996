// PartDemands straight from their definitions.
#include "plan/proof/part_demands.hpp"

#include <algorithm>

namespace takt::plan {

PartDemands::PartDemands(const tpn::Document& document, const CatalogueTimes& times, const PlanTarget& target)
    : document_(document),
      times_(times),
      exclusive_(tpn::exclusive_operations(target.model)),
      period_((target.period * Rational(times.scale)).numerator()),
      strictly_(target.strictly),
      all_apart_(target.all_apart) {}

std::size_t PartDemands::least_first(std::size_t last, std::size_t type) const {
  const auto& stages = document_.application.stages;
  const std::optional<Rational>& room = document_.platform.types[type].memory;
  Rational held;
  std::size_t first = last + 1;
  while (first > 0) {
    const tpn::Stage& added = stages[first - 1];
    if (!times_.computations[(first - 1) * times_.types + type]) break;
    if (added.memory) held += *added.memory;
    if (room && held > *room) break;
    --first;
    if (all_apart_ || added.apart) break;
  }
  return first;
}

Integer PartDemands::computation(std::size_t first, std::size_t last, std::size_t type) const {
  if (times_.fixed[type]) return *times_.fixed[type];
  Integer sum = 0;
  for (std::size_t k = first; k <= last; ++k) sum += *times_.computations[k * times_.types + type];
  return sum;
}

Integer PartDemands::demand(const Integer& receive, const Integer& compute, const Integer& send) const {
  Integer longest = 0;
  for (const tpn::ExclusiveOperations& together : exclusive_) {
    Integer sum = 0;
    if (together.receive) sum += receive;
    if (together.compute) sum += compute;
    if (together.send) sum += send;
    if (longest < sum) longest = sum;
  }
  return longest;
}

Integer PartDemands::working(const Integer& demand) const {
  Integer machines;
  if (strictly_) {
    machines = demand / period_ + 1;
  } else {
    mpz_cdiv_q(machines.get_mpz_t(), demand.get_mpz_t(), period_.get_mpz_t());
  }
  return std::max(machines, Integer(1));
}

}  // namespace takt::plan
