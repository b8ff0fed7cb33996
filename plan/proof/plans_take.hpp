// What plans of types, and proofs of them, take.
#pragma once

#include "tpn/capabilities.hpp"

namespace takt::plan {

/// What plans take whose period is proved. Sources that are alike and take turns are as one with all of their ports.
inline constexpr tpn::Capabilities kProvedPlansTake{
    .shared_resources = true, .several_ends = true, .unlike_ends = false, .quotas = true, .partitions = true};

/// What plans take. Of stages that consume or produce several files their loads keep the period: machines of a part are
/// alike, so it does not matter which of them takes which file.
inline constexpr tpn::Capabilities kPlansTake = [] {
  tpn::Capabilities takes = kProvedPlansTake;
  takes.rates = true;
  return takes;
}();

}  // namespace takt::plan
