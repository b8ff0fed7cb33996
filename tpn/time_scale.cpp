// From seconds down.
#include "tpn/time_scale.hpp"

#include <array>

namespace takt::tpn {

namespace {

struct ToldUnit {
  std::string_view name;
  long per_second;
};
constexpr std::array<ToldUnit, 4> kTold = {{{"s", 1}, {"ms", 1'000}, {"us", 1'000'000}, {"ns", 1'000'000'000}}};

}  // namespace

TimeScale time_scale(const Rational& time, TimeUnit unit) {
  if (unit == TimeUnit::own) return {"", 1};
  if (time.sign() == 0) return {kTold.front().name, 1};
  for (const ToldUnit& told : kTold)
    if (time * Rational(told.per_second) >= Rational(1)) return {told.name, Rational::fraction(1, told.per_second)};
  return {kTold.back().name, Rational::fraction(1, kTold.back().per_second)};
}

}  // namespace takt::tpn
