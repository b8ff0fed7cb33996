// Exact ratios, sorted; a mean of fixed-point numbers, as exact sums of unlike fractions grow with every problem.
#include "tools/compare/comparison.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace takt::tools {

using maxplus::Integer;
using maxplus::Rational;

namespace {

constexpr unsigned kPlaces = 64;

Integer in_fixed_point(const Rational& number) {
  Integer result = number.numerator() << kPlaces;
  mpz_fdiv_q(result.get_mpz_t(), result.get_mpz_t(), number.denominator().get_mpz_t());
  return result;
}

void add_failure(std::vector<FailureGroup>& groups, const std::string& reason, const std::string& problem) {
  const auto known = std::ranges::find(groups, reason, &FailureGroup::reason);
  if (known == groups.end()) {
    groups.push_back({reason, 1, problem});
  } else {
    ++known->count;
  }
}

std::optional<TimeSummary> time_summary_of(std::vector<double> seconds) {
  if (seconds.empty()) return std::nullopt;
  std::ranges::sort(seconds);
  return TimeSummary{(seconds[(seconds.size() - 1) / 2] + seconds[seconds.size() / 2]) / 2, seconds.back()};
}

Standing standing_of(std::size_t heuristic, const std::string& name, std::span<const ScoredProblem> problems,
                     std::span<const Rational> factors) {
  Standing standing{.name = name, .to_best = {}, .to_bound = {}, .times = {}, .within = {}, .failures = {}};
  standing.within.assign(factors.size(), 0);
  std::vector<Rational> to_best;
  std::vector<Rational> to_bound;
  std::vector<double> seconds;
  for (const ScoredProblem& problem : problems) {
    const Score& score = problem.scores[heuristic];
    if (!score.period) {
      add_failure(standing.failures, score.failure, problem.name);
      continue;
    }
    ++standing.solved;
    seconds.push_back(score.seconds);
    const auto best = problem.best();
    if (score.period == best) ++standing.wins;
    if (const auto ratio = ratio_of(score.period, best)) {
      to_best.push_back(*ratio);
      for (std::size_t k = 0; k < factors.size(); ++k) standing.within[k] += *ratio <= factors[k] ? 1 : 0;
    }
    if (const auto ratio = ratio_of(score.period, problem.lower_bound)) to_bound.push_back(*ratio);
  }
  standing.to_best = summary_of(std::move(to_best));
  standing.to_bound = summary_of(std::move(to_bound));
  standing.times = time_summary_of(std::move(seconds));
  return standing;
}

}  // namespace

std::optional<Rational> ScoredProblem::best() const {
  std::optional<Rational> best;
  for (const Score& score : scores) {
    if (score.period && (!best || *score.period < *best)) best = score.period;
  }
  return best;
}

std::optional<Rational> ratio_of(const std::optional<Rational>& period, const std::optional<Rational>& base) {
  if (!period || !base) return std::nullopt;
  if (base->sign() != 0) return *period / *base;
  return period->sign() == 0 ? std::optional(Rational(1)) : std::nullopt;
}

RatioSummary summary_of(std::vector<Rational> ratios) {
  RatioSummary summary{.count = ratios.size(), .median = {}, .mean = {}, .worst = {}};
  if (ratios.empty()) return summary;
  std::ranges::sort(ratios);
  summary.median = (ratios[(ratios.size() - 1) / 2] + ratios[ratios.size() / 2]) / Rational(2);
  summary.worst = ratios.back();
  Integer sum = 0;
  for (const Rational& ratio : ratios) sum += in_fixed_point(ratio);
  const Integer count = ratios.size();
  summary.mean = Rational::fraction(sum, count << kPlaces).to_double();
  return summary;
}

std::vector<Standing> standings_of(std::span<const std::string> names, std::span<const ScoredProblem> problems,
                                   std::span<const Rational> factors) {
  std::vector<Standing> standings;
  for (std::size_t k = 0; k < names.size(); ++k) standings.push_back(standing_of(k, names[k], problems, factors));
  std::ranges::stable_sort(standings, [](const Standing& a, const Standing& b) {
    if (a.solved != b.solved) return a.solved > b.solved;
    if (a.to_best.median != b.to_best.median) return a.to_best.median < b.to_best.median;
    return a.to_best.mean < b.to_best.mean;
  });
  return standings;
}

}  // namespace takt::tools
