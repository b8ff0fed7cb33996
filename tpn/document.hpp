// The document takt reads and writes: application, platform, mapping and what a heuristic claimed.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/law.hpp"

namespace takt::tpn {

using maxplus::Integer;
using maxplus::Rational;

struct CommunicationModel;  // tpn/models.hpp, where all of them stand

/// A communication model as documents and users choose it: which one, and how much room it has.
class Model {
 public:
  static const Model kOverlap;
  static const Model kStrict;

  /// Refers to the definition, which must stay. `rooms` is at least 1 if the definition has rooms, and 0 if not.
  constexpr explicit Model(const CommunicationModel& definition, std::uint64_t rooms = 0)
      : definition_(&definition), rooms_(rooms) {}

  const CommunicationModel& definition() const { return *definition_; }
  const CommunicationModel* operator->() const { return definition_; }
  /// Files that a processor has room for before, and behind, each of its computations; 0 if there is no limit.
  std::uint64_t rooms() const { return rooms_; }

  friend bool operator==(const Model&, const Model&) = default;

 private:
  const CommunicationModel* definition_;
  std::uint64_t rooms_;
};

/// How long a processor (an index into Platform::processors) computes one firing of a stage, in time units, >= 0:
/// `time`, and `fixed` once for all that it computes at once, a single firing or a batch; the sum varies by `law`.
/// `inherited`: it comes from the processor's type. What differs from the type's is the processor's own, whatever this
/// says.
struct StageTime {
  std::size_t processor = 0;
  Rational time;
  bool inherited = false;
  Rational fixed = 0;
  SharedLaw law{};

  /// The time of a batch of `size` firings.
  Rational of_batch(std::uint64_t size) const { return fixed + time * Rational(size); }

  friend bool operator==(const StageTime&, const StageTime&) = default;
};

/// How long processors of a type (an index into Platform::types) compute one firing of a stage, in time units, >= 0.
struct TypeTime {
  std::size_t type = 0;
  Rational time;
  Rational fixed = 0;
  SharedLaw law{};

  friend bool operator==(const TypeTime&, const TypeTime&) = default;
};

/// Whether a processor's time is what its type says.
inline bool is_same_time(const StageTime& own, const TypeTime& of_type) {
  return own.time == of_type.time && own.fixed == of_type.fixed && own.law == of_type.law;
}

/// The most partitions of a stage.
inline constexpr std::uint64_t kMostPartitions = 1'000'000;

/// A stage. `work` is in FLOP, `output` (its file, the same for all receivers) in bytes, both for
/// one firing of the stage and at least 0; absent if no mapping needs them. `times` holds each processor at most
/// once, none that has a fixed time; on these processors the work does not count. It holds the processors too that have
/// their time from their type: `type_times` says what the document has for types, each at most once.
struct Stage {
  std::string name;
  std::optional<Rational> work;
  std::optional<Rational> output;
  bool replicable = true;
  Rational consumes = 1;  // positive integers: synchronous dataflow rates
  Rational produces = 1;
  std::vector<StageTime> times{};
  std::vector<TypeTime> type_times{};
  std::optional<Rational> memory{};  // bytes, >= 0, that a processor needs to hold the stage; a part needs the sum
  bool apart = false;                // never in one part with the stage before
  // Firing j belongs to partition j mod `partitions`, all of whose firings are on one processor; 0: to none.
  std::uint64_t partitions = 0;
  std::vector<std::string> runs_on{};  // names of processors and types: nowhere else; empty: wherever it has a time
  // Earlier stages (indices), each once, whose files it takes; default: the stage before. None: it takes the
  // application's input. Functions for chains refuse other documents (tpn/capabilities.hpp).
  std::optional<std::vector<std::size_t>> after{};
  SharedLaw work_law{};  // what all firings of a data set take varies together
  SharedLaw output_law{};

  friend bool operator==(const Stage&, const Stage&) = default;
};

/// At least one stage, with unique names, each behind those whose files it takes (tpn/workflow.hpp). `input` is the
/// size, in bytes, of the file of those that take no other. `item` is what people call a data set, in the singular:
/// "frame"; empty: they have no word of their own.
struct Application {
  std::string name;
  std::optional<Rational> input;
  std::vector<Stage> stages;
  std::string item{};
  SharedLaw input_law{};
  SharedLaw data_set_law{};  // of a factor of mean 1 of each data set: all its times but latencies and fixed ones grow

  friend bool operator==(const Application&, const Application&) = default;
};

/// What a document says of a link: a fixed `time` for any file, or `bandwidth` (bytes per time unit,
/// > 0) and `latency` (time units, >= 0). `time` excludes the two others.
struct LinkTiming {
  std::optional<Rational> bandwidth;
  std::optional<Rational> latency;
  std::optional<Rational> time;
  SharedLaw fixed_law{};  // of the latency, or of the time

  friend bool operator==(const LinkTiming&, const LinkTiming&) = default;
};

/// How many files a machine's card receives at once, and how many it sends: each takes the next place in turn. 0: no
/// limit.
using PortCount = std::uint64_t;
inline constexpr PortCount kOnePort = 1;
inline constexpr PortCount kUnlimitedPorts = 0;

/// The most that a document may say of one machine.
inline constexpr PortCount kMostPorts = 1000;
inline constexpr std::uint64_t kMostCores = 4096;

/// A type of processors, of which there are `count`, or as many as one likes. What it says holds for its processors.
struct ProcessorType {
  std::string name;
  std::optional<Rational> speed{};      // FLOP per time unit, > 0
  std::optional<Rational> time{};       // fixed, for whatever it is given, in place of a speed
  std::optional<Rational> bandwidth{};  // bytes per time unit, > 0: of its port
  std::optional<Rational> memory{};     // bytes, >= 0; as much as one likes where absent
  Rational price = 1;                   // >= 0
  std::optional<Rational> count{};      // a whole number
  std::uint64_t cores = 1;              // processors of each machine of the type, from 1 to kMostCores
  PortCount ports = kOnePort;           // of each machine
  std::optional<Rational> memory_bandwidth{};
  SharedLaw time_law{};
  std::optional<Rational> spot_price{};  // from 0 to the price: of a machine that its owner may take back

  friend bool operator==(const ProcessorType&, const ProcessorType&) = default;
};

/// Which of a processor's values come from its type; the others are its own, even where they are equal to the type's. A
/// value that differs from the type's is the processor's own, whatever this says (tpn/expansion.hpp).
struct InheritedValues {
  bool computation = false;  // its speed or its time
  bool bandwidth = false;
  bool memory = false;
  bool price = false;

  friend bool operator==(const InheritedValues&, const InheritedValues&) = default;
};

/// A processor: `speed` (FLOP per time unit, > 0), or a fixed computation `time` for whatever it is given; neither
/// where stages have times for it. All values are those that hold, whether its own or its type's: a type's that it has
/// none of its own in place of are repeated here, and `inherited` names them.
struct Processor {
  std::string name;
  std::optional<Rational> speed;
  std::optional<Rational> time;
  std::optional<std::size_t> type{};    // an index into Platform::types
  std::optional<Rational> bandwidth{};  // of its port: no link without a bandwidth of its own is faster
  std::optional<Rational> memory{};
  Rational price = 1;
  InheritedValues inherited{};
  // The name of the machine whose card it uses; empty: a machine of its own, which has its name. Processors of one host
  // have the same bandwidth, ports and memory bandwidth, which are the host's (tpn/hosts.hpp).
  std::string host{};
  std::size_t core = 0;  // from 1: which of the cores that the document names at once, as "node.3"; 0: it stands alone
  PortCount ports = kOnePort;
  std::optional<Rational> memory_bandwidth{};  // bytes per time unit, > 0, between two processors of the host
  SharedLaw time_law{};

  friend bool operator==(const Processor&, const Processor&) = default;
};

/// An override for a pair of processors of different hosts (indices into Platform::processors). It holds for all pairs
/// of their hosts; each is the first of its host's processors.
struct Link {
  std::size_t from = 0;
  std::size_t to = 0;
  LinkTiming timing;
  bool directed = false;

  friend bool operator==(const Link&, const Link&) = default;
};

/// What holds between processors of two types (indices into Platform::types), or different processors of one, unless a
/// Link says otherwise.
struct TypeLink {
  std::size_t from = 0;
  std::size_t to = 0;
  LinkTiming timing;
  bool directed = false;
  std::size_t place = 0;  // how many of Platform::links stand before it in the document; does not fall in the list

  friend bool operator==(const TypeLink&, const TypeLink&) = default;
};

struct EndpointLink {
  std::size_t processor = 0;
  LinkTiming timing;

  friend bool operator==(const EndpointLink&, const EndpointLink&) = default;
};

/// The outside world at one end of the chain: timing of its own, overridden for single hosts, each named by the first
/// of its processors. Several sources, or sinks, have names of their own and take the data sets in turn: they are
/// `named` then, and all other members are empty.
struct Endpoint {
  LinkTiming timing;
  std::vector<EndpointLink> links;
  PortCount ports = kOnePort;
  std::string name{};             // of one of several
  std::vector<Endpoint> named{};  // data set j comes from, or goes to, number j mod their number

  /// Those that take turns: itself, or the named ones.
  std::span<const Endpoint> in_turn() const { return named.empty() ? std::span(this, 1) : std::span(named); }

  friend bool operator==(const Endpoint&, const Endpoint&) = default;
};

/// A wire that transfers between two sets of machines share, such as the uplink of a rack: `ports` transfers at a
/// time, in turn.
struct NetworkSegment {
  std::string name;
  // Bytes per time unit, > 0: no transfer over it is faster, but one whose link has a bandwidth or time of its own.
  std::optional<Rational> bandwidth{};
  PortCount ports = kOnePort;  // transfers at a time
  bool duplex = true;          // in each direction; else of both together
  // Names of processors, hosts, types, sources and sinks; "source" and "sink" of one without a name. No machine is in
  // both sets, and none is empty.
  std::array<std::vector<std::string>, 2> between{};

  friend bool operator==(const NetworkSegment&, const NetworkSegment&) = default;
};

/// Without processors, but with types, a *catalogue*.
/// What machines of some types may have at most, all together.
struct Quota {
  enum class Of { machines, cores, memory, price };

  std::vector<std::size_t> types{};  // indices into Platform::types, ascending; of all types where empty
  Of of = Of::machines;
  Rational most;  // >= 0; bytes of memory

  friend bool operator==(const Quota&, const Quota&) = default;
};

struct Platform {
  std::vector<Processor> processors;
  LinkTiming defaults;
  std::vector<Link> links;
  std::optional<Endpoint> source;
  std::optional<Endpoint> sink;
  std::vector<ProcessorType> types{};
  std::vector<TypeLink> type_links{};
  std::string currency{};  // printed behind prices
  std::vector<Quota> quotas{};
  std::vector<NetworkSegment> segments{};

  bool is_catalogue() const { return processors.empty() && !types.empty(); }

  /// The places of links[i] and type_links[i] in the one list that the document has of both.
  std::size_t place_of_link(std::size_t i) const {
    std::size_t before = 0;
    while (before < type_links.size() && type_links[before].place <= i) ++before;
    return i + before;
  }
  std::size_t place_of_type_link(std::size_t i) const { return std::min(type_links[i].place, links.size()) + i; }

  friend bool operator==(const Platform&, const Platform&) = default;
};

/// Entries of a part's sequence whose data sets its processor computes at once: `size` of them, from 2 to kMostBatch,
/// from `first` on, all of the same processor.
struct Batch {
  std::size_t first = 0;
  std::uint64_t size = 2;

  friend bool operator==(const Batch&, const Batch&) = default;
};

/// The most that a document may say of one batch.
inline constexpr std::uint64_t kMostBatch = 1000;

/// An interval of stages [first_stage, last_stage] on a cyclic sequence of processors: data set j goes
/// to entry j mod processors.size(). The sequence may repeat a processor.
struct Part {
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  std::vector<std::size_t> processors;
  std::vector<Batch> batches{};  // in order; entries that are in none have one data set at a time

  friend bool operator==(const Part&, const Part&) = default;
};

using Mapping = std::vector<Part>;

/// A transfer between two parts of a mapping, by how many data sets its receiver takes the files ahead of what it
/// computes (docs/model.md, "Ahead"), and for how many of them each processor of the receiver has room. Parts are
/// indices into the mapping.
struct PartTransfer {
  std::optional<std::size_t> from;  // nothing: the source
  std::optional<std::size_t> to;    // nothing: the sink
  std::uint64_t ahead = 0;          // at most kMostAhead
  std::uint64_t room = 0;           // at most kMostRooms (tpn/models.hpp), and none at the sink; 0: no limit

  friend bool operator==(const PartTransfer&, const PartTransfer&) = default;
};

/// Which transfer: its ends as those of a PartTransfer.
struct TransferEnds {
  std::optional<std::size_t> from;
  std::optional<std::size_t> to;

  friend auto operator<=>(const TransferEnds&, const TransferEnds&) = default;
};

/// Which one a PartTransfer is.
inline TransferEnds ends_of(const PartTransfer& transfer) { return {transfer.from, transfer.to}; }

/// The most that a document may say: each data set is a token of the net.
inline constexpr std::uint64_t kMostAhead = 1000;

using OptionValue = std::variant<bool, Rational, std::string>;

/// The heuristic that produced a mapping, as `takt map` records it.
struct HeuristicRecord {
  std::string name;
  std::optional<Rational> seed;  // a whole number
  std::vector<std::pair<std::string, OptionValue>> options;

  friend bool operator==(const HeuristicRecord&, const HeuristicRecord&) = default;
};

/// What the times of a document are numbers of: a time unit of its own, that nobody names, or the second, where they
/// have units as text: `"10 ms"`. Bandwidths and speeds are per time unit, sizes in bytes; see tpn/units.hpp.
enum class TimeUnit { own, second };

/// What people write into an object beside its own keys, kept for them: "$schema" and "//".
struct Remarks {
  std::optional<std::string> schema;
  std::optional<std::string> comment;

  friend bool operator==(const Remarks&, const Remarks&) = default;
};

/// With a mapping an *instance*, without one a *problem*.
struct Document {
  Application application;
  Platform platform;
  std::optional<Mapping> mapping;
  std::vector<PartTransfer>
      transfers{};  // of the mapping, none twice; others are not ahead and have room without limit
  // All transfers of the mapping as resources handle them within a data set, each behind those that bring the files of
  // its sender (tpn::with_order); none: by sender, then receiver.
  std::vector<TransferEnds> order{};
  std::optional<Rational> predicted_period;
  std::optional<HeuristicRecord> heuristic;
  std::optional<Model> model;
  TimeUnit time_unit = TimeUnit::own;
  std::map<std::string, Remarks> remarks;  // by the JSON pointer of the object that has them

  friend bool operator==(const Document&, const Document&) = default;
};

}  // namespace takt::tpn
