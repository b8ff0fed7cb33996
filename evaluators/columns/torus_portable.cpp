// The passes over a torus for any machine: two lanes at a time.
#include "evaluators/columns/torus_lanes.hpp"

namespace takt::evaluators {

BandPasses portable_passes() { return lanes::all_passes<2>(); }

}  // namespace takt::evaluators
