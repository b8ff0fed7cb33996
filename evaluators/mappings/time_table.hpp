// The times of one mapping as 64-bit integers over one unit, by entry: the way in for generators of many mappings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/mappings/tick_scale.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// The ends of the outside world that a mapping has: each is a part of one entry that computes nothing.
struct OuterEnds {
  bool source = false;
  bool sink = false;
};

/// A mapping's parts, each a cyclic sequence of processors, and its times in ticks, at least 0: of a computation by
/// part and entry of its sequence, of a transfer by sending part, entry of the sender and entry of the receiver. Data
/// set j goes to entry j modulo the length; entries a and b of neighboring parts meet where a = b modulo the gcd of
/// the two lengths, and the times of others do not count. Nor does that of a transfer within one processor: it takes
/// none.
///
/// One table serves mapping after mapping: its memory grows to the largest so far, and nothing is allocated then.
class TimeTable {
 public:
  /// What a table has room for: transfers, whether their entries meet or not, and entries of all parts.
  static constexpr std::size_t kMostTransfers = 20'000'000;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 26;

  /// `scale`: ticks per time unit, positive.
  explicit TimeTable(const maxplus::Rational& scale = 1) : scale_(scale) {}
  void set_scale(const maxplus::Rational& scale) { scale_ = TickScale(scale); }
  const TickScale& scale() const { return scale_; }

  /// Begins a mapping of at least one part, whose sequences have these lengths, at least 1 each, every entry a
  /// processor of its own; all times are 0. Spans of the mapping before are no longer valid.
  void begin(std::span<const std::size_t> lengths, OuterEnds ends = {});
  /// The same on these processors, those of all parts one after the other: numbers below 2^31, of which evaluators keep
  /// a list as long as the largest.
  void begin(std::span<const std::size_t> lengths, std::span<const std::size_t> processors, OuterEnds ends = {});

  OuterEnds ends() const { return ends_; }
  /// Parts of the mapping, without the ends.
  std::size_t parts() const { return places_.size() - (ends_.source ? 1 : 0) - (ends_.sink ? 1 : 0); }
  std::size_t length(std::size_t part) const { return places_[place_of(part)].length; }

  /// A part's times by entry.
  std::span<std::int64_t> computations(std::size_t part) { return computations_at(place_of(part)); }
  /// The times behind a part that is not the last, by sender * length(part + 1) + receiver.
  std::span<std::int64_t> transfers(std::size_t part) { return transfers_at(place_of(part)); }
  /// Those of all parts, one after the other, ends included.
  std::span<std::int64_t> all_computations() { return computations_; }
  std::span<std::int64_t> all_transfers() { return transfers_; }
  /// The times from the source by entry of the first part, to the sink by entry of the last: of ends that there are.
  std::span<std::int64_t> from_source() { return transfers_at(0); }
  std::span<std::int64_t> to_sink() { return transfers_at(places_.size() - 2); }

  /// The parts as a net has them, ends included.
  struct Place {
    std::uint32_t length = 0;
    std::uint32_t first_entry = 0;
    std::size_t first_transfer = 0;  // of those behind it
  };
  std::span<const Place> places() const { return places_; }
  /// By entry of all places; empty if each entry has a processor of its own. All are less than `processors_end`.
  std::span<const std::uint32_t> processors() const { return processors_; }
  std::uint32_t processors_end() const { return processors_end_; }
  std::span<const std::int64_t> computations_of(const Place& place) const {
    return std::span(computations_).subspan(place.first_entry, place.length);
  }
  /// Between entries of a place and of the next one.
  std::int64_t transfer(std::size_t place, std::uint32_t sender, std::uint32_t receiver) const {
    const Place& to = places_[place + 1];
    const Place& from = places_[place];
    if (!processors_.empty() && processors_[from.first_entry + sender] == processors_[to.first_entry + receiver]) {
      return 0;
    }
    return transfers_[from.first_transfer + std::size_t{sender} * to.length + receiver];
  }

 private:
  std::size_t place_of(std::size_t part) const { return part + (ends_.source ? 1 : 0); }
  std::span<std::int64_t> computations_at(std::size_t place) {
    return std::span(computations_).subspan(places_[place].first_entry, places_[place].length);
  }
  std::span<std::int64_t> transfers_at(std::size_t place) {
    const std::size_t first = places_[place].first_transfer;
    return std::span(transfers_).subspan(first, places_[place + 1].first_transfer - first);
  }
  void add_place(std::size_t length);

  TickScale scale_;
  OuterEnds ends_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> processors_;
  std::uint32_t processors_end_ = 0;
  std::vector<std::int64_t> computations_;
  std::vector<std::int64_t> transfers_;
};

/// The columns of a table's mapping; the processors "P0", "P1", ... are those of the entries in order of appearance. No
/// time may be below 0.
tpn::Pipeline pipeline_of(const TimeTable& table);

/// The table of a pipeline; nothing if a duration needs more than 64 bits, the table more room than it has, or
/// processors share ports.
std::optional<TimeTable> table_of(const tpn::Pipeline& pipeline);
/// The table of a document's mapping, which `tpn::validate` accepts; nothing likewise. Throws tpn::InvalidInstance
/// where a time that it needs is absent.
std::optional<TimeTable> table_of(const tpn::Document& instance);

}  // namespace takt::evaluators
