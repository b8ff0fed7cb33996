// From one moment at which loads change to the next, until the work is done.
#include "live/engine/load.hpp"

#include <algorithm>
#include <optional>

namespace takt::live {

namespace {

constexpr Ticks kLastTick = Ticks{1} << 62;

// When the loads of a processor change next.
std::optional<Ticks> next_change(std::span<const BackgroundLoad> loads, std::size_t processor, Ticks time) {
  std::optional<Ticks> next;
  for (const BackgroundLoad& load : loads) {
    if (load.processor != processor) continue;
    for (const Ticks change : {load.from, load.until})
      if (change > time && (!next || change < *next)) next = change;
  }
  return next;
}

Ticks rounded(const Rational& moment) {
  const maxplus::Integer ticks = moment.nearest();
  return ticks > kLastTick ? kLastTick : Ticks{ticks.get_si()};
}

}  // namespace

Rational factor_at(std::span<const BackgroundLoad> loads, std::size_t processor, Ticks time) {
  Rational factor = 1;
  for (const BackgroundLoad& load : loads)
    if (load.processor == processor && load.from <= time && time < load.until) factor += load.load;
  return factor;
}

Ticks loaded_end(std::span<const BackgroundLoad> loads, std::size_t processor, Ticks start, Ticks nominal) {
  Rational left = nominal;
  for (Ticks time = start;;) {
    const Rational factor = factor_at(loads, processor, time);
    const std::optional<Ticks> change = next_change(loads, processor, time);
    const Rational end = Rational(time) + left * factor;
    if (!change || end <= Rational(*change)) return rounded(end);
    left -= Rational(*change - time) / factor;
    time = *change;
  }
}

}  // namespace takt::live
