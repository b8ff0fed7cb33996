// random-sampling: the best of many chains drawn at random.
//
// Problem. The order of the processors on which the pipeline has the least period
// (heuristics/divided/clique_search.hpp).
//
// Method. The paper's: draw orders uniformly, keep the best. The first one is the document's. A single greedy pass with
// a period just below the best tells whether a chain is an improvement; only then is its period approximated.
//
// Invariant. The best period never rises.
//
// Cost. O(n + p) per chain.
//
// References. [li2013data], Section V.
#include <utility>

#include "heuristics/divided/clique_search.hpp"

namespace takt::heuristics {

namespace {

Result sample(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  return search_chains(problem, settings, log, [](ChainTrials& trials, Random& random) {
    Chain chain = trials.first();
    while (trials.go_on()) {
      for (std::size_t k = chain.size(); k > 1; --k) std::swap(chain[k - 1], chain[random_below(random, k)]);
      trials.try_better(chain);
    }
  });
}

}  // namespace

Heuristic random_sampling() {
  return search_heuristic("random-sampling",
                          "the best of many random orders of the processors, with replicable stages divided",
                          "O(n + p) per chain", sample);
}

}  // namespace takt::heuristics
