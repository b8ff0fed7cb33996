// window: how few data sets have to be under way for the period to stay.
//
// Problem. Data sets under way cost memory and time to drain. Find the least window W with which the period of the net
// without any stays (docs/model.md, "Capacity").
//
// Method. A wider window never makes a pipeline slower: its dependences lead from data sets further back. So W doubles
// until the period stays, and what is between is bisected. Each net with a window is evaluated like any other.
//
// Cost. Twice the logarithm of W evaluations.
#pragma once

#include <cstdint>
#include <optional>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// The least window of a net without capacity that keeps its exact period; nothing if a limit is reached before it is
/// known, or where it is more than `most`, at least 1 and at most tpn::kMostWindow.
std::optional<std::uint64_t> least_window(const tpn::FoldedNet& net, const Rational& period, std::uint64_t most,
                                          const Options& options = {});

}  // namespace takt::evaluators
