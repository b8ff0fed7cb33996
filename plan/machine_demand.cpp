// A list of sums, and their largest quotient.
#include "plan/machine_demand.hpp"

#include <algorithm>

namespace takt::plan {

namespace {

// Room for k files of each core: of two neighboring columns as many data sets as the cores have room for. What ports
// and cores allow says as much where the room is for all that they hold at a time.
void add_rooms(std::vector<MachineLimit>& limits, std::uint64_t rooms, std::uint64_t cores, tpn::PortCount ports) {
  const std::uint64_t places = rooms * cores;
  if (ports != tpn::kUnlimitedPorts && places >= cores + ports) return;
  limits.push_back({{.receive = true, .compute = true}, places});
  limits.push_back({{.compute = true, .send = true}, places});
}

}  // namespace

std::vector<MachineLimit> machine_limits(const tpn::Model& model, std::uint64_t cores, tpn::PortCount ports) {
  std::vector<MachineLimit> limits;
  for (const tpn::ExclusiveOperations& operations : tpn::resource_operations(model)) {
    const std::uint64_t places = operations.compute ? cores : ports;
    if (places > 0) limits.push_back({operations, places});
  }
  // Where cores receive and send, they share the ports of their host; fewer cores than ports never wait for one.
  if (ports != tpn::kUnlimitedPorts && ports < cores) {
    for (const tpn::ConstraintKind port : tpn::ports_beside(model))
      limits.push_back({{.receive = tpn::handles_receptions(port), .send = tpn::handles_sendings(port)}, ports});
  }
  if (model->has_rooms) add_rooms(limits, model.rooms(), cores, ports);
  return limits;
}

Rational sum_of(const MachineLimit& limit, const Rational& receive, const Rational& compute, const Rational& send) {
  Rational sum;
  if (limit.operations.receive) sum += receive;
  if (limit.operations.compute) sum += compute;
  if (limit.operations.send) sum += send;
  return sum;
}

Rational machine_demand(const std::vector<MachineLimit>& limits, const Rational& receive, const Rational& compute,
                        const Rational& send) {
  Rational longest;
  for (const MachineLimit& limit : limits)
    longest = std::max(longest, sum_of(limit, receive, compute, send) / Rational(limit.places));
  return longest;
}

std::optional<Integer> machines_for(const Rational& demand, const Rational& period) {
  if (demand <= period) return Integer(1);
  if (period.sign() == 0) return std::nullopt;
  return (demand / period).ceiling();
}

Rational share_of_data_sets(const Rational& demand, const Rational& period) {
  return demand <= period ? Rational(1) : period / demand;
}

Rational busy_share(const Rational& demand, const Rational& period) {
  return demand.sign() == 0 ? Rational(0) : demand / period;
}

Rational end_demand(const Rational& transfer, tpn::PortCount ports) {
  return ports == tpn::kUnlimitedPorts ? Rational(0) : transfer / Rational(ports);
}

}  // namespace takt::plan
