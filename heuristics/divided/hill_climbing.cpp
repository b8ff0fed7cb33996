// hill-climbing: chains improved by relieving their bottlenecks.
//
// Problem. The order of the processors on which the pipeline has the least period
// (heuristics/divided/clique_search.hpp).
//
// Method. The paper's bottleneck alleviation: let P_i with load w_i be a bottleneck, w_i / s_i = T, and P_j another
// processor with w_i / s_j < T and w_j / s_i < T; swapped, neither is late any more. The chain with the two swapped
// gets a division of its own, and the climb goes on from there while the period does not rise, and at most p times in a
// row without falling. Then it restarts (the paper's adaptive restarting) from the first chain with some random swaps:
// one in the beginning, p in the end, growing evenly with the chains tried. What the paper leaves open: the bottleneck
// and its partner are drawn at random among those that qualify.
//
// Invariant. The best period never rises.
//
// Cost. O((n + p) log(1 / epsilon)) per chain, and O(p^2) where no pair qualifies.
//
// References. [li2013data], Section V.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "heuristics/divided/clique_search.hpp"

namespace takt::heuristics {

namespace {

using Swap = std::pair<std::size_t, std::size_t>;  // places in a chain

// A bottleneck and a processor to swap it with, given the loads of a division of this period.
std::optional<Swap> alleviation(const ScaledPipeline& scaled, const Chain& chain, std::int64_t period, Random& random) {
  const auto loads = scaled.loads();
  // Neither product nor sum leaves 64 bits: heuristics/divided/clique_search.hpp.
  const auto relieved = [&](std::size_t k, std::size_t on) {
    return loads[k] <= (period - 1) * scaled.speed(chain[on]);
  };
  std::vector<std::size_t> bottlenecks;
  for (std::size_t k = 0; k < chain.size(); ++k) {
    if (!relieved(k, k)) bottlenecks.push_back(k);
  }
  std::vector<std::size_t> partners;
  while (!bottlenecks.empty()) {
    const std::size_t drawn = random_below(random, bottlenecks.size());
    const std::size_t i = bottlenecks[drawn];
    for (std::size_t j = 0; j < chain.size(); ++j) {
      if (relieved(i, j) && relieved(j, i)) partners.push_back(j);
    }
    if (!partners.empty()) return Swap{i, partners[random_below(random, partners.size())]};
    bottlenecks[drawn] = bottlenecks.back();
    bottlenecks.pop_back();
  }
  return std::nullopt;
}

void climb(ChainTrials& trials, Random& random) {
  Chain chain = trials.first();
  std::int64_t period = trials.first_period();
  std::size_t without_gain = 0;
  while (trials.go_on()) {
    const auto swap = without_gain <= chain.size() ? alleviation(trials.scaled(), chain, period, random) : std::nullopt;
    std::int64_t next = 0;
    if (swap) {
      std::swap(chain[swap->first], chain[swap->second]);
      next = trials.try_chain(chain);
    }
    if (swap && next <= period) {
      without_gain = next < period ? 0 : without_gain + 1;
      period = next;
      continue;
    }
    if (!trials.go_on()) return;
    const std::uint64_t stride = std::max<std::uint64_t>(trials.iterations() / chain.size(), 1);
    chain = trials.first();
    for (std::uint64_t swaps = 0; swaps <= trials.iteration() / stride; ++swaps) swap_at_random(chain, random);
    period = trials.try_chain(chain);
    without_gain = 0;
  }
}

Result climb_hills(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  return search_chains(problem, settings, log, climb);
}

}  // namespace

Heuristic hill_climbing() {
  return search_heuristic("hill-climbing",
                          "orders of the processors improved by swapping bottlenecks, with replicable stages divided",
                          "O((n + p) log(1 / epsilon) + p^2) per chain", climb_hills);
}

}  // namespace takt::heuristics
