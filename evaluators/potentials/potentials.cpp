// The attempts, one candidate period after the other.
#include "evaluators/potentials/potentials.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "evaluators/bounds.hpp"
#include "evaluators/potential_limits.hpp"
#include "evaluators/potentials/attempts.hpp"
#include "evaluators/potentials/step_control.hpp"
#include "evaluators/potentials/strict_chain.hpp"
#include "evaluators/sub_pipelines/sub_pipelines.hpp"
#include "tpn/chain.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Integer;
using tpn::ConstraintKind;
using tpn::FoldedNet;

constexpr double kFirstGap = 0.25;
// Attempts nearer than this, and this cheap, are repeated to learn from.
constexpr double kWidenFrom = 0.2;
constexpr double kLearnShare = 0.06;
constexpr int kDigits = 7;

// The least number of kDigits digits from a positive value times 1 + gap on.
Rational raised(const Rational& value, double gap) {
  const double target = value.to_double().value_or(0) * (1 + gap);
  const int digits = kDigits - 1 - static_cast<int>(std::floor(std::log10(target)));
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(digits)));
  const Rational scale = digits >= 0 ? Rational(power) : Rational::fraction(1, power);
  const auto count = static_cast<std::int64_t>(std::ceil(target * std::pow(10, digits)));
  return Rational(maxplus::integer_of(maxplus::Int128{count})) / scale;
}

constexpr std::uint64_t kMostDigits = 200;

// Digits before the decimal point, or zeros behind it: estimates are in floating point, no proof is.
std::uint64_t digits_of(const Rational& value) {
  const auto above = static_cast<std::int64_t>(mpz_sizeinbase(value.numerator().get_mpz_t(), 10));
  const auto below = static_cast<std::int64_t>(mpz_sizeinbase(value.denominator().get_mpz_t(), 10));
  return static_cast<std::uint64_t>(std::abs(above - below));
}

// Of one net, from an interval to the nearest that is proved.
class PotentialSearch {
 public:
  PotentialSearch(const FoldedNet& net, const Options& options, Evaluation known)
      : options_(options), evaluation_(std::move(known)), attempts_(net, evaluation_.lower) {
    evaluation_.method = Method::potentials;
    evaluation_.limit = Unproved{};
  }

  Evaluation run() {
    tell(options_.deadline, evaluation_);
    while (steps_.next() && attempt(*steps_.next())) {
    }
    return std::move(evaluation_);
  }

 private:
  // False once nothing more can come.
  bool attempt(const StepControl::Attempt& next) {
    const Rational candidate = raised(evaluation_.lower, next.gap);
    if (has_passed(options_.deadline)) return stop(OutOfTime{});
    const double expected = next.is_last ? next.most : next.expected;
    AttemptResult result = attempts_.attempt(candidate, {expected, next.most}, options_);
    spent_ += result.spent;
    if (result.end == FixpointEnd::out_of_time) return stop(OutOfTime{});
    per_second_ = result.reached / std::max(result.seconds, 1e-6);
    if (result.end != FixpointEnd::found) {
      evaluation_.limit = limit_met(result.end);
      steps_.failed(result.spent, left());
      return true;
    }
    if (candidate < evaluation_.upper) {
      evaluation_.upper = candidate;
      evaluation_.witness = std::move(result.schedule);
      tell(options_.deadline, evaluation_);
    }
    learn(next.gap, result);
    const double most = kPotentialBounds * std::max(result.reached, 1.0) / std::max(result.stored, 1.0);
    steps_.proved(result.reached, left(), most);
    return true;
  }

  // What to keep, where an attempt is cheap enough to repeat it some times.
  void learn(double gap, const AttemptResult& result) {
    if (gap > kWidenFrom || result.spent > kLearnShare * left()) return;
    if (options_.deadline.time() && result.seconds_in_all > kLearnShare * seconds_left()) return;
    spent_ += attempts_.widen(options_);
  }

  bool stop(Limit limit) {
    evaluation_.limit = std::move(limit);
    return false;
  }

  Limit limit_met(FixpointEnd end) const {
    if (end == FixpointEnd::full) {
      return tpn::TooLarge{tpn::LimitKind::potential_bytes, Integer(options_.max_memory) + 1, options_.max_memory};
    }
    if (end == FixpointEnd::over_budget && left() <= 0) {
      return tpn::TooLarge{tpn::LimitKind::reached_bounds, Integer(kReachedBounds) + 1,
                           static_cast<std::uint64_t>(kReachedBounds)};
    }
    return Unproved{};
  }

  // In bounds that may still be reached, with a deadline at the rate of the last attempt.
  double left() const { return options_.deadline.time() ? per_second_ * seconds_left() : kReachedBounds - spent_; }

  double seconds_left() const {
    return std::chrono::duration<double>(*options_.deadline.time() - Deadline::Clock::now()).count();
  }

  const Options& options_;
  Evaluation evaluation_;
  PotentialAttempts attempts_;
  double spent_ = 0;
  double per_second_ = 1e18;  // no rate is known yet
  StepControl steps_{kFirstGap, left()};
};

}  // namespace

std::optional<std::string> unfit_for_potentials(const FoldedNet& net) {
  const auto is_plain = [](ConstraintKind kind) {
    return kind == ConstraintKind::flow || kind == ConstraintKind::processor;
  };
  if (!std::ranges::all_of(net.dependences, is_plain, &tpn::Dependence::kind)) {
    return "potentials takes only the model strict, without rooms or a window; use residue";
  }
  const std::vector<tpn::NetPart>& parts = net.pipeline.parts;
  if (parts.size() < 3) return "potentials takes at least 3 parts; use sweep";
  if (parts.size() > kPotentialParts) return "potentials takes at most 64 parts; use residue";
  for (const tpn::NetPart& part : parts) {
    if (part.sequence.size() > kPotentialResidues)
      return "potentials takes at most 512 processors per part; use residue";
  }
  return std::nullopt;
}

Evaluation potentials(const FoldedNet& net, const Options& options) {
  Evaluation known = uniform_bounds(net, Method::potentials);
  tell(options.deadline, known);
  return potentials(net, options, std::move(known));
}

Evaluation potentials(const FoldedNet& net, const Options& options, Evaluation known) {
  if (known.exact()) return known;
  const SubPipelineLimits limits{.max_memory = options.max_memory, .deadline = options.deadline.after_part(1, 3)};
  if (auto best = best_sub_pipeline(net, limits, known.lower)) {
    known.lower = std::move(best->lower);
    known.circuit = std::move(best->circuit);
  }
  if (known.exact()) return known;
  if (const std::uint64_t digits = digits_of(known.lower); digits > kMostDigits) {
    known.limit = tpn::TooLarge{tpn::LimitKind::bound_digits, Integer(digits), kMostDigits};
    return known;
  }
  const double bytes = bytes_of_potentials(net);
  if (bytes > static_cast<double>(options.max_memory)) {
    known.limit = tpn::TooLarge{tpn::LimitKind::potential_bytes, Integer(bytes), options.max_memory};
    return known;
  }
  return PotentialSearch(net, options, std::move(known)).run();
}

}  // namespace takt::evaluators
