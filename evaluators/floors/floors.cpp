// The ladder of beats.
#include "evaluators/floors/floors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/floors/closing.hpp"
#include "evaluators/floors/floor_classes.hpp"
#include "evaluators/floors/gap_ladder.hpp"
#include "evaluators/floors/kept_parts.hpp"
#include "evaluators/floors/soft_field.hpp"
#include "evaluators/floors/strict_chain.hpp"
#include "evaluators/stretches/stretches.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Integer;
using tpn::FoldedNet;
using Clock = std::chrono::steady_clock;

// Measured on the benchmark's nets.
constexpr double kCaution = 1.2;
constexpr double kLessCaution = 0.2;
constexpr unsigned kSweeps = 100;
// Above the floor an exception may rise by so many longest durations, and so many times as high as at the beat before.
constexpr std::int32_t kHighest = 4;
constexpr double kHighestGrowth = 2.5;
constexpr std::size_t kLeastMemory = 2;
constexpr std::size_t kMostMemory = 7;
constexpr int kDigits = 7;

double number(const Rational& value) { return value.to_double().value_or(0); }

// The least number of kDigits digits from a value times 1 + gap on.
Rational raised(const Rational& value, double gap) {
  const double target = number(value) * (1 + gap);
  const int digits = kDigits - 1 - static_cast<int>(std::floor(std::log10(target)));
  Integer power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, static_cast<unsigned long>(std::abs(digits)));
  const Rational scale = digits >= 0 ? Rational(power) : Rational::fraction(1, power);
  const auto count = static_cast<std::int64_t>(std::ceil(target * std::pow(10, digits)));
  return Rational(maxplus::integer_of(maxplus::Int128{count})) / scale;
}

Integer floor_of(const Rational& value) {
  Integer result;
  mpz_fdiv_q(result.get_mpz_t(), value.numerator().get_mpz_t(), value.denominator().get_mpz_t());
  return result;
}

// Of one net, from a first interval to the nearest that is proved.
class FloorSearch {
 public:
  FloorSearch(const FoldedNet& net, const Options& options, Evaluation known)
      : net_(net),
        options_(options),
        evaluation_(std::move(known)),
        chain_(net),
        classes_(chain_, ticks(evaluation_.lower)),
        field_(chain_, classes_),
        left_(options.deadline.time() ? kUnlimited : kFollowedExceptions) {}

  Evaluation run() {
    evaluation_.method = Method::floors;
    evaluation_.limit = Unproved{};
    field_.restart(caution_);
    while (const auto gap = ladder_.next()) {
      const Rational beat = raised(evaluation_.lower, *gap);
      if (beat >= evaluation_.upper && *gap < kFirstGap) break;
      if (!attempt(beat, *gap)) break;
    }
    return std::move(evaluation_);
  }

 private:
  static constexpr double kFirstGap = 0.08;
  static constexpr double kUnlimited = 1e18;
  static constexpr std::uint64_t kBytesPerClass = 64;  // potentials, floors and what belongs to them

  double ticks(const Rational& time) const { return number(time / chain_.tick()); }

  // At one beat, with more kept as long as exceptions run away.
  bool attempt(const Rational& beat, double gap) {
    settle_field(ticks(beat));
    const Floor floor(chain_, classes_, floor_values());
    for (; kept_ <= kMostMemory; ++kept_) {
      const std::vector<PartBits> keeps = kept_parts(chain_, ticks(evaluation_.lower), kept_);
      Closing closing(chain_, classes_, floor, keeps, beats_of(beat));
      const auto begin = Clock::now();
      const ClosingEnd end = closing.run(limits());
      const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
      left_ -= closing.followed();
      if (std::getenv("FLOORS")) fmt::print(stderr,"gap {:.4f} kept {} end {} stored {:.3g} followed {:.3g} highest {} in {:.2f}s\n",gap,kept_,int(end),closing.stored(),closing.followed(),closing.highest(),seconds);
      if (end == ClosingEnd::runaway) continue;
      if (end == ClosingEnd::closed) {
        prove(beat, floor, keeps, closing.highest());
        ladder_.proved(gap, closing.followed(), left_after(closing.followed(), seconds));
        return true;
      }
      if (end == ClosingEnd::out_of_time) evaluation_.limit = OutOfTime{};
      return false;
    }
    return false;
  }

  // In exceptions that may still be followed.
  double left_after(double followed, double seconds) const {
    const auto& time = options_.deadline.time();
    if (!time) return left_;
    const double remaining = std::chrono::duration<double>(*time - Clock::now()).count();
    return followed * remaining / std::max(seconds, 1e-6);
  }

  ClosingLimits limits() const {
    return {.highest = std::max(kHighest * chain_.longest(), static_cast<std::int32_t>(kHighestGrowth * highest_)),
            .exceptions = left_,
            .memory = options_.max_memory - std::min(options_.max_memory, field_bytes()),
            .deadline = options_.deadline};
  }

  std::uint64_t field_bytes() const {
    std::uint64_t classes = 0;
    for (std::size_t t = 0; t < chain_.transfers(); ++t) classes += classes_.count(t) + chain_.pairs(t);
    return classes * kBytesPerClass;
  }

  void settle_field(double beat) {
    auto b=Clock::now(); bool ok=field_.settle(beat, kSweeps, options_.deadline);if (std::getenv("FLOORS")) fmt::print(stderr,"field {} {:.2f}s\n",ok,std::chrono::duration<double>(Clock::now() - b).count());
  }

  std::vector<std::vector<std::int32_t>> floor_values() const {
    std::vector<std::vector<std::int32_t>> values(chain_.transfers());
    for (std::size_t t = 0; t < chain_.transfers(); ++t) {
      values[t].assign(classes_.count(t), Floor::kNever);
      for (std::size_t k = 0; k < values[t].size(); ++k) {
        if (classes_.is_met(t, k)) values[t][k] = static_cast<std::int32_t>(std::lround(field_.middle(t, k)));
      }
    }
    return values;
  }

  std::vector<std::int64_t> beats_of(const Rational& beat) const {
    std::vector<std::int64_t> beats;
    for (std::size_t i = 0; i < chain_.parts(); ++i) {
      beats.push_back(floor_of(beat * Rational(chain_.modulus(i)) / chain_.tick()).get_si());
    }
    return beats;
  }

  void prove(const Rational& beat, const Floor& floor, const std::vector<PartBits>& keeps, std::int32_t highest) {
    if (beat >= evaluation_.upper) return;
    highest_ = highest;
    evaluation_.witness = schedule(floor, keeps, highest);
    evaluation_.upper = beat;
    if (std::getenv("FLOORS")) fmt::print(stderr,"  proved {} highest {}\n",number(beat),highest);
    tell(options_.deadline, evaluation_);
  }

  FloorSchedule schedule(const Floor& floor, const std::vector<PartBits>& keeps, std::int32_t highest) const {
    FloorSchedule schedule;
    schedule.unit = Rational(1) / chain_.tick();
    schedule.highest = highest;
    for (std::size_t t = 0; t < chain_.transfers(); ++t) schedule.transfers.push_back(of_transfer(floor, keeps[t], t));
    return schedule;
  }

  TransferFloor of_transfer(const Floor& floor, PartBits keeps, std::size_t t) const {
    TransferFloor result;
    result.keeps = {parts_of(keeps)};
    result.keeps_of.assign(chain_.pairs(t), 0);
    const PartBits pair_parts = part_bit(t) | part_bit(t + 1);
    std::uint32_t right = 0;
    if (t > 0) {
      result.sees.push_back(parts_of(pair_parts | part_bit(t - 1)));
      right = 1;
    }
    if (t + 2 < chain_.parts()) result.sees.push_back(parts_of(pair_parts | part_bit(t + 2)));
    for (std::size_t pair = 0; pair < chain_.pairs(t); ++pair) {
      result.sees_of.push_back(classes_.sees_left(t, pair) ? 0 : right);
      result.offset.push_back(classes_.first(t, pair));
    }
    result.floor = floor.values(t);
    for (std::int32_t& value : result.floor) {
      if (value == Floor::kNever) value = 0;  // no data set has it
    }
    return result;
  }

  static std::vector<std::size_t> parts_of(PartBits set) {
    std::vector<std::size_t> parts;
    for (std::size_t part = 0; part < kFloorParts; ++part) {
      if ((set & part_bit(part)) != 0) parts.push_back(part);
    }
    return parts;
  }

  const FoldedNet& net_;
  const Options& options_;
  Evaluation evaluation_;
  StrictChain chain_;
  FloorClasses classes_;
  SoftField field_;
  GapLadder ladder_{kFirstGap};
  double left_;
  double caution_ = kCaution;
  std::size_t kept_ = kLeastMemory;
  std::int32_t highest_ = 0;  // of the last beat that was proved
};

}  // namespace

std::optional<std::string> unfit_for_floors(const FoldedNet& net) {
  if (net.model != tpn::Model::kStrict || !net.capacity.is_unlimited()) {
    return "floors are for the model strict, without rooms or a window; use residue";
  }
  const std::vector<tpn::NetPart>& parts = net.pipeline.parts;
  if (parts.size() < 3) return "floors are for three parts or more; use sweep";
  if (parts.size() > kFloorParts) return "floors are for 64 parts at the most; use residue";
  std::set<std::size_t> processors;
  for (const tpn::NetPart& part : parts) {
    if (part.role != tpn::PartRole::mapped) return "floors are for pipelines without source and sink; use residue";
    if (part.sequence.size() > kFloorResidues) return "floors are for 512 processors per part; use residue";
    for (const std::size_t processor : part.sequence) {
      if (!processors.insert(processor).second) return "floors are for processors that take turns once; use residue";
    }
  }
  return std::nullopt;
}

Evaluation floors(const FoldedNet& net, const Options& options) {
  Evaluation known = uniform_bounds(net, Method::floors);
  if (known.exact()) return known;
  tell(options.deadline, known);
  const StretchLimits limits{.max_memory = options.max_memory, .deadline = options.deadline.half_way()};
  if (auto best = best_stretch(net, limits, known.lower)) {
    known.lower = best->lower;
    known.circuit = std::move(best->circuit);
  }
  return floors(net, options, std::move(known));
}

Evaluation floors(const FoldedNet& net, const Options& options, Evaluation known) {
  return FloorSearch(net, options, std::move(known)).run();
}

}  // namespace takt::evaluators
