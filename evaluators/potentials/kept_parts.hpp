// The parts whose residues a bound keeps, by transfer.
#pragma once

#include <cstddef>
#include <vector>

#include "evaluators/potentials/strict_chain.hpp"

namespace takt::evaluators {

/// By transfer, a run of parts around it: those at most `width` away, and tight ones from further off, as their lines
/// bring walks back. Residues of a run fit a key of 64 bits.
std::vector<PartBits> kept_parts(const StrictChain& chain, double candidate, std::size_t width);

}  // namespace takt::evaluators
