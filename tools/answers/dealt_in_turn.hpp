// What a mapping would take if cores were dealt host by host in turn, where it has them in another order.
#pragma once

#include <cstdint>
#include <optional>

#include "evaluators/evaluation.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// The period of the instance with the entries of each part dealt host by host in turn, each host's in their order;
/// nothing if that is no other order, or not known exactly before the deadline. At most `window` data sets are under
/// way, unless that is 0.
std::optional<maxplus::Rational> period_dealt_in_turn(const tpn::Document& document, const tpn::Model& model,
                                                      std::uint64_t window, const evaluators::Options& options);

}  // namespace takt::tools
