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

/// The tokens of a STRICT net, one a processor. The largest mean is lambda, in the pipeline's scaled units; the period
/// is lambda / (scale * rows).
MeanProblem contract_strict(const tpn::Pipeline& pipeline);

/// One component of an OVERLAP transfer in torus coordinates: `durations[i * v + j]` takes place before those of
/// (i + 1, j) and (i, j + 1), and each wrap, of which there are u + v, holds a token.
struct Torus {
  std::size_t u = 0;
  std::size_t v = 0;
  std::vector<std::int64_t> durations;
};

/// The components of a transfer column between distinct processors: as many as the lengths' gcd.
std::vector<Torus> tori_of(const tpn::Pipeline& pipeline, const tpn::Column& column);

/// The tokens of a torus: those of the u rows, then those of the v columns. The period of the component's column is
/// the largest mean / (scale * column.period).
MeanProblem contract_torus(const Torus& torus);

/// The period of an OVERLAP net's slowest computation: every processor alone, by division.
maxplus::Rational computation_period(const tpn::Pipeline& pipeline);

/// True where every processor serves one part, once, and durations fit 64 bits: what these contractions can take.
bool is_plain(const tpn::Pipeline& pipeline);

}  // namespace takt::bench
