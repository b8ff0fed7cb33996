// engine: the operations of one processor in a run, one at a time for each of its resources.
//
// Problem. A processor computes, receives and sends for the parts that it serves, as the communication model allows,
// in the order that the model prescribes; what it waits for comes from others, whenever it comes.
//
// Method. The resources of the model, each with its operations in (data set, column) order (docs/model.md), generated
// below the horizon that was granted. A resource does one after the other:
//
//   idle --file there--> posted --matched--> held until its end --> done
//
// A computation wants all files that its part takes, a sending the computation's, a reception nothing. A transfer is a
// rendezvous in the open, whatever messages are made of: the sender posts the file with the moment at which it was
// ready; the receiver, when its port is free, takes it and answers with the start, the later of both moments; both hold
// their ports for the duration. Deadlock cannot arise: see "dependences" in docs/model.md.
//
// A batch is one operation on several data sets: it wants the files of all of them. It computes one behind the other,
// each in its share of what the instance says of the batch, and passes all on at its end. The last of a run may be cut.
//
// Ports that processors share, other numbers of ports than one and segments are those of live/engine/host_ports.hpp.
// Where they alone handle a processor's transfers, each of these has a resource of its own from the moment on at which
// a port is free for it; where they stand beside the processor's own resource, that waits for them.
//
// Trap. Messages that need no receiver (MPI_Send of few bytes) make STRICT into another model, whose period is the
// largest cycle time. So nothing here relies on when a send returns.
//
// Cost. A search among the files in hand for each operation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "live/engine/host_ports.hpp"
#include "live/engine/messages.hpp"
#include "live/engine/packet.hpp"
#include "live/engine/route.hpp"
#include "live/engine/transport.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// When an operation starts: when this side sees that it can; at the later of two postings, on real clocks; or at the
/// ends of its predecessors, as those say that they ended, whatever real clocks say.
enum class Anchor { observed, agreed, logical };

/// Whether a transfer holds its ports for its duration, or as long as its message takes.
enum class LinkUse { emulated, real };

/// How the processors of a part take data sets: in turn, in the order of the mapping; or the first free one takes it.
enum class TurnOrder { in_turn, first_free };

struct EngineTerms {
  Anchor anchor = Anchor::agreed;
  LinkUse links = LinkUse::emulated;
  TurnOrder turns = TurnOrder::in_turn;
};

/// A computation that is done once more, on another processor, for the time that it takes.
struct Shadow {
  std::uint64_t data_set = 0;
  std::size_t part = 0;
  Ticks nominal = 0;  // on this processor, by the instance
  std::string input;
};

/// The input of a computation that has begun.
struct LentInput {
  std::uint64_t data_set = 0;
  std::size_t part = 0;
  std::string bytes;
};

/// One part on one data set.
struct PartCall {
  std::size_t part = 0;
  std::size_t first_stage = 1;  // no stages where first > last: source and sink
  std::size_t last_stage = 0;
  bool is_first = false;  // it gets the application's input
  Ticks nominal = 0;      // by the instance
  Ticks start = 0;
};

/// Does what a processor computes, one part of one data set at a time.
class Computer {
 public:
  Computer() = default;
  Computer(const Computer&) = delete;
  Computer& operator=(const Computer&) = delete;
  virtual ~Computer() = default;

  /// Begins; the end, where it is known beforehand.
  virtual std::optional<Ticks> begin(const PartCall& call, Packet packet) = 0;
  /// Whether what was begun is done, where its end was not known.
  virtual bool is_done() = 0;
  /// The result of what was begun, and is done, or whose end was known.
  virtual Packet take() = 0;
  /// What the stages took of what was taken last, in order; nothing if that is not known.
  virtual StageTimes stage_times() const { return {}; }
  /// Whether these stages have been called here before: what starts with its first call takes longer then.
  virtual bool is_warm(std::size_t /*first_stage*/, std::size_t /*last_stage*/) const { return true; }
  /// What the calls so far took, by stage; nothing if it is made up. Not while there is one.
  virtual std::vector<StageWork> work() const { return {}; }
};

/// Hears what an engine does.
class EngineObserver {
 public:
  EngineObserver() = default;
  EngineObserver(const EngineObserver&) = delete;
  EngineObserver& operator=(const EngineObserver&) = delete;
  virtual ~EngineObserver() = default;

  virtual void recorded(const Record& record) = 0;
  virtual void begun(std::size_t part, std::uint64_t data_set, Ticks start) = 0;
  virtual void computed(std::size_t part, std::uint64_t data_set, Ticks start, Ticks end) = 0;
  /// Nothing: it failed, or its stages had to start first.
  virtual void shadowed(std::size_t /*part*/, std::uint64_t /*data_set*/, Ticks /*start*/,
                        std::optional<Ticks> /*end*/) {}
  /// What a part leaves for the run's result; parts of a workflow together, where several do.
  virtual void delivered(std::size_t part, Packet packet, Ticks end) = 0;
  /// TurnOrder::first_free: the processor takes another file of its part; it has the file of a data set, and could send
  /// it. Each once, until the file comes, or a receiver is named.
  virtual void is_free(std::size_t /*part*/) {}
  virtual void has_file(std::size_t /*part*/, std::uint64_t /*data_set*/) {}
};

/// Whether an engine can carry out a model: its resources are all that there is, one for each processor or one for
/// each kind of operation.
bool can_run(const tpn::Model& model);

class Engine {
 public:
  /// Keeps references. The model can be run.
  Engine(std::size_t processor, const tpn::Model& model, EngineTerms terms, Transport& transport, Computer& computer,
         EngineObserver& observer);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  std::size_t processor() const { return processor_; }

  /// From this data set on, not before the last such one nor below the horizon, the mapping is this one.
  void add_route(std::uint64_t first_data_set, std::shared_ptr<const Route> route);
  /// Likewise, the only one, with the ports that it uses; nobody is told of turns from the data set `end` on.
  void add_route(std::uint64_t first_data_set, std::shared_ptr<const Route> route, HostPorts ports, std::uint64_t end);
  /// The application's input of a data set, not granted yet, that begins here.
  void give(std::uint64_t data_set, std::string input);
  /// Data sets below the horizon may begin, those that it adds not before `time`. There is a route.
  void grant(std::uint64_t horizon, Ticks time);
  /// All data sets may begin, where this processor begins none: others tell by their files. There is a route, the only
  /// one.
  void grant_all();
  /// There are no data sets from this one on; those before it are granted.
  void end_at(std::uint64_t data_sets);

  /// TurnOrder::first_free: what comes next at this processor, which has said that it is free, or has the file. There
  /// is one route, in which it serves one part. A data set begins here; its file goes to the receiver, or comes from
  /// the sender, in `duration`.
  void begin(std::uint64_t data_set, std::string input, Ticks time);
  void pass(std::uint64_t data_set, std::size_t receiver, Ticks duration);
  void take(std::uint64_t data_set, std::size_t sender, Ticks duration);

  /// Keeps the input of its latest computation from now on, for others to repeat it.
  void keep_inputs() { keeps_inputs_ = true; }
  /// Nothing if there is none, or it is larger than 16 MB.
  const std::optional<LentInput>& latest_input() const { return latest_input_; }
  /// Computes the shadow as soon as what is being computed is done, and throws the result away. Its route is known.
  void shadow(Shadow shadow);

  /// Does all that can be done now.
  StepResult step();
  /// The operations that it is at: computations, and files that wait for their receivers.
  std::vector<Holding> holdings() const;
  /// What it has been at since the first route was there, and is at now.
  RankState state() const;
  /// Whether everything below the horizon is done.
  bool is_idle() const;

 private:
  struct Task;
  struct Server;

  const Route& route_of(std::uint64_t data_set) const;
  void generate(Server& server, std::uint64_t round);
  void generate_computation(Server& server, std::size_t column, std::uint64_t data_set);
  void cut_batches(Server& server) const;
  bool is_internal(const Route& route, std::size_t column, std::uint64_t data_set) const;
  std::uint64_t place_number(const Task& reception);
  std::optional<Ticks> place_since(const Task& reception);
  void take_place(const Task& reception);
  void free_places(const Task& computation, Ticks end);
  bool has_task(Server& server);
  std::uint64_t last_round(std::uint64_t data_set) const;
  std::optional<Ticks> ready_since(const Task& task);
  StepResult advance(Server& server);
  StepResult advance_transfers();
  template <typename Visit>
  void for_each_server(Visit visit) const;
  bool waits_for_answer(const Task& task) const;
  std::optional<Ticks> turn_from(const Task& task) const;
  bool knows_ends() const;
  bool hear_ports();
  // Of turns at a port by which the processor sends, or receives, or, from 1, at a segment.
  struct Place {
    std::size_t segment = 0;
    bool sends = true;

    friend auto operator<=>(const Place&, const Place&) = default;
  };
  const PortTurns* turns_at(const Place& place) const;
  void open_turn(const Place& place, const tpn::Operation& turn, Ticks since);
  void pass_turn(const Place& place, const tpn::Operation& turn, Ticks since);
  void pass_turns_of(const Task& task, Ticks end);
  void pass_turns_beyond();
  Server& add_transfer(const tpn::Operation& operation, Ticks since);
  void receive_free_file(FreeFileMessage message);
  void send_file(Server& server, Packet packet);
  std::optional<AnswerMessage> take_answer(const Task& task);
  std::optional<FileMessage> take_file(const Task& task);
  bool post(Server& server);
  void compute(Server& server);
  bool compute_next(Server& server);
  void begin_member(Server& server, Ticks start);
  Packet member_result(Server& server);
  bool match(Server& server);
  void hold(Server& server, Ticks start);
  bool match_sending(Server& server);
  bool match_reception(Server& server);
  bool is_over(Server& server, StepResult& result);
  void finish(Server& server);
  void finish_batch(Server& server, const Task& task);
  void begin_shadow(Server& server);
  void finish_shadow(Server& server);
  void finish_computation(const Task& task, Packet packet, Ticks end);
  void pass_on(const Route& route, std::uint64_t data_set, std::size_t column, Packet packet, Ticks end);
  void begin_here(std::uint64_t data_set, Ticks time);
  void add_input(std::uint64_t data_set, std::size_t part, Packet packet, Ticks since);
  void set_own_part(const Route& route);
  Server& server_for(bool Server::*handles);
  bool can_take();
  bool tell_turns();
  Activity activity() const;
  void account();

  std::size_t processor_;
  EngineTerms terms_;
  Transport& transport_;
  Computer& computer_;
  EngineObserver& observer_;
  std::vector<Server> servers_;
  std::optional<HostPorts> ports_;
  std::uint64_t turns_end_ = 0;
  std::list<Server> transfers_;  // under way, or waiting for their files, at ports alone
  // Turns of the processor's own, since when: at ports beside its own resource, and at segments.
  std::map<std::pair<Place, tpn::Operation>, Ticks> open_;
  std::map<tpn::Operation, FileMessage> early_files_;      // of transfers that begin later than others behind them
  std::map<tpn::Operation, AnswerMessage> early_answers_;  // likewise
  static constexpr std::uint64_t kAll = std::numeric_limits<std::uint64_t>::max();

  std::uint64_t received_ = kAll;  // where all are granted: below it files have come
  std::uint64_t horizon_ = 0;      // below it data sets are granted
  std::uint64_t end_ = kAll;       // there are none from this one on
  bool keeps_inputs_ = false;
  std::optional<LentInput> latest_input_;
  bool is_in_turn() const { return terms_.turns == TurnOrder::in_turn; }
  std::optional<std::size_t> own_part_;  // the one that it serves, first free
  bool shares_part_ = false;
  bool has_said_free_ = false;
  bool has_said_file_ = false;
  std::deque<Shadow> shadows_;                                                  // of tasks to come, in order
  std::vector<std::pair<std::uint64_t, std::shared_ptr<const Route>>> routes_;  // by first data set

  struct File {
    Packet packet;
    Ticks since = 0;
  };
  struct Inputs {
    std::vector<Packet> packets;
    Ticks since = 0;  // the last of them
  };
  // Files have places in the order of their data sets, in whatever order ports take them: the n-th that of the n-th
  // before it, `room` of them between.
  struct Places {
    std::uint64_t next_data_set = 0;  // that has no number yet
    std::uint64_t next_number = 0;
    std::map<std::uint64_t, std::uint64_t> numbers;  // by data set, of receptions to come
    std::uint64_t computed = 0;                      // files
    std::map<std::uint64_t, Ticks> freed;            // by number, when; without those that were taken again
  };
  std::map<std::size_t, Places> places_;  // by column, where its receivers have room for few files

  using FileKey = std::pair<std::uint64_t, std::size_t>;  // data set, and part or column
  std::map<std::uint64_t, std::string> given_;            // by data set, until it is granted
  std::map<FileKey, Inputs> inputs_;                      // of computations to come, by part
  std::map<FileKey, File> outputs_;                       // of computations, to be sent, by column
  RankState past_;                                        // up to since_
  Activity activity_ = Activity::starved;                 // from then on
  Ticks since_ = 0;
};

}  // namespace takt::live
