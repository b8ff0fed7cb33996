// The passes over a torus for x86 with AVX2: four lanes at a time.
#include "evaluators/columns/torus_lanes.hpp"

#if defined(__x86_64__)

namespace takt::evaluators {

BandPasses avx2_passes() { return lanes::all_passes<4>(); }

}  // namespace takt::evaluators

#endif
