// Computations, and the ends' transfers, which no mapping does without.
#include "plan/resource_demands.hpp"

#include <algorithm>
#include <cstdint>

#include "tpn/models.hpp"

namespace takt::plan {

namespace {

// A kind of resource of which a machine has several: its cores, each computing one thing at a time, or its ports.
struct MachineResources {
  tpn::ExclusiveOperations handled;
  bool are_cores = true;

  // How many a machine of the type has; 0: without a limit.
  std::uint64_t of(const MachineType& type) const { return are_cores ? type.cores : type.ports; }
};

std::vector<MachineResources> machine_resources(const Catalogue& catalogue, const tpn::Model& model) {
  std::vector<MachineResources> result;
  for (const auto& handled : tpn::resource_operations(model)) result.push_back({handled, handled.compute});
  const bool share_ports = std::ranges::any_of(catalogue.types, [](const MachineType& type) { return type.cores > 1; });
  if (!share_ports) return result;
  for (const tpn::ConstraintKind port : tpn::ports_beside(model))
    result.push_back({{.receive = tpn::handles_receptions(port), .send = tpn::handles_sendings(port)}, false});
  return result;
}

// Of one machine, all its cores or ports sharing the work.
Demands demands_of(const Catalogue& catalogue, const MachineResources& resources) {
  const tpn::ExclusiveOperations& handled = resources.handled;
  const std::size_t count = catalogue.types.size();
  const std::size_t last = catalogue.stages.size() - 1;
  Demands demands;
  for (std::size_t k = 0; k <= last; ++k) {
    for (std::size_t t = 0; t < count; ++t) {
      auto& demand = demands.emplace_back();
      const bool is_linked = (k > 0 || catalogue.from_source[t]) && (k < last || catalogue.to_sink[t]);
      if (!catalogue.runs(k, t) || !is_linked) continue;
      const std::uint64_t several = resources.of(catalogue.types[t]);
      demand = Rational(0);
      if (several == 0) continue;
      if (handled.compute) *demand += least_time(catalogue, k, t);
      if (handled.receive && k == 0) *demand += *catalogue.from_source[t];
      if (handled.send && k == last) *demand += *catalogue.to_sink[t];
      *demand /= Rational(several);
    }
  }
  return demands;
}

}  // namespace

std::vector<Demands> all_demands(const Catalogue& catalogue, const tpn::Model& model) {
  std::vector<Demands> all;
  for (const MachineResources& kind : machine_resources(catalogue, model)) all.push_back(demands_of(catalogue, kind));
  return all;
}

Rational least_time(const Catalogue& catalogue, std::size_t stage, std::size_t type) {
  const auto& fixed = catalogue.types[type].fixed_time;
  return fixed ? *fixed / Rational(catalogue.stages.size()) : *catalogue.stage_time(stage, type);
}

}  // namespace takt::plan
