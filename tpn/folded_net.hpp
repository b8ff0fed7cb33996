// The folded net: columns of operations and the dependences between them, however many rows they
// unfold to. Everything takt evaluates is one of these.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "maxplus/deadline.hpp"
#include "tpn/capacity.hpp"
#include "tpn/document.hpp"
#include "tpn/duration_table.hpp"
#include "tpn/indices.hpp"
#include "tpn/limits.hpp"

namespace takt::tpn {

class ProblemView;
class Timing;

/// What a part of the net stands for: a part of the mapping, or one of the outside world's two ends.
enum class PartRole { source, mapped, sink };

/// A part and the cyclic sequence of processors that serve it (indices into Pipeline::processors).
struct NetPart {
  PartRole role = PartRole::mapped;
  std::size_t mapping_part = 0;  // index into the mapping, where role is `mapped`
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::vector<std::size_t> sequence;
  // Its columns, each list in column order; `connect` reads them off Pipeline::columns.
  ColumnIndex computation{};
  std::vector<ColumnIndex> receptions{};
  std::vector<ColumnIndex> sendings{};
  // By entry of the sequence, how many entries later its batch ends, whose last operation is the computation of all;
  // empty if there are no batches.
  std::vector<std::uint64_t> to_batch_end{};

  /// The data set whose operation computes this one.
  std::uint64_t computed_with(std::uint64_t data_set) const {
    return to_batch_end.empty() ? data_set : data_set + to_batch_end[data_set % to_batch_end.size()];
  }
  /// How many data sets that operation computes; 0 of one that computes none.
  std::uint64_t computed_at(std::uint64_t data_set) const;
  /// Calls visit(j) for each of these data sets, in order.
  template <typename Visit>
  void for_each_computed_at(std::uint64_t data_set, Visit visit) const {
    for (std::uint64_t j = data_set + 1 - computed_at(data_set); j <= data_set; ++j) visit(j);
  }
  /// The size of the largest batch.
  std::uint64_t largest_batch() const;
  std::size_t processor_at(std::uint64_t data_set) const { return sequence[data_set % sequence.size()]; }
};

enum class ColumnKind { compute, transfer };

/// One operation for every data set: the computation of a part, or a transfer of its file to a later part. A transfer
/// stands behind its sender's computation and before its receiver's. Durations are multiples of 1 / Pipeline::scale.
struct Column {
  ColumnKind kind = ColumnKind::compute;
  PartIndex part{};          // the computing, or the sending part
  PartIndex receiver{};      // of a transfer; a computation's is its own part
  std::uint64_t period = 1;  // q: the durations on data sets j and j + q are equal for every j; the least such q
  std::uint64_t shift = 0;   // data set j takes place in round j + shift; 0 if no transfer is ahead
  // One duration for every pair of processors that meet (a computation: for every processor). Entry a
  // of the sender's sequence and entry b of the receiver's meet where a = b modulo the gcd g of the
  // two lengths; the table holds one block for each residue modulo g. Entries are those of rounds: a sequence begins
  // `shift` entries later.
  std::vector<std::size_t> sender_offset;    // by entry of the sender's (the computing part's) sequence
  std::vector<std::size_t> receiver_offset;  // by entry of the receiver's; {0} for a computation
  DurationTable table;
  std::vector<std::size_t> files{};  // of a transfer: stages whose outputs it takes; none of the application's input

  /// Where the duration on a data set stands in `table`.
  std::size_t entry(std::uint64_t data_set) const {
    return sender_offset[data_set % sender_offset.size()] + receiver_offset[data_set % receiver_offset.size()];
  }
  Integer duration(std::uint64_t data_set) const { return table[entry(data_set)]; }
};

/// The part at the other end of a transfer from, or to, `part`.
inline PartIndex other_end(const Column& transfer, PartIndex part) {
  return transfer.part == part ? transfer.receiver : transfer.part;
}

/// Why one operation waits for another: the file of its data set (`flow`), a resource that the two share, room for a
/// file (`room`), or an earlier data set that is not delivered yet (`window`). A resource handles some of a processor's
/// operations, one at a time: `processor` all of them, `compute` its computations, `in_port` its receptions, `out_port`
/// its sendings, `port` receptions and sendings. A `segment` of the network handles transfers between two sets of
/// machines.
enum class ConstraintKind { flow, processor, compute, in_port, out_port, port, room, window, segment };
inline constexpr std::size_t kConstraintKinds = 9;

/// "flow", "processor", "compute", "in-port", "out-port", "port", "room", "window", "segment".
std::string_view name_of(ConstraintKind kind);

/// Whether it is a resource's.
bool is_resource(ConstraintKind kind);
/// Which of its owner's operations a resource of that kind handles; none if the kind is no resource's, or a
/// segment's, which is no machine.
bool handles_receptions(ConstraintKind kind);
bool handles_computations(ConstraintKind kind);
bool handles_sendings(ConstraintKind kind);
/// Whether it is a port's: of a host, if several processors share one.
bool is_port(ConstraintKind kind);
/// Whether a resource of that kind may handle several operations at a time: a port's or a segment's.
bool can_be_several(ConstraintKind kind);

/// The operation of column `to` on data set j + height starts no sooner than the operation of column
/// `from` on data set j has ended, for every j = residue (mod modulus). A dependence of height 0 leads
/// to a later column. Each modulus divides the number of rows.
struct Dependence {
  ColumnIndex from;
  ColumnIndex to;
  std::uint64_t height = 0;
  std::uint64_t modulus = 1;
  std::uint64_t residue = 0;
  ConstraintKind kind = ConstraintKind::flow;
  std::uint32_t segment = 0;  // of kind `segment`: an index into Pipeline::processors
  // Whose processor on data set j is the resource, has the room or delivers; the first for `flow`, the sender's for
  // `segment`.
  PartIndex part{};

  friend auto operator<=>(const Dependence&, const Dependence&) = default;
};

/// The operation of one column on one data set. A net whose transfers are ahead (Pipeline::is_shifted) counts rounds in
/// place of data sets, here and in dependences: an operation of round r is on data set r - Column::shift.
struct Operation {
  std::uint64_t data_set = 0;
  ColumnIndex column;

  friend auto operator<=>(const Operation&, const Operation&) = default;
};

/// What handles one operation at a time, or several in turn: a processor, the ports of one or of a host, or a segment
/// of the network.
struct Resource {
  ConstraintKind kind = ConstraintKind::processor;
  std::size_t processor = 0;  // or a host or segment: an index into Pipeline::processors
  ColumnIndex first_column;
  Rational cycle_time;  // time units per data set; of several ports the busiest's

  bool same_as(const Resource& other) const { return kind == other.kind && processor == other.processor; }
};

/// A segment of the network, in one direction or in both: which transfers use it.
struct SegmentWay {
  std::vector<bool> from;  // by index into Pipeline::processors, hosts excepted
  std::vector<bool> to;
  bool is_both = false;  // from `to` to `from`, too

  bool passes(std::size_t sender, std::size_t receiver) const {
    return (from[sender] && to[receiver]) || (is_both && to[sender] && from[receiver]);
  }

  friend bool operator==(const SegmentWay&, const SegmentWay&) = default;
};

/// Whose ports processors use. All vectors are empty if each has one port of its own in either direction and there
/// is no segment.
struct PortTable {
  // Index into Pipeline::processors, by processor: itself, or its host, where that has several processors.
  std::vector<std::size_t> owner;
  std::vector<PortCount> count;  // by owner
  std::vector<bool> copies;      // by owner: whether a file takes time between two of its processors
  // Where source and sink, hosts of several processors, and segments begin in Pipeline::processors.
  std::size_t first_end = 0;
  std::size_t first_host = 0;
  std::size_t first_segment = 0;
  std::vector<SegmentWay> segments;

  friend bool operator==(const PortTable&, const PortTable&) = default;
};

/// The parts and the transfers between them, as columns, before any communication model.
struct Pipeline {
  // The platform's in its order, then the sources and the sinks by name (default: "source", "sink"), then hosts of
  // several processors, then segments, by direction.
  std::vector<std::string> processors;
  std::vector<NetPart> parts;
  std::vector<Column> columns;
  Integer scale = 1;  // a duration of d in a column stands for d / scale time units
  Integer rows = 1;   // m, the least common multiple of the lengths of all sequences
  PortTable ports{};

  PartRange all_parts() const { return PartRange(parts.size()); }
  ColumnRange all_columns() const { return ColumnRange(columns.size()); }

  bool is_transfer(ColumnIndex column) const { return columns[column].kind == ColumnKind::transfer; }
  /// True if a file of one data set leads from one column to the other: from a computation to a transfer of its
  /// part's file, or from a transfer to its receiver's computation.
  bool flows(ColumnIndex from, ColumnIndex to) const {
    const Column& earlier = columns[from];
    const Column& later = columns[to];
    if (earlier.kind == later.kind) return false;
    return earlier.kind == ColumnKind::compute ? later.part == earlier.part : earlier.receiver == later.part;
  }
  /// The parts that receive from none, those that send to none, in order.
  std::vector<PartIndex> entries() const;
  std::vector<PartIndex> exits() const;
  /// True if the columns are those of a chain: each part sends to the next, and to no other (tpn/chain.hpp).
  bool is_chain() const;
  /// The computations by which a data set arrives, and by which it is delivered. The pipeline must have one entry, and
  /// one exit: why_no_passage (tpn/chain.hpp).
  ColumnIndex arrival() const;
  ColumnIndex delivery() const;

  /// Whether columns handle a data set in different rounds.
  bool is_shifted() const {
    return std::ranges::any_of(columns, [](const Column& column) { return column.shift != 0; });
  }
  /// Whether some processor computes several data sets at once.
  bool has_batches() const {
    return std::ranges::any_of(parts, [](const NetPart& part) { return !part.to_batch_end.empty(); });
  }
  /// The data set of an operation whose round is none before its column's first.
  std::uint64_t data_set_of(const Operation& operation) const {
    return operation.data_set - columns[operation.column].shift;
  }
  /// The same modulo a number, such as that of the rows over which a net is unfolded.
  std::uint64_t data_set_of(const Operation& operation, std::uint64_t modulus) const {
    return (operation.data_set % modulus + modulus - columns[operation.column].shift % modulus) % modulus;
  }
  /// The processor of a part on an operation's data set.
  std::size_t processor_at(PartIndex part, const Operation& operation) const {
    const std::uint64_t shift = columns[operation.column].shift;
    if (shift == 0) return parts[part].processor_at(operation.data_set);
    const std::uint64_t length = parts[part].sequence.size();
    return parts[part].processor_at(operation.data_set % length + length - shift % length);
  }
  /// The processor that computes or sends in an operation; below, the one that receives or computes.
  std::size_t sender_of(const Operation& operation) const {
    return processor_at(columns[operation.column].part, operation);
  }
  std::size_t receiver_of(const Operation& operation) const {
    return processor_at(columns[operation.column].receiver, operation);
  }

  /// Whose ports the processor uses: an index into `processors`.
  std::size_t port_owner(std::size_t processor) const {
    return ports.owner.empty() ? processor : ports.owner[processor];
  }
  /// Whether the entry of `processors` is a host of several of them.
  bool is_host(std::size_t processor) const {
    return !ports.owner.empty() && processor >= ports.first_host && processor < ports.first_segment;
  }
  /// Whether it is a segment, in a direction or in both.
  bool is_segment(std::size_t processor) const { return !ports.segments.empty() && processor >= ports.first_segment; }
  /// Of an entry that is one.
  const SegmentWay& segment(std::size_t entry) const { return ports.segments[entry - ports.first_segment]; }
  /// Whether the entry of `processors` has ports beside what else handles its transfers, if anything does: a host of
  /// several processors, or a source or sink with another number of ports than one.
  bool has_ports_beside(std::size_t processor) const {
    if (ports.owner.empty() || processor < ports.first_end || is_segment(processor)) return false;
    return processor >= ports.first_host || ports.count[processor] != kOnePort;
  }
  /// Whose resource of that kind handles the processor's operations: its own, or its host's.
  std::size_t owner(ConstraintKind kind, std::size_t processor) const {
    return is_port(kind) ? port_owner(processor) : processor;
  }
  /// Of a dependence of a resource, on the data set that it leads from.
  std::size_t owner(const Dependence& dependence, std::uint64_t data_set) const {
    return owner_by(dependence, processor_at(dependence.part, {data_set, dependence.from}));
  }
  /// The same, where `processor` serves the dependence's part then.
  std::size_t owner_by(const Dependence& dependence, std::size_t processor) const {
    return dependence.kind == ConstraintKind::segment ? dependence.segment : owner(dependence.kind, processor);
  }
  PortCount port_count(std::size_t owner) const { return ports.count.empty() ? kOnePort : ports.count[owner]; }

  /// True if the transfer of `column` on `data_set` stays within one processor, or one host that takes no time for
  /// it: no time, no port, no room.
  bool is_internal(ColumnIndex column, std::uint64_t data_set) const {
    const Column& transfer = columns[column];
    if (transfer.kind != ColumnKind::transfer) return false;
    return is_free_between(sender_of({data_set, column}), receiver_of({data_set, column}));
  }
  /// Whether files between the two take no time and no port.
  bool is_free_between(std::size_t sender, std::size_t receiver) const {
    if (sender == receiver) return true;
    const std::size_t host = port_owner(sender);
    return host == port_owner(receiver) && !(host < ports.copies.size() && ports.copies[host]);
  }
  /// True if it stays within one host: no port.
  bool is_within_host(ColumnIndex column, std::uint64_t data_set) const {
    const Column& transfer = columns[column];
    return transfer.kind == ColumnKind::transfer &&
           port_owner(sender_of({data_set, column})) == port_owner(receiver_of({data_set, column}));
  }
  /// Whether a resource of that kind handles the transfer at all.
  bool is_handled(ConstraintKind kind, ColumnIndex transfer, std::uint64_t data_set) const {
    return handles_computations(kind) ? !is_internal(transfer, data_set) : !is_within_host(transfer, data_set);
  }
  /// In time units.
  Rational duration(const Operation& operation) const {
    return Rational::fraction(columns[operation.column].duration(operation.data_set), scale);
  }
};

/// A processor, or a host of several, that serves two parts.
struct SharedOwner {
  std::size_t owner = 0;  // an index into Pipeline::processors
  PartIndex first_part;
  PartIndex second_part;
};

/// The first one in the order of the parts, if there is one.
std::optional<SharedOwner> shared_owner(const Pipeline& pipeline);

/// A pipeline under a communication model.
struct FoldedNet {
  Model model = Model::kOverlap;
  Capacity capacity;  // what limits it beyond the model; its dependences are among these
  Pipeline pipeline;
  std::vector<Dependence> dependences;  // sorted, without duplicates
  // Every processor or port with at least one operation, by first column, then naturally by name.
  std::vector<Resource> resources;
  // Where stages consume or produce several files: the period if each operation waited for all before it. Such a net
  // says what tpn/rates.hpp says.
  std::optional<Rational> in_sequence{};
};

/// Steps of circuits a folded net may list before it is refused: a processor in many parts repeats
/// only after the least common multiple of their lengths.
inline constexpr std::uint64_t kDefaultCircuitSteps = 5'000'000;

/// Pairs of processors that may meet in all transfers together: each has a duration in a table.
inline constexpr std::uint64_t kDefaultMeetings = 20'000'000;

/// Words of 64 bits that the durations of a pipeline may take: they stand over one common denominator, which times of
/// long coprime denominators make long for all.
inline constexpr std::uint64_t kDefaultDurationWords = 50'000'000;

/// Stages that consume or produce several files per firing: of those a net says loads only (tpn/rates.hpp).
enum class RatedStages { refused, as_loads };

/// The columns of a document's mapping, in its order of transfers, with exact durations, in rounds where its transfers
/// are ahead. The document must be an instance that `validate` accepts; throws InvalidInstance if a time it needs is
/// absent, or if a stage consumes or produces several files. Cost: linear in the pairs of processors that meet;
/// TooLarge before any is looked at, or where durations are too long or the deadline passes.
std::variant<Pipeline, TooLarge> make_pipeline(const Document& document, std::uint64_t max_meetings = kDefaultMeetings,
                                               const maxplus::Deadline& deadline = {});
/// The same for a mapping of a problem; the one that its document has does not count, nor what it says of transfers.
/// Stages that consume or produce several files take their mean times per data set.
std::variant<Pipeline, TooLarge> make_pipeline(const ProblemView& problem, std::span<const Part> mapping,
                                               std::uint64_t max_meetings = kDefaultMeetings,
                                               const maxplus::Deadline& deadline = {});

/// The same pipeline with its columns in another order: all transfers, given as its columns, in this one, each behind
/// those to its sender. Before each transfer stand the computation of its sender and those of all earlier parts that
/// have all their files by then; at the end stands the rest. Transfers by sender, then receiver, have the order that
/// pipelines of mappings begin with. Cost: that of sorting the parts.
Pipeline with_order(Pipeline pipeline, std::span<const ColumnIndex> transfers);

/// The same pipeline with each transfer ahead by these data sets, by column; 0 for computations. It must not be
/// shifted yet, but where it has batches. A transfer that is ahead by k takes place k rounds before its receiver's
/// computation; a part computes in the first round that lets all its files be ahead as they are to be, and sends once
/// its largest batch may be computed. [docs/model.md, "Ahead" and "Batches"] Cost: linear in the entries of the
/// columns.
Pipeline with_ahead(Pipeline pipeline, std::span<const std::uint64_t> ahead);

/// The least number of data sets, at least that many, which cuts no batch: all of a batch are among them, or none.
/// Nothing beyond `most`.
std::optional<std::uint64_t> with_whole_batches(const Pipeline& pipeline, std::uint64_t data_sets, std::uint64_t most);
/// The largest number of data sets, at most that many, which cuts no batch; 0 if there is none.
std::uint64_t whole_batches_within(const Pipeline& pipeline, std::uint64_t data_sets);

/// What the files of a transfer take from one processor to another, or to or from the outside world; 0 within a
/// processor. Throws InvalidInstance if the time is absent.
Rational transfer_time(const Pipeline& pipeline, const Column& transfer, std::size_t from, std::size_t to,
                       const Timing& timing);

/// The two ends of a transfer, as documents name them.
TransferEnds ends_of(const Pipeline& pipeline, ColumnIndex transfer);

/// Sets the columns of each part, NetPart's computation, receptions and sendings, from the list of columns. Call it
/// after making columns by hand. Each part must have one computation, behind its receptions and before its sendings.
void connect(Pipeline& pipeline);

/// The folded net of a pipeline under a model: the model's dependences (tpn/models.hpp), guards merged
/// to their smallest period, and the resources they speak of.
/// Cost: linear in the operations that the resources' circuits have before they repeat.
std::variant<FoldedNet, TooLarge> fold(Pipeline pipeline, const Model& model,
                                       std::uint64_t circuit_steps = kDefaultCircuitSteps,
                                       const maxplus::Deadline& deadline = {});

/// The data sets after which a net repeats, durations and guards: the least common multiple of the columns' periods and
/// of the guards' moduli. It divides Pipeline::rows, and is far smaller where processors and links are equal.
///
/// A net that is unfolded over any multiple of it has the same period. *Proof.* The net of all data sets does not
/// change when each operation moves on by that many data sets. So a circuit of the net unfolded over R rows is one of
/// operations R data sets apart, and the same walk, lap after lap, closes in the net unfolded over any multiple of R;
/// its ratio of durations to data sets is the same both ways. This uses nothing of the mapping: it holds with guards,
/// too. Cost: linear in the dependences.
Integer repetition_of(const FoldedNet& net);

/// Sorts P2 before P10: digits count as numbers, everything else by character.
bool natural_less(std::string_view a, std::string_view b);

/// By column, how many files of a transfer each processor of its receiver has room for, as the document says; 0: any
/// number. The pipeline is the document's.
std::vector<std::uint64_t> rooms_of_transfers(const Document& document, const Pipeline& pipeline);

/// By column, how many data sets a transfer is ahead, likewise.
std::vector<std::uint64_t> ahead_of_transfers(const Document& document, const Pipeline& pipeline);

/// The folded net of a document's mapping: make_pipeline, then fold, with the limits above, and the room of its
/// transfers as capacity. Throws InvalidInstance if a room is too small for what is ahead, or if a stage consumes or
/// produces several files, unless the caller asks for their loads (tpn/rates.hpp).
std::variant<FoldedNet, TooLarge> fold(const Document& document, const Model& model,
                                       const maxplus::Deadline& deadline = {},
                                       RatedStages rated = RatedStages::refused);

/// The operations that occupy a resource, over as many data sets as its circuit takes to repeat.
struct Circuit {
  std::vector<Operation> operations;  // by data set, then column
  std::uint64_t height = 1;           // data sets until it repeats
};

/// The circuit of a resource, empty if it has no operation; at most `limit` operations. `processor` is the owner:
/// Pipeline::owner, or the segment.
std::variant<Circuit, TooLarge> circuit_of(const Pipeline& pipeline, ConstraintKind kind, std::size_t processor,
                                           std::uint64_t limit = kDefaultCircuitSteps);

/// By its owner's name: "P2" (STRICT), "P0 out-port", "P1 compute", "uplink forward", ...
std::string resource_name(ConstraintKind kind, const std::string& owner);
std::string name_of(const Resource& resource, const Pipeline& pipeline);

}  // namespace takt::tpn
