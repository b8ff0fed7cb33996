// What must change together where no number of a document helps alone.
//
// Problem. Several circuits are critical, and each number meets only some of them. Which fewest parameters, made faster
// together, give a smaller period?
//
// Method. A set helps exactly if it makes every critical circuit shorter: all others are below the period and do not
// grow. A circuit becomes shorter where one of its durations does: by a parameter that the duration falls with or,
// where the lesser of equal bandwidths holds, by all of these at once. So a circuit asks for one of some small sets,
// and a smallest set that all circuits found so far agree with is searched (branching over a circuit's sets, deeper and
// deeper). Evaluating the net with it gives a smaller period, and then no smaller set does, or another critical circuit
// that the set does not meet: the implicit hitting set approach.
//
// Cost. An evaluation for each circuit; the searches for a smallest set, which is NP-hard, end after kMostBranches.
// Then a set that helps is found without the claim that none is smaller.
//
// References. [moreno2013implicit].
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tpn/document.hpp"
#include "tpn/parameters.hpp"

namespace takt::evaluators {

/// Parameters that help together, by their places among those given.
struct TogetherChange {
  std::vector<std::size_t> parameters;  // rising; empty if all of them together do not help
  Rational period;                      // with each weight divided by 1 + faster
  bool is_smallest = false;             // proved: no smaller set helps
};

/// Branches of one search for a smallest set by default.
inline constexpr std::uint64_t kMostBranches = 200'000;

/// The fewest parameters that give a smaller period together; nothing if none was found before the deadline of
/// `options`. The net must be one of the document, the evaluation an exact one of the net, with a period above 0;
/// `faster` is above 0.
std::optional<TogetherChange> change_together(const tpn::FoldedNet& net, const tpn::Document& document,
                                              const Evaluation& evaluation, std::span<const tpn::Parameter> parameters,
                                              const Rational& faster, const Options& options,
                                              std::uint64_t most_branches = kMostBranches);

}  // namespace takt::evaluators
