// host_ports: which ports and segments handle a processor's transfers, where processors share ports, there is another
// number than one, or segments of the network; and whose turn it is next.
//
// Problem. A host's port handles the transfers of all its processors in (data set, column) order (docs/model.md,
// "Hosts"), a segment those between two sets of machines; and the processors are processes of their own, which know
// nothing of one another.
//
// Method. The order is known before: it is the circuit of the net. So the holder of turn x at a port knows whose turn
// x + n is, n being the number of ports, and tells that processor from when on the port is free (PortMessage). Nobody
// serves, and nobody asks. At a segment the sender of a transfer has its turn, and posts no file before.
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

/// What handles a processor's transfers: the processor itself, one after the other; it and the ports of its host; or
/// ports alone, which take several transfers at a time or those of other processors.
enum class PortUse { own, own_and_ports, ports };

/// The turns at the ports of one direction, or at a segment, in their order. Where columns are shifted, that of rounds:
/// turns of data sets before the first, or behind the last, are passed over.
class PortTurns {
 public:
  /// The circuit of the pipeline is not empty, and there is a limited number of ports.
  PortTurns(const tpn::Pipeline& pipeline, tpn::Circuit circuit, tpn::PortCount ports);

  /// The first of each port, from a data set on.
  std::vector<tpn::Operation> first(std::uint64_t data_set) const;
  /// The next of the same port whose data set is below `end`; nothing if there is none.
  std::optional<tpn::Operation> behind(const tpn::Operation& turn, std::uint64_t end) const;

 private:
  struct Turn {
    std::uint64_t round = 0;
    std::optional<tpn::Operation> operation;  // nothing: of a data set before 0
  };
  Turn at(std::uint64_t index) const;

  tpn::Circuit circuit_;  // in rounds
  tpn::PortCount ports_;
  std::vector<std::uint64_t> shifts_;  // by column
  std::uint64_t largest_shift_ = 0;
};

/// The ports and segments that a processor uses, and what it must know of those of others.
class HostPorts {
 public:
  /// Nothing if every processor has one port of its own in either direction and there is no segment. The pipeline
  /// can be folded.
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
  /// The turns at the ports by which the processor sends to another, or receives from it; null if it waits for none.
  const PortTurns* turns(bool sends, std::size_t other) const;
  /// All turns, for either direction; null if there are none.
  const PortTurns* turns(bool sends) const { return pointer_to(sends ? out_ : in_); }
  /// How many segments there are, one for each direction.
  std::size_t segments() const { return segments_.size(); }
  /// The turns at one of them; null if nothing waits there.
  const PortTurns* segment(std::size_t index) const { return pointer_to(segments_[index]); }
  /// Whether files from the processor to the receiver wait at it for their turns.
  bool waits_at(std::size_t segment, std::size_t receiver) const;

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
  std::vector<std::optional<PortTurns>> segments_;
};

}  // namespace takt::live
