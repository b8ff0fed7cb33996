// How long each computation and each transfer of a document takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/hosts.hpp"
#include "tpn/segments.hpp"

namespace takt::tpn {

/// A duration that grows with an amount, of work (FLOP) or of data (bytes): fixed + per_unit * amount, in
/// time units. Without `per_unit` the amount does not count, nor whether it is known.
struct LinearTime {
  Rational fixed;
  std::optional<Rational> per_unit;

  /// The duration for an amount.
  Rational of(const Rational& amount) const { return per_unit ? fixed + *per_unit * amount : fixed; }

  friend bool operator==(const LinearTime&, const LinearTime&) = default;
};

/// A pair of processors that the document's list of links names, in a direction that it names.
struct NamedLink {
  std::size_t from = 0;
  std::size_t to = 0;
  // An index into Platform::links: the link of that direction if there is one; kWithinHost if the two share a
  // host.
  std::size_t link = 0;

  static constexpr std::size_t kWithinHost = SIZE_MAX;
};

/// The links of the pairs of different processors that the document's list does not name. Processors are of classes, by
/// their types and ports, and the classes of two say which kind of link they have.
struct OtherLinks {
  struct Kind {
    std::optional<LinearTime> link;  // nothing if they have none
    std::uint64_t pairs = 0;         // how many there are
    std::size_t from = 0;            // one of them, if there are any: of the first two classes the first
    std::size_t to = 0;
  };

  std::size_t classes = 1;
  std::vector<std::size_t> class_of;  // by processor; empty if there is but one class
  std::vector<std::size_t> kind_of;   // by class of the sender * classes + class of the receiver
  std::vector<Kind> kinds;

  std::size_t kind(std::size_t from, std::size_t to) const {
    return class_of.empty() ? 0 : kind_of[class_of[from] * classes + class_of[to]];
  }
};

/// Durations of a document's computations and transfers, in its time units. Keeps a reference to the
/// document, whose names, indices and ranges must be valid (`validate`).
/// Every function throws InvalidInstance, naming the stage or the pair, where a value it needs is absent.
/// Cost: linear in the document to build, but for logarithms; a link costs a search among those that the document lists
/// of its sender, and among those of types.
class Timing {
 public:
  explicit Timing(const Document& document);
  ~Timing();

  /// Firings of a stage for one data set: 1 for the first stage, then the previous gain times
  /// produces / consumes. (The data-parallel paper prints the ratio upside down.)
  const Rational& gain(std::size_t stage) const { return gains_[stage]; }
  /// Files of a stage for one data set: the gain times what a firing produces.
  Rational files(std::size_t stage) const { return gains_[stage] * document_.application.stages[stage].produces; }

  /// A part's computation of one data set on a processor: its fixed time for each firing of the part's first stage, or
  /// else the sum over the part's stages of the stage's own time for it, or work over speed if there is none, times the
  /// gain. Of several data sets at once
  /// as many times that, but for what stages take once for all.
  Rational computation(std::size_t first_stage, std::size_t last_stage, std::size_t processor,
                       std::uint64_t data_sets = 1) const;
  /// The transfer of the files of stages, one message for one data set, between different processors; of stages that
  /// make several files for a data set, or less than one, each is a message.
  Rational transfer(std::span<const std::size_t> files, std::size_t from, std::size_t to) const;
  /// Of the file of one.
  Rational transfer(std::size_t stage, std::size_t from, std::size_t to) const {
    return transfer(std::span(&stage, 1), from, to);
  }
  /// The transfer of the application's input to a processor, from one of the sources that take turns.
  Rational from_source(std::size_t processor, std::size_t which = 0) const;
  /// The transfer of the files of stages from a processor, to one of the sinks; of the last stage's.
  Rational to_sink(std::span<const std::size_t> files, std::size_t processor, std::size_t which) const;
  Rational to_sink(std::size_t processor, std::size_t which = 0) const;

  /// What the four durations above are made of: nothing if no speed, bandwidth or time is given, nor for a
  /// processor that stages have times of their own for.
  std::optional<LinearTime> processor(std::size_t processor) const;
  std::optional<LinearTime> link(std::size_t from, std::size_t to) const;
  /// With one of the sources, or sinks, that take turns.
  std::optional<LinearTime> source_link(std::size_t processor, std::size_t which = 0) const;
  std::optional<LinearTime> sink_link(std::size_t processor, std::size_t which = 0) const;
  /// How `fixed` of such a link varies; null if it does not, or if there is no link.
  const Law* link_law(std::size_t from, std::size_t to) const;
  const Law* source_link_law(std::size_t processor, std::size_t which = 0) const;
  const Law* sink_link_law(std::size_t processor, std::size_t which = 0) const;
  /// A stage's own time for a processor; null if it has none.
  const StageTime* own_time(std::size_t stage, std::size_t processor) const;
  /// Whether any stage has times of its own for processors, and whether any has one for this processor.
  bool has_own_times() const { return !own_rows_.empty(); }
  bool has_own_times(std::size_t processor) const { return !own_rows_.empty() && has_own_times_[processor]; }
  /// Those of a stage, per firing, by processor.
  std::span<const StageTime* const> own_times(std::size_t stage) const;
  /// One stage's computation of one data set, or of several at once, on a processor without a fixed time; nothing if
  /// it is not given.
  std::optional<Rational> stage_time(std::size_t stage, std::size_t processor, std::uint64_t data_sets = 1) const;

  /// Whether some host has several processors.
  bool has_shared_hosts() const { return hosts_.are_shared(); }

  /// Whether `link` is something, at less cost.
  bool has_link(std::size_t from, std::size_t to) const;

  /// The pairs that the document's list of links names, in ascending order, each once; and those within a host.
  /// Where processors share hosts the list is made when first asked for; threads may ask at once.
  std::span<const NamedLink> named_links() const;
  std::optional<LinearTime> link(const NamedLink& named) const;
  bool has_link(const NamedLink& named) const;
  /// All the others. Made when first asked for; threads may ask at once. Cost: quadratic in the classes, linear in the
  /// processors and the list.
  const OtherLinks& other_links() const;

 private:
  // Processors of one class have the same links but for those that the document lists of them.
  struct LinkClass {
    std::optional<std::size_t> type;  // where links between types count
    const Rational* port = nullptr;   // its own bandwidth; null if it has none; the same one for equal ones
    std::size_t machine = 0;          // one of them, whose segments are those of all
  };
  struct Resolved;
  class Resolution;
  class LazyOthers;
  class LazyPairs;

  void add_classes();
  void add_own_times();
  const LinkClass& class_of(std::size_t processor) const {
    return classes_[class_of_.empty() ? 0 : class_of_[processor]];
  }
  const LinkTiming* own_timing(std::size_t from, std::size_t to) const;
  Resolved within_host(std::size_t processor) const;
  const TypeLink* type_link(const LinkClass& from, const LinkClass& to) const;
  const Rational* bandwidth_between(const LinkClass& from, const LinkClass& to) const;
  Resolved resolved(const LinkTiming* own, const LinkClass& from, const LinkClass& to) const;
  Resolved resolved(std::size_t from, std::size_t to) const;
  Resolved resolved(const NamedLink& named) const;
  Resolved resolved_end(const Endpoint& end, std::size_t machine, const LinkTiming* own, std::size_t processor) const;
  Resolved resolved_source(std::size_t processor, std::size_t which) const;
  Resolved resolved_sink(std::size_t processor, std::size_t which) const;
  Rational size_of(std::span<const std::size_t> files, const std::string& sender, const std::string& receiver) const;
  Rational messages(std::span<const std::size_t> files) const;
  [[noreturn]] void fail_for(std::size_t stage, const Processor& on, std::size_t processor) const;

  const Document& document_;
  std::vector<Rational> gains_;
  std::vector<const StageTime*> own_times_;  // by stage, then processor
  std::vector<std::size_t> own_rows_;        // by stage and one more, where its own begin; empty without any
  std::vector<bool> has_own_times_;          // by processor; empty without any
  std::vector<LinkClass> classes_;
  std::vector<std::size_t> class_of_;  // by processor; empty if there is one class
  std::vector<NamedLink> type_links_;  // between types, kinds being places in the platform's list
  std::vector<NamedLink> named_;       // of each host the first processor alone
  std::vector<std::size_t> rows_;      // by sender and one more, where its links begin; empty without links
  HostIndex hosts_;
  SegmentIndex segments_;
  std::unique_ptr<LazyOthers> others_;
  std::unique_ptr<LazyPairs> pairs_;  // null if no host is shared
  // Of each source, or sink, by processor, its own timing or null; empty without any.
  std::vector<std::vector<const LinkTiming*>> from_source_;
  std::vector<std::vector<const LinkTiming*>> to_sink_;
};

}  // namespace takt::tpn
