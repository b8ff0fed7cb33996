// The largest or smallest cycle ratio of graphs whose weights are fractions, and its proof.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <variant>

#include "maxplus/arc_columns.hpp"
#include "maxplus/component_ratios.hpp"
#include "maxplus/rational_arcs.hpp"
#include "maxplus/solvers.hpp"

namespace takt::maxplus {

/// 64-bit words of all weights over one common denominator: 160 MB, of which solvers make copies.
inline constexpr std::uint64_t kMostWeightWords = 20'000'000;

/// The weights over their common denominator would take more words of 64 bits than they may; `needed` counts the
/// denominators that were looked at by then.
struct WeightLimit {
  std::uint64_t needed = 0;
  std::uint64_t limit = 0;
};

/// A deadlock comes before everything else, but a WeightLimit.
using RationalCycleRatio = std::variant<RatioCycle, NoCycle, DeadlockCycle, SolverLimit, WeightLimit, SolverTimeout>;

/// The limit, if the weights over one denominator would take more than `max_words` words of 64 bits.
std::optional<WeightLimit> weight_limit(const ArcColumns& arcs, std::uint64_t max_words = kMostWeightWords);

/// The best of the components, the first at a tie; or that there is none, and why.
RationalCycleRatio best_of(const ComponentAnswer& answer, RatioExtreme extreme);

/// The extreme cycle ratio of `vertices` vertices and these arcs; a list of RationalArcs becomes columns. Every end of
/// an arc must be below `vertices`; both are fewer than 2^32 - 1. `howard` searches the columns themselves
/// (component_ratios.hpp), the others a graph made of them.
/// Cost: linear in the arcs and the words of their weights over one denominator, and that of the solver.
RationalCycleRatio cycle_ratio(std::size_t vertices, const ArcColumns& arcs,
                               const CycleRatioSolver& solver = default_solver(),
                               RatioExtreme extreme = RatioExtreme::largest, std::uint64_t max_words = kMostWeightWords,
                               const Deadline& deadline = {});

/// What proves that answer of `cycle_ratio` for the same list and extreme; the answer must not be a limit. Nothing
/// if the deadline passes before. Cost: that of `potentials`.
std::optional<CycleRatioProof> prove_cycle_ratio(std::size_t vertices, const ArcColumns& arcs,
                                                 const RationalCycleRatio& answer,
                                                 RatioExtreme extreme = RatioExtreme::largest,
                                                 const Deadline& deadline = {});

}  // namespace takt::maxplus
