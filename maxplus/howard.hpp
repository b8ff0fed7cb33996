// Howard's policy iteration: the largest cycle ratio of a token graph, exactly.
#pragma once

#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// Problem: the largest ratio of weights to tokens over the cycles of a graph, and a cycle that attains it.
///
/// Method: policy iteration in each strongly connected component. A policy keeps one out-arc of every vertex, so every
/// vertex reaches one cycle of the policy. lambda is the best ratio of these cycles; vertices that reach a worse one
/// are led to a best one instead. Potentials v satisfy v(u) = w - lambda t + v(head) along the policy. An arc outside
/// the policy with w - lambda t + v(head) > v(u) replaces u's. When there is none, summing v(u) >= w - lambda t +
/// v(head) around any cycle shows its ratio to be at most lambda.
///
/// Invariant: lambda never falls, and while it stays no v falls and one at least rises, so no policy recurs and the
/// iteration ends, without any tolerance. For let C be a cycle of the next policy. Its arcs satisfy
/// w - lambda t + v(head) >= v(u), strictly where replaced, so its ratio is at least lambda, and equal only if none was
/// replaced: C was there before. Hence while lambda stays, all the policy's cycles are old ones and keep their
/// potentials, and along the policy towards them every v is at least the old one, greater where replaced.
///
/// Cost: an iteration is linear; their number is not bounded polynomially, but is small in practice. Numbers are 64 and
/// 128 bits wide where a bound proves that they suffice, and GMP's otherwise.
///
/// References: howard1960, cochet1998howard.
CycleRatio howard(const TokenGraph& graph);

}  // namespace takt::maxplus
