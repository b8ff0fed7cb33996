// Between a window that is too narrow and one that is wide enough.
#include "evaluators/insight/window.hpp"

#include <algorithm>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "tpn/capacity.hpp"
#include "tpn/window.hpp"

namespace takt::evaluators {

namespace {

// Whether the period stays; nothing if that cannot be said.
std::optional<bool> keeps(const tpn::FoldedNet& net, const Rational& period, std::uint64_t window,
                          const Options& options) {
  auto limited = tpn::with_capacity(net, {.buffers = {}, .window = window}, options.deadline);
  const auto* narrowed = std::get_if<tpn::FoldedNet>(&limited);
  if (narrowed == nullptr) return std::nullopt;
  const Evaluation evaluation = evaluate(*narrowed, options);
  if (evaluation.lower > period) return false;
  if (evaluation.upper <= period) return true;
  return std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> least_window(const tpn::FoldedNet& net, const Rational& period, std::uint64_t most,
                                          const Options& options) {
  std::uint64_t narrow = tpn::too_narrow_window(net.pipeline);
  std::uint64_t wide = narrow + 1;  // wide enough, once that was seen
  if (wide > most) return std::nullopt;
  for (;;) {
    const auto stays = keeps(net, period, wide, options);
    if (!stays) return std::nullopt;
    if (*stays) break;
    if (wide == most) return std::nullopt;
    narrow = wide;
    wide = std::min(2 * wide, most);
  }
  while (wide - narrow > 1) {
    const std::uint64_t middle = narrow + (wide - narrow) / 2;
    const auto stays = keeps(net, period, middle, options);
    if (!stays) return std::nullopt;
    (*stays ? wide : narrow) = middle;
  }
  return wide;
}

}  // namespace takt::evaluators
