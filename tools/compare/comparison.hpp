// Heuristics over a set of problems: what each attains, beside the best and beside what no mapping can undercut.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::tools {

/// What a heuristic makes of a problem: the exact period of its mapping, or why there is none.
struct Score {
  std::optional<maxplus::Rational> period;
  std::optional<maxplus::Rational> predicted;
  std::string failure;
  double seconds = 0;  // by the clock, of the heuristic alone
};

/// A problem and everybody's score, in the order of the heuristics.
struct ScoredProblem {
  std::string name;
  std::vector<Score> scores;
  std::optional<maxplus::Rational> lower_bound;  // proved, of the periods of all mappings

  /// The shortest period; nothing if nobody has one.
  std::optional<maxplus::Rational> best() const;
};

/// period / base: nothing if that is 0 and the period is not, or if there is none; 1 for 0 / 0.
std::optional<maxplus::Rational> ratio_of(const std::optional<maxplus::Rational>& period,
                                          const std::optional<maxplus::Rational>& base);

/// Of the ratios that there are.
struct RatioSummary {
  std::size_t count = 0;
  std::optional<maxplus::Rational> median;  // half the sum of the middle two of an even number
  std::optional<double> mean;               // of 64 binary places of each
  std::optional<maxplus::Rational> worst;
};

RatioSummary summary_of(std::vector<maxplus::Rational> ratios);

/// Run times in seconds.
struct TimeSummary {
  double median = 0;  // half the sum of the middle two of an even number
  double longest = 0;
};

/// Problems that failed for one reason.
struct FailureGroup {
  std::string reason;
  std::size_t count = 0;
  std::string first;  // the first problem's name
};

/// How a heuristic stands over all problems.
struct Standing {
  std::string name;
  std::size_t solved = 0;
  std::size_t wins = 0;  // problems on which its period is the shortest, ties included
  RatioSummary to_best;
  RatioSummary to_bound;
  std::optional<TimeSummary> times;    // of the problems that it solved
  std::vector<std::size_t> within;     // by factor: problems whose period is at most the factor times the best
  std::vector<FailureGroup> failures;  // in the order of their first problems
};

/// Of the heuristics by these names, least median ratio to the best first, those that solved most before: unsolved
/// problems count as infinite ratios; equal ones in the order given. `factors` are at least 1.
std::vector<Standing> standings_of(std::span<const std::string> names, std::span<const ScoredProblem> problems,
                                   std::span<const maxplus::Rational> factors);

}  // namespace takt::tools
