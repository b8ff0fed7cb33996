// What plans of types, and proofs of them, take.
#pragma once

#include "tpn/capabilities.hpp"

namespace takt::plan {

/// What all classes of plans take. Sources that are alike and take turns are as one with all of their ports.
inline constexpr tpn::Capabilities kPlansTake{
    .shared_resources = true, .several_ends = true, .unlike_ends = false, .quotas = true, .partitions = true};

}  // namespace takt::plan
