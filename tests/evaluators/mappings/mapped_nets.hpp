// Mappings of a problem, and what an evaluator of mappings says held against their nets.
#pragma once

#include "evaluators/mappings/evaluator.hpp"
#include "tests/support/draw.hpp"
#include "tpn/document.hpp"
#include "tpn/models.hpp"

namespace takt::testing {

/// One to three parts, each on one to four processors, which may be anybody's.
tpn::Mapping parts_on_anybody(const tpn::Document& problem, support::Draw& draw);

/// With cutoffs around it and without. Returns how many evaluations were cut off.
int require_period_of_net(evaluators::MappingEvaluator& evaluator, tpn::Document document, const tpn::Mapping& mapping,
                          const tpn::Model& model);

}  // namespace takt::testing
