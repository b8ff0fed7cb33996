// The checker's part for times that vary: does an upper bound on the expected period hold?
//
// It goes by the sequences of the mapping and the document's laws, not by the net's dependences as vary/ does. The
// theorem is in docs/vary.md, "What is proved".
#pragma once

#include <optional>
#include <string>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// Why it does not follow that the expected period is at most `upper`; nothing if it does. `period`: a proved upper
/// bound on the period of the means. Cost: the pairs of processors that meet.
std::optional<std::string> why_expected_unproved(const tpn::Document& document, const tpn::FoldedNet& net,
                                                 const maxplus::Rational& period, const maxplus::Rational& upper);

}  // namespace takt::evaluators
