// The communication models: each is a row of data, from which the dependences of its folded net follow.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

class ServiceIndex;

/// Collects the dependences of a model over a pipeline.
class DependenceList {
 public:
  /// Keeps a reference to the pipeline. Collects at most `limit` steps of circuits, and none once the deadline has
  /// passed.
  DependenceList(const Pipeline& pipeline, std::uint64_t limit, const maxplus::Deadline& deadline = {});

  const Pipeline& pipeline() const { return pipeline_; }

  /// All that a model has.
  void add_model(const Model& model);
  /// Every operation waits for its data set's operation in the column before.
  void add_flow();
  /// Every resource of this kind handles one operation at a time, in the order of data sets and,
  /// within a data set, of columns: each operation of its circuit waits for the one before. Of n ports each takes every
  /// n-th: an operation waits for the n-th before it.
  void add_circuits(ConstraintKind kind);
  /// Every processor has room for `rooms` files before, and behind, the computations of each part that it serves: it
  /// receives its (n + rooms)-th file no sooner than it has computed with the n-th, and computes the (n + rooms)-th no
  /// sooner than it has sent the n-th. The source, the sink and transfers within a processor need no room.
  void add_rooms(std::uint64_t rooms);
  /// The same for these buffers alone, each with its own room, at least 1; none stands there twice.
  void add_rooms(std::span<const Buffer> buffers);
  /// At most `window` data sets, at least 1, are under way, delivered in order: at each part that receives nothing data
  /// set j starts no sooner than, at each part that sends nothing, the last m have ended of those up to j - window, m
  /// the length of that part's sequence. Throws InvalidInstance if no data set would be delivered, because of what
  /// is ahead or of batches.
  void add_window(std::uint64_t window);
  /// Any further dependence.
  void add(const Dependence& dependence);

  /// Why the list is incomplete, if it is.
  const std::optional<TooLarge>& too_large() const { return too_large_; }
  /// The dependences, sorted, guards merged to their smallest period, unless the deadline passes before all are; and
  /// the resources, each with its cycle time, by first column, then naturally by name. The list is spent afterwards.
  std::vector<Dependence> take_dependences();
  std::vector<Resource> take_resources();

 private:
  enum class CircuitsOf { all, ports_beside, open_ends };

  void reserve_for(const Model& model);
  void add_circuits(ConstraintKind kind, CircuitsOf which);
  void add_ports_beside(const Model& model);
  // After `steps` further steps.
  bool is_out_of_time(std::size_t steps);
  void add_files_of_batches(const NetPart& part, ColumnIndex transfer, bool are_received);
  void add_room(const ServiceIndex& services, const Buffer& buffer);

  const Pipeline& pipeline_;
  std::uint64_t limit_;
  maxplus::DeadlineWatch watch_;
  std::uint64_t steps_ = 0;
  std::vector<Dependence> dependences_;
  std::vector<Resource> resources_;
  std::optional<TooLarge> too_large_;
};

/// A communication model. Its dependences are the flow, the circuit of each resource, and the further ones that it
/// lists; cycle times and loads follow from its resources.
struct CommunicationModel {
  std::string_view name;   // for users: --model, documents, certificates
  std::string_view title;  // for headings; `title_of` adds the room
  /// Which operations of a processor exclude one another: a resource of each kind for every processor. Operations that
  /// none of them handles take place whenever their files are there.
  std::span<const ConstraintKind> resources;
  /// Whether Model::rooms limits the files before and behind computations.
  bool has_rooms = false;
  /// Lists dependences beyond these, if there are any. What follows from cycle times alone does not hold then.
  void (*further)(DependenceList& dependences, const Model& model) = nullptr;
};

/// The most files that a model may have room for: each is a token of the net.
inline constexpr std::uint64_t kMostRooms = 1000;

/// All models by name.
std::span<const CommunicationModel> communication_models();

/// The models that a command answers for where nobody says which.
std::span<const Model> default_models();

std::string_view name_of(const Model& model);
/// "strict", "bounded, room 2": for tables and messages.
std::string label_of(const Model& model);
/// "STRICT ONE-PORT", "BOUNDED ONE-PORT, ROOM FOR 2 FILES".
std::string title_of(const Model& model);
/// The model of that name, if there is one, with room for one file where it has rooms.
std::optional<Model> find_model(std::string_view name);
/// The same model with that much room, from 1 to kMostRooms; it must have rooms.
Model with_rooms(const Model& model, std::uint64_t rooms);
/// OVERLAP with buffers for `rooms` files before and behind each computation.
Model bounded_model(std::uint64_t rooms);

/// Whether one resource of a processor handles all of its operations, as under STRICT.
bool shares_processors(const Model& model);
/// Whether a resource of its own handles each kind of a processor's operations, as under OVERLAP.
bool separates_operations(const Model& model);
/// The ports that count beside processors where transfers occupy these as computations do: of hosts with several
/// processors, and of a source or sink with another number of ports than one (Pipeline::has_ports_beside), whose
/// computations, which take no time, are a resource of their own then.
std::vector<ConstraintKind> ports_beside(const Model& model);
/// Whether circuits of resources are all that there is beyond the flow.
bool is_resources_only(const Model& model);
/// Whether the period of a mapping without replication, no processor in two parts, is the largest `lone_cycle_time`.
bool follows_cycle_times(const Model& model);

/// A model whose cycle times of single processors bound the period: itself where ports do (do_ports_bound,
/// tpn/hosts.hpp), or where transfers occupy processors, else one that knows computations alone.
Model bounding_model(const Model& model, bool do_ports_bound);

/// The longest that a resource of a processor is busy which receives, computes and sends for so long.
template <typename Time>
Time cycle_time(const Model& model, const Time& receive, const Time& compute, const Time& send) {
  Time longest = 0;
  for (const ConstraintKind kind : model->resources) {
    Time busy = 0;
    if (handles_receptions(kind)) busy += receive;
    if (handles_computations(kind)) busy += compute;
    if (handles_sendings(kind)) busy += send;
    if (longest < busy) longest = busy;
  }
  return longest;
}

/// The time between data sets that a processor allows which serves one part alone: the longest cycle time of its
/// resources, or what its rooms allow: a file that waits for room closes a circuit of two neighboring columns, which
/// holds as many data sets as there is room (docs/model.md). For models that follow_cycle_times.
Rational lone_cycle_time(const Model& model, const Rational& receive, const Rational& compute, const Rational& send);

/// Some of what a processor does with a data set, which may not overlap.
struct ExclusiveOperations {
  bool receive = false;
  bool compute = false;
  bool send = false;
};

/// Of each of a processor's resources: `cycle_time` is the largest sum over one of these.
std::vector<ExclusiveOperations> resource_operations(const Model& model);

}  // namespace takt::tpn
