// The passes over a torus for x86 with AVX-512: eight lanes at a time.
#include "evaluators/columns/torus_lanes.hpp"

#if defined(__x86_64__)

namespace takt::evaluators {

BandPasses avx512_passes() { return lanes::all_passes<8>(); }

}  // namespace takt::evaluators

#endif
