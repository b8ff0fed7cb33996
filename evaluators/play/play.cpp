// Hands the ends of earliest firing over as rationals.
#include "evaluators/play/play.hpp"

#include "evaluators/play/firing.hpp"

namespace takt::evaluators {

namespace {

template <typename Number, typename Visit>
void play_numbers(const tpn::FoldedNet& net, std::uint64_t data_sets, Visit visit) {
  const FiringPlan plan = make_firing_plan(net);
  EarliestFiring<Number> firing(plan, net);
  bool goes_on = true;
  for (std::uint64_t j = 0; j < data_sets && goes_on; ++j) {
    firing.fire_data_set([&](std::size_t column, const Number& start, const Number& end) {
      goes_on = goes_on && visit(tpn::Operation{j, tpn::ColumnIndex(column)}, start, end);
    });
  }
}

template <typename Number>
void play_in(const tpn::FoldedNet& net, std::uint64_t data_sets, const std::function<bool(const Firing&)>& visit) {
  const Integer& scale = net.pipeline.scale;
  play_numbers<Number>(net, data_sets, [&](const tpn::Operation& operation, const Number& start, const Number& end) {
    return visit({operation, Rational::fraction(widen(start), scale), Rational::fraction(widen(end), scale)});
  });
}

}  // namespace

void play(const tpn::FoldedNet& net, std::uint64_t data_sets, const std::function<bool(const Firing&)>& visit) {
  if (ends_fit_64_bits(net, data_sets)) {
    play_in<std::int64_t>(net, data_sets, visit);
  } else {
    play_in<Integer>(net, data_sets, visit);
  }
}

bool play_in_ticks(
    const tpn::FoldedNet& net, std::uint64_t data_sets,
    const std::function<bool(const tpn::Operation& operation, std::int64_t start, std::int64_t end)>& visit) {
  if (!ends_fit_64_bits(net, data_sets)) return false;
  play_numbers<std::int64_t>(net, data_sets, visit);
  return true;
}

}  // namespace takt::evaluators
