// LEMON's solvers for the largest cycle mean, behind an interface without LEMON: it does not compile as C++20.
#pragma once

#include <cstdint>
#include <vector>

namespace takt::bench {

/// An arc that holds one token.
struct MeanArc {
  int from;
  int to;
  std::int64_t weight;
};

/// A graph whose every arc holds one token; arcs sorted by `from`.
struct MeanProblem {
  int nodes = 0;
  std::vector<MeanArc> arcs;
};

enum class LemonSolver { howard, hartmann_orlin };
inline constexpr LemonSolver kLemonSolvers[] = {LemonSolver::howard, LemonSolver::hartmann_orlin};

const char* name_of(LemonSolver solver);

/// A cycle's weight and its arcs.
struct MeanCycle {
  std::int64_t weight = 0;
  std::int64_t arcs = 0;
};

/// The cycle of largest mean weight; there must be a cycle. Throws std::overflow_error if the solvers' 64-bit
/// products might wrap.
MeanCycle largest_mean(const MeanProblem& problem, LemonSolver solver);

}  // namespace takt::bench
