// The passes over a torus, in registers or plain, behind one form: keys in, keys out.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "evaluators/columns/torus.hpp"
#include "evaluators/columns/torus_lanes.hpp"
#include "evaluators/columns/torus_memory.hpp"
#include "evaluators/kernel/numbers.hpp"

namespace takt::evaluators {

/// The torus as a grid: row i is a sender, column j a receiver.
struct TorusGrid {
  explicit TorusGrid(const Torus& torus) : rows(torus.senders), columns(torus.receivers) {}

  // i v mod u, j u mod v: each product is below u v, which is the number of durations.
  std::size_t sender(std::size_t row) const { return row * columns % rows; }
  std::size_t receiver(std::size_t column) const { return column * rows % columns; }
  std::uint64_t data_set(std::size_t row, std::size_t column) const {
    return (row * columns % cells() + column * rows % cells()) % cells();
  }
  std::uint64_t cells() const { return static_cast<std::uint64_t>(rows) * columns; }

  // The last cell of a row, and of a column, with i v + j u < u v: its data set is the sender's, and the receiver's,
  // last one of a round.
  std::size_t last_column(std::size_t row) const { return (cells() - 1 - row * columns) / rows; }
  std::size_t last_row(std::size_t column) const { return (cells() - 1 - column * rows) / columns; }

  std::size_t rows;
  std::size_t columns;
};

/// What a traced pass remembers: where each cell's path came from, and the keys of TorusGrid's last cells.
template <typename Key>
struct PassTrace {
  bool choices = true;  // whether came_along_row will be asked
  std::vector<Key> row_ends;
  std::vector<Key> column_ends;
};

/// Cell by cell.
template <typename Key>
class TorusPlainPasses {
 public:
  explicit TorusPlainPasses(const Torus& torus);

  const TorusGrid& grid() const { return grid_; }
  /// No duration is longer.
  std::uint64_t longest() const { return longest_; }
  /// One pass: keys of the rows, then of the columns; each grows by duration * factor. False if the deadline passed.
  bool run(std::span<Key> keys, Key factor, const Deadline& deadline, PassTrace<Key>* trace);
  /// In the last traced pass.
  bool came_along_row(std::size_t row, std::size_t column) const { return choices_[row * grid_.columns + column] != 0; }

 private:
  Key play_traced_row(std::size_t i, std::span<const std::int64_t> durations, Key factor, std::span<Key> keys,
                      PassTrace<Key>& trace);

  TorusGrid grid_;
  std::span<const std::int64_t> durations_;
  std::vector<std::size_t> receivers_;  // by column
  std::uint64_t longest_ = 0;
  std::vector<std::uint8_t> choices_;
};

/// Sixteen rows at once. `usable` says whether all durations fit its 32 bits.
class TorusLanePasses {
 public:
  using Key = std::int64_t;

  TorusLanePasses(const Torus& torus, Instructions instructions);

  bool usable() const { return !std::holds_alternative<std::monostate>(bands_); }
  const TorusGrid& grid() const { return grid_; }
  std::uint64_t longest() const { return longest_; }
  bool run(std::span<Key> keys, Key factor, const Deadline& deadline, PassTrace<Key>* trace);
  bool came_along_row(std::size_t row, std::size_t column) const {
    const std::size_t lane = row % kBandRows;
    return choices_[(row / kBandRows * steps() + column + lane) * kBandRows + lane] != 0;
  }

 private:
  std::size_t steps() const { return grid_.columns + kBandRows - 1; }
  std::size_t bands() const { return (grid_.rows + kBandRows - 1) / kBandRows; }
  template <typename Duration>
  bool copy(const Torus& torus);
  template <typename Duration>
  bool run_bands(const Duration* durations, std::span<Key> keys, Key factor, const Deadline& deadline,
                 PassTrace<Key>* trace);
  void collect(std::size_t first_row, std::size_t first_step, PassTrace<Key>& trace) const;

  TorusGrid grid_;
  BandPasses passes_;
  std::uint64_t longest_ = 0;
  std::variant<std::monostate, LargeArray<std::uint16_t>, LargeArray<std::uint32_t>> bands_;
  LargeArray<std::uint8_t> choices_;
  std::vector<Key> watched_;
};

}  // namespace takt::evaluators
