// One loop over vectors of lanes, compiled for each kind of instructions and chosen at run time.
#include "evaluators/sweep_kernels.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace takt::evaluators {

namespace {

// Eight numbers that the compiler maps to whatever registers the instructions have.
typedef std::int64_t Lanes __attribute__((vector_size(64), may_alias));
typedef std::int8_t Flags __attribute__((vector_size(8), may_alias));
static_assert(sizeof(Lanes) == kLanesAtOnce * sizeof(std::int64_t));

#define TAKT_INLINE inline __attribute__((always_inline))

TAKT_INLINE void note(std::uint8_t* choice, const Lanes& a, const Lanes& b) {
  const Flags chosen = -__builtin_convertvector(b > a, Flags);
  std::memcpy(choice, &chosen, sizeof chosen);
}
TAKT_INLINE void note(std::uint8_t* choice, const std::int64_t& a, const std::int64_t& b) { *choice = b > a ? 1 : 0; }
TAKT_INLINE void note_input(std::uint8_t* choice, const std::int64_t* latest, const std::int64_t* input,
                            std::size_t lanes, std::uint8_t position) {
  for (std::size_t l = 0; l < lanes; ++l) choice[l] = input[l] > latest[l] ? position : choice[l];
}

// `count` numbers of a column: whole rows, so a multiple of the lanes of a Vector.
template <typename Vector, bool kRecord>
TAKT_INLINE void play_column(const LaneColumn& column, std::size_t offset, std::size_t count,
                             const std::int64_t* durations) {
  constexpr std::size_t kStep = sizeof(Vector) / sizeof(std::int64_t);
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
      if constexpr (kRecord) note(column.choices + offset + k, a, b);
      *reinterpret_cast<Vector*>(out + k) = (b > a ? b : a) + *reinterpret_cast<const Vector*>(durations + k);
    }
    return;
  }
  for (std::size_t k = 0; k < count; k += kStep) {
    const Vector& a = *reinterpret_cast<const Vector*>(first + k);
    const Vector& b = *reinterpret_cast<const Vector*>(second + k);
    if constexpr (kRecord) note(column.choices + offset + k, a, b);
    Vector latest = b > a ? b : a;
    for (std::size_t i = 2; i < column.inputs; ++i) {
      const Vector& c = *reinterpret_cast<const Vector*>(column.more[i - 2] + offset + k);
      if constexpr (kRecord) {
        note_input(column.choices + offset + k, reinterpret_cast<const std::int64_t*>(&latest),
                   reinterpret_cast<const std::int64_t*>(&c), kStep, static_cast<std::uint8_t>(i));
      }
      latest = c > latest ? c : latest;
    }
    *reinterpret_cast<Vector*>(out + k) = latest + *reinterpret_cast<const Vector*>(durations + k);
  }
}

template <typename Vector, bool kRecord>
TAKT_INLINE void play_window(const LaneWindow& window) {
  for (std::size_t row = 0; row < window.rows; row += window.block) {
    const std::size_t rows = std::min(window.block, window.rows - row);
    for (LaneColumn& column : window.columns) {
      play_column<Vector, kRecord>(column, row * window.lanes, rows * window.lanes,
                                   column.durations + column.position * window.lanes);
      column.position += rows;
      while (column.position >= column.period) column.position -= column.period;
    }
  }
}

template <bool kRecord>
TAKT_INLINE void play(const LaneWindow& window) {
  if (window.lanes == 1) {
    play_window<std::int64_t, kRecord>(window);
  } else {
    play_window<Lanes, kRecord>(window);
  }
}

void play_portable(const LaneWindow& window) { play<false>(window); }
void record_portable(const LaneWindow& window) { play<true>(window); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) void play_avx2(const LaneWindow& window) { play<false>(window); }
__attribute__((target("avx2"))) void record_avx2(const LaneWindow& window) { play<true>(window); }

#define TAKT_AVX512 "avx512f,avx512vl,avx512bw,avx512dq"
__attribute__((target(TAKT_AVX512))) void play_avx512(const LaneWindow& window) { play<false>(window); }
__attribute__((target(TAKT_AVX512))) void record_avx512(const LaneWindow& window) { play<true>(window); }
#endif

}  // namespace

std::span<const Instructions> available_instructions() {
  static constexpr std::array kAll = {Instructions::portable, Instructions::avx2, Instructions::avx512};
#if defined(__x86_64__)
  static const std::size_t count = [] {
    __builtin_cpu_init();
    if (!__builtin_cpu_supports("avx2")) return std::size_t{1};
    const bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq");
    return wide ? std::size_t{3} : std::size_t{2};
  }();
  return std::span(kAll).first(count);
#else
  return std::span(kAll).first(1);
#endif
}

LaneKernels lane_kernels(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx512) return {play_avx512, record_avx512};
  if (instructions == Instructions::avx2) return {play_avx2, record_avx2};
#endif
  static_cast<void>(instructions);
  return {play_portable, record_portable};
}

}  // namespace takt::evaluators
