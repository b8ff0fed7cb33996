// Search among the chains of a clique for the one on which a divided pipeline has the least period.
//
// Problem. Where all processors are linked, any order of them may be the chain (heuristics/divided/divided.hpp), and
// the least period depends on it. Finding the best order is NP-hard.
//
// Method. Three strategies look at chain after chain: random_sampling.cpp, hill_climbing.cpp, simulated_annealing.cpp.
// For each chain, the least period is approximated as chain-approx does it (heuristics/divided/chain_search.hpp), here
// with 64-bit integers: speeds are scaled to a sum of at most kMostSpeed = 2^30 plus one per processor, and works so
// that all work / all speeds is kBound = 2^24 units of period. Scaled numbers are rounded if they do not fit, which
// misjudges periods by about 2^-24 of their size, no more than the approximation does anyway; they only guide. The
// first chain, which is the document's order, and every improvement get their exact least periods, and the best is the
// answer, so it is never worse than chain-dp's. The search ends early where no order can be better: all speeds are
// equal, or the period is all work / all speeds.
//
// Bounds. The scaled speeds of up to 2^30 processors sum to at most 2 kMostSpeed. A position is at most the work, that
// sum times kBound: 2^55. A period tried is at most twice (work / largest speed, rounded up); so period x speed is
// below 2^57, and so is its sum with a position. Iterations are at most kMostIterations = 2^30, so that a strategy may
// multiply two counts of them: at most 2^60.
//
// Cost. O(n + p) per pass, about log2(1 / epsilon) + 2 passes per chain.
//
// References. [li2013data], Section V.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <boost/random/mersenne_twister.hpp>

#include "heuristics/divided/chain_search.hpp"
#include "heuristics/divided/divided.hpp"

namespace takt::heuristics {

using Random = boost::random::mt19937_64;

/// A number in [0, below), the same on every machine.
std::size_t random_below(Random& random, std::size_t below);

void swap_at_random(Chain& chain, Random& random);

/// What the searches look at instead of the exact pipeline.
class ScaledPipeline {
 public:
  /// The pipeline has some work.
  ScaledPipeline(const DividedPipeline& pipeline, const Rational& epsilon);

  /// The period of a division on the chain, at most 1 + epsilon times the least, in units of 2^-24 of `bound`.
  std::int64_t approximate(const Chain& chain);
  /// Whether some division on the chain has at most this period.
  bool possible(const Chain& chain, std::int64_t period);

  /// By place in the chain, the loads of the last division that `approximate` found.
  std::span<const std::int64_t> loads() const { return loads_; }
  std::int64_t speed(std::size_t processor) const { return speeds_[processor]; }
  /// No period is below.
  std::int64_t bound() const { return kBound; }

 private:
  static constexpr std::int64_t kMostSpeed = std::int64_t{1} << 30;  // of all, but for those rounded up to 1
  static constexpr std::int64_t kBound = std::int64_t{1} << 24;

  struct ScaledSegment {
    std::int64_t start;
    std::int64_t end;
    bool divisible;
  };

  std::vector<ScaledSegment> segments_;
  std::vector<std::int64_t> speeds_;
  std::int64_t work_ = 0;
  std::int64_t gap_ = 1;  // between periods, at which a bisection ends
  std::vector<std::int64_t> ends_;
  std::vector<std::int64_t> loads_;
};

/// Of the option `iterations`.
inline constexpr std::uint64_t kMostIterations = std::uint64_t{1} << 30;

/// The chains that a strategy looks at, counted and the best one kept.
class ChainTrials {
 public:
  /// Of a pipeline with some work. Keeps references, and adds exact improvements to the log.
  ChainTrials(const tpn::Document& problem, const DividedPipeline& pipeline, const Settings& settings, Log& log);

  /// Whether the strategy may try another chain.
  bool go_on();
  /// The period of a chain, approximately (ScaledPipeline); one iteration.
  std::int64_t try_chain(const Chain& chain);
  /// The same where only an improvement matters.
  void try_better(const Chain& chain);

  const ScaledPipeline& scaled() const { return scaled_; }
  /// The document's order, which is the first chain tried, and its period; `scaled().loads()` are its at first.
  const Chain& first() const { return first_; }
  std::int64_t first_period() const { return first_period_; }
  std::uint64_t iteration() const { return iteration_; }
  std::uint64_t iterations() const { return iterations_; }

  /// Of all improvements the one of the least exact period.
  const Chain& best_chain() const { return best_chain_; }
  const ChainPeriod& best_period() const { return *best_period_; }
  bool cut_short() const { return cut_short_; }
  LogTable& improvements() { return improvements_; }

 private:
  std::int64_t judge(const Chain& chain);
  void look_exactly(const Chain& chain);

  const tpn::Document& problem_;
  const DividedPipeline& pipeline_;
  const Settings& settings_;
  Log& log_;
  ScaledPipeline scaled_;
  Rational unit_;  // of the scaled periods, in time units
  std::uint64_t iterations_;
  std::uint64_t iteration_ = 0;
  std::int64_t first_period_ = 0;
  std::int64_t best_ = 0;
  bool all_alike_;
  bool cut_short_ = false;
  Chain first_;
  Chain best_chain_;
  std::optional<ChainPeriod> best_period_;
  LogTable improvements_;
};

/// Runs a strategy and maps the best division found.
Result search_chains(const tpn::ProblemView& problem, const Settings& settings, Log& log,
                     const std::function<void(ChainTrials&, Random&)>& strategy);

/// What users are told of one of the three, with the options of all: iterations, epsilon, granularity.
Heuristic search_heuristic(std::string_view name, std::string_view summary, std::string_view cost, MapFunction* map);

}  // namespace takt::heuristics
