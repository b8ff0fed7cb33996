// From estimates to potentials to the fixpoint search, which keeps more residues each time that it diverges.
#include "evaluators/potentials/attempts.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>

#include "evaluators/potentials/kept_parts.hpp"

namespace takt::evaluators {

namespace {

using maxplus::Integer;

// Measured on the benchmark's nets.
constexpr double kSafetyFactor = 1.2;  // at this gap, and less at smaller ones
constexpr double kSafetyFactorGap = 0.025;
constexpr double kSafetyFactorPower = 0.125;
constexpr double kLeastCaution = 0.5;
constexpr double kMostCaution = 1.25;
constexpr unsigned kSweeps = 50;
constexpr std::size_t kLeastKept = 2;
constexpr std::size_t kMostKept = 7;
// A bound may rise above the potential by kHighest longest durations, and to kHighestGrowth times its height at the
// previous candidate period.
constexpr std::int32_t kHighest = 3;
constexpr double kHighestGrowth = 1.8;
constexpr double kMostHeight = 1e9;
// Bounds keep more residues where their number grows by at most this factor.
constexpr double kHardlyMore = 1.15;
constexpr double kBytesPerClass = 64;

std::vector<std::size_t> parts_of(PartBits set) {
  std::vector<std::size_t> parts;
  for (std::size_t part = 0; part < kPotentialParts; ++part) {
    if ((set & part_bit(part)) != 0) parts.push_back(part);
  }
  return parts;
}

}  // namespace

PotentialAttempts::PotentialAttempts(const tpn::FoldedNet& net, const Rational& candidate)
    : bytes_(bytes_of_potentials(net)),
      chain_(net),
      usual_candidate_(ticks(candidate)),
      classes_(chain_, usual_candidate_),
      estimate_(chain_, classes_),
      kept_(kLeastKept) {}

double PotentialAttempts::ticks(const Rational& time) const { return (time / chain_.tick()).to_double().value_or(0); }

double bytes_of_potentials(const tpn::FoldedNet& net) {
  const std::vector<tpn::NetPart>& parts = net.pipeline.parts;
  const auto size = [&](std::size_t part) { return static_cast<double>(parts[part].sequence.size()); };
  double classes = 0;
  for (std::size_t t = 0; t + 1 < parts.size(); ++t) {
    const double third = std::max(t > 0 ? size(t - 1) : 1, t + 2 < parts.size() ? size(t + 2) : 1);
    const std::size_t divisor = std::gcd(parts[t].sequence.size(), parts[t + 1].sequence.size());
    classes += size(t) * size(t + 1) * (1 + third / static_cast<double>(divisor));
  }
  return classes * kBytesPerClass;
}

AttemptResult PotentialAttempts::attempt(const Rational& candidate, const AttemptBudget& budget,
                                         const Options& options) {
  const auto start = Deadline::Clock::now();
  const double in_ticks = ticks(candidate);
  estimate_.settle(in_ticks, safety_factor(in_ticks), kSweeps, options.deadline);
  potentials_.emplace(chain_, classes_, potential_values());
  allowances_ = allowances_of(candidate);
  AttemptResult result;
  const std::size_t kept = kept_;
  for (;; ++kept_) {
    const auto begin = Deadline::Clock::now();
    Fixpoint fixpoint = this->fixpoint(kept_);
    result.end = fixpoint.run(limits({kept_ < kMostKept ? budget.expected : budget.most, budget.most}, options));
    result.reached = fixpoint.reached();
    result.stored = fixpoint.stored();
    result.spent += fixpoint.reached();
    const auto end = Deadline::Clock::now();
    result.seconds = std::chrono::duration<double>(end - begin).count();
    result.seconds_in_all = std::chrono::duration<double>(end - start).count();
    if (result.end == FixpointEnd::found) {
      highest_ = fixpoint.highest();
      reached_ = fixpoint.reached();
      result.schedule = schedule();
    }
    if (result.end != FixpointEnd::divergence || kept_ == kMostKept) break;
  }
  // It served nothing.
  if (result.end != FixpointEnd::found) kept_ = kept;
  return result;
}

double PotentialAttempts::widen(const Options& options) {
  double spent = 0;
  for (bool is_hardly_more = true; is_hardly_more && kept_ < kMostKept;) {
    Fixpoint fixpoint = this->fixpoint(kept_ + 1);
    const double most = kHardlyMore * reached_;
    is_hardly_more = fixpoint.run(limits({most, most}, options)) == FixpointEnd::found;
    if (is_hardly_more) ++kept_;
    spent += fixpoint.reached();
  }
  return spent;
}

double PotentialAttempts::safety_factor(double candidate) const {
  const double gap = std::max(candidate / usual_candidate_ - 1, 0.0);
  return std::clamp(kSafetyFactor * std::pow(gap / kSafetyFactorGap, kSafetyFactorPower), kLeastCaution, kMostCaution);
}

Fixpoint PotentialAttempts::fixpoint(std::size_t width) const {
  return {chain_, classes_, *potentials_, kept_parts(chain_, usual_candidate_, width), allowances_};
}

FixpointLimits PotentialAttempts::limits(const AttemptBudget& budget, const Options& options) const {
  const double highest = std::min(kHighestGrowth * highest_, kMostHeight);
  return {.highest = std::max(kHighest * chain_.longest(), static_cast<std::int32_t>(highest)),
          .expected = budget.expected,
          .bounds = budget.most,
          .memory = static_cast<std::uint64_t>(std::max(static_cast<double>(options.max_memory) - bytes_, 0.0)),
          .deadline = options.deadline};
}

std::vector<std::vector<std::int32_t>> PotentialAttempts::potential_values() const {
  // Far from where sums leave 32 bits, whatever the potentials are.
  constexpr float kMost = 0x1p29F;
  std::vector<std::vector<std::int32_t>> values(chain_.transfers());
  for (std::size_t t = 0; t < chain_.transfers(); ++t) {
    values[t].assign(classes_.count(t), ClassPotentials::kNever);
    for (std::size_t k = 0; k < values[t].size(); ++k) {
      if (!classes_.is_met(t, k)) continue;
      values[t][k] = static_cast<std::int32_t>(std::lround(std::clamp(estimate_.middle(t, k), -kMost, kMost)));
    }
  }
  return values;
}

// Rounded down, as durations were rounded up.
std::vector<std::int64_t> PotentialAttempts::allowances_of(const Rational& candidate) const {
  std::vector<std::int64_t> allowances;
  for (std::size_t i = 0; i < chain_.parts(); ++i) {
    const Rational exact = candidate * Rational(chain_.modulus(i)) / chain_.tick();
    allowances.push_back(exact.floor().get_si());
  }
  return allowances;
}

PotentialSchedule PotentialAttempts::schedule() const {
  const std::vector<PartBits> keeps = kept_parts(chain_, usual_candidate_, kept_);
  PotentialSchedule schedule;
  schedule.unit = Rational(1) / chain_.tick();
  schedule.highest = highest_;
  for (std::size_t t = 0; t < chain_.transfers(); ++t) schedule.transfers.push_back(of_transfer(keeps[t], t));
  return schedule;
}

TransferPotentials PotentialAttempts::of_transfer(PartBits keeps, std::size_t t) const {
  TransferPotentials result;
  result.keeps = {parts_of(keeps)};
  result.keeps_of.assign(chain_.pairs(t), 0);
  const PartBits both = part_bit(t) | part_bit(t + 1);
  if (t > 0) result.sees.push_back(parts_of(both | part_bit(t - 1)));
  const auto right = static_cast<std::uint32_t>(result.sees.size());
  if (t + 2 < chain_.parts()) result.sees.push_back(parts_of(both | part_bit(t + 2)));
  for (std::size_t pair = 0; pair < chain_.pairs(t); ++pair) {
    result.sees_of.push_back(classes_.sees_left(t, pair) ? 0 : right);
    result.offset.push_back(classes_.first(t, pair));
  }
  result.potentials = potentials_->values(t);
  for (std::int32_t& value : result.potentials) {
    if (value == ClassPotentials::kNever) value = 0;  // no data set has it
  }
  return result;
}

}  // namespace takt::evaluators
