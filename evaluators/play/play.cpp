// Hands the ends of earliest firing over as rationals.
#include "evaluators/play/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "evaluators/play/firing.hpp"
#include "evaluators/play/round_waits.hpp"
#include "tpn/errors.hpp"

namespace takt::evaluators {

namespace {

// Earliest firing in rounds, of which a column has as many as there are data sets.
template <typename Number>
class RoundFiring {
 public:
  RoundFiring(const tpn::FoldedNet& net, std::uint64_t data_sets)
      : net_(net),
        data_sets_(data_sets),
        durations_(net.pipeline),
        waits_(net, data_sets),
        ends_(net.pipeline.columns.size()) {
    for (std::vector<Number>& ring : ends_) ring.assign(waits_.longest() + 1, Number(0));
    for (const tpn::Column& column : net.pipeline.columns) rounds_ = std::max(rounds_, column.shift);
  }

  bool is_done() const { return round_ >= rounds_ && round_ - rounds_ >= data_sets_; }

  // Calls visit(operation, start, end) for what the next round has.
  template <typename Visit>
  void fire_round(Visit visit) {
    for (const tpn::ColumnIndex c : net_.pipeline.all_columns()) {
      const tpn::Operation operation{round_, c};
      if (!waits_.exists(operation)) {
        waits_.pass_on(operation);
        continue;
      }
      Number start = 0;
      waits_.for_each(operation, [&](const tpn::Operation& from) { start = std::max(start, end_of(from)); });
      Number& end = end_of(operation);
      end = start + durations_.of(c);
      visit(operation, start, end);
    }
    ++round_;
    durations_.advance();
  }

 private:
  Number& end_of(const tpn::Operation& operation) {
    std::vector<Number>& ring = ends_[operation.column];
    return ring[operation.data_set % ring.size()];
  }

  const tpn::FoldedNet& net_;
  std::uint64_t data_sets_;
  FiringDurations<Number> durations_;
  RoundWaits waits_;
  std::vector<std::vector<Number>> ends_;  // by column, a ring of rounds
  std::uint64_t rounds_ = 0;
  std::uint64_t round_ = 0;
};

template <typename Number, typename Visit>
void play_rounds(const tpn::FoldedNet& net, std::uint64_t data_sets, Visit visit) {
  RoundFiring<Number> firing(net, data_sets);
  for (bool goes_on = true; goes_on && !firing.is_done();) {
    firing.fire_round([&](const tpn::Operation& operation, const Number& start, const Number& end) {
      goes_on = goes_on && visit(operation, start, end);
    });
  }
}

}  // namespace

std::uint64_t played_data_sets(const tpn::FoldedNet& net, std::uint64_t data_sets) {
  constexpr std::uint64_t kMostBeyond = 1'000'000;
  if (!net.pipeline.has_batches() || data_sets > UINT64_MAX - kMostBeyond) return data_sets;
  if (const auto whole = tpn::with_whole_batches(net.pipeline, data_sets, data_sets + kMostBeyond)) return *whole;
  throw tpn::InvalidInstance("/mapping",
                             fmt::format("batches of which every number of data sets from {} to {} cuts some",
                                         data_sets, data_sets + kMostBeyond),
                             "batches that end together sooner");
}

namespace {

template <typename Number, typename Visit>
void play_all_numbers(const tpn::FoldedNet& net, std::uint64_t data_sets, Visit visit) {
  if (net.pipeline.is_shifted()) return play_rounds<Number>(net, data_sets, visit);
  const FiringPlan plan = make_firing_plan(net);
  EarliestFiring<Number> firing(plan, net);
  bool goes_on = true;
  for (std::uint64_t j = 0; j < data_sets && goes_on; ++j) {
    firing.fire_data_set([&](std::size_t column, const Number& start, const Number& end) {
      goes_on = goes_on && visit(tpn::Operation{j, tpn::ColumnIndex(column)}, start, end);
    });
  }
}

template <typename Number, typename Visit>
void play_numbers(const tpn::FoldedNet& net, std::uint64_t data_sets, Visit visit) {
  // What was not asked for is not shown.
  const std::uint64_t played = played_data_sets(net, data_sets);
  if (played == data_sets) return play_all_numbers<Number>(net, data_sets, visit);
  play_all_numbers<Number>(net, played, [&](const tpn::Operation& operation, const Number& start, const Number& end) {
    return net.pipeline.data_set_of(operation) >= data_sets || visit(operation, start, end);
  });
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
