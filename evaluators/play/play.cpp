// Hands the ends of earliest firing over as rationals.
#include "evaluators/play/play.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "evaluators/play/firing.hpp"
#include "tpn/errors.hpp"

namespace takt::evaluators {

namespace {

// Earliest firing in rounds. The operations that a column has in rounds before its first, or behind its last data set,
// do not exist: whoever waits for one of a resource waits for what that one would have waited for, of the same
// resource.
template <typename Number>
class RoundFiring {
 public:
  RoundFiring(const tpn::FoldedNet& net, std::uint64_t data_sets)
      : net_(net), data_sets_(data_sets), durations_(net.pipeline), ends_(net.pipeline.columns.size()) {
    std::uint64_t longest = 0;
    for (const tpn::Dependence& d : net.dependences) {
      waits_[{d.to, d.modulus}][(d.residue + d.height) % d.modulus].push_back(&d);
      longest = std::max(longest, d.height);
    }
    for (std::vector<Number>& ring : ends_) ring.assign(longest + 1, Number(0));
    for (const tpn::Column& column : net.pipeline.columns) rounds_ = std::max(rounds_, column.shift);
  }

  bool is_done() const { return round_ >= rounds_ && round_ - rounds_ >= data_sets_; }

  // Calls visit(operation, start, end) for what the next round has.
  template <typename Visit>
  void fire_round(Visit visit) {
    for (const tpn::ColumnIndex c : net_.pipeline.all_columns()) {
      const tpn::Operation operation{round_, c};
      if (!exists(operation)) {
        pass_on(operation);
        continue;
      }
      Number start = 0;
      for_each_wait(operation, [&](const tpn::Dependence&, const Number& end) { start = std::max(start, end); });
      Number& end = ends_[c][round_ % ends_[c].size()];
      end = start + durations_.of(c);
      visit(operation, start, end);
    }
    ++round_;
    durations_.advance();
  }

 private:
  // What a resource, by its kind and owner, makes an operation that does not exist wait for.
  using Passed = std::tuple<std::uint64_t, std::size_t, tpn::ConstraintKind, std::size_t>;

  bool exists(const tpn::Operation& operation) const {
    const std::uint64_t shift = net_.pipeline.columns[operation.column].shift;
    return operation.data_set >= shift && operation.data_set - shift < data_sets_;
  }

  template <typename Visit>
  void for_each_wait(const tpn::Operation& operation, Visit visit) const {
    for (auto group = waits_.lower_bound({operation.column, 0});
         group != waits_.end() && group->first.first == operation.column; ++group) {
      const auto found = group->second.find(operation.data_set % group->first.second);
      if (found == group->second.end()) continue;
      for (const tpn::Dependence* d : found->second) {
        if (d->height > operation.data_set) continue;
        const tpn::Operation from{operation.data_set - d->height, d->from};
        if (exists(from)) {
          visit(*d, ends_[from.column][from.data_set % ends_[from.column].size()]);
        } else if (const auto passed = passed_.find(passed_by(from, *d)); passed != passed_.end()) {
          visit(*d, passed->second);
        }
      }
    }
  }

  Passed passed_by(const tpn::Operation& from, const tpn::Dependence& d) const {
    return {from.data_set, from.column, d.kind, net_.pipeline.owner(d, from.data_set)};
  }

  void pass_on(const tpn::Operation& operation) {
    const auto pass = [&](tpn::ConstraintKind kind, std::size_t owner, const Number& end) {
      Number& passed = passed_[{operation.data_set, operation.column, kind, owner}];
      passed = std::max(passed, end);
    };
    for_each_wait(operation, [&](const tpn::Dependence& d, const Number& end) {
      if (tpn::is_resource(d.kind)) pass(d.kind, net_.pipeline.owner(d, operation.data_set - d.height), end);
    });
    // A processor's circuit has no dependence of its own where a file leads to the next operation.
    for (const tpn::ColumnIndex c : net_.pipeline.all_columns()) {
      const std::uint64_t height = net_.pipeline.columns[operation.column].shift - net_.pipeline.columns[c].shift;
      if (!net_.pipeline.flows(c, operation.column) || height > operation.data_set) continue;
      const std::uint64_t round = operation.data_set - height;
      for (auto at = passed_.lower_bound({round, c, tpn::ConstraintKind{}, 0});
           at != passed_.end() && std::get<0>(at->first) == round && std::get<1>(at->first) == c.value(); ++at) {
        const auto& [of_round, of_column, kind, owner] = at->first;
        const bool has_owner = tpn::handles_computations(kind) &&
                               (net_.pipeline.owner(kind, net_.pipeline.sender_of(operation)) == owner ||
                                net_.pipeline.owner(kind, net_.pipeline.receiver_of(operation)) == owner);
        if (has_owner) pass(kind, owner, at->second);
      }
    }
  }

  const tpn::FoldedNet& net_;
  std::uint64_t data_sets_;
  FiringDurations<Number> durations_;
  // By column and modulus, then by the waiting round modulo that.
  std::map<std::pair<std::size_t, std::uint64_t>,
           std::unordered_map<std::uint64_t, std::vector<const tpn::Dependence*>>>
      waits_;
  std::vector<std::vector<Number>> ends_;  // by column, a ring of rounds
  std::map<Passed, Number> passed_;
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

// Batches at the end are played whole; what was not asked for is not shown.
std::uint64_t played_data_sets(const tpn::FoldedNet& net, std::uint64_t data_sets) {
  constexpr std::uint64_t kMostBeyond = 1'000'000;
  if (!net.pipeline.has_batches() || data_sets > UINT64_MAX - kMostBeyond) return data_sets;
  if (const auto whole = tpn::with_whole_batches(net.pipeline, data_sets, data_sets + kMostBeyond)) return *whole;
  throw tpn::InvalidInstance("/mapping",
                             fmt::format("batches of which every number of data sets from {} to {} cuts some",
                                         data_sets, data_sets + kMostBeyond),
                             "batches that end together sooner");
}

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
