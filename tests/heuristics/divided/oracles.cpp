// Reachable boundaries as unions of intervals; entries and orders one by one.
#include "tests/heuristics/divided/oracles.hpp"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>
#include <variant>

#include "heuristics/divided/chain_search.hpp"
#include "tpn/problem_view.hpp"

namespace takt::testing {

using maxplus::Rational;

namespace {

using Span = std::pair<Rational, Rational>;

// Closed intervals, ascending, without the insides of the forbidden ones.
std::vector<Span> outside(std::vector<Span> spans, const std::vector<Span>& forbidden) {
  for (const auto& [from, to] : forbidden) {
    std::vector<Span> left;
    for (const auto& [low, high] : spans) {
      if (low <= from) left.emplace_back(low, std::min(high, from));
      if (high >= to) left.emplace_back(std::max(low, to), high);
      // An interval that touches the forbidden one from the other side is whole already.
      if (low <= from && high <= from && high >= to) left.pop_back();
    }
    spans = left;
  }
  return spans;
}

}  // namespace

bool division_possible(const tpn::Document& problem, const std::vector<std::size_t>& chain, const Rational& period) {
  std::vector<Span> forbidden;
  Rational end;
  Rational gain = 1;
  const auto& stages = problem.application.stages;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    if (k > 0) gain *= stages[k - 1].produces / stages[k].consumes;
    const Rational start = end;
    end += gain * *stages[k].work;
    if (!stages[k].replicable && start < end) forbidden.emplace_back(start, end);
  }
  std::vector<Span> reachable = {{0, 0}};
  for (const std::size_t p : chain) {
    const Rational most = period * *problem.platform.processors[p].speed;
    for (auto& [low, high] : reachable) high = std::min(high + most, end);
    reachable = outside(std::move(reachable), forbidden);
  }
  return std::ranges::any_of(reachable, [&end](const Span& span) { return span.second == end; });
}

bool is_least_period(const tpn::Document& problem, const std::vector<std::size_t>& chain, const Rational& period) {
  const Rational shorter = period * Rational::fraction(999'999'999, 1'000'000'000);
  return division_possible(problem, chain, period) && !division_possible(problem, chain, shorter);
}

Rational best_rounding(const heuristics::DividedPipeline& pipeline, const heuristics::Division& division,
                       unsigned granularity) {
  std::optional<Rational> best;
  std::vector<Rational> loads(pipeline.speeds.size());
  for (unsigned turns = 1; turns <= granularity; ++turns) {
    const std::function<void(std::size_t, std::size_t, unsigned)> try_all = [&](std::size_t i, std::size_t k,
                                                                                unsigned left) {
      if (i == division.size()) {
        Rational period;
        for (std::size_t p = 0; p < loads.size(); ++p) period = std::max(period, loads[p] / pipeline.speeds[p]);
        if (!best || period < *best) best = period;
        return;
      }
      const Rational work = pipeline.segments[i].work();
      const bool last = k + 1 == division[i].size();
      for (unsigned taken = last ? left : 0; taken <= left; ++taken) {
        const Rational load = work * Rational::fraction(taken, turns);
        Rational& own = loads[division[i][k].processor];
        own += load;
        last ? try_all(i + 1, 0, turns) : try_all(i, k + 1, left - taken);
        own -= load;
      }
    };
    try_all(0, 0, turns);
  }
  return *best * pipeline.unit;
}

heuristics::DividedPipeline pipeline_in(const tpn::Document& problem) {
  heuristics::Log log;
  return std::get<heuristics::DividedPipeline>(heuristics::pipeline_of(tpn::ProblemView(problem), log));
}

std::vector<std::vector<std::size_t>> all_chains(std::size_t processors) {
  std::vector<std::size_t> chain(processors);
  std::iota(chain.begin(), chain.end(), std::size_t{0});
  std::vector<std::vector<std::size_t>> chains;
  do {
    chains.push_back(chain);
  } while (std::next_permutation(chain.begin(), chain.end()));
  return chains;
}

Rational least_of_all(const heuristics::DividedPipeline& pipeline) {
  std::optional<Rational> least;
  for (const heuristics::Chain& chain : all_chains(pipeline.speeds.size())) {
    const Rational period = heuristics::least_period(pipeline, chain)->period;
    least = least ? std::min(*least, period) : period;
  }
  return *least;
}

}  // namespace takt::testing
