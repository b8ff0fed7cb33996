// The checker's passes: upper bounds proved by clocks, over all rows or column by column.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "evaluators/proof/certificate.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_budget.hpp"

namespace takt::evaluators {

/// Why a step of a check fails; nothing if it does not.
using Refusal = std::optional<Refused>;

/// As messages name it: "P2", "P0 out-port".
std::string text(const ResourceName& name);

/// Why there is no verdict, as a verdict.
Verdict verdict_of(const Unchecked& unchecked);

/// Do these clocks, one for every resource, show that the period is at most `upper`? Plays all rows of the net once.
Verdict check_clocks(const tpn::FoldedNet& net, const std::vector<CertificateClock>& clocks, const Rational& upper,
                     CheckBudget& budget);

/// The same where no circuit leaves its column, which is verified: plays each column alone, over the data sets after
/// which it repeats. Every clock stands with its resource's column.
Verdict check_column_clocks(const tpn::FoldedNet& net, const std::vector<ColumnClockList>& columns,
                            const Rational& upper, CheckBudget& budget);

}  // namespace takt::evaluators
