// What every operation waits for, over the data sets after which a net repeats: for longest paths at a period.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/kernel/numbers.hpp"

namespace takt::evaluators {

/// An operation class that another waits for: `vertex` is row * columns + column. The operation is `height` data sets
/// before the waiting one.
struct Wait {
  std::size_t vertex = 0;
  std::uint64_t height = 0;

  friend auto operator<=>(const Wait&, const Wait&) = default;
};

/// The waits of all operation classes, by the class that waits. Data sets that differ by a multiple of `rows` are
/// alike.
class OperationWaits {
 public:
  /// TooLarge beyond `most_operations` classes. Keeps a reference to the net.
  static std::variant<OperationWaits, tpn::TooLarge> make(const tpn::FoldedNet& net, std::uint64_t most_operations);

  const tpn::FoldedNet& net() const { return *net_; }
  std::uint64_t rows() const { return rows_; }
  std::size_t columns() const { return net_->pipeline.columns.size(); }
  std::size_t size() const { return first_.size() - 1; }
  std::size_t row_of(std::size_t vertex) const { return vertex / columns(); }
  std::size_t column_of(std::size_t vertex) const { return vertex % columns(); }
  /// In an order in which waits of height 0 come first: by data set, then column.
  std::span<const Wait> of(std::size_t vertex) const {
    return std::span(waits_).subspan(first_[vertex], first_[vertex + 1] - first_[vertex]);
  }

  /// Of every class, in multiples of 1 / (scale * factor) time units.
  template <typename Number>
  std::vector<Number> durations(const Integer& factor) const {
    std::vector<Number> result;
    result.reserve(size());
    for (std::uint64_t row = 0; row < rows_; ++row) {
      for (const tpn::Column& column : net_->pipeline.columns) {
        result.push_back(narrow<Number>(column.duration(row) * factor));
      }
    }
    return result;
  }

 private:
  OperationWaits(const tpn::FoldedNet& net, std::uint64_t rows);

  const tpn::FoldedNet* net_;
  std::uint64_t rows_;
  std::vector<Wait> waits_;
  std::vector<std::size_t> first_;  // by vertex, and one more
};

/// How much sooner a wait of that height may end: height data sets of `period` each.
template <typename Number>
Number sooner_by(const Number& period, std::uint64_t height) {
  if constexpr (std::is_same_v<Number, std::int64_t>) {
    return period * static_cast<std::int64_t>(height);
  } else {
    return period * height;
  }
}

/// Whether times in multiples of 1 / (scale * factor) fit 64 bits: each wait adds less than kMostTime. `period` is in
/// such multiples. Sums are checked as they are made.
bool fits_64_bits(const OperationWaits& waits, const Integer& factor, const Integer& period);

/// Sums that were watched left 64 bits.
struct Beyond64Bits {};

/// From an operation class to one that waits for it.
using WaitArc = std::pair<std::size_t, std::size_t>;

/// The strongly connected component of every vertex, numbered from 0.
std::vector<std::size_t> strong_components_of(const std::vector<WaitArc>& arcs, std::size_t vertices);

/// The largest time that 64 bits are trusted with.
inline constexpr std::int64_t kMostTime = std::int64_t{1} << 60;

}  // namespace takt::evaluators
