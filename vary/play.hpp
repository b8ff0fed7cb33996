// One group of copies played from an empty net, under several arrivals with the same luck.
//
// Problem. When is each data set delivered if durations are drawn, data sets arrive at given times, and every operation
// starts as early as it may?
//
// Method. Operations are played by data set, then column, as takt's exact plays are (evaluators/play/firing.hpp), in
// doubles: an end is the latest end of what the operation waits for and of the data set's arrival, plus the duration.
// kLanes copies stand side by side, and all scenarios with them: what is drawn is drawn once.
//
// Ends. Where transfers are ahead, or batches wait for later data sets, a stream of data sets goes on behind the last
// that is counted, and rounds before a column's first have data sets that arrived long ago: they fill the net. A table
// of arrivals has its data sets alone, and those that fill the last batches: operations on others do not exist
// (evaluators/play/round_waits.hpp).
//
// Cost. For each operation and copy a draw, and for each dependence and scenario a comparison; memory for rings of
// recent ends, and for the latencies that are kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/kernel/instructions.hpp"
#include "evaluators/play/firing.hpp"
#include "maxplus/deadline.hpp"
#include "tpn/folded_net.hpp"
#include "vary/lanes.hpp"
#include "vary/law.hpp"
#include "vary/net_times.hpp"

namespace takt::vary {

/// When data sets arrive.
enum class ArrivalKind { periodic, poisson, table };

/// The pattern of arrivals, at a mean gap of 1; all scenarios stretch the same one.
struct Arrivals {
  ArrivalKind kind = ArrivalKind::periodic;
  /// Of `table`: when each data set arrives, the first at 0, ascending, one at least. Behind the last one they come
  /// again, as many gaps later as there are data sets.
  std::shared_ptr<const std::vector<double>> times{};
};

/// A way to feed the net: saturated without a gap, else at a mean gap in time units.
struct Scenario {
  std::optional<double> gap;
};

/// A net ready to be played. Copies share it; several threads may.
class PlayedNet {
 public:
  /// Keeps a reference to the net.
  PlayedNet(const tpn::FoldedNet& net, NetTimes times);

  const tpn::FoldedNet& net() const { return net_; }
  const NetTimes& times() const { return times_; }
  const evaluators::FiringPlan& plan() const { return plan_; }
  const std::vector<LawSampler>& samplers() const { return samplers_; }
  /// Whether a column has an operation by which a data set arrives, or by which it is delivered.
  bool is_entry(std::size_t column) const { return is_entry_[column]; }
  bool is_exit(std::size_t column) const { return is_exit_[column]; }
  std::uint64_t longest_shift() const { return longest_shift_; }

 private:
  const tpn::FoldedNet& net_;
  NetTimes times_;
  std::uint64_t longest_shift_;
  evaluators::FiringPlan plan_;
  std::vector<LawSampler> samplers_;  // by law
  std::vector<bool> is_entry_;
  std::vector<bool> is_exit_;
};

struct PlaySettings {
  std::uint64_t seed = 1;
  std::uint64_t data_sets = 1;
  std::uint64_t skipped = 0;  // data sets at the beginning that are not measured; fewer than data_sets
  Arrivals arrivals;
  evaluators::Instructions instructions = evaluators::Instructions::portable;
};

/// What a group of copies gave under a scenario.
struct PlayedScenario {
  /// By lane: (time of the last delivery among all data sets - the same among those skipped) / those measured.
  std::vector<double> periods;
  /// By lane, then data set measured: from arrival to delivery. Empty if it is saturated.
  std::vector<std::vector<double>> latencies;
};

/// The copies first_copy to first_copy + kLanes - 1, by scenario. Nothing if the deadline passes.
std::optional<std::vector<PlayedScenario>> play_copies(const PlayedNet& net, std::span<const Scenario> scenarios,
                                                       const PlaySettings& settings, std::uint64_t first_copy,
                                                       const maxplus::Deadline& deadline);

}  // namespace takt::vary
