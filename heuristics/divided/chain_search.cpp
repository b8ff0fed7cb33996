// Greedy passes over a chain, and the searches for the least period that use them.
#include "heuristics/divided/chain_search.hpp"

#include <algorithm>
#include <utility>

#include "heuristics/common/mapping_words.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/decimal.hpp"

namespace takt::heuristics {

namespace {

// Passes of one chain: shows them in a table, and stops at a deadline.
class Trials {
 public:
  Trials(const DividedPipeline& pipeline, const Chain& chain, const evaluators::Deadline& deadline, LogTable* tried)
      : pipeline_(pipeline), chain_(chain), deadline_(deadline), tried_(tried) {}

  // Nothing if the deadline has passed.
  std::optional<ChainPass> operator()(const Rational& period) {
    if (evaluators::has_passed(deadline_)) return std::nullopt;
    ChainPass pass = verify_period(pipeline_, chain_, period);
    if (tried_ != nullptr) {
      const Rational reached = pipeline_.work == 0 ? Rational(1) : pass.ends.back() / pipeline_.work;
      tried_->rows.push_back({time_in_words(pipeline_.time_unit, period * pipeline_.unit), pass.complete ? "yes" : "no",
                              decimal(reached)});
    }
    return pass;
  }

 private:
  const DividedPipeline& pipeline_;
  const Chain& chain_;
  const evaluators::Deadline& deadline_;
  LogTable* tried_;
};

// `failed` is too short, `possible` is not.
struct Bracket {
  Rational failed;
  ChainPass failure;
  ChainPeriod possible;
};

// Doubles the bound until a pass succeeds, then halves the gap until it is at most `gap`. A success at the bound itself
// leaves possible.period == failed.
std::optional<Bracket> bracket_period(Trials& trials, const Rational& bound, const Rational& gap) {
  auto pass = trials(bound);
  if (!pass) return std::nullopt;
  if (pass->complete) return Bracket{bound, {}, {bound, std::move(pass->ends)}};
  Bracket bracket{bound, std::move(*pass), {}};
  bool bounded = false;
  Rational period = bound + bound;
  while (!bounded || bracket.possible.period - bracket.failed > gap) {
    pass = trials(period);
    if (!pass) return std::nullopt;
    if (pass->complete) {
      bounded = true;
      bracket.possible = {period, std::move(pass->ends)};
    } else {
      bracket.failed = period;
      bracket.failure = std::move(*pass);
    }
    period = bounded ? (bracket.failed + bracket.possible.period) / 2 : period + period;
  }
  return bracket;
}

Rational lower_bound(const DividedPipeline& pipeline, const Chain& chain) {
  return Rational::fraction(pipeline.work, speed_of(pipeline, chain));
}

}  // namespace

LogTable tried_periods() { return {"Periods tried", {"period", "possible", "share of the work reached"}, {}}; }

ChainPass verify_period(const DividedPipeline& pipeline, const Chain& chain, const Rational& period) {
  ChainPass pass;
  pass.ends.reserve(chain.size());
  std::optional<Rational> next;
  const auto bound_by = [&next](const Integer& end, const Integer& start, const Integer& speed) {
    Rational bound = Rational::fraction(end - start, speed);
    if (!next || bound < *next) next = std::move(bound);
  };
  Integer start = 0;  // of the block, whose processors have this speed in all
  Integer speed = 0;
  auto segment = pipeline.segments.begin();  // the first that is not taken as a whole
  for (const std::size_t processor : chain) {
    speed += pipeline.speeds[processor];
    Rational end = period * speed + start;
    while (segment != pipeline.segments.end() && end >= segment->end) ++segment;
    if (segment == pipeline.segments.end()) {
      end = pipeline.work;
    } else if (!segment->divisible && end > segment->start) {
      bound_by(segment->end, start, speed);
      start = segment->start;
      speed = 0;
      end = start;
    }
    pass.ends.push_back(std::move(end));
  }
  pass.complete = segment == pipeline.segments.end();
  if (!pass.complete) {
    if (speed > 0) bound_by(pipeline.work, start, speed);
    pass.next_bound = *next;
  }
  return pass;
}

std::optional<ChainPeriod> least_period(const DividedPipeline& pipeline, const Chain& chain,
                                        const evaluators::Deadline& deadline, LogTable* tried) {
  constexpr int kHalvings = 16;  // brings the bound so close that few steps remain; any number is right
  Trials trials(pipeline, chain, deadline, tried);
  const Rational bound = lower_bound(pipeline, chain);
  auto bracket = bracket_period(trials, bound, bound / (1 << kHalvings));
  if (!bracket || bracket->possible.period == bracket->failed) {
    return bracket ? std::optional(std::move(bracket->possible)) : std::nullopt;
  }
  std::optional<ChainPass> pass = std::move(bracket->failure);
  Rational period;
  while (!pass->complete) {
    period = pass->next_bound;
    pass = trials(period);
    if (!pass) return std::nullopt;
  }
  return ChainPeriod{std::move(period), std::move(pass->ends)};
}

std::optional<ChainPeriod> approximate_period(const DividedPipeline& pipeline, const Chain& chain,
                                              const Rational& epsilon, const evaluators::Deadline& deadline,
                                              LogTable* tried) {
  maxplus::expects(epsilon.sign() > 0, "an approximation is allowed some error");
  Trials trials(pipeline, chain, deadline, tried);
  const Rational bound = lower_bound(pipeline, chain);
  auto bracket = bracket_period(trials, bound, bound * epsilon);
  return bracket ? std::optional(std::move(bracket->possible)) : std::nullopt;
}

}  // namespace takt::heuristics
