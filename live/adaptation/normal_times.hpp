// What stages take while no processor has changed, and bets that a new time is one of these.
//
// Problem. Times vary by themselves, by an unknown law. Is a time that is longer than others a change?
//
// Method. The rank of a new time among n normal ones, counted from the slow end, has each value of 0 to n equally often
// if nothing has changed, whatever the law. A bet pays (c^e - a^e) / (c - a), (a, c] the time's place among the
// ranks: the mean of e u^(e-1) over that place. So its expected payment is 1 if nothing has changed, and a stake
// that begins at 1, is multiplied by each bet's payment and is renewed to 1 if it falls below reaches A at most t /
// A times in t times, in expectation.
//
// Trap. Stages of one data set are long together. The normal times of a part are sums along rows, each of one data set,
// and never sums of times of different data sets.
//
// Trap. Equal times must say nothing: a time amid equal ones has all their ranks, so constant times pay exactly 1.
//
// Cost. O(rows) for each time added, for each range of stages that was asked for; O(log rows) for a bet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace takt::live {

/// Stages of a part, both included.
struct StageRange {
  std::size_t first = 0;
  std::size_t last = 0;

  friend auto operator<=>(const StageRange&, const StageRange&) = default;
};

/// The end of the normal times at which a change is looked for.
enum class ChangeEnd { slow, fast };

class NormalTimes {
 public:
  /// Keeps the latest `most_rows` >= 1 rows.
  explicit NormalTimes(std::size_t stages, std::size_t most_rows = 1000);

  /// What stages from `first_stage` on took for a data set of this run, on a processor that is believed not to have
  /// changed. A second time of the same stage replaces the first.
  void add(std::uint64_t data_set, std::size_t first_stage, std::span<const double> times);
  /// What all stages took for one data set before this run.
  void add_earlier(std::span<const double> times);

  /// Forgets what these stages took, in all rows.
  void forget(StageRange stages);

  /// The sums of those rows that know all stages of the range, in order of size.
  const std::vector<double>& sums(StageRange stages) const;

  /// What the bet pays that the time is no normal one; 1 if fewer than five are known. `without`: a data set whose
  /// own row does not count, for one that was computed twice.
  double bet(StageRange stages, double time, ChangeEnd end, std::optional<std::uint64_t> without = {}) const;

 private:
  using Row = std::vector<std::optional<double>>;  // by stage

  Row& row_of(std::int64_t key);
  static std::optional<double> sum_of(const Row& row, StageRange stages);
  void set(std::int64_t key, std::size_t first_stage, std::span<const double> times);

  std::size_t stages_;
  std::size_t most_rows_;
  std::int64_t earlier_ = 0;
  std::map<std::int64_t, Row> rows_;                        // by data set; earlier ones are below 0
  mutable std::map<StageRange, std::vector<double>> sums_;  // of the ranges that were asked for
};

/// The median of all quotients of a time and a normal one of the same stages: the slowdown, where the normal times are
/// of a processor that has not changed. Nothing if there is no quotient.
struct SeenTime {
  StageRange stages;
  double time = 0;
};
std::optional<double> slowdown(const NormalTimes& normal, std::span<const SeenTime> seen);

/// Bets one after the other that a processor has changed towards one end.
class ChangeStake {
 public:
  explicit ChangeStake(ChangeEnd end) : end_(end) {}

  void see(const NormalTimes& normal, const SeenTime& seen, std::optional<std::uint64_t> without = {});
  /// Begins anew.
  void renew();

  double value() const { return value_; }
  /// Since it was 1.
  std::span<const SeenTime> since() const { return since_; }

 private:
  ChangeEnd end_;
  double value_ = 1;
  std::vector<SeenTime> since_;
};

}  // namespace takt::live
