// How many machines a part needs: what the checker's graph is made of.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/proof/catalogue_times.hpp"
#include "plan/proof/plan_certificate.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

/// The demands of parts under a target. Keeps references to all it is given.
class PartDemands {
 public:
  PartDemands(const tpn::Document& document, const CatalogueTimes& times, const PlanTarget& target);

  /// The least first stage of a part on a type that ends with this one, by what runs there, the type's memory, and
  /// which stages are apart; last + 1 where not even the stage alone can be there.
  std::size_t least_first(std::size_t last, std::size_t type) const;
  /// Of a part that may be on that type, in ticks.
  Integer computation(std::size_t first, std::size_t last, std::size_t type) const;
  /// What a machine of a part is busy with one data set, at the least, in ticks.
  Integer demand(const Integer& receive, const Integer& compute, const Integer& send) const;
  /// The machines that must compute.
  Integer working(const Integer& demand) const;
  /// Whether source and sink may take that long.
  bool end_keeps_up(const Integer& transfer) const { return strictly_ ? transfer < period_ : transfer <= period_; }

 private:
  const tpn::Document& document_;
  const CatalogueTimes& times_;
  std::vector<tpn::ExclusiveOperations> exclusive_;
  Integer period_;  // in ticks
  bool strictly_;
  bool all_apart_;
};

}  // namespace takt::plan
