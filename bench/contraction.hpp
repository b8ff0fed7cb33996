// The token contraction that LEMON's peer needs: cycle ratios of plain nets become cycle means.
//
// Problem. LEMON solves cycle means, takt's nets are cycle ratios: contract the net to its tokens, one arc for each
// pair of tokens, weighing the longest path without tokens from one to the other.
//
// Method. Longest paths from all tokens at once, in one pass over the operations: neither the unfolded net nor any
// arc of it is stored, all values of one operation stand next to each other, and computations are added to the
// transfers beside them. Both passes are loops that compilers vectorize.
//
// Cost. STRICT: one addition and one maximum for each of `rows` data sets, transfers and P tokens; memory P^2. A
// transfer's torus of u x v: about u v (u + v) / 2 times the same, and u v + (u + v)^2 / 2 arcs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "bench/lemon_peer.hpp"
#include "tpn/folded_net.hpp"

namespace takt::bench {

/// The tokens of a STRICT net, one per processor. The largest mean is lambda, in the pipeline's scaled units; the
/// period is lambda / (scale * rows).
MeanProblem contract_strict(const tpn::Pipeline& pipeline);

/// One component of an OVERLAP transfer in torus coordinates: `durations[i * columns + j]` takes place before those of
/// (i + 1, j) and (i, j + 1), and each wrap, of which there is one per row and one per column, holds a token.
struct Grid {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<std::int64_t> durations;
};

/// After how many data sets a transfer's ports repeat their turns. `Column::period` may be less: where durations are
/// equal, it tells of them alone.
std::uint64_t turns_of(const tpn::Column& transfer);

/// The components of a transfer column between distinct processors: as many as the lengths' gcd.
std::vector<Grid> grids_of(const tpn::Column& column);

/// The only component of a transfer between coprime numbers of senders and receivers, whose durations stand as in
/// `durations[sender * receivers + receiver]`.
Grid grid_of(std::span<const std::int64_t> durations, std::size_t senders, std::size_t receivers);

/// The tokens of a grid: those of its rows, then those of its columns. The period of the component's transfer column
/// is the largest mean / (scale * turns_of the column).
MeanProblem contract_grid(const Grid& grid);

/// The period of an OVERLAP net's slowest computation: every processor alone, by division.
maxplus::Rational computation_period(const tpn::Pipeline& pipeline);

/// True if every processor serves one part, once, and durations fit 64 bits: what these contractions can take.
bool is_plain(const tpn::Pipeline& pipeline);

}  // namespace takt::bench
