// Hosts: machines whose processors share a network card.
//
// A host has the ports of all its processors, and its links. Processors that no document puts on a host have one of
// their own. Cores that a document names at once ("cores") stand one behind the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// Its own name, where the document puts it on no host.
inline const std::string& host_name(const Processor& processor) {
  return processor.host.empty() ? processor.name : processor.host;
}

/// The name of the `core`-th core, from 1, of what the document names `name`: "node.3".
std::string core_name(std::string_view name, std::size_t core);

/// A processor that the document names alone, or several that it names at once.
struct ProcessorGroup {
  std::string_view name;  // refers to the platform
  std::size_t first = 0;  // an index into Platform::processors
  std::size_t count = 1;  // those directly behind it

  bool is_of_cores() const { return count > 1; }
};

/// All of them, in order. Cores that were changed or left out since are single.
std::vector<ProcessorGroup> processor_groups(const Platform& platform);

/// The one that the processor is of, among all of a platform.
const ProcessorGroup& group_of(std::span<const ProcessorGroup> groups, std::size_t processor);

/// Turns of processors by the names that a document has for them: those of several cores where the turns are theirs,
/// host by host. They refer to the platform.
std::vector<std::string_view> names_of_turns(const Platform& platform, std::span<const ProcessorGroup> groups,
                                             const std::vector<std::size_t>& turns);

/// Its processors' indices, in order.
std::vector<std::size_t> members_of(const ProcessorGroup& group);

/// By processor, the number of its group: its place in the document's list.
std::vector<std::size_t> entries_of(const Platform& platform);

/// What the document names it by, alone or with other cores.
std::string_view entry_name(const Processor& processor);

/// Adds that many cores like the processor, named after it, on its host, or on one of its name; the processor itself
/// if `cores` is 1.
void add_cores(const Processor& processor, std::uint64_t cores, std::vector<Processor>& processors);

/// Which processors share a host.
class HostIndex {
 public:
  explicit HostIndex(const Platform& platform);

  /// Whether some host has several processors.
  bool are_shared() const { return !first_.empty(); }
  /// The first processor of its host.
  std::size_t first_of(std::size_t processor) const { return first_.empty() ? processor : first_[processor]; }
  bool are_together(std::size_t a, std::size_t b) const { return first_of(a) == first_of(b); }
  /// How many processors its host has.
  std::size_t size_of(std::size_t processor) const { return first_.empty() ? 1 : sizes_[first_[processor]]; }

 private:
  std::vector<std::size_t> first_;  // by processor; empty if each has a host of its own
  std::vector<std::size_t> sizes_;  // by processor; of those that are the first
};

/// What a link, or a card, is named by: the processor's host where that has several processors, else the processor.
const std::string& machine_name(const Platform& platform, const HostIndex& hosts, std::size_t processor);

/// By group, whether its entry in the document has what the host has (bandwidth, ports, memory bandwidth): the entry of
/// the host's name has it; default: the entry of the host's first processor.
std::vector<bool> entries_with_card(const Platform& platform, std::span<const ProcessorGroup> groups,
                                    const HostIndex& hosts);

/// Whether some host has several processors, or another number of ports than one, or the source or the sink has.
bool has_other_ports(const Platform& platform);

/// Whether a processor that alone receives, or sends, for so long per data set keeps the period from being shorter:
/// ports pass one file at a time, and files within a host take no time.
bool do_ports_bound(const Platform& platform);

/// By processor, the first of those that the document names with it: one machine, with one price and one memory.
std::vector<std::size_t> machines_of(const Platform& platform);

/// The turns of several lists of processors, one of each list in turn, then the next of each: "host by host". A list
/// that has no more is passed over.
std::vector<std::size_t> dealt_in_turn(std::span<const std::vector<std::size_t>> lists);

}  // namespace takt::tpn
