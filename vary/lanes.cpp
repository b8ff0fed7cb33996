// One loop over vectors of lanes, compiled for each kind of instructions and chosen at run time.
#include "vary/lanes.hpp"

namespace takt::vary {

namespace {

typedef double Lanes2 __attribute__((vector_size(16), may_alias));
typedef double Lanes4 __attribute__((vector_size(32), may_alias));
typedef double Lanes8 __attribute__((vector_size(64), may_alias));

template <typename Vector>
inline __attribute__((always_inline)) void fire(const LaneOperation& operation) {
  constexpr std::size_t kStep = sizeof(Vector) / sizeof(double);
  for (std::size_t s = 0; s < operation.scenarios; ++s) {
    for (std::size_t k = 0; k < kLanes; k += kStep) {
      Vector latest{};
      for (const LaneRow* const predecessor : operation.predecessors) {
        const Vector& end = *reinterpret_cast<const Vector*>(predecessor[s].numbers.data() + k);
        latest = end > latest ? end : latest;
      }
      if (operation.arrivals != nullptr) {
        const Vector& arrival = *reinterpret_cast<const Vector*>(operation.arrivals[s].numbers.data() + k);
        latest = arrival > latest ? arrival : latest;
      }
      *reinterpret_cast<Vector*>(operation.end[s].numbers.data() + k) =
          latest + *reinterpret_cast<const Vector*>(operation.durations->numbers.data() + k);
    }
  }
}

void fire_portable(const LaneOperation& operation) { fire<Lanes2>(operation); }

#if defined(__x86_64__)
__attribute__((target("avx2"))) void fire_avx2(const LaneOperation& operation) { fire<Lanes4>(operation); }
__attribute__((target("avx512f"))) void fire_avx512(const LaneOperation& operation) { fire<Lanes8>(operation); }
#endif

}  // namespace

FireLanes fire_lanes(evaluators::Instructions instructions) {
#if defined(__x86_64__)
  if (instructions == evaluators::Instructions::avx512) return fire_avx512;
  if (instructions == evaluators::Instructions::avx2) return fire_avx2;
#endif
  static_cast<void>(instructions);
  return fire_portable;
}

}  // namespace takt::vary
