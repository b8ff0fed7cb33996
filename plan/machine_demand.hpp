// How long one machine is busy with a data set: what its cores, its ports and its rooms ask for.
#pragma once

#include <cstdint>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

using maxplus::Rational;

/// Operations on a data set that exclude one another, for at most `places` data sets at a time.
struct MachineLimit {
  tpn::ExclusiveOperations operations;
  std::uint64_t places = 1;
};

/// The limits of a machine with `cores` busy cores and `ports` ports that serves one part: its demand is the largest of
/// the sums, each divided by its places. Empty if nothing limits it.
std::vector<MachineLimit> machine_limits(const tpn::Model& model, std::uint64_t cores, tpn::PortCount ports);

/// What the operations of a limit take, in all.
Rational sum_of(const MachineLimit& limit, const Rational& receive, const Rational& compute, const Rational& send);

/// The period that the machine would allow were it alone. The model is one that tpn::follows_cycle_times.
Rational machine_demand(const std::vector<MachineLimit>& limits, const Rational& receive, const Rational& compute,
                        const Rational& send);

/// How long a source or a sink is busy with a data set: nothing if no number of ports limits it.
Rational end_demand(const Rational& transfer, tpn::PortCount ports);

}  // namespace takt::plan
