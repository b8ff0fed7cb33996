// A processor's rank in a run: its engine, the coordinator's orders to it and its news to the coordinator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "live/engine/engine.hpp"
#include "live/engine/messages.hpp"
#include "live/engine/stage_files.hpp"
#include "live/engine/stage_words.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/problem_view.hpp"

namespace takt::live {

/// What all ranks of a run know.
struct RunTerms {
  tpn::Model model = tpn::Model::kOverlap;
  EngineTerms engine;
  Rational ticks_per_unit;
  std::vector<std::size_t> processors;         // that take part: all that any mapping of the run may name
  std::size_t coordinator = 0;                 // its address: the number of processors, source and sink included
  std::vector<std::size_t> sources;            // their addresses, in turn, where data sets begin there
  std::vector<std::size_t> entry_parts = {0};  // parts of the mapping where data sets begin, unless there are sources
  std::size_t deliverers = 1;                  // parts whose results together are a data set's
  bool is_ahead = false;                       // transfers are: who takes them is told when there are no more
  DurationSource durations{};                  // that are drawn; none: those of the instance
  StageFlow flow{};                            // of the application
  TextForm results = TextForm::sized;          // of data sets that several exits deliver
  bool keeps_records = true;                   // of each operation
  bool tells_times = false;                    // news of each computation, for a coordinator that adapts
  bool lends_inputs = false;                   // likewise, for shadows
  bool tells_last_state = false;               // how it stands where it ends, without being asked
  std::uint64_t data_sets = std::numeric_limits<std::uint64_t>::max();  // there are none from this one on, or more
};

/// Where a processor stands when routes and the end go from one to the next: the coordinator tells some, each of them
/// some others. The addresses of its parent and of its children. In a run that adapts the coordinator tells all,
/// for routes and grants must come in order then.
struct OrderTree {
  std::size_t parent = 0;
  std::vector<std::size_t> children;
};
OrderTree order_tree(const RunTerms& terms, std::size_t processor);
/// Whom the coordinator tells.
std::vector<std::size_t> first_told(const RunTerms& terms);

class Participant : private EngineObserver {
 public:
  /// Keeps references. Messages about stages go to the coordinator if there is a queue for them.
  Participant(std::size_t processor, const tpn::ProblemView& problem, const RunTerms& terms, Transport& transport,
              Computer& computer, StageWordQueue* words = nullptr);

  /// Throws std::runtime_error if what it is told, or a file, is not what it must be.
  StepResult step();
  /// Told to end, and nothing is left to do.
  bool is_over() const { return is_over_; }

 private:
  bool hear(std::size_t from);
  void pass_on(const OrderMessage& order);
  void follow(const OrderMessage& order);
  void drive_engine(const OrderMessage& order);
  void add_route(const OrderMessage& order);
  void lend(std::uint64_t to);
  void shadow(const OrderMessage& order);
  void tell(const NewsMessage& news);
  void tell_news();

  void recorded(const Record& record) override {
    if (terms_.keeps_records) records_.push_back(record);
  }
  void begun(std::size_t part, std::uint64_t data_set, Ticks start) override;
  void computed(std::size_t part, std::uint64_t data_set, Ticks start, Ticks end) override;
  void shadowed(std::size_t part, std::uint64_t data_set, Ticks start, std::optional<Ticks> end) override;
  void delivered(std::size_t part, Packet packet, Ticks end) override;
  void is_free(std::size_t part) override;
  void has_file(std::size_t part, std::uint64_t data_set) override;

  const tpn::ProblemView& problem_;
  const RunTerms& terms_;
  Transport& transport_;
  Computer& computer_;
  std::size_t processor_;
  Engine engine_;
  StageWordQueue* words_;
  std::vector<Record> records_;
  std::vector<NewsMessage> news_;  // of this step
  OrderTree tree_;
  std::optional<std::uint64_t> last_;  // Order::last, which may come before the route
  bool has_route_ = false;
  std::map<std::uint64_t, std::shared_ptr<const Route>> routes_;  // by first data set, where inputs are lent
  bool is_ending_ = false;
  bool is_over_ = false;
};

}  // namespace takt::live
