// Plain instances, read from their text straight into times: for files of a million of them.
//
// Problem. A document of ten stages takes a hundred microseconds to be read: a tree, a document and its validation are
// thousands of small pieces of memory. Its period takes ten.
//
// Method. One pass over the text into lists that serve document after document, then names to numbers, then times as
// integers over their common denominator. Only what needs few words is read this way: ASCII names without escapes,
// numbers of few digits, rates of 1, no units, each processor in one part. Everything else, and everything that breaks
// a rule, is not plain: `read_document` reads it, or says what is wrong.
//
// Invariant. What is plain `read_document` accepts, with the same meaning.
//
// Cost. Linear in the text, in the pairs of processors that meet and, if there are links, in the pairs of
// processors; no allocation once warm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// A number at least 0 as a reduced fraction of two integers below 2^53; none if the numerator is negative.
struct PlainNumber {
  std::int64_t numerator = -1;
  std::int64_t denominator = 1;

  bool exists() const { return numerator >= 0; }
};

/// A part and where its entries stand in PlainReader::entries.
struct PlainPart {
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::size_t first_entry = 0;
  std::size_t length = 0;
};

class PlainReader {
 public:
  /// Processors of a plain instance, and transfers whose times are listed.
  static constexpr std::size_t kMostProcessors = 500;
  static constexpr std::size_t kMostTransfers = 20'000;
  /// Ticks of a time, and ticks per time unit.
  static constexpr std::int64_t kMostTicks = std::int64_t{1} << 40;

  /// Whether the text is a plain instance, with a mapping. If so, what follows tells of it until the next call.
  bool read(std::string_view text);

  std::size_t processors() const { return processors_.size(); }
  std::string_view processor_name(std::size_t processor) const { return processors_[processor].name; }
  std::span<const PlainPart> parts() const { return parts_; }
  /// The processors of all parts' sequences, one after the other; none is in two parts.
  std::span<const std::uint32_t> entries() const { return entries_; }
  /// Whether a sequence names a processor twice.
  bool repeats_processors() const { return repeats_; }
  bool has_source() const { return source_.exists; }
  bool has_sink() const { return sink_.exists; }
  std::optional<Model> model() const { return model_; }
  const std::optional<PlainNumber>& predicted_period() const { return predicted_; }
  const std::optional<std::string_view>& heuristic() const { return heuristic_; }

  /// Ticks per time unit.
  std::int64_t scale() const { return scale_; }
  /// In ticks: computations by entry; transfers from one part to the next, one boundary after the other, by
  /// sender * receivers + receiver, 0 for entries that do not meet; from the source and to the sink by entry.
  std::span<const std::int64_t> computations() const { return computations_; }
  std::span<const std::int64_t> transfers() const { return transfers_; }
  std::span<const std::int64_t> from_source() const { return from_source_; }
  std::span<const std::int64_t> to_sink() const { return to_sink_; }

 private:
  class Scan;
  class Naming;
  class Times;

  struct Stage {
    std::string_view name;
    PlainNumber work;
    PlainNumber output;
    bool replicable = true;
  };
  struct Processor {
    std::string_view name;
    PlainNumber speed;
    PlainNumber time;
  };
  struct Timing {
    PlainNumber bandwidth;
    PlainNumber latency;
    PlainNumber time;
  };
  struct Link {
    std::string_view from;
    std::string_view to;
    Timing timing;
    bool directed = false;
  };
  struct EndLink {
    std::string_view processor;
    Timing timing;
  };
  struct End {
    bool exists = false;
    Timing timing;
    std::vector<EndLink> links;
  };
  // The links of a pair of processors, in one direction: numbers from 1, 0 for none.
  struct Linked {
    std::uint32_t directed = 0;
    std::uint32_t undirected = 0;
  };

  void clear();

  std::string text_;  // with a zero behind it, which ends all loops
  PlainNumber input_;
  std::vector<Stage> stages_;
  std::vector<Processor> processors_;
  Timing defaults_;
  std::vector<Link> links_;
  End source_;
  End sink_;
  std::vector<std::string_view> part_stages_;   // of all parts
  std::vector<std::string_view> part_entries_;  // of all parts
  std::vector<std::string_view> option_names_;
  std::vector<PlainPart> parts_;  // while read, stages are numbers in part_stages_
  std::optional<Model> model_;
  std::optional<PlainNumber> predicted_;
  std::optional<std::string_view> heuristic_;

  std::vector<std::uint32_t> slots_;  // of names, by hash: numbers from 1
  std::vector<std::uint32_t> entries_;
  bool repeats_ = false;
  std::vector<std::uint32_t> part_of_;  // by processor, from 1; 0 if it serves none
  std::vector<Linked> linked_;          // by sender * processors + receiver; empty without links

  std::vector<PlainNumber> times_;  // computations, transfers, from the source, to the sink
  std::int64_t scale_ = 1;
  std::vector<std::int64_t> computations_;
  std::vector<std::int64_t> transfers_;
  std::vector<std::int64_t> from_source_;
  std::vector<std::int64_t> to_sink_;
};

}  // namespace takt::tpn
