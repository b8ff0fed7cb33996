// One band of a torus, sixteen rows at once in vector registers; compiled once for each instruction set.
#pragma once

#include <cstddef>
#include <cstdint>

namespace takt::evaluators {

/// Rows of a band: one lane each.
inline constexpr std::size_t kBandRows = 16;

/// Sixteen rows of a torus, `columns` long, and the keys that go in and come out.
///
/// Lane r is on column s - r in step s, one column behind the lane above. So what a lane needs of the row above is
/// what the lane above had one step before: a shift by one lane. The durations are stored by step, then lane; the
/// steps in which a lane has no column hold 0 for it.
template <typename Duration>
struct Band {
  const Duration* durations = nullptr;  // (columns + kBandRows - 1) * kBandRows
  std::uint64_t factor = 1;             // keys grow by duration * factor
  std::size_t columns = 0;
  std::int64_t* row_keys = nullptr;     // kBandRows
  std::int64_t* column_keys = nullptr;  // `columns`
  // Only in a traced pass: where not null, by step and lane, whether the path came along the row (not 0) or down the
  // column (0); and the keys after the steps first_watched .. last_watched, by step and lane.
  std::uint8_t* choices = nullptr;
  std::int64_t* watched = nullptr;
  std::size_t first_watched = 1;
  std::size_t last_watched = 0;
};

using BandPass16 = void (*)(const Band<std::uint16_t>& band);
using BandPass32 = void (*)(const Band<std::uint32_t>& band);

/// The passes of one instruction set. A traced pass fills `choices` and `watched`.
struct BandPasses {
  BandPass16 plain16;
  BandPass16 traced16;
  BandPass32 plain32;
  BandPass32 traced32;
};

BandPasses portable_passes();
#if defined(__x86_64__)
BandPasses avx2_passes();    // need AVX2
BandPasses avx512_passes();  // need AVX-512 F, BW, DQ, VL
#endif

namespace lanes {

enum class BandSteps { inner, edge };  // inner: every lane has a column
enum class Trace { off, on };

// Nothing of the standard library below: an inline function of it, compiled here for a newer machine, might be the
// copy that the linker keeps for all. kLanes, unlike for each instruction set, keeps these apart.
template <int kLanes, typename Duration>
struct Vectors {
  typedef std::int64_t Keys __attribute__((vector_size(kLanes * 8)));
  typedef std::uint64_t Products __attribute__((vector_size(kLanes * 8)));
  typedef std::int8_t Choices __attribute__((vector_size(kLanes)));
  typedef Duration Durations __attribute__((vector_size(kLanes * sizeof(Duration))));
};

// The lanes moved up by one; the last of `before` comes in below.
template <int kLanes, typename Keys>
[[gnu::always_inline]] inline void shift_in(const Keys& before, const Keys& keys, Keys& shifted) {
  if constexpr (kLanes == 8) {
    shifted = __builtin_shufflevector(before, keys, 7, 8, 9, 10, 11, 12, 13, 14);
  } else if constexpr (kLanes == 4) {
    shifted = __builtin_shufflevector(before, keys, 3, 4, 5, 6);
  } else {
    static_assert(kLanes == 2);
    shifted = __builtin_shufflevector(before, keys, 1, 2);
  }
}

// Whether a path came along the row, for each lane of the group.
template <int kLanes, typename Duration, typename Keys>
[[gnu::always_inline]] inline void note_choices(const Band<Duration>& band, std::size_t step, int group,
                                                const Keys& along_row, const Keys& down_column) {
  if (band.choices == nullptr) return;
  const auto choices = __builtin_convertvector(along_row > down_column, typename Vectors<kLanes, Duration>::Choices);
  __builtin_memcpy(band.choices + step * kBandRows + static_cast<std::size_t>(group * kLanes), &choices,
                   sizeof choices);
}

// Lanes that have no column in this step keep what they had.
template <int kLanes, typename Keys>
[[gnu::always_inline]] inline void keep_outside(std::size_t columns, std::size_t step, int group, const Keys& along_row,
                                                Keys& ends) {
  Keys column{};
  for (int lane = 0; lane < kLanes; ++lane) column[lane] = static_cast<std::int64_t>(step) - (group * kLanes + lane);
  ends = ((column >= 0) & (column < static_cast<std::int64_t>(columns))) ? ends : along_row;
}

// The steps from .. to - 1, from the keys of all lanes after the step before.
template <int kLanes, BandSteps kSteps, Trace kTrace, typename Duration, typename Keys>
[[gnu::always_inline]] inline void advance(const Band<Duration>& band, Keys* keys, std::size_t from, std::size_t to) {
  using Vector = Vectors<kLanes, Duration>;
  constexpr int kGroups = static_cast<int>(kBandRows) / kLanes;
  const Duration* __restrict durations = band.durations + from * kBandRows;
  std::int64_t* __restrict column_keys = band.column_keys;
  const std::size_t columns = band.columns;
  for (std::size_t s = from; s < to; ++s, durations += kBandRows) {
    const std::int64_t entering = kSteps == BandSteps::edge && s >= columns ? 0 : column_keys[s];
    Keys before = Keys{} + entering;
#pragma GCC unroll 8
    for (int g = 0; g < kGroups; ++g) {
      const Keys along_row = keys[g];
      Keys down_column;
      shift_in<kLanes>(before, along_row, down_column);
      const Keys latest = along_row > down_column ? along_row : down_column;
      typename Vector::Durations narrow;
      __builtin_memcpy(&narrow, durations + g * kLanes, sizeof narrow);
      const auto products = __builtin_convertvector(narrow, typename Vector::Products) * band.factor;
      Keys ends = latest + reinterpret_cast<const Keys&>(products);
      if constexpr (kTrace == Trace::on) note_choices<kLanes>(band, s, g, along_row, down_column);
      if constexpr (kSteps == BandSteps::edge) keep_outside<kLanes>(columns, s, g, along_row, ends);
      before = along_row;
      keys[g] = ends;
    }
    if constexpr (kTrace == Trace::on) {
      if (s >= band.first_watched && s <= band.last_watched) {
        __builtin_memcpy(band.watched + (s - band.first_watched) * kBandRows, keys, kBandRows * sizeof(std::int64_t));
      }
    }
    if (kSteps == BandSteps::inner || s + 1 >= kBandRows)
      column_keys[s + 1 - kBandRows] = keys[kGroups - 1][kLanes - 1];
  }
}

template <int kLanes, Trace kTrace, typename Duration>
void pass(const Band<Duration>& band) {
  typename Vectors<kLanes, Duration>::Keys keys[kBandRows / kLanes];
  __builtin_memcpy(keys, band.row_keys, sizeof keys);
  const std::size_t steps = band.columns + kBandRows - 1;
  const std::size_t head = band.columns < kBandRows - 1 ? steps : kBandRows - 1;
  advance<kLanes, BandSteps::edge, kTrace>(band, keys, 0, head);
  if (head < steps) {
    advance<kLanes, BandSteps::inner, kTrace>(band, keys, head, band.columns);
    advance<kLanes, BandSteps::edge, kTrace>(band, keys, band.columns, steps);
  }
  __builtin_memcpy(band.row_keys, keys, sizeof keys);
}

template <int kLanes>
BandPasses all_passes() {
  return {pass<kLanes, Trace::off, std::uint16_t>, pass<kLanes, Trace::on, std::uint16_t>,
          pass<kLanes, Trace::off, std::uint32_t>, pass<kLanes, Trace::on, std::uint32_t>};
}

}  // namespace lanes

}  // namespace takt::evaluators
