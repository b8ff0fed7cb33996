// How fine charges are, and how large sums become.
#include "plan/counted/whole_limits.hpp"

#include <algorithm>
#include <utility>

namespace takt::plan {

namespace {

// Charges are at least that fine, and may be that much above the prices.
constexpr std::size_t kGridBits = 16;
constexpr std::size_t kRoomBits = 4;

std::size_t bits_of(const Integer& number) { return mpz_sizeinbase(number.get_mpz_t(), 2); }

// With ticks that many times as short.
Scales finer(Scales scales, const Integer& times) {
  scales.ticks *= times;
  scales.period *= times;
  scales.base *= times;
  scales.longest *= times;
  if (scales.tick_weight == 0) return scales;
  scales.unit /= times;
  for (Integer& weight : scales.weights) weight *= times;
  for (Integer& premium : scales.premiums) premium *= times;
  scales.setup *= times;
  scales.most_cost *= times;
  return scales;
}

}  // namespace

Scales scales_within(const Catalogue& catalogue, const CountedQuery& asked) {
  Scales scales(catalogue, asked.query);
  if (!asked.latency) return scales;
  const Integer times = (*asked.latency * scales.ticks).denominator();
  return finer(std::move(scales), times);
}

WholeLimits::WholeLimits(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales) {
  const Integer paid = Integer(static_cast<unsigned long>(asked.query.spare)) + 2;
  const Integer stages = static_cast<unsigned long>(catalogue.stages.size());
  // The transfers count for two parts.
  machines = 3 * scales.all_machines() + stages * paid;
  for (const PlannedStage& stage : catalogue.stages) machines += Integer(static_cast<unsigned long>(stage.partitions));
  Integer heaviest = *std::ranges::max_element(scales.weights) + scales.setup;
  if (!scales.premiums.empty()) heaviest += *std::ranges::max_element(scales.premiums);
  const Integer cost = heaviest * machines + scales.tick_weight * scales.longest + 1;
  step = gcd(scales.tick_weight, scales.setup);
  for (const Integer& weight : scales.weights) step = gcd(step, weight);
  for (const Integer& premium : scales.premiums) step = gcd(step, premium);
  // No plan costs more than that.
  if (asked.most_cost) most_cost = std::min((*asked.most_cost / scales.unit).floor(), cost);
  std::size_t ratio = 1;  // of what a plan may use to what there is, in bits
  for (const MachineType& type : catalogue.types) {
    if (!type.count || *type.count == 0) continue;
    ratio = std::max(ratio, bits_of(machines / Integer(static_cast<unsigned long>(*type.count))));
  }
  std::size_t used = 0;  // of quotas, in bits
  for (const tpn::QuotaUses& quota : catalogue.quotas) {
    const Integer whole = (quota.most / quota.unit).numerator();
    const Integer all = machines * (*std::ranges::max_element(quota.uses) / quota.unit).numerator() + 1;
    ratio = std::max(ratio, bits_of(2 * all / std::max(whole, Integer(1))));
    used = std::max({used, bits_of(all), bits_of(whole)});
  }
  std::size_t fine = kGridBits;
  if (asked.latency) {
    // As the grid rounds times, what keeps the latency is kept for certain, or is not lost.
    const Rational whole = *asked.latency * Rational(scales.ticks);
    ticks = scales.rounding == GridRounding::down ? whole.ceiling() : whole.floor();
    ratio = std::max(ratio, bits_of(scales.longest / std::max(*ticks, Integer(1))));
    fine = std::max(fine, kGridBits / 2 + bits_of(*ticks) - std::min(bits_of(step), bits_of(*ticks)));
  }
  grid = Integer(1) << fine;
  most = (cost * grid) << kRoomBits;
  const std::size_t resources = catalogue.types.size() + catalogue.quotas.size() + 2;
  bits = std::max(bits_of(most) + ratio + bits_of(static_cast<unsigned long>(resources)),
                  std::max(used, bits_of(std::max({scales.longest, scales.period, scales.base, machines}))));
}

}  // namespace takt::plan
