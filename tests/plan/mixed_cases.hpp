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

/// Draws a smaller one, finds a cheap weighted plan and the bound of its class, and judges all weighted plans below the
/// bound by their nets, of sequences of up to 5 entries. `is_bound` says that it is cheaper than any mixed plan,
/// `is_searched` that it meets the bound.
CountedCase try_weighted(const tpn::Model& model, std::uint64_t seed);

}  // namespace takt::plan
