// Durations of a column over the common denominator, scaled to ticks and rounded half up.
#include "live/engine/route.hpp"

#include "maxplus/contract.hpp"

namespace takt::live {

namespace {

constexpr std::int64_t kMostTicks = std::int64_t{1} << 53;

}  // namespace

Rational exact_ticks(const tpn::Pipeline& pipeline) { return Rational(pipeline.scale); }

std::vector<std::size_t> sources_of(const tpn::Pipeline& pipeline) {
  const tpn::NetPart& first = pipeline.parts.front();
  return first.role == tpn::PartRole::source ? first.sequence : std::vector<std::size_t>{};
}

std::optional<Route> Route::make(const tpn::Pipeline& pipeline, const Rational& ticks_per_unit) {
  maxplus::expects(pipeline.is_chain(), "a run carries out a chain");
  Route route;
  route.parts_ = pipeline.parts;
  for (const tpn::Column& column : pipeline.columns) {
    RouteColumn made{column.sender_offset, column.receiver_offset, {}};
    made.ticks.reserve(column.table.size());
    for (std::size_t i = 0; i < column.table.size(); ++i) {
      const maxplus::Integer ticks = (Rational::fraction(column.table[i], pipeline.scale) * ticks_per_unit).nearest();
      if (ticks > kMostTicks) return std::nullopt;
      made.ticks.push_back(ticks.get_si());
    }
    route.columns_.push_back(std::move(made));
  }
  return route;
}

}  // namespace takt::live
