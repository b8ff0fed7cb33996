// Uses by type, and the greatest common divisor of them all.
#include "tpn/quotas.hpp"

#include <numeric>

namespace takt::tpn {

namespace {

Rational used_by(const ProcessorType& type, Quota::Of of) {
  switch (of) {
    case Quota::Of::machines:
      break;
    case Quota::Of::cores:
      return Rational(type.cores);
    case Quota::Of::memory:
      return type.memory.value_or(0);
    case Quota::Of::price:
      return type.price;
  }
  return 1;
}

Rational common_divisor(const Rational& one, const Rational& other) {
  const Integer common = lcm(one.denominator(), other.denominator());
  const Rational scale = Rational(common);
  return Rational::fraction(gcd((one * scale).numerator(), (other * scale).numerator()), common);
}

}  // namespace

std::string_view key_of(Quota::Of of) {
  switch (of) {
    case Quota::Of::machines:
      break;
    case Quota::Of::cores:
      return "cores";
    case Quota::Of::memory:
      return "memory";
    case Quota::Of::price:
      return "price";
  }
  return "machines";
}

std::vector<std::size_t> counted_types(const Quota& quota, const Platform& platform) {
  if (!quota.types.empty()) return quota.types;
  std::vector<std::size_t> all(platform.types.size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  return all;
}

Rational QuotaUses::of(std::span<const std::uint64_t> machines) const {
  Rational sum;
  for (std::size_t t = 0; t < machines.size(); ++t) sum += uses[t] * Rational(machines[t]);
  return sum;
}

QuotaUses quota_uses(const Quota& quota, const Platform& platform) {
  QuotaUses result;
  result.quota = quota;
  result.uses.resize(platform.types.size());
  Rational divisor;
  for (const std::size_t type : counted_types(quota, platform)) {
    result.uses[type] = used_by(platform.types[type], quota.of);
    divisor = common_divisor(divisor, result.uses[type]);
  }
  if (divisor.sign() > 0) result.unit = divisor;
  result.most = Rational((quota.most / result.unit).floor()) * result.unit;
  return result;
}

}  // namespace takt::tpn
