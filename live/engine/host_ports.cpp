// The rules are those by which tpn/models.cpp adds the circuits of ports.
#include "live/engine/host_ports.hpp"

#include <algorithm>
#include <utility>
#include <variant>

#include "maxplus/contract.hpp"
#include "tpn/models.hpp"

namespace takt::live {

namespace {

std::optional<PortTurns> turns_of(const tpn::Pipeline& pipeline, tpn::ConstraintKind kind, std::size_t owner) {
  const tpn::PortCount ports = pipeline.port_count(owner);
  if (ports == tpn::kUnlimitedPorts) return std::nullopt;
  auto listed = tpn::circuit_of(pipeline, kind, owner, tpn::kDefaultCircuitSteps);
  auto* const circuit = std::get_if<tpn::Circuit>(&listed);
  maxplus::expects(circuit != nullptr, "the pipeline can be folded");
  if (circuit->operations.empty()) return std::nullopt;
  return PortTurns(std::move(*circuit), ports);
}

}  // namespace

tpn::Operation PortTurns::at(std::uint64_t index) const {
  const std::uint64_t count = circuit_.operations.size();
  tpn::Operation operation = circuit_.operations[index % count];
  operation.data_set += index / count * circuit_.height;
  return operation;
}

std::vector<tpn::Operation> PortTurns::first(std::uint64_t data_set) const {
  const tpn::Operation from{data_set % circuit_.height, tpn::ColumnIndex(0)};
  const auto place = std::ranges::lower_bound(circuit_.operations, from) - circuit_.operations.begin();
  const std::uint64_t lap = data_set / circuit_.height * circuit_.operations.size();
  std::vector<tpn::Operation> turns;
  for (tpn::PortCount k = 0; k < ports_; ++k) turns.push_back(at(lap + static_cast<std::uint64_t>(place) + k));
  return turns;
}

tpn::Operation PortTurns::behind(const tpn::Operation& turn) const {
  const tpn::Operation in_lap{turn.data_set % circuit_.height, turn.column};
  const auto place = std::ranges::lower_bound(circuit_.operations, in_lap);
  maxplus::expects(place != circuit_.operations.end() && *place == in_lap, "the port handles the operation");
  const std::uint64_t lap = turn.data_set / circuit_.height * circuit_.operations.size();
  return at(lap + static_cast<std::uint64_t>(place - circuit_.operations.begin()) + ports_);
}

std::optional<HostPorts> HostPorts::make(const tpn::Pipeline& pipeline, const tpn::Model& model,
                                         std::size_t processor) {
  if (pipeline.ports.owner.empty()) return std::nullopt;
  HostPorts ports;
  ports.places_.ports = pipeline.ports;
  ports.shares_processors_ = tpn::shares_processors(model);
  ports.processor_ = processor;
  if (ports.use() == PortUse::own) return ports;
  const std::size_t owner = pipeline.port_owner(processor);
  ports.in_ = turns_of(pipeline, tpn::ConstraintKind::in_port, owner);
  ports.out_ = turns_of(pipeline, tpn::ConstraintKind::out_port, owner);
  return ports;
}

PortUse HostPorts::use_of(std::size_t processor) const {
  const std::size_t owner = places_.port_owner(processor);
  if (shares_processors_) {
    if (!places_.has_ports_beside(owner)) return PortUse::own;
    return places_.is_host(owner) ? PortUse::own_and_ports : PortUse::ports;
  }
  return owner == processor && places_.port_count(owner) == tpn::kOnePort ? PortUse::own : PortUse::ports;
}

bool HostPorts::is_unhandled_between(std::size_t sender, std::size_t receiver) const {
  if (places_.port_owner(sender) != places_.port_owner(receiver)) return false;
  return !shares_processors_ || places_.is_free_between(sender, receiver);
}

bool HostPorts::has_unlimited_ports(std::size_t processor) const {
  return use_of(processor) == PortUse::ports &&
         places_.port_count(places_.port_owner(processor)) == tpn::kUnlimitedPorts;
}

bool HostPorts::sends_freely(std::size_t receiver) const {
  return is_unhandled_between(processor_, receiver) || has_unlimited_ports(processor_);
}

bool HostPorts::is_taken_at_once(std::size_t receiver) const {
  return is_unhandled_between(processor_, receiver) || has_unlimited_ports(receiver);
}

const PortTurns* HostPorts::turns(bool sends, std::size_t other) const {
  return places_.port_owner(processor_) == places_.port_owner(other) ? nullptr : turns(sends);
}

}  // namespace takt::live
