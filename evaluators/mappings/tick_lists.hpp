// A mapping's parts and their entries in ticks, as a solver goes through them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace takt::evaluators {

/// A part of the net, the outside world's ends included, as an interval of the entries.
struct ListedPart {
  std::uint32_t length = 0;  // entries of the sequence
  std::uint32_t first_entry = 0;
  std::uint32_t first_node = 0;  // its processors' numbers, where no processor serves two parts
  std::uint32_t nodes = 0;
  std::uint32_t at = 0;      // the current entry, during a pass
  std::int64_t longest = 0;  // computation

  bool is_distinct() const { return nodes == length; }
};

/// What a processor does for one entry: in ticks, per data set that the entry handles, and over the data sets after
/// which the transfers before and behind repeat.
struct EntryWork {
  std::uint32_t node = 0;
  std::int64_t computation = 0;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
};

/// Parts in order, with their entries. Processors have numbers, their nodes, in order of appearance.
struct TickLists {
  std::vector<ListedPart> parts;
  std::vector<EntryWork> entries;
  std::uint32_t nodes = 0;
  bool shared = false;  // a processor serves two parts

  void clear() {
    parts.clear();
    entries.clear();
    nodes = 0;
    shared = false;
  }
  std::span<EntryWork> entries_of(const ListedPart& part) {
    return std::span(entries).subspan(part.first_entry, part.length);
  }
  std::span<const EntryWork> entries_of(const ListedPart& part) const {
    return std::span(entries).subspan(part.first_entry, part.length);
  }
};

/// Gives the processors of one mapping after the other their nodes.
class NodeNumbers {
 public:
  /// Processors have numbers below `processors`, which may grow.
  void reserve(std::size_t processors) {
    if (seen_.size() < processors) seen_.resize(processors);
  }
  void begin() { ++mapping_; }

  /// The node of an entry's processor, of the part that `lists` gets after those it has.
  std::uint32_t node_of(std::size_t processor, TickLists& lists) {
    const auto part = static_cast<std::uint32_t>(lists.parts.size());
    Seen& seen = seen_[processor];
    if (seen.mapping != mapping_) {
      seen = {mapping_, lists.nodes++, part};
    } else if (seen.part != part) {
      lists.shared = true;
    }
    return seen.node;
  }

 private:
  // By processor: its node and part in the mapping of that number.
  struct Seen {
    std::uint64_t mapping = 0;
    std::uint32_t node = 0;
    std::uint32_t part = 0;
  };
  std::vector<Seen> seen_;
  std::uint64_t mapping_ = 0;
};

}  // namespace takt::evaluators
