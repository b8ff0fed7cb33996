// Chooses the instructions, copies the durations into the order of the lanes, and runs band after band.
#include "evaluators/columns/torus_pass.hpp"

#include <array>
#include <bit>
#include <limits>
#include <type_traits>

namespace takt::evaluators {

namespace {

constexpr std::uint64_t kCellsBetweenClockReadings = 1 << 18;

// True at first, and then once every kCellsBetweenClockReadings cells.
class Pace {
 public:
  bool is_due(std::uint64_t cells) {
    since_ += cells;
    if (since_ < kCellsBetweenClockReadings) return false;
    since_ = 0;
    return true;
  }

 private:
  std::uint64_t since_ = kCellsBetweenClockReadings;
};

std::vector<std::size_t> receivers_of(const TorusGrid& grid) {
  std::vector<std::size_t> receivers(grid.columns);
  for (std::size_t j = 0; j < grid.columns; ++j) receivers[j] = grid.receiver(j);
  return receivers;
}

BandPasses passes_of(Instructions instructions) {
  switch (instructions) {
#if defined(__x86_64__)
    case Instructions::avx512:
      return avx512_passes();
    case Instructions::avx2:
      return avx2_passes();
#endif
    default:
      return portable_passes();
  }
}

// The cells of one row, from its key before them; its key after them.
template <typename Key>
Key play_row(std::span<const std::int64_t> durations, std::span<const std::size_t> receivers, Key factor, Key row_key,
             Key* column_keys) {
  for (std::size_t j = 0; j < receivers.size(); ++j) {
    row_key = std::max(row_key, column_keys[j]) + static_cast<Key>(durations[receivers[j]]) * factor;
    column_keys[j] = row_key;
  }
  return row_key;
}

// The durations of a row in a narrower type; every bit that one of them has.
template <typename Duration>
std::uint64_t narrow_row(const std::int64_t* durations, std::size_t columns, Duration* row) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < columns; ++k) {
    bits |= static_cast<std::uint64_t>(durations[k]);
    row[k] = static_cast<Duration>(durations[k]);
  }
  return bits;
}

// A band's rows in the order of its lanes, each a step behind the one above; outside the columns no time is taken.
template <typename Duration>
Duration* skew_rows(const Duration* rows, std::span<const std::size_t> receivers, std::size_t steps, Duration* out) {
  const std::size_t columns = receivers.size();
  for (std::size_t s = 0; s < steps; ++s, out += kBandRows) {
    if (s + 1 >= kBandRows && s < columns) {
      for (std::size_t r = 0; r < kBandRows; ++r) out[r] = rows[r * columns + receivers[s - r]];
    } else {
      for (std::size_t r = 0; r < kBandRows; ++r) {
        out[r] = s >= r && s - r < columns ? rows[r * columns + receivers[s - r]] : Duration{0};
      }
    }
  }
  return out;
}

// A key below all others: keys are within +-2^61 (torus.cpp).
constexpr std::int64_t kLowestKey = std::numeric_limits<std::int64_t>::min() / 2;

}  // namespace

template <typename Key>
TorusPlainPasses<Key>::TorusPlainPasses(const Torus& torus)
    : grid_(torus), durations_(torus.durations), receivers_(receivers_of(grid_)) {
  longest_ = static_cast<std::uint64_t>(*std::ranges::max_element(durations_));
}

template <typename Key>
bool TorusPlainPasses<Key>::run(std::span<Key> keys, Key factor, const Deadline& deadline, PassTrace<Key>* trace) {
  if (trace != nullptr) {
    if (trace->choices) choices_.resize(grid_.cells());
    trace->row_ends.resize(grid_.rows);
    trace->column_ends.resize(grid_.columns);
  }
  Pace pace;
  const std::span<Key> column_keys = keys.subspan(grid_.rows);
  for (std::size_t i = 0; i < grid_.rows; ++i) {
    if (pace.is_due(grid_.columns) && has_passed(deadline)) return false;
    const std::span<const std::int64_t> durations = durations_.subspan(grid_.sender(i) * grid_.columns, grid_.columns);
    keys[i] = trace == nullptr ? play_row<Key>(durations, receivers_, factor, keys[i], column_keys.data())
                               : play_traced_row(i, durations, factor, keys, *trace);
  }
  return true;
}

// As play_row, with the ends of row i, those of columns that end there, and the choices where they are asked for.
template <typename Key>
Key TorusPlainPasses<Key>::play_traced_row(std::size_t i, std::span<const std::int64_t> durations, Key factor,
                                           std::span<Key> keys, PassTrace<Key>& trace) {
  const std::span<Key> column_keys = keys.subspan(grid_.rows);
  const std::size_t last_column = grid_.last_column(i);
  Key row_key = keys[i];
  for (std::size_t j = 0; j < grid_.columns; ++j) {
    if (trace.choices) choices_[i * grid_.columns + j] = row_key > column_keys[j] ? 1 : 0;
    row_key = std::max(row_key, column_keys[j]) + static_cast<Key>(durations[receivers_[j]]) * factor;
    column_keys[j] = row_key;
    if (j == last_column) trace.row_ends[i] = row_key;
    if (i == grid_.last_row(j)) trace.column_ends[j] = row_key;
  }
  return row_key;
}

template class TorusPlainPasses<std::int64_t>;
template class TorusPlainPasses<Int128>;

TorusLanePasses::TorusLanePasses(const Torus& torus, Instructions instructions)
    : grid_(torus), passes_(passes_of(instructions)) {
  if (!copy<std::uint16_t>(torus)) copy<std::uint32_t>(torus);
}

// In two steps, as rows of the table come in one piece from memory but leave in the order of the grid's columns.
// False, and nothing kept, where a duration is too long.
template <typename Duration>
bool TorusLanePasses::copy(const Torus& torus) {
  auto bands = make_large_array<Duration>(this->bands() * steps() * kBandRows);
  const std::vector<std::size_t> receivers = receivers_of(grid_);
  const std::size_t columns = grid_.columns;
  std::vector<Duration> rows(kBandRows * columns);
  std::uint64_t bits = 0;  // of all durations
  Duration* out = bands.get();
  for (std::size_t first = 0; first < grid_.rows; first += kBandRows) {
    for (std::size_t r = 0; r < kBandRows; ++r) {
      Duration* row = rows.data() + r * columns;
      if (first + r >= grid_.rows) {
        std::fill_n(row, columns, Duration{0});
        continue;
      }
      bits |= narrow_row(torus.durations.data() + grid_.sender(first + r) * columns, columns, row);
    }
    if (bits > std::numeric_limits<Duration>::max()) return false;
    out = skew_rows<Duration>(rows.data(), receivers, steps(), out);
  }
  longest_ = (std::uint64_t{1} << std::bit_width(bits)) - 1;
  bands_ = std::move(bands);
  return true;
}

bool TorusLanePasses::run(std::span<Key> keys, Key factor, const Deadline& deadline, PassTrace<Key>* trace) {
  if (trace != nullptr) {
    trace->row_ends.resize(grid_.rows);
    trace->column_ends.resize(grid_.columns);
    if (trace->choices) choices_ = make_large_array<std::uint8_t>(bands() * steps() * kBandRows);
  }
  if (const auto* narrow = std::get_if<LargeArray<std::uint16_t>>(&bands_)) {
    return run_bands(narrow->get(), keys, factor, deadline, trace);
  }
  return run_bands(std::get<LargeArray<std::uint32_t>>(bands_).get(), keys, factor, deadline, trace);
}

template <typename Duration>
bool TorusLanePasses::run_bands(const Duration* durations, std::span<Key> keys, Key factor, const Deadline& deadline,
                                PassTrace<Key>* trace) {
  const auto pass = [&] {
    if constexpr (std::is_same_v<Duration, std::uint16_t>) {
      return trace == nullptr ? passes_.plain16 : passes_.traced16;
    } else {
      return trace == nullptr ? passes_.plain32 : passes_.traced32;
    }
  }();
  Pace pace;
  std::array<Key, kBandRows> row_keys{};
  for (std::size_t b = 0; b < bands(); ++b) {
    if (pace.is_due(grid_.columns * kBandRows) && has_passed(deadline)) return false;
    const std::size_t first = b * kBandRows;
    const std::size_t rows = std::min(kBandRows, grid_.rows - first);
    // Lanes beyond the last row wait for nothing but the row above, take no time, and so hand on its keys.
    row_keys.fill(kLowestKey);
    std::copy_n(keys.begin() + static_cast<std::ptrdiff_t>(first), rows, row_keys.begin());
    Band<Duration> band;
    band.durations = durations + b * steps() * kBandRows;
    band.factor = static_cast<std::uint64_t>(factor);
    band.columns = grid_.columns;
    band.row_keys = row_keys.data();
    band.column_keys = keys.data() + grid_.rows;
    if (trace != nullptr) {
      // Watched: from the first column whose last row may lie in the band, to the last column of its first row.
      const std::size_t end_row = first + rows;
      const std::size_t first_column = end_row < grid_.rows ? grid_.last_column(end_row) : 0;
      band.first_watched = first_column;
      band.last_watched = grid_.last_column(first) + kBandRows - 1;
      watched_.resize((band.last_watched - band.first_watched + 1) * kBandRows);
      band.watched = watched_.data();
      if (trace->choices) band.choices = choices_.get() + b * steps() * kBandRows;
    }
    pass(band);
    std::copy_n(row_keys.begin(), rows, keys.begin() + static_cast<std::ptrdiff_t>(first));
    if (trace != nullptr) collect(first, band.first_watched, *trace);
  }
  return true;
}

// Finds the ends of rows and columns among the watched keys.
void TorusLanePasses::collect(std::size_t first_row, std::size_t first_step, PassTrace<Key>& trace) const {
  const std::size_t end_row = std::min(first_row + kBandRows, grid_.rows);
  const auto key_of = [&](std::size_t row, std::size_t column) {
    const std::size_t lane = row - first_row;
    return watched_[(column + lane - first_step) * kBandRows + lane];
  };
  for (std::size_t i = first_row; i < end_row; ++i) trace.row_ends[i] = key_of(i, grid_.last_column(i));
  for (std::size_t j = first_step; j <= grid_.last_column(first_row); ++j) {
    const std::size_t row = grid_.last_row(j);
    if (row >= first_row && row < end_row) trace.column_ends[j] = key_of(row, j);
  }
}

}  // namespace takt::evaluators
