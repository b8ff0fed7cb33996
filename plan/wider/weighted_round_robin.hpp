// Smooth weighted round robin: a cyclic sequence in which everyone's turns are evenly spread.
//
// Problem. Given weights, a sequence as long as their sum in which each index comes as often as its weight says, its
// turns as far apart as the others' allow.
//
// Method. Before each turn everyone's credit grows by his weight; the richest, the first one among equals, takes the
// turn and pays the sum of all weights. Between two turns of his a credit is a line over time, so the richest is found
// by a kinetic tournament: in each match of a binary tree the winner is known, and the turn from which the loser has
// more. A turn plays again the matches that have come due, and those of the last winner.
//
// Invariant. Before a turn is taken, every match is decided as the credits are then. Credits add up to the sum of all
// weights then, so the richest has a positive one: the tree's empty places, which have none, never win.
//
// Cost. O(log n) matches a turn for the last winner; those that come due are about as many in practice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace takt::plan {

/// Entry k of the cyclic sequence is the index of a weight: each as often as it says, evenly spread. [1, 3]: 1 0 1 1.
/// The weights' sum is below 2^31.
std::vector<std::size_t> weighted_round_robin(std::span<const std::uint64_t> weights);

}  // namespace takt::plan
