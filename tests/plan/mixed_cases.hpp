// Random questions of mixed and of weighted plans, held against all mappings there are.
#pragma once

#include <cstdint>
#include <string>

#include "tests/plan/counted_cases.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

/// Draws a problem with equal links and few machines, finds the cheapest mixed plan, and judges all cheaper ones by
/// their nets.
CountedCase try_mixed(const tpn::Model& model, std::uint64_t seed);

}  // namespace takt::plan
