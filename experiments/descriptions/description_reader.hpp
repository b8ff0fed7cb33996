// Reads what a description reports and expects; part of read_description.
#pragma once

#include "experiments/descriptions/description.hpp"

namespace takt::experiments {

/// Puts the items of the arrays "report" and "expect" into a description whose cells, study and measures are known, and
/// all that they count into its predicates. Throws tpn::ParseError.
void read_report(const tpn::json::Tree& tree, Description& description);

/// The "where" of an object; the description's cells are known. Throws tpn::ParseError.
CellFilter read_filter(const tpn::json::Tree& tree, const tpn::json::Value& object, Description& description);

}  // namespace takt::experiments
