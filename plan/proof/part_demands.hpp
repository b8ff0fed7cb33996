// How many machines a part needs: what the checker's graph is made of.
#pragma once

#include <cstddef>
#include <functional>
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
  /// which stages are apart; last + 1 if not even the stage alone can be there.
  std::size_t least_first(std::size_t last, std::size_t type) const;
  /// Of a part that may be on that type, in ticks.
  Integer computation(std::size_t first, std::size_t last, std::size_t type) const;
  /// The machines of the type that must compute for a part whose data sets take so long, in ticks; all cores of each
  /// where no stage of the part must not be replicated, else one.
  Integer working(std::size_t type, bool is_replicable, const Integer& receive, const Integer& compute,
                  const Integer& send) const;
  /// Likewise those that must be on demand.
  Integer on_demand(std::size_t type, bool is_replicable, const Integer& receive, const Integer& compute,
                    const Integer& send) const;
  /// Whether the source, or the sink, may take that long.
  bool source_keeps_up(const Integer& transfer) const;
  bool sink_keeps_up(const Integer& transfer) const;

 private:
  using Needed = std::function<Integer(const Integer& sum, const Integer& places)>;

  // The machines, or ends, that keep the period where each handles `places` such sums at a time.
  Integer needed(const Integer& sum, const Integer& places) const;
  Integer machines(std::size_t type, bool is_replicable, const Integer& receive, const Integer& compute,
                   const Integer& send, const Needed& needed) const;
  bool end_keeps_up(const Integer& transfer, tpn::PortCount ports) const;

  const tpn::Document& document_;
  const CatalogueTimes& times_;
  const tpn::Model& model_;
  Integer period_;  // in ticks
  Integer base_;    // the period that machines on demand keep, 0: none need be there
  bool strictly_;
  bool all_apart_;
};

}  // namespace takt::plan
