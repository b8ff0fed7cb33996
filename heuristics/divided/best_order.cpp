// Sets of processors as counts of each speed; positions as whole numbers.
#include "heuristics/divided/best_order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "heuristics/common/mapping_words.hpp"
#include "maxplus/contract.hpp"

namespace takt::heuristics {

namespace {

// Of processors; 32 megabytes, or some 150 where positions do not fit 64 bits.
constexpr std::uint64_t kMostSets = std::uint64_t{1} << 21;
// Where the bisection ends, as a part of the lower bound; any number is right.
constexpr int kNearness = 1 << 8;
constexpr std::uint64_t kSetsPerLook = 1024;

// By speed, fastest first: the processors that have it.
std::vector<std::vector<std::size_t>> by_speed(const DividedPipeline& pipeline) {
  std::map<Integer, std::vector<std::size_t>, std::greater<>> groups;
  for (std::size_t p = 0; p < pipeline.speeds.size(); ++p) groups[pipeline.speeds[p]].push_back(p);
  std::vector<std::vector<std::size_t>> kinds;
  kinds.reserve(groups.size());
  for (auto& [speed, processors] : groups) kinds.push_back(std::move(processors));
  return kinds;
}

// All sets of processors, the empty one included; kMostSets + 1 if there are more.
std::uint64_t count_sets(const std::vector<std::vector<std::size_t>>& kinds) {
  std::uint64_t sets = 1;
  for (const auto& kind : kinds) {
    if (sets > kMostSets / (kind.size() + 1)) return kMostSets + 1;
    sets *= kind.size() + 1;
  }
  return sets;
}

// A period to be tested: at most it, or less.
struct TriedPeriod {
  Rational period;
  bool is_excluded = false;
};

// f, for a period, in units of 1 / its denominator.
template <typename Number>
class FurthestPositions {
 public:
  FurthestPositions(const DividedPipeline& pipeline, const std::vector<std::vector<std::size_t>>& kinds,
                    const TriedPeriod& tried)
      : kinds_(kinds), is_excluded_(tried.is_excluded), places_(count_sets(kinds)) {
    for (const Segment& segment : compact_segments(pipeline)) {
      const Integer& unit = tried.period.denominator();
      stretches_.push_back({number(segment.start * unit), number(segment.end * unit), segment.divisible});
    }
    std::size_t stride = 1;
    for (const auto& kind : kinds) {
      const Integer& speed = pipeline.speeds[kind.front()];
      lengths_.push_back(number(speed * tried.period.numerator()));
      strides_.push_back(stride);
      stride *= kind.size() + 1;
    }
  }

  // An order of all processors with such a period; nothing if there is none, or if the deadline has passed.
  std::optional<Chain> order(const evaluators::Deadline& deadline) {
    std::vector<std::size_t> counts(kinds_.size());
    for (std::size_t set = 1; set < places_.size(); ++set) {
      if (set % kSetsPerLook == 0 && evaluators::has_passed(deadline)) return std::nullopt;
      for (std::size_t k = 0; ++counts[k] > kinds_[k].size(); ++k) counts[k] = 0;
      bool is_first = true;
      for (std::size_t k = 0; k < kinds_.size(); ++k) {
        if (counts[k] == 0) continue;
        Place place = advance(places_[set - strides_[k]], k);
        if (place.stretch == stretches_.size()) return chain(set, k);
        if (is_first || place.position > places_[set].position) places_[set] = std::move(place);
        is_first = false;
      }
    }
    return std::nullopt;
  }

 private:
  struct Stretch {
    Number start;
    Number end;
    bool divisible = false;
  };

  struct Place {
    Number position{};
    std::uint32_t stretch = 0;  // the first that is not taken as a whole

    friend bool operator==(const Place&, const Place&) = default;
  };

  static Number number(const Integer& value) {
    if constexpr (std::same_as<Number, Integer>) {
      return value;
    } else {
      return value.get_si();
    }
  }

  // Of a place that a processor has moved to.
  bool reaches(const Place& place, const Number& end) const {
    return is_excluded_ ? place.position > end : place.position >= end;
  }

  Place advance(const Place& from, std::size_t kind) const {
    Place to{from.position + lengths_[kind], from.stretch};
    while (to.stretch < stretches_.size() && reaches(to, stretches_[to.stretch].end)) ++to.stretch;
    if (to.stretch == stretches_.size()) return to;
    const Stretch& stretch = stretches_[to.stretch];
    if (!stretch.divisible && to.position > stretch.start) to.position = stretch.start;
    return to;
  }

  // That reaches the end with a set, its last processor of this kind; then all that are left.
  Chain chain(std::size_t set, std::size_t last) const {
    std::vector<std::size_t> used{last};
    for (set -= strides_[last]; set > 0; set -= strides_[used.back()]) used.push_back(kind_before(set));
    std::vector<std::size_t> next(kinds_.size());
    Chain chain;
    for (auto kind = used.rbegin(); kind != used.rend(); ++kind) chain.push_back(kinds_[*kind][next[*kind]++]);
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      while (next[k] < kinds_[k].size()) chain.push_back(kinds_[k][next[k]++]);
    }
    return chain;
  }

  // Of a processor that brings a set to its position as the last one.
  std::size_t kind_before(std::size_t set) const {
    for (std::size_t k = 0; k < kinds_.size(); ++k) {
      const bool has_it = set / strides_[k] % (kinds_[k].size() + 1) > 0;
      if (has_it && advance(places_[set - strides_[k]], k) == places_[set]) return k;
    }
    maxplus::expects(false, "some processor is the last of a set");
    return 0;
  }

  const std::vector<std::vector<std::size_t>>& kinds_;
  bool is_excluded_;
  std::vector<Stretch> stretches_;
  std::vector<Number> lengths_;       // by kind, what is taken within the period
  std::vector<std::size_t> strides_;  // by kind: a set counts its members in a digit of its own
  std::vector<Place> places_;         // by set
};

// Tests one period after the other, and keeps the best order.
class OrderSearch {
 public:
  OrderSearch(const DividedPipeline& pipeline, const evaluators::Deadline& deadline, Log& log)
      : pipeline_(pipeline),
        deadline_(deadline),
        log_(log),
        kinds_(by_speed(pipeline)),
        bound_(Rational::fraction(pipeline.work, speed_of(pipeline, document_chain(pipeline)))) {
    keep(document_chain(pipeline));
  }

  BestOrder run() {
    if (best_.least.period > bound_ && !is_possible({bound_})) bisect();
    while (best_.least.period > bound_ && !best_.cut_short && is_possible({best_.least.period, true})) continue;
    log_.tables.push_back(std::move(tried_));
    return std::move(best_);
  }

 private:
  // Over the bound plus multiples of a step, of which none is possible up to `failed`.
  void bisect() {
    const Rational step = bound_ / Rational(kNearness);
    Integer failed = 0;
    Integer possible = steps_up(step);
    while (possible - failed > 1 && !best_.cut_short) {
      const Integer middle = (failed + possible) / 2;
      if (is_possible({bound_ + step * Rational(middle)})) {
        possible = steps_up(step);
      } else {
        failed = middle;
      }
    }
  }

  // As many as bring the bound to the best period or above.
  Integer steps_up(const Rational& step) const {
    const Rational steps = (best_.least.period - bound_) / step;
    return (steps.numerator() + steps.denominator() - 1) / steps.denominator();
  }

  // Keeps the order that shows it.
  bool is_possible(const TriedPeriod& tried) {
    ++tests_;
    const Integer largest = pipeline_.work * tried.period.denominator() +
                            tried.period.numerator() * speed_of(pipeline_, document_chain(pipeline_));
    const bool is_short = mpz_sizeinbase(largest.get_mpz_t(), 2) <= kShortBits;
    const auto order = is_short ? FurthestPositions<std::int64_t>(pipeline_, kinds_, tried).order(deadline_)
                                : FurthestPositions<Integer>(pipeline_, kinds_, tried).order(deadline_);
    best_.cut_short = !order && evaluators::has_passed(deadline_);
    if (best_.cut_short) return false;
    if (order) keep(*order);
    tried_.rows.push_back(
        {(tried.is_excluded ? "below " : "") + time_in_words(pipeline_.time_unit, tried.period * pipeline_.unit),
         order ? "yes" : "no", order ? time_in_words(pipeline_.time_unit, best_.least.period * pipeline_.unit) : ""});
    return order.has_value();
  }

  // An order whose period is below the best one, or the first.
  void keep(Chain chain) {
    best_.least = *least_period(pipeline_, chain);
    best_.chain = std::move(chain);
    log_.improvements.push_back({tests_, best_.least.period * pipeline_.unit});
  }

  // A position and a period times all speeds, both times the denominator, add up to at most 2^62.
  static constexpr std::size_t kShortBits = 62;

  const DividedPipeline& pipeline_;
  const evaluators::Deadline& deadline_;
  Log& log_;
  std::vector<std::vector<std::size_t>> kinds_;
  Rational bound_;  // of all periods
  BestOrder best_;
  std::uint64_t tests_ = 0;
  LogTable tried_{"Periods tried", {"period", "possible", "least period of its order"}, {}};
};

}  // namespace

std::variant<BestOrder, LimitMet> best_order(const DividedPipeline& pipeline, const evaluators::Deadline& deadline,
                                             Log& log) {
  maxplus::expects(pipeline.work > 0, "a pipeline with some work");
  const auto kinds = by_speed(pipeline);
  if (count_sets(kinds) > kMostSets) {
    return LimitMet{
        fmt::format("{} processors of {} different speeds have more than {} sets, and no more are looked at",
                    pipeline.speeds.size(), kinds.size(), kMostSets)};
  }
  return OrderSearch(pipeline, deadline, log).run();
}

}  // namespace takt::heuristics
