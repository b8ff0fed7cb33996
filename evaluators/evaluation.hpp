// What every evaluator answers: bounds on the period, a critical circuit and what proves them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "evaluators/potential_schedule.hpp"
#include "maxplus/deadline.hpp"
#include "tpn/folded_net.hpp"

namespace takt::maxplus {
struct CycleRatioSolver;  // maxplus/solvers.hpp
}

namespace takt::evaluators {

using maxplus::Integer;
using maxplus::Rational;

/// How to evaluate; `automatic` chooses by what each method is estimated to cost.
enum class Method { automatic, unfold, pattern, sweep, residue, potentials, simulate };

std::string_view name_of(Method method);

using maxplus::Deadline;
using maxplus::has_passed;

/// Memory that a search may take by default: 4 GiB.
inline constexpr std::uint64_t kDefaultMemory = std::uint64_t{4} << 30;

struct Options {
  Method method = Method::automatic;
  /// Of `unfold` and `pattern`, one of maxplus::cycle_ratio_solvers(). Null stands for maxplus::default_solver(), in
  /// place of which `pattern` searches by itself.
  const maxplus::CycleRatioSolver* solver = nullptr;
  /// Rows beyond which the answer is an interval; by default what keeps the method within some
  /// seconds and a few hundred megabytes.
  std::optional<std::uint64_t> max_rows;
  Deadline deadline;
  /// Bytes that a search may take; its answer is an interval beyond.
  std::uint64_t max_memory = kDefaultMemory;
  /// Threads that a method may use where it pays; 0: as many as OpenMP would. The answer is the same for all.
  int threads = 0;
};

/// One step of a closed walk of the folded net: the operation of `column`, followed by an operation
/// `height` data sets later.
struct CircuitStep {
  tpn::ColumnIndex column;
  std::uint64_t height = 0;
};

/// A closed walk of dependences. Its first operation is on `data_set`; the data sets never decrease,
/// and after the last step it starts anew, the sum of the heights later.
struct CriticalCircuit {
  std::uint64_t data_set = 0;
  std::vector<CircuitStep> steps;
  Integer laps = 1;                     // through the steps, until the durations repeat as well
  std::optional<std::size_t> resource;  // index into FoldedNet::resources, where it is that one's own
};

/// One clock per token: when each resource is free to start its first operation, in time units.
struct ResourceClocks {
  std::vector<Rational> values;  // as FoldedNet::resources
};

/// Start times of every transition within the first hyper-period: starts[row * columns + column] * unit, in time units.
struct RowSchedule {
  tpn::DurationTable starts;
  Rational unit;
};

/// The same where no circuit leaves its column: the clocks of a column's resources prove it over the rows
/// after which the column repeats, however many the net has.
struct ColumnClocks {
  std::vector<Rational> values;  // as FoldedNet::resources
  /// Columns whose longest duration is at most M_ct times the least height of their dependences. Their resources have
  /// no values here: certificates give each the latest end of its last operation before data set 0 in the schedule
  /// that starts data set j at M_ct * j.
  std::vector<std::size_t> slack_columns;
};

/// start(c, j) = starts[c][j mod K] / unit + upper * j, in time units, K = starts[c].size() classes; K need not be a
/// multiple of anything.
struct ClassSchedule {
  std::vector<tpn::DurationTable> starts;  // by column
  Integer unit = 1;
};

/// Start times, or steps of a circuit, that a certificate may hold: it stays small.
inline constexpr std::uint64_t kCertificateNumbers = 10'000'000;

/// A schedule of that many start times that was proved, and is too large to keep.
struct LargeSchedule {
  Integer starts;
};

/// One data set after the other, every operation as slow as its column's slowest.
struct SequentialSchedule {};

using UpperWitness = std::variant<SequentialSchedule, ResourceClocks, RowSchedule, ColumnClocks, ClassSchedule,
                                  LargeSchedule, PotentialSchedule>;

/// The time limit was met.
struct OutOfTime {};

/// No limit was met, but the method proves no better bounds.
struct Unproved {};

/// The bounds are those of tpn/rates.hpp, and nothing proves more: why, a clause.
struct RatesOnly {
  std::string why;
};

/// Why an answer is an interval.
using Limit = std::variant<std::monostate, tpn::TooLarge, OutOfTime, Unproved, RatesOnly>;

/// From some data set on everything happens again, later by as much each time.
struct Repetition {
  std::uint64_t hyper_periods = 1;        // after which it happens again
  std::vector<std::uint64_t> transients;  // by column: the first data set from which its operations do
};

/// What playing the net has shown.
struct Measurement {
  Rational period;                    // growth, in time units per data set
  std::uint64_t data_sets = 0;        // played
  std::uint64_t hyper_periods = 0;    // whole ones among them; 0: not even one was affordable
  std::optional<Repetition> repeats;  // where it was seen
};

/// The answer for one net. Exact where lower == upper. The lower bound is the circuit's ratio, the upper
/// bound is what the witness attains.
struct Evaluation {
  Rational lower;  // time units per data set
  Rational upper;
  CriticalCircuit circuit;
  UpperWitness witness;
  std::size_t busiest = 0;            // index into FoldedNet::resources: the largest cycle time, earliest at a tie
  Method method = Method::automatic;  // the one that was used
  std::string why;                    // it was chosen, where `automatic` chose
  const maxplus::CycleRatioSolver* solver = nullptr;  // that found it; null if the method searched by itself
  Limit limit;                                        // none if exact
  std::optional<Measurement> measurement;             // by `simulate`

  bool exact() const { return lower == upper; }
};

}  // namespace takt::evaluators
