// The same two loops three times.
#include "evaluators/residue/kernels.hpp"

namespace takt::evaluators {

namespace {

#define TAKT_RESIDUE_KERNELS(name, attribute)                                                                    \
  attribute std::uint64_t raise_to_##name(std::int64_t* starts, const std::int64_t* ends, std::uint64_t count) { \
    return raise(                                                                                                \
        starts, count, [=](std::uint64_t i) __attribute__((always_inline)) { return ends[i]; });                 \
  }                                                                                                              \
  attribute std::uint64_t raise_by_##name(std::int64_t* starts, const std::int64_t* sources,                     \
                                          const std::int64_t* weights, std::uint64_t count) {                    \
    return raise(                                                                                                \
        starts, count, [=](std::uint64_t i) __attribute__((always_inline)) { return sources[i] + weights[i]; }); \
  }                                                                                                              \
  constexpr ResidueKernels k_##name = {raise_to_##name, raise_by_##name};

TAKT_RESIDUE_KERNELS(portable, )
#if defined(__x86_64__)
TAKT_RESIDUE_KERNELS(avx2, __attribute__((target("avx2"))))
TAKT_RESIDUE_KERNELS(avx512, __attribute__((target("avx512f,avx512vl,avx512bw,avx512dq"))))
#endif

}  // namespace

const ResidueKernels& residue_kernels(Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == Instructions::avx512) return k_avx512;
  if (instructions == Instructions::avx2) return k_avx2;
#endif
  static_cast<void>(instructions);
  return k_portable;
}

const ResidueKernels& residue_kernels() { return residue_kernels(best_instructions()); }

}  // namespace takt::evaluators
