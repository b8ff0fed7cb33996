// How long one machine is busy with a data set: what its cores, its ports and its rooms ask for; and what that means
// for a period.
//
// A period of 0 is any rate: what takes no time keeps it, on one machine; what takes time does on no number of them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/models.hpp"

namespace takt::plan {

using maxplus::Integer;
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

/// How many machines of that demand keep the period together, at least 1; nothing if no number of them does.
std::optional<Integer> machines_for(const Rational& demand, const Rational& period);

/// The share of the data sets that a machine of that demand has time for, 0 to 1.
Rational share_of_data_sets(const Rational& demand, const Rational& period);

/// The share of the time that a machine is busy which keeps the period, 0 to 1.
Rational busy_share(const Rational& demand, const Rational& period);

/// How long a source or a sink is busy with a data set: nothing if no number of ports limits it.
Rational end_demand(const Rational& transfer, tpn::PortCount ports);

}  // namespace takt::plan
