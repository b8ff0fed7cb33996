// One loop over vectors of lanes, compiled for each kind of instructions and chosen at run time.
#include "evaluators/sweep/kernels.hpp"

#include <algorithm>
#include <cstring>

namespace takt::evaluators {

namespace {

// As many numbers as a register of the instructions has: wider vectors would be taken apart, number by number.
typedef std::int64_t Lanes4 __attribute__((vector_size(32), may_alias));
typedef std::int64_t Lanes8 __attribute__((vector_size(64), may_alias));
typedef std::int8_t Flags4 __attribute__((vector_size(4), may_alias));
typedef std::int8_t Flags8 __attribute__((vector_size(8), may_alias));
static_assert(sizeof(Lanes8) == kLanesAtOnce * sizeof(std::int64_t));

#define TAKT_INLINE inline __attribute__((always_inline))

// A bit for each lane in which b comes later than a. The products bring bit 0 of byte l to bit l of the result; no two
// of their terms meet.
TAKT_INLINE unsigned flags_of(const Lanes8& a, const Lanes8& b) {
  const Flags8 later = -__builtin_convertvector(b > a, Flags8);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &later, sizeof later);
  return static_cast<unsigned>((bytes * 0x0102040810204080) >> 56);
}
TAKT_INLINE unsigned flags_of(const Lanes4& a, const Lanes4& b) {
  const Flags4 later = -__builtin_convertvector(b > a, Flags4);
  std::uint64_t bytes = 0;
  std::memcpy(&bytes, &later, sizeof later);
  return static_cast<unsigned>((bytes * 0x01020408) >> 24) & 0xFU;
}
TAKT_INLINE unsigned flags_of(const std::int64_t& a, const std::int64_t& b) { return b > a ? 1 : 0; }

// `count` numbers of a column: whole rows, so a multiple of a Vector's kStep lanes.
template <typename Vector, std::size_t kStep>
TAKT_INLINE void play_column(const LaneColumn& column, std::size_t offset, std::size_t count,
                             const std::int64_t* durations) {
  std::int64_t* const out = column.out + offset;
  const std::int64_t* const first = column.first + offset;
  if (column.inputs == 1) {
    for (std::size_t k = 0; k < count; k += kStep) {
      *reinterpret_cast<Vector*>(out + k) =
          *reinterpret_cast<const Vector*>(first + k) + *reinterpret_cast<const Vector*>(durations + k);
    }
    return;
  }
  const std::int64_t* const second = column.second + offset;
  if (column.inputs == 2) {
    for (std::size_t k = 0; k < count; k += kStep) {
      const Vector& a = *reinterpret_cast<const Vector*>(first + k);
      const Vector& b = *reinterpret_cast<const Vector*>(second + k);
      *reinterpret_cast<Vector*>(out + k) = (b > a ? b : a) + *reinterpret_cast<const Vector*>(durations + k);
    }
    return;
  }
  for (std::size_t k = 0; k < count; k += kStep) {
    const Vector& a = *reinterpret_cast<const Vector*>(first + k);
    const Vector& b = *reinterpret_cast<const Vector*>(second + k);
    Vector latest = b > a ? b : a;
    for (std::size_t i = 2; i < column.inputs; ++i) {
      const Vector& c = *reinterpret_cast<const Vector*>(column.more[i - 2] + offset + k);
      latest = c > latest ? c : latest;
    }
    *reinterpret_cast<Vector*>(out + k) = latest + *reinterpret_cast<const Vector*>(durations + k);
  }
}

// The same for one row, with flags.
template <typename Vector, std::size_t kStep>
TAKT_INLINE void record_row(const LaneColumn& column, std::size_t offset, std::size_t lanes,
                            const std::int64_t* durations, std::uint8_t* flags) {
  for (std::size_t k = 0; k < lanes; k += kStep) {
    Vector latest = *reinterpret_cast<const Vector*>(column.first + offset + k);
    for (std::size_t i = 1; i < column.inputs; ++i) {
      const std::int64_t* const input = i == 1 ? column.second : column.more[i - 2];
      const Vector& c = *reinterpret_cast<const Vector*>(input + offset + k);
      std::uint8_t& byte = flags[(i - 1) * flag_bytes(lanes) + k / 8];
      const unsigned others = k % 8 == 0 ? 0U : byte;
      byte = static_cast<std::uint8_t>(others | flags_of(latest, c) << (k % 8));
      latest = c > latest ? c : latest;
    }
    *reinterpret_cast<Vector*>(column.out + offset + k) = latest + *reinterpret_cast<const Vector*>(durations + k);
  }
}

template <typename Vector, std::size_t kStep, bool kRecord>
TAKT_INLINE void play_window(const LaneWindow& window) {
  const std::size_t lanes = window.lanes;
  LaneColumn* first = window.columns.data();
  for (const LaneGroup& group : window.groups) {
    LaneColumn* const last = first + group.columns;
    for (std::size_t row = 0; row < window.rows; row += group.block) {
      const std::size_t rows = std::min(group.block, window.rows - row);
      for (LaneColumn* column = first; column != last; ++column) {
        const std::int64_t* const durations = column->durations + column->position * lanes;
        if constexpr (kRecord) {
          for (std::size_t r = 0; r < rows; ++r) {
            record_row<Vector, kStep>(*column, (row + r) * lanes, lanes, durations + r * lanes,
                                      column->flags + (row + r) * window.flags_a_row);
          }
        } else {
          play_column<Vector, kStep>(*column, row * lanes, rows * lanes, durations);
        }
        column->position += rows;
        while (column->position >= column->period) column->position -= column->period;
      }
    }
    first = last;
  }
}

template <typename Vector, std::size_t kStep, bool kRecord>
TAKT_INLINE void play(const LaneWindow& window) {
  if (window.lanes == 1) {
    play_window<std::int64_t, 1, kRecord>(window);
  } else {
    play_window<Vector, kStep, kRecord>(window);
  }
}

void play_portable(const LaneWindow& window) { play<std::int64_t, 1, false>(window); }
void record_portable(const LaneWindow& window) { play<std::int64_t, 1, true>(window); }

#if defined(__x86_64__)
#define TAKT_AVX2 __attribute__((target("avx2")))
TAKT_AVX2 void play_avx2(const LaneWindow& window) { play<Lanes4, 4, false>(window); }
TAKT_AVX2 void record_avx2(const LaneWindow& window) { play<Lanes4, 4, true>(window); }

#define TAKT_AVX512 __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq")))
TAKT_AVX512 void play_avx512(const LaneWindow& window) { play<Lanes8, 8, false>(window); }
TAKT_AVX512 void record_avx512(const LaneWindow& window) { play<Lanes8, 8, true>(window); }
#endif

}  // namespace

LaneKernels lane_kernels(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx512) return {play_avx512, record_avx512};
  if (instructions == Instructions::avx2) return {play_avx2, record_avx2};
#endif
  static_cast<void>(instructions);
  return {play_portable, record_portable};
}

}  // namespace takt::evaluators
