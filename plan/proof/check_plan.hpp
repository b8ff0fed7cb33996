// The independent checker of plans: does a certificate prove that no plan of a kind costs less?
//
// It shares nothing with the search: it works out the times of a document by itself. By the theorem of docs/planner.md
// a typed plan keeps a period if and only if each part has its demand / period machines and the ends of the world keep
// up; so plans are paths, whose edges place a part between two types. Potentials that rise by no more than each edge
// costs, from 0 on, prove that no path costs less than they say. All numbers are GMP's.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "plan/proof/plan_certificate.hpp"
#include "tpn/document.hpp"
#include "tpn/limits.hpp"

namespace takt::plan {

/// The certificate proves what it claims.
struct PlanProven {};

/// It does not; why, for a person.
struct PlanRefused {
  std::string reason;
};

/// The time ran out before there was a verdict.
struct PlanCheckTimeout {};

using PlanVerdict = std::variant<PlanProven, PlanRefused, tpn::TooLarge, PlanCheckTimeout>;

/// What a check may cost. An edge whose numbers have up to 1024 bits is one operation.
struct PlanCheckLimits {
  std::uint64_t operations = 200'000'000;
  std::function<bool()> is_out_of_time{};  // asked every now and then
};

/// Checks a certificate against a document with types; its processors and its mapping do not count. Throws
/// tpn::InvalidInstance where the size of a file is absent that a link needs.
/// Cost: n^2 T^3 / 2 edges of n stages and T types, those alone that lead from states with a potential.
PlanVerdict check_plan(const tpn::Document& document, const PlanCertificate& certificate,
                       const PlanCheckLimits& limits = {});

}  // namespace takt::plan
