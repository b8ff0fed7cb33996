// simulated-annealing: a walk over chains that takes worse ones less and less often.
//
// Problem. The order of the processors on which the pipeline has the least period
// (heuristics/divided/clique_search.hpp).
//
// Method. A step swaps two processors drawn at random. A chain whose period is not longer is taken; one that is longer
// by d is taken with the probability 2^-ceil(d / heat), the rule of Metropolis in powers of two: whole random bits
// decide, the same on every machine. The paper gives no schedule; here the heat falls evenly from 1/50 of the first
// chain's period to 0, if only chains that are not worse are taken.
//
// Invariant. The best period never rises.
//
// Cost. O((n + p) log(1 / epsilon)) per chain.
//
// References. [li2013data], Section V; [kirkpatrick1983annealing].
#include <algorithm>
#include <utility>

#include "heuristics/divided/clique_search.hpp"

namespace takt::heuristics {

namespace {

constexpr std::int64_t kHeatDivisor = 50;

bool accept(std::int64_t rise, std::int64_t heat, Random& random) {
  if (rise <= 0) return true;
  if (heat == 0) return false;
  const std::int64_t halvings = (rise - 1) / heat + 1;
  return halvings < 64 && random() >> (64 - halvings) == 0;
}

void anneal(ChainTrials& trials, Random& random) {
  Chain chain = trials.first();
  std::int64_t period = trials.first_period();
  const std::int64_t hottest = period / kHeatDivisor;
  while (trials.go_on()) {
    // Both at most kMostIterations: their product fits.
    const auto all = static_cast<std::int64_t>(trials.iterations());
    const auto left = all - static_cast<std::int64_t>(trials.iteration());
    const std::int64_t heat = hottest / all * left + hottest % all * left / all;
    Chain next = chain;
    swap_at_random(next, random);
    const std::int64_t next_period = trials.try_chain(next);
    if (!accept(next_period - period, heat, random)) continue;
    chain = std::move(next);
    period = next_period;
  }
}

Result anneal_chains(const tpn::ProblemView& problem, const Settings& settings, Log& log) {
  return search_chains(problem, settings, log, anneal);
}

}  // namespace

Heuristic simulated_annealing() {
  return search_heuristic("simulated-annealing",
                          "a walk over orders of the processors that cools down, with replicable stages divided",
                          "O((n + p) log(1 / epsilon)) per chain", anneal_chains);
}

}  // namespace takt::heuristics
