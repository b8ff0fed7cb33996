// The coordinator of a run: lets data sets begin, takes what is delivered, in order, and says when it is over.
//
// Problem. Buffers have an end, so data sets must not begin without limit; results arrive out of order; and one
// process must know when all is done.
//
// Method. Data set j may begin once all up to j - W have been delivered in order, W the window: the dependences of
// tpn::Capacity::window, so that an evaluation tells what it costs. Results wait until those before them are there.
// When the last is, all ranks are told to end and send what they recorded.
//
// A run that adapts (live/adaptation/adaptation.hpp) changes its mapping at the first data set that has not been let
// in: each resource works in (data set, column) order, so that data sets of the old mapping and of the new one never
// overtake one another, and nothing deadlocks, for the reason that docs/model.md gives. To roll is to go on letting
// data sets in; to drain is to wait until all that were let in are delivered.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "live/adaptation/adaptation.hpp"
#include "live/adaptation/stall_watch.hpp"
#include "live/engine/drawn_times.hpp"
#include "live/engine/input_feed.hpp"
#include "live/engine/messages.hpp"
#include "live/engine/participant.hpp"
#include "live/engine/transport.hpp"

namespace takt::live {

class FirstFree;

/// The state of a run, for display.
struct RunView {
  Ticks now = 0;              // since it began
  std::uint64_t next = 0;     // the data set that is to be delivered
  std::uint64_t horizon = 0;  // data sets below it were let in
  bool is_over = false;
  std::map<std::size_t, RankState> states;  // by processor, of those that have answered
  std::vector<Rational> beliefs;            // as Adaptation has them; empty for a run that does not adapt
  std::uint64_t mapping_from = 0;           // the first data set of the mapping
  tpn::Mapping mapping;                     // of data sets that are let in now
};

/// Takes the results of a run, each once, in order.
class ResultSink {
 public:
  ResultSink() = default;
  ResultSink(const ResultSink&) = delete;
  ResultSink& operator=(const ResultSink&) = delete;
  virtual ~ResultSink() = default;

  virtual void append(std::uint64_t data_set, const std::string& bytes) = 0;
  /// In place of a result: why there is none (StageFailure, encoded).
  virtual void append_failure(std::uint64_t /*data_set*/, const std::string& /*failure*/) {
    throw std::logic_error("a failure where stages cannot fail");
  }
  /// What a user should know of a stage while it runs.
  virtual void say(std::size_t /*stage*/, const std::string& /*words*/) {}
  /// The run stands still. May throw, to end it.
  virtual void stalled(const Standstill& /*stall*/) {}
  /// It does not any more: the data set was delivered after this time.
  virtual void resumed(std::uint64_t /*data_set*/, Ticks /*lasted*/) {}
  /// How the run stands, where CoordinatorTerms::looks_every asks for it.
  virtual void seen(const RunView& /*view*/) {}
};

struct CoordinatorTerms {
  std::uint64_t first_data_set = 0;
  std::uint64_t data_sets = 0;                    // up to this one, excluded; more than first_data_set
  std::uint64_t window = 0;                       // 0: none
  std::optional<Ticks> least_gap = std::nullopt;  // between data sets that are let in, on the average
  std::optional<StallTerms> stalls = std::nullopt;
  std::optional<Ticks> looks_every = std::nullopt;  // the sink sees the run so often, and when it is over
  /// When data sets arrive, since the run begins, or since its first data set does where that is a later one: none
  /// begins sooner. Not where inputs come by and by.
  ArrivalSource arrives = nullptr;
};

/// From a data set on, this mapping.
struct MappingFrom {
  std::uint64_t data_set = 0;
  tpn::Mapping mapping;
};

class Coordinator {
 public:
  /// Keeps references to the terms, the transport, the sink and the adaptation, null for a run that does not adapt. One
  /// that does wants a window, and RunTerms::tells_times, others must not have it. If there is a feed, inputs come
  /// from it, as long as there are any and fewer data sets than the terms have; it wants a window, too.
  /// If processors do not take turns, `first_free` chooses the next one, and nothing adapts.
  Coordinator(const RunTerms& terms, const CoordinatorTerms& coordination, tpn::Mapping mapping, Transport& transport,
              ResultSink& sink, Adaptation* adaptation = nullptr, InputFeed* feed = nullptr,
              FirstFree* first_free = nullptr);

  /// Throws std::runtime_error if what it is told is no news, or a result comes twice.
  StepResult step();
  /// So long it was stopped: that is no standstill.
  void forgive(Ticks time) {
    if (watch_) watch_->forgive(time);
  }
  /// All ranks have ended.
  bool is_over() const { return ended_ == terms_.processors.size(); }

  /// Once it is over: what each processor recorded, when the run began and each data set was delivered (the first is
  /// the first of this run), and the mappings.
  const std::vector<std::vector<Record>>& records() const { return records_; }
  /// Likewise what stages took, of those processors that have said so.
  const std::map<std::size_t, std::vector<StageWork>>& work() const { return work_; }
  Ticks begin_time() const { return begin_time_; }
  const std::vector<Ticks>& deliveries() const { return deliveries_; }
  const std::vector<MappingFrom>& mappings() const { return mappings_; }

 private:
  void begin();
  void find_versatile();
  std::vector<const std::vector<std::size_t>*> beginners() const;
  std::set<std::size_t> beginners_of(std::uint64_t from, std::uint64_t horizon) const;
  bool is_stream() const { return feed_ != nullptr && feed_->comes_by_and_by(); }
  void tell_all(const OrderMessage& order);
  void pass_on(const OrderMessage& order);
  void tell_grant(const OrderMessage& order);
  void hear(std::size_t processor, NewsMessage news);
  bool hear_of_turns(std::size_t processor, const NewsMessage& news);
  void let_in_free(Ticks time);
  void move_on();
  void hear_work(std::size_t processor, const std::string& bytes);
  void hear_records(std::size_t processor, const std::string& bytes);
  void hear_holdings(std::size_t processor, const std::string& bytes);
  void hear_state(std::size_t processor, const std::string& bytes);
  void gather(NewsMessage news);
  void take(NewsMessage news);
  bool waits_for(std::size_t processor, std::uint64_t horizon) const;
  void grant(Ticks time);
  std::uint64_t fed(std::uint64_t horizon);
  StepResult let_in();
  StepResult watch_for_stalls();
  void tell_last();
  void end_if_done();
  StepResult look();
  void show(Ticks now);
  std::uint64_t arrived();
  std::uint64_t turns() const;
  void take_turns(std::uint64_t count);
  StepResult adapt();
  StepResult ask_for_shadows();
  bool hear_of_times(std::size_t processor, NewsMessage& news);
  void hand_over(std::size_t processor, NewsMessage& news);
  void decide();

  struct Delivered {
    std::string bytes;
    Ticks end = 0;
    bool has_failed = false;
  };

  const RunTerms& terms_;
  CoordinatorTerms coordination_;
  Transport& transport_;
  ResultSink& sink_;
  Adaptation* adaptation_;
  InputFeed* feed_;
  FirstFree* first_free_;
  struct Beginning {
    std::string input;
    Ticks time = 0;
  };
  std::map<std::uint64_t, Beginning> beginnings_;  // of data sets that are let in, and that nobody has taken
  std::vector<MappingFrom> mappings_;
  std::set<std::size_t> versatile_;  // processors of a run that does not adapt (find_versatile)
  bool has_begun_ = false;
  bool has_told_last_ = false;
  bool is_draining_ = false;
  bool is_ending_ = false;
  Ticks begin_time_ = 0;
  Ticks let_in_ = 0;           // when data sets were let in last, where inputs or turns come by and by
  Ticks turn_ = 0;             // of the next data set, if there is a least gap
  Ticks origin_ = 0;           // of arrivals
  std::uint64_t arrived_ = 0;  // data sets below have arrived
  std::uint64_t next_ = 0;     // the data set that is to be delivered next
  std::uint64_t horizon_ = 0;  // data sets below may begin
  std::uint64_t granted_ = 0;  // what horizon_ was before
  Ticks latest_ = 0;           // when the last of those delivered was done
  std::optional<StallWatch> watch_;
  std::map<std::uint64_t, Delivered> waiting_;  // for those before them
  struct Gathered {
    std::map<std::size_t, Packet> packets;  // by part
    Ticks end = 0;                          // of the last of them
  };
  std::map<std::uint64_t, Gathered> gathered_;  // of workflows: data sets that some parts have delivered
  std::vector<Ticks> deliveries_;
  std::vector<std::vector<Record>> records_;
  std::map<std::size_t, std::vector<StageWork>> work_;  // by processor
  std::size_t ended_ = 0;
  Ticks next_look_ = 0;
  bool is_looking_ = false;                  // answers are still to come
  std::map<std::size_t, RankState> states_;  // the answers
};

}  // namespace takt::live
