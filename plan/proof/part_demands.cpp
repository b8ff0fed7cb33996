// PartDemands straight from their definitions.
#include "plan/proof/part_demands.hpp"

#include <algorithm>

#include "tpn/ends.hpp"

namespace takt::plan {

PartDemands::PartDemands(const tpn::Document& document, const CatalogueTimes& times, const PlanTarget& target)
    : document_(document),
      times_(times),
      model_(target.model),
      period_((target.period * Rational(times.scale)).numerator()),
      base_((target.on_demand.value_or(0) * Rational(times.scale)).numerator()),
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

Integer PartDemands::needed(const Integer& sum, const Integer& places) const {
  const Integer each = places * period_;
  if (strictly_) return sum / each + 1;
  Integer quotient;
  mpz_cdiv_q(quotient.get_mpz_t(), sum.get_mpz_t(), each.get_mpz_t());
  return quotient;
}

Integer PartDemands::working(std::size_t type, bool is_replicable, const Integer& receive, const Integer& compute,
                             const Integer& send) const {
  return machines(type, is_replicable, receive, compute, send,
                  [this](const Integer& sum, const Integer& places) { return needed(sum, places); });
}

Integer PartDemands::on_demand(std::size_t type, bool is_replicable, const Integer& receive, const Integer& compute,
                               const Integer& send) const {
  if (base_ == 0) return 0;
  return machines(type, is_replicable, receive, compute, send, [this](const Integer& sum, const Integer& places) {
    Integer quotient;
    mpz_cdiv_q(quotient.get_mpz_t(), sum.get_mpz_t(), Integer(places * base_).get_mpz_t());
    return quotient;
  });
}

Integer PartDemands::machines(std::size_t type, bool is_replicable, const Integer& receive, const Integer& compute,
                              const Integer& send, const Needed& needed) const {
  const tpn::ProcessorType& machine = document_.platform.types[type];
  const std::uint64_t cores = is_replicable ? machine.cores : 1;
  Integer machines = 1;
  const auto ask = [&](const Integer& sum, const Integer& places) {
    if (places > 0) machines = std::max(machines, needed(sum, places));
  };
  for (const tpn::ConstraintKind kind : model_->resources) {
    Integer busy = 0;
    if (tpn::handles_receptions(kind)) busy += receive;
    if (tpn::handles_computations(kind)) busy += compute;
    if (tpn::handles_sendings(kind)) busy += send;
    ask(busy, tpn::handles_computations(kind) ? cores : machine.ports);
  }
  // Whatever else a transfer occupies, it is one of its machine's ports that carries it.
  ask(receive, machine.ports);
  ask(send, machine.ports);
  if (model_->has_rooms) {
    const Integer places = Integer(static_cast<unsigned long>(model_.rooms())) * static_cast<unsigned long>(cores);
    ask(receive + compute, places);
    ask(compute + send, places);
  }
  return machines;
}

bool PartDemands::end_keeps_up(const Integer& transfer, tpn::PortCount ports) const {
  return ports == tpn::kUnlimitedPorts || needed(transfer, Integer(static_cast<unsigned long>(ports))) <= 1;
}

bool PartDemands::source_keeps_up(const Integer& transfer) const {
  const auto& source = document_.platform.source;
  return !source || end_keeps_up(transfer, tpn::ports_of_all(*source));
}

bool PartDemands::sink_keeps_up(const Integer& transfer) const {
  const auto& sink = document_.platform.sink;
  return !sink || end_keeps_up(transfer, tpn::ports_of_all(*sink));
}

}  // namespace takt::plan
