// Which operations a Gantt chart shows: a schedule, a window of it, and what the window is.
//
// Paced. Data sets are let in evenly (evaluators/insight/paced.hpp). Time 0 is where the first step of the critical
// circuit that was found starts, and data sets have its numbers, so those before it may be negative. Without wishes the
// window is one lap of that circuit. At the period all its waits are tight in every schedule, so its operations follow
// each other without a gap from one end of the window to the other: the chart is the proof that nothing can be faster.
//
// Start-up. Every operation as early as it may, from an empty pipeline at time 0 (evaluators/play/play.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/insight/paced.hpp"
#include "tpn/folded_net.hpp"

namespace takt::tools {

/// An operation in a chart; data sets may be negative.
struct ChartOperation {
  maxplus::Integer data_set;
  tpn::ColumnIndex column;
  maxplus::Rational start;  // on the chart's time axis, in time units
  maxplus::Rational end;
  bool is_critical = false;  // of the critical circuit that was found
};

/// The first round of a column from its data set 0 on with the same processors and durations as a data set, which may
/// be negative.
std::uint64_t representative(const tpn::Pipeline& pipeline, tpn::ColumnIndex column, const maxplus::Integer& data_set);

struct TimeWindow {
  maxplus::Rational from;
  maxplus::Rational to;
};

/// Sees an operation; whether to go on.
using ChartVisit = std::function<bool(const ChartOperation&)>;

/// A schedule whose operations can be asked for by time.
class ChartSchedule {
 public:
  ChartSchedule() = default;
  ChartSchedule(const ChartSchedule&) = delete;
  ChartSchedule& operator=(const ChartSchedule&) = delete;
  virtual ~ChartSchedule() = default;

  /// Visits, by no order that counts, the operations that take some time within a window; and those without duration
  /// in it, its end excluded. False if a visit said so, or where the window is too far away to get there.
  virtual bool for_each(const TimeWindow& window, const ChartVisit& visit) const = 0;
};

/// The paced schedule on the time axis of a critical circuit.
class PacedChart : public ChartSchedule {
 public:
  /// Keeps references to all three. The schedule is one of the net, and the circuit a critical one.
  PacedChart(const tpn::FoldedNet& net, const evaluators::PacedSchedule& paced,
             const evaluators::CriticalCircuit& circuit);

  bool for_each(const TimeWindow& window, const ChartVisit& visit) const override;

  /// One lap of the circuit: until durations repeat as well.
  const maxplus::Integer& lap_steps() const { return lap_steps_; }
  const maxplus::Integer& lap_data_sets() const { return lap_data_sets_; }
  maxplus::Rational lap_time() const { return paced_.period * maxplus::Rational(lap_data_sets_); }
  const maxplus::Rational& period() const { return paced_.period; }
  /// A step of the circuit, from 0 on, lap after lap.
  ChartOperation step(const maxplus::Integer& number) const;
  /// When data set 0 is let in.
  const maxplus::Rational& entry() const { return entry_; }

 private:
  ChartOperation operation(const maxplus::Integer& round, tpn::ColumnIndex column) const;
  bool is_critical(const maxplus::Integer& round, tpn::ColumnIndex column) const;

  const tpn::FoldedNet& net_;
  const evaluators::PacedSchedule& paced_;
  const evaluators::CriticalCircuit& circuit_;
  std::vector<maxplus::Integer> heights_before_;      // by step
  maxplus::Integer height_;                           // of all steps once
  std::vector<std::set<maxplus::Integer>> critical_;  // by column: rounds less the circuit's first, modulo height_
  maxplus::Integer lap_steps_;
  maxplus::Integer lap_data_sets_;
  maxplus::Rational entry_;
  // By column, in time units after a data set's release: no operation starts sooner, or ends later.
  std::vector<maxplus::Rational> earliest_start_;
  std::vector<maxplus::Rational> latest_end_;
};

/// The play from an empty pipeline.
class StartUpChart : public ChartSchedule {
 public:
  /// Operations that are played up to the end of a window.
  static constexpr std::uint64_t kMostPlayed = 2'000'000;

  /// Keeps a reference to the net. Data sets from `data_sets` on, if given, do not exist.
  explicit StartUpChart(const tpn::FoldedNet& net, std::optional<std::uint64_t> data_sets = std::nullopt)
      : net_(net), data_sets_(data_sets) {}

  /// By data set, then column. Entries that take no time let any number of data sets in at once: those after a whole
  /// hyper-period of which nothing takes time in the window are left out.
  bool for_each(const TimeWindow& window, const ChartVisit& visit) const override;

  /// By when the first data sets are done: for 1, 2, ... of them, up to `most`.
  std::vector<maxplus::Rational> completions(std::uint64_t most) const;

  /// The operations of data set 0, by column.
  std::vector<ChartOperation> first_data_set() const;

 private:
  const tpn::FoldedNet& net_;
  std::optional<std::uint64_t> data_sets_;
};

/// The operations of a window by data set, then column; nothing if there are more than `most`, or it is too far
/// away.
std::optional<std::vector<ChartOperation>> operations_in(const ChartSchedule& schedule, const TimeWindow& window,
                                                         std::size_t most);

}  // namespace takt::tools
