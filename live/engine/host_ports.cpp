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
  return PortTurns(pipeline, std::move(*circuit), ports);
}

}  // namespace

PortTurns::PortTurns(const tpn::Pipeline& pipeline, tpn::Circuit circuit, tpn::PortCount ports)
    : circuit_(std::move(circuit)), ports_(ports) {
  for (const tpn::Column& column : pipeline.columns) {
    shifts_.push_back(column.shift);
    largest_shift_ = std::max(largest_shift_, column.shift);
  }
}

PortTurns::Turn PortTurns::at(std::uint64_t index) const {
  const std::uint64_t count = circuit_.operations.size();
  tpn::Operation operation = circuit_.operations[index % count];
  Turn turn{operation.data_set + index / count * circuit_.height, std::nullopt};
  const std::uint64_t shift = shifts_[operation.column];
  if (turn.round >= shift) turn.operation = tpn::Operation{turn.round - shift, operation.column};
  return turn;
}

std::vector<tpn::Operation> PortTurns::first(std::uint64_t data_set) const {
  const tpn::Operation from{data_set % circuit_.height, tpn::ColumnIndex(0)};
  const auto place = std::ranges::lower_bound(circuit_.operations, from) - circuit_.operations.begin();
  const std::uint64_t lap = data_set / circuit_.height * circuit_.operations.size();
  std::vector<tpn::Operation> turns;
  for (tpn::PortCount k = 0; k < ports_; ++k) {
    std::uint64_t index = lap + static_cast<std::uint64_t>(place) + k;
    const auto is_before = [&](const Turn& turn) { return !turn.operation || turn.operation->data_set < data_set; };
    while (is_before(at(index))) index += ports_;
    turns.push_back(*at(index).operation);
  }
  return turns;
}

std::optional<tpn::Operation> PortTurns::behind(const tpn::Operation& turn, std::uint64_t end) const {
  const std::uint64_t round = turn.data_set + shifts_[turn.column];
  const tpn::Operation in_lap{round % circuit_.height, turn.column};
  const auto place = std::ranges::lower_bound(circuit_.operations, in_lap);
  maxplus::expects(place != circuit_.operations.end() && *place == in_lap, "the port handles the operation");
  const std::uint64_t lap = round / circuit_.height * circuit_.operations.size();
  std::uint64_t index = lap + static_cast<std::uint64_t>(place - circuit_.operations.begin()) + ports_;
  while (true) {
    const Turn next = at(index);
    if (next.operation && next.operation->data_set < end) return next.operation;
    if (next.round >= end && next.round - end >= largest_shift_) return std::nullopt;
    index += ports_;
  }
}

std::optional<HostPorts> HostPorts::make(const tpn::Pipeline& pipeline, const tpn::Model& model,
                                         std::size_t processor) {
  if (pipeline.ports.owner.empty()) return std::nullopt;
  HostPorts ports;
  ports.places_.ports = pipeline.ports;
  ports.shares_processors_ = tpn::shares_processors(model);
  ports.processor_ = processor;
  for (std::size_t k = 0; k < pipeline.ports.segments.size(); ++k)
    ports.segments_.push_back(turns_of(pipeline, tpn::ConstraintKind::segment, pipeline.ports.first_segment + k));
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

bool HostPorts::waits_at(std::size_t segment, std::size_t receiver) const {
  return segments_[segment] && places_.ports.segments[segment].passes(processor_, receiver);
}

const PortTurns* HostPorts::turns(bool sends, std::size_t other) const {
  return places_.port_owner(processor_) == places_.port_owner(other) ? nullptr : turns(sends);
}

}  // namespace takt::live
