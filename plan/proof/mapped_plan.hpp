// Is a mapping one of the plans that a certificate speaks of, and what does it cost?
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "plan/proof/plan_certificate.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

struct MappedPlan {
  Rational cost;                     // of all machines of the document, those that serve no part included; once
                                     // for all cores that the document names at once
  std::uint64_t machines = 0;        // likewise
  std::optional<std::string> amiss;  // why it is none of the plans that keep the target, if it is not
};

/// Holds the mapping of an instance with types against a target, by the demands of its parts: its net is not evaluated.
/// The instance must be one that tpn::validate accepts. Throws tpn::InvalidInstance if the size of a file is absent
/// that a link needs. Cost: linear in the document, and n T^2 of n stages and T types.
MappedPlan judge_mapping(const tpn::Document& instance, const PlanTarget& target);

}  // namespace takt::plan
