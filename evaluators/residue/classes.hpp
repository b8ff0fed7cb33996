// Start times of residue classes, raised until they keep every precedence at a given period.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "evaluators/residue/kernels.hpp"
#include "evaluators/residue/rises.hpp"
#include "evaluators/residue/system.hpp"

namespace takt::evaluators {

using maxplus::modulo;

/// The magnitude that sums of starts and weights in Number stay below: 2^62 in 64 bits, 2^126 in 128.
template <typename Number>
Integer largest_number();

/// One start for every residue class of every node, relative to the candidate period: the operation of node v on data
/// set j starts at candidate * j + start(v, j mod modulus(v)), in units of 1 / factor() net units. Starts only rise,
/// and only as far as some precedence demands. Number holds them: std::int64_t, Int128 or Integer.
template <typename Number>
class Classes {
 public:
  /// All starts 0. Keeps a reference to the system, of whose least moduli `moduli` are multiples, by node.
  Classes(const ResidueSystem& system, const std::vector<std::uint64_t>& moduli, const Deadline& deadline = {});

  /// True once the deadline has passed in the middle of a step: starts and candidate period then prove nothing, and
  /// steps end soon.
  bool is_out_of_time() const { return is_out_of_time_; }

  /// The candidate period in net units per data set; factor() becomes its denominator. False if starts or weights at
  /// this candidate period are beyond Number: then nothing but visits() and moduli() means anything any more.
  bool set_candidate(const Rational& candidate);

  /// An estimate of the bytes that a start takes, and that everything else takes but the starts.
  double bytes_per_start() const;
  double other_bytes() const;

  std::uint64_t modulus(std::size_t node) const { return moduli_[node]; }
  const std::vector<std::uint64_t>& moduli() const { return moduli_; }
  const std::vector<Number>& starts(std::size_t node) const { return starts_[node]; }
  const Integer& factor() const { return factor_; }

  /// Classes visited so far, in all steps together.
  double visits() const { return visits_; }
  /// Those that others visited on behalf of these classes.
  void add_visits(double visits) { visits_ += visits; }

  const Number& start_of(std::size_t node, std::int64_t data_set) const {
    return starts_[node][modulo(data_set, moduli_[node])];
  }
  /// The start that a precedence demands of the operation it leads to, by its data set at the source.
  Number end_of(std::size_t k, std::int64_t source) const {
    const Precedence& precedence = system_.precedences[k];
    return start_of(precedence.from, source) + weight_of(k, modulo(source, precedence.weights->size()));
  }

  /// Splits the classes of a node; each inherits its start. The new modulus is a multiple of the old one.
  void refine(std::size_t node, std::uint64_t modulus);

  /// Sees to the precedences into nodes first..last on the next `rows` data sets, in the order of data sets and
  /// columns, the way the net itself would run; notes what rose, at least once per chunk of rows. Returns whether a
  /// start rose; nothing, having done nothing, if the sums may be beyond Number.
  std::optional<bool> roll(std::size_t first, std::size_t last, std::uint64_t rows, Rises& rises);

  /// Holds every precedence whose source classes rose against all classes it leads to; notes what rose. Returns
  /// whether a start rose: if none did, now or since, all precedences are kept. Nothing, having done nothing, if
  /// the sums may be beyond Number.
  std::optional<bool> close(Rises& rises);

 private:
  static constexpr std::uint64_t kChunk = 64;

  // Where a precedence's sources and weights stand on the current data set.
  struct Arriving {
    std::size_t precedence = 0;
    const Number* sources = nullptr;
    const Number* weights = nullptr;
    std::uint64_t source_modulus = 1;
    std::uint64_t weight_period = 1;
    std::uint64_t source = 0;
    std::uint64_t weight = 0;
  };
  struct RollingNode {
    std::size_t node = 0;
    Number* starts = nullptr;
    std::uint64_t modulus = 1;
    std::uint64_t at = 0;
    std::vector<Arriving> plain;
    std::vector<Arriving> guarded;
    bool rose = false;
  };

  // Scaled weights along the same columns; those of precedences without guards are less their candidate periods, too.
  struct WeightTable {
    const tpn::DurationTable* durations = nullptr;
    std::uint64_t height = 0;
    std::vector<Number> values;
  };

  Number weight_of(std::size_t k, std::uint64_t residue) const {
    return tables_[table_[k]].values[residue] - allowances_[k];
  }
  const Number* weights_of(std::size_t k) const { return tables_[table_[k]].values.data(); }
  bool passes_deadline(double steps) {
    return is_out_of_time_ = is_out_of_time_ || watch_.has_passed(steps * steps_per_number_);
  }
  void list_tables();
  bool scale(WeightTable& table, const Rational& candidate);
  bool scale_natively(std::span<const std::int64_t> durations, std::int64_t allowances, std::vector<Number>& values);
  bool rescale(const Integer& factor);
  bool has_room(const Integer& sums);
  void measure();
  RollingNode rolling_node(std::size_t v);
  std::uint64_t raise_by(Number* starts, const Number* sources, const Number* weights, std::uint64_t count) const;
  std::uint64_t raise_to(Number* starts, const Number* ends, std::uint64_t count) const;
  std::optional<std::int64_t> advance(RollingNode& node, std::int64_t data_set, std::uint64_t length);
  std::optional<std::int64_t> advance_plain(RollingNode& node, std::int64_t data_set, std::uint64_t count);
  std::optional<std::int64_t> advance_guarded(const RollingNode& node, std::int64_t data_set, std::uint64_t count);
  std::optional<std::int64_t> examine(std::size_t k);
  void gather_ends(std::size_t k, std::uint64_t g);
  std::optional<std::int64_t> raise_to_ends(std::size_t k, std::uint64_t g);

  const ResidueSystem& system_;
  std::vector<std::uint64_t> moduli_;
  std::vector<std::vector<Number>> starts_;
  std::vector<WeightTable> tables_;
  std::vector<std::size_t> table_;  // by precedence
  std::vector<Number> allowances_;  // by precedence: candidate * height, 0 if the table has it
  Integer factor_ = 1;
  Integer most_ = 0;     // no weight is larger
  Integer highest_ = 0;  // no start is larger
  std::uint64_t chunk_ = kChunk;
  std::int64_t next_ = 0;                // the data set that the next roll starts with
  std::vector<std::uint64_t> raised_;    // by node: grows whenever a start rises
  std::vector<std::uint64_t> examined_;  // by precedence: raised_ of its source when it was last examined
  std::vector<Number> ends_;             // by residue, of the precedence being examined
  const Number lowest_;                  // below every start, and far enough from the end of Number
  double visits_ = 0;
  const ResidueKernels& kernels_ = residue_kernels();
  maxplus::DeadlineWatch watch_;
  double steps_per_number_ = 1;  // more where numbers are long
  bool is_out_of_time_ = false;
};

extern template class Classes<std::int64_t>;
extern template class Classes<Int128>;
extern template class Classes<Integer>;

}  // namespace takt::evaluators
