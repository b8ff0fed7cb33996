// The best mapping in HeDPM's own model: what the paper's Figure 1 compares HeDPM with, by brute force.
//
// Problem. HeDPM's model gives a mapping a production time: the largest, over the parts, of the time that its slowest
// processor is busy per data set, over the number of its processors; transfers take the mean link to all processors of
// the neighboring part. Of all mappings that HeDPM may choose, intervals of stages on processors of their own, those
// of several stages on one processor, which has the least? It is no lower bound of exact periods, nor an upper one.
//
// Method. Branch and bound over the parts from the first stage on, and over all sets of the processors left for each. A
// part's time is known once the next part is; before that, what it receives and computes is a lower bound.
//
// Invariant. No mapping that was left out has a smaller production time than the best one.
//
// Cost. Exponential: every choice of a set for every part in the worst case. Four stages on four processors take a
// millisecond, eight on eight a second or so.
//
// References. [moreno2017hedpm], Section 4 and Figure 1.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "heuristics/heuristic.hpp"

namespace takt::heuristics {

/// A mapping and its production time in HeDPM's model, in time units per data set.
struct ModelOptimum {
  tpn::Mapping mapping;
  Rational production_time;
};

/// Infeasible: every mapping needs a link that the platform lacks. LimitMet: the deadline has passed, or more than
/// `most_parts` parts would have to be tried.
using ModelOptimumAnswer = std::variant<ModelOptimum, Infeasible, LimitMet>;

/// Some seconds.
inline constexpr std::uint64_t kMostPlacedParts = std::uint64_t{1} << 20;

/// The first of the best mappings of a problem that `tpn::validate` accepts; stages that are not replicable are on one
/// processor. Throws tpn::InvalidInstance if a work or a size that counts is absent.
ModelOptimumAnswer model_optimum(const tpn::ProblemView& problem, const evaluators::Deadline& deadline = {},
                                 std::uint64_t most_parts = kMostPlacedParts);

/// The production time of a mapping without repeated processors in HeDPM's model; nothing if a link is missing.
/// Throws as `model_optimum`.
std::optional<Rational> model_production_time(const tpn::ProblemView& problem, const tpn::Mapping& mapping);

}  // namespace takt::heuristics
