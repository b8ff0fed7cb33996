// The ladder of beats.
#include "evaluators/floors/floors.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <utility>

#include "evaluators/bounds.hpp"
#include "evaluators/floor_limits.hpp"
#include "evaluators/floors/floor_rung.hpp"
#include "evaluators/floors/gap_ladder.hpp"
#include "evaluators/floors/strict_chain.hpp"
#include "evaluators/stretches/stretches.hpp"
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
class FloorSearch {
 public:
  FloorSearch(const FoldedNet& net, const Options& options, Evaluation known)
      : options_(options), evaluation_(std::move(known)), rungs_(net, evaluation_.lower) {
    evaluation_.method = Method::floors;
    evaluation_.limit = Unproved{};
  }

  Evaluation run() {
    tell(options_.deadline, evaluation_);
    while (ladder_.next() && attempt(*ladder_.next())) {
    }
    return std::move(evaluation_);
  }

 private:
  // False once nothing more can come.
  bool attempt(const GapLadder::Attempt& next) {
    const Rational beat = raised(evaluation_.lower, next.gap);
    if (has_passed(options_.deadline)) return stop(OutOfTime{});
    const double expected = next.is_last ? next.most : next.expected;
    RungResult result = rungs_.attempt(beat, {expected, next.most}, options_);
    spent_ += result.spent;
    if (result.end == ClosingEnd::out_of_time) return stop(OutOfTime{});
    per_second_ = result.reached / std::max(result.seconds, 1e-6);
    if (result.end != ClosingEnd::closed) {
      evaluation_.limit = limit_met(result.end);
      ladder_.failed(result.spent, left());
      return true;
    }
    if (beat < evaluation_.upper) {
      evaluation_.upper = beat;
      evaluation_.witness = std::move(result.schedule);
      tell(options_.deadline, evaluation_);
    }
    learn(next.gap, result);
    const double most = kFloorExceptions * std::max(result.reached, 1.0) / std::max(result.stored, 1.0);
    ladder_.proved(result.reached, left(), most);
    return true;
  }

  // What to keep, where an attempt is cheap enough to repeat it some times.
  void learn(double gap, const RungResult& result) {
    if (gap > kWidenFrom || result.spent > kLearnShare * left()) return;
    if (options_.deadline.time() && result.seconds_in_all > kLearnShare * seconds_left()) return;
    spent_ += rungs_.widen(options_);
  }

  bool stop(Limit limit) {
    evaluation_.limit = std::move(limit);
    return false;
  }

  Limit limit_met(ClosingEnd end) const {
    if (end == ClosingEnd::full) {
      return tpn::TooLarge{tpn::LimitKind::floor_bytes, Integer(options_.max_memory) + 1, options_.max_memory};
    }
    if (end == ClosingEnd::dear && left() <= 0) {
      return tpn::TooLarge{tpn::LimitKind::reached_exceptions, Integer(kReachedExceptions) + 1,
                           static_cast<std::uint64_t>(kReachedExceptions)};
    }
    return Unproved{};
  }

  // In exceptions that may still be reached, with a deadline at the rate of the last attempt.
  double left() const { return options_.deadline.time() ? per_second_ * seconds_left() : kReachedExceptions - spent_; }

  double seconds_left() const {
    return std::chrono::duration<double>(*options_.deadline.time() - Deadline::Clock::now()).count();
  }

  const Options& options_;
  Evaluation evaluation_;
  FloorRungs rungs_;
  double spent_ = 0;
  double per_second_ = 1e18;  // no rate is known yet
  GapLadder ladder_{kFirstGap, left()};
};

}  // namespace

std::optional<std::string> unfit_for_floors(const FoldedNet& net) {
  const auto is_plain = [](ConstraintKind kind) {
    return kind == ConstraintKind::flow || kind == ConstraintKind::processor;
  };
  if (!std::ranges::all_of(net.dependences, is_plain, &tpn::Dependence::kind)) {
    return "floors are for the model strict, without rooms or a window; use residue";
  }
  const std::vector<tpn::NetPart>& parts = net.pipeline.parts;
  if (parts.size() < 3) return "floors are for three parts or more; use sweep";
  if (parts.size() > kFloorParts) return "floors are for 64 parts at the most; use residue";
  for (const tpn::NetPart& part : parts) {
    if (part.sequence.size() > kFloorResidues) return "floors are for 512 processors per part; use residue";
  }
  return std::nullopt;
}

Evaluation floors(const FoldedNet& net, const Options& options) {
  Evaluation known = uniform_bounds(net, Method::floors);
  tell(options.deadline, known);
  return floors(net, options, std::move(known));
}

Evaluation floors(const FoldedNet& net, const Options& options, Evaluation known) {
  if (known.exact()) return known;
  const StretchLimits limits{.max_memory = options.max_memory, .deadline = options.deadline.after_part(1, 3)};
  if (auto best = best_stretch(net, limits, known.lower)) {
    known.lower = std::move(best->lower);
    known.circuit = std::move(best->circuit);
  }
  if (known.exact()) return known;
  if (const std::uint64_t digits = digits_of(known.lower); digits > kMostDigits) {
    known.limit = tpn::TooLarge{tpn::LimitKind::bound_digits, Integer(digits), kMostDigits};
    return known;
  }
  const double bytes = bytes_of_floors(net);
  if (bytes > static_cast<double>(options.max_memory)) {
    known.limit = tpn::TooLarge{tpn::LimitKind::floor_bytes, Integer(bytes), options.max_memory};
    return known;
  }
  return FloorSearch(net, options, std::move(known)).run();
}

}  // namespace takt::evaluators
