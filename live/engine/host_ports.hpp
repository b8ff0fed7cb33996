// host_ports: which ports handle a processor's transfers, where processors share them or there is another number than
// one; and whose turn it is next.
//
// Problem. A host's port handles the transfers of all its processors in (data set, column) order (docs/model.md,
// "Hosts"), and the processors are processes of their own, which know nothing of one another.
//
// Method. The order is known beforehand: it is the circuit of the net. So whoever has turn x at a port knows whose turn
// x + n is, n being the number of ports, and tells that processor from when on the port is free (PortMessage). Nobody
// serves, and nobody asks.
//
// Cost. The circuit is listed once; a search in it for each transfer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "tpn/circuits.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::live {

/// Who handles a processor's transfers: what it has of its own, one after the other; that, and the ports of its host;
/// or ports alone, which take several at a time or those of other processors.
enum class PortUse { own, own_and_ports, ports };

/// The turns at the ports of one direction, in their order.
class PortTurns {
 public:
  /// The circuit is not empty, and there is a limited number of ports.
  PortTurns(tpn::Circuit circuit, tpn::PortCount ports) : circuit_(std::move(circuit)), ports_(ports) {}

  /// The first of each port, from a data set on.
  std::vector<tpn::Operation> first(std::uint64_t data_set) const;
  /// The next of the same port.
  tpn::Operation behind(const tpn::Operation& turn) const;

 private:
  tpn::Operation at(std::uint64_t index) const;

  tpn::Circuit circuit_;
  tpn::PortCount ports_;
};

/// The ports that a processor uses, and what it must know of those of others.
class HostPorts {
 public:
  /// Nothing where every processor has one port of its own in either direction. The pipeline can be folded.
  static std::optional<HostPorts> make(const tpn::Pipeline& pipeline, const tpn::Model& model, std::size_t processor);

  PortUse use() const { return use_of(processor_); }
  /// No resource handles a file from the processor to the receiver, on this side: it goes as soon as it is there.
  bool sends_freely(std::size_t receiver) const;
  /// No resource handles it on the other side: it is received as soon as it is sent.
  bool is_taken_at_once(std::size_t receiver) const;
  /// No resource handles it on either side, and it takes no time.
  bool is_free_between(std::size_t sender, std::size_t receiver) const {
    return places_.is_free_between(sender, receiver);
  }
  /// The turns at the ports by which the processor sends to another, or receives from it; null where it waits for none.
  const PortTurns* turns(bool sends, std::size_t other) const;
  /// All turns, for either direction; null where there are none.
  const PortTurns* turns(bool sends) const { return pointer_to(sends ? out_ : in_); }

 private:
  static const PortTurns* pointer_to(const std::optional<PortTurns>& turns) { return turns ? &*turns : nullptr; }
  PortUse use_of(std::size_t processor) const;
  bool is_unhandled_between(std::size_t sender, std::size_t receiver) const;
  bool has_unlimited_ports(std::size_t processor) const;

  tpn::Pipeline places_;  // no more of it than whose ports processors use
  bool shares_processors_ = false;
  std::size_t processor_ = 0;
  std::optional<PortTurns> in_;
  std::optional<PortTurns> out_;
};

}  // namespace takt::live
