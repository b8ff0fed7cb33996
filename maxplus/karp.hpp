// Karp's algorithm with a limit of the caller's on its table.
#pragma once

#include <cstdint>

#include "maxplus/deadline.hpp"
#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// Entries that Karp's tables may have by default: a component of nearly 5,000 tokens.
inline constexpr std::uint64_t kDefaultTableEntries = 25'000'000;

/// As `karp` of maxplus/solvers.hpp, but P (P + 1), summed over the components, P the tokens of each, may be as large
/// as `max_table_entries`: a SolverLimit beyond.
CycleRatio karp(const TokenGraph& graph, std::uint64_t max_table_entries, const Deadline& deadline = {});

}  // namespace takt::maxplus
