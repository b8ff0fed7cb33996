// Plays hyper-periods until they repeat, proves that they do, and turns states into clocks.
#include "evaluators/play/simulate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "evaluators/bounds.hpp"
#include "evaluators/play/firing.hpp"

namespace takt::evaluators {

namespace {

using tpn::FoldedNet;

// Start times by rows stand in for clocks where tokens belong to no resource, up to this many.
constexpr std::uint64_t kMostStarts = 2'000'000;

// How much is played: decided before anything is.
struct PlayBudget {
  std::uint64_t rows = 0;           // 0: too many to play one hyper-period
  std::uint64_t hyper_periods = 0;  // at most, if there are rows
  std::uint64_t data_sets = 0;      // at most
};

// Ticks once per data set; reads the clock every few thousand operations.
class Watch {
 public:
  Watch(const Deadline& deadline, std::size_t columns) : deadline_(deadline), interval_(kOperations / columns + 1) {}

  bool has_passed() { return ticks_++ % interval_ == 0 && evaluators::has_passed(deadline_); }

 private:
  static constexpr std::uint64_t kOperations = 1 << 14;
  const Deadline& deadline_;
  std::uint64_t interval_;
  std::uint64_t ticks_ = 0;
};

enum class PlayEnd { done, out_of_time };

// Three plays of the same data sets side by side, from different ends before data set 0.
template <typename Number>
class ThreePlays {
 public:
  // Keeps references to the plan and the net.
  ThreePlays(const FiringPlan& plan, const FoldedNet& net)
      : plan_(plan), order_(plan), durations_(net.pipeline), transients_(plan.columns(), 0) {
    for (std::vector<Number>& ends : ends_) ends.resize(plan.slots);
  }

  void set_end(std::size_t play, const FiringToken& token, const Number& end) {
    ends_[play][order_.slot_before(token.column, token.back)] = end;
  }

  std::uint64_t data_set() const { return order_.data_set(); }
  // Successive data sets, up to the latest, that ended as much later from the second play to the third as from the
  // first to the second, and no operation less so than one it waits for.
  std::uint64_t calm() const { return calm_; }
  // By column: the first data set from which that first condition has held.
  const std::vector<std::uint64_t>& transients() const { return transients_; }

  void fire_data_set() {
    ++calm_;
    for (std::size_t c = 0; c < plan_.columns(); ++c) fire(c);
    order_.advance();
    durations_.advance();
  }

 private:
  void fire(std::size_t column) {
    std::array<Number, 3> end = {0, 0, 0};
    Number predecessors_growth = 0;
    order_.for_each_predecessor(column, [&](std::size_t slot) {
      for (std::size_t i = 0; i < ends_.size(); ++i) {
        if (ends_[i][slot] > end[i]) end[i] = ends_[i][slot];
      }
      const Number growth = ends_[2][slot] - ends_[1][slot];
      if (growth > predecessors_growth) predecessors_growth = growth;
    });
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      end[i] += durations_.of(column);
      ends_[i][order_.slot(column)] = end[i];
    }
    const Number earlier_growth = end[1] - end[0];
    const Number growth = end[2] - end[1];
    if (earlier_growth != growth) transients_[column] = order_.data_set() + 1;
    if (earlier_growth != growth || predecessors_growth > growth) calm_ = 0;
  }

  const FiringPlan& plan_;
  FiringOrder order_;
  FiringDurations<Number> durations_;
  std::array<std::vector<Number>, 3> ends_;
  std::uint64_t calm_ = 0;
  std::vector<std::uint64_t> transients_;
};

// One simulation. Number holds every end of twice the data sets of the budget.
template <typename Number>
class Simulation {
 public:
  Simulation(const FoldedNet& net, const PlayBudget& budget, const Deadline& deadline)
      : net_(net), budget_(budget), plan_(make_firing_plan(net)), watch_(deadline, net.pipeline.columns.size()) {
    if (budget.rows > 0) tokens_ = firing_tokens(net);
  }

  void run(Evaluation& evaluation) {
    const PlayEnd end = budget_.rows > 0 ? play_hyper_periods() : play_data_sets(budget_.data_sets);
    if (measurement_.hyper_periods > 0) {
      if (!measurement_.repeats) measure_hyper_periods();
      bound(evaluation);
    }
    if (!evaluation.exact() && end == PlayEnd::out_of_time) evaluation.limit = OutOfTime{};
    if (measurement_.data_sets > 0) evaluation.measurement = std::move(measurement_);
  }

 private:
  const Number& state(std::uint64_t hyper_period, std::size_t token) const {
    return states_[hyper_period * tokens_.size() + token];
  }

  Rational in_time_units(const Integer& time, const Integer& data_sets) const {
    return Rational::fraction(time, data_sets * net_.pipeline.scale);
  }

  // Fires up to `data_sets` of them.
  PlayEnd fire_until(EarliestFiring<Number>& firing, std::uint64_t data_sets) {
    while (firing.data_set() < data_sets) {
      if (watch_.has_passed()) return PlayEnd::out_of_time;
      firing.fire_data_set([&](std::size_t, const Number&, const Number& end) {
        if (end > latest_) latest_ = end;
      });
      if (firing.data_set() == std::uint64_t{1} << latest_at_.size()) latest_at_.push_back(latest_);
    }
    return PlayEnd::done;
  }

  PlayEnd play_data_sets(std::uint64_t data_sets) {
    EarliestFiring<Number> firing(plan_, net_);
    const PlayEnd end = fire_until(firing, data_sets);
    measure_data_sets(firing.data_set());
    return end;
  }

  // Measures from the last power of two that leaves at least half of the data sets played.
  void measure_data_sets(std::uint64_t played) {
    measurement_.data_sets = played;
    if (played == 0) return;
    std::uint64_t from = 0;
    Number before = 0;
    for (std::size_t i = 0; i < latest_at_.size() && std::uint64_t{2} << i <= played; ++i) {
      from = std::uint64_t{1} << i;
      before = latest_at_[i];
    }
    const Number growth = latest_ - before;
    measurement_.period = in_time_units(widen(growth), played - from);
  }

  // Fills states_ until the play repeats or the budget is spent.
  PlayEnd play_hyper_periods() {
    EarliestFiring<Number> firing(plan_, net_);
    states_.assign(tokens_.size(), Number(0));
    std::uint64_t next_look = 3;
    for (std::uint64_t k = 1; k <= budget_.hyper_periods; ++k) {
      if (fire_until(firing, k * budget_.rows) == PlayEnd::out_of_time) {
        if (measurement_.hyper_periods == 0) measure_data_sets(firing.data_set());
        return PlayEnd::out_of_time;
      }
      for (const FiringToken& token : tokens_) states_.push_back(firing.end_before(token));
      measurement_.hyper_periods = k;
      measurement_.data_sets = k * budget_.rows;
      if (k < next_look && k != budget_.hyper_periods) continue;
      next_look = k + k / 2;
      const std::uint64_t p = apparent_repetition(k);
      if (p > 0 && prove_repetition(p, k) == PlayEnd::out_of_time) return PlayEnd::out_of_time;
      if (measurement_.repeats) return PlayEnd::done;
    }
    return PlayEnd::done;
  }

  // The smallest p <= k / 3 such that the states of the last p hyper-periods grew as much over the last p as over the p
  // before; 0 if there is none.
  std::uint64_t apparent_repetition(std::uint64_t k) const {
    const std::size_t tokens = tokens_.size();
    for (std::uint64_t p = 1; p <= k / 3; ++p) {
      const Number* const c = &states_[(k - p + 1) * tokens];
      const Number* const b = c - p * tokens;
      const Number* const a = b - p * tokens;
      bool recurs = true;
      for (std::size_t i = p * tokens; recurs && i-- > 0;) recurs = c[i] - b[i] == b[i] - a[i];
      if (recurs) return p;
    }
    return 0;
  }

  // The three plays of the header comment, the first of them up to hyper-period k - p.
  PlayEnd prove_repetition(std::uint64_t p, std::uint64_t k) {
    ThreePlays<Number> plays(plan_, net_);
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t t = 0; t < tokens_.size(); ++t) plays.set_end(i, tokens_[t], state(i * p, t));
    }
    // The window must hold the predecessors of its last p hyper-periods.
    const std::uint64_t window = p * budget_.rows;
    const std::uint64_t needed = plan_.longest_height <= window ? window : window + plan_.longest_height;
    while (plays.data_set() < (k - p) * budget_.rows) {
      if (watch_.has_passed()) return PlayEnd::out_of_time;
      plays.fire_data_set();
      if (plays.calm() < needed) continue;
      Number growth = 0;
      for (std::size_t t = 0; t < tokens_.size(); ++t) {
        const Number own = state(k, t) - state(k - p, t);
        if (own > growth) growth = own;
      }
      measurement_.period = in_time_units(widen(growth), Integer(p) * budget_.rows);
      measurement_.repeats = Repetition{p, plays.transients()};
      return PlayEnd::done;
    }
    return PlayEnd::done;
  }

  // The growth of the latest clock over the later half.
  void measure_hyper_periods() {
    const std::uint64_t to = measurement_.hyper_periods;
    const std::uint64_t from = to / 2;
    const auto latest = [&](std::uint64_t k) {
      Number value = state(k, 0);
      for (std::size_t t = 1; t < tokens_.size(); ++t) value = std::max(value, state(k, t));
      return value;
    };
    const Number growth = latest(to) - latest(from);
    measurement_.period = in_time_units(widen(growth), Integer(to - from) * budget_.rows);
  }

  // The best of the upper bounds that the growth up to the last state proves.
  void bound(Evaluation& evaluation) {
    const std::uint64_t k = measurement_.hyper_periods;
    std::uint64_t best_p = 0;
    Integer best_growth = 0;
    for (std::uint64_t p = 1; p <= k; ++p) {
      Number growth = state(k, 0) - state(k - p, 0);
      for (std::size_t t = 1; t < tokens_.size(); ++t) {
        const Number own = state(k, t) - state(k - p, t);
        if (own > growth) growth = own;
      }
      Integer wide = widen(growth);
      if (best_p == 0 || wide * best_p < best_growth * p) {
        best_p = p;
        best_growth = std::move(wide);
      }
    }
    const Rational upper = in_time_units(best_growth, Integer(best_p) * budget_.rows);
    if (upper > evaluation.upper) return;
    std::vector<Integer> clocks(tokens_.size());  // y times best_p
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      for (std::uint64_t i = 0; i < best_p; ++i) {
        const Integer clock = widen(state(k - best_p + i, t)) * best_p - best_growth * i;
        if (i == 0 || clock > clocks[t]) clocks[t] = clock;
      }
    }
    if (tokens_belong_to_resources(net_)) {
      evaluation.witness = resource_clocks(clocks, best_p);
    } else if (plan_.columns() <= kMostStarts / budget_.rows) {
      evaluation.witness = row_schedule(clocks, best_p);
    } else {
      return;
    }
    evaluation.upper = upper;
  }

  ResourceClocks resource_clocks(const std::vector<Integer>& clocks, std::uint64_t factor) const {
    std::map<std::pair<std::size_t, std::uint64_t>, std::size_t> index;
    for (std::size_t t = 0; t < tokens_.size(); ++t) index[{tokens_[t].column, tokens_[t].back}] = t;
    ResourceClocks result;
    for (const ResourceToken& held : resource_tokens(net_)) {
      result.values.push_back(in_time_units(clocks[index.at({held.column, held.back})], factor));
    }
    return result;
  }

  // One hyper-period from the clocks, which are times `factor`.
  RowSchedule row_schedule(const std::vector<Integer>& clocks, std::uint64_t factor) const {
    FiringOrder order(plan_);
    FiringDurations<Integer> durations(net_.pipeline);
    std::vector<Integer> ends(plan_.slots);
    for (std::size_t t = 0; t < tokens_.size(); ++t) {
      ends[order.slot_before(tokens_[t].column, tokens_[t].back)] = clocks[t];
    }
    std::vector<Integer> starts;
    while (order.data_set() < budget_.rows) {
      for (std::size_t c = 0; c < plan_.columns(); ++c) {
        Integer start = 0;
        order.for_each_predecessor(c, [&](std::size_t slot) { start = std::max(start, ends[slot]); });
        starts.push_back(start);
        ends[order.slot(c)] = start + durations.of(c) * factor;
      }
      order.advance();
      durations.advance();
    }
    return {tpn::DurationTable(std::move(starts)), in_time_units(1, factor)};
  }

  const FoldedNet& net_;
  PlayBudget budget_;
  FiringPlan plan_;
  Watch watch_;
  std::vector<FiringToken> tokens_;
  std::vector<Number> states_;     // x(0), x(1), ..., each as tokens_
  std::vector<Number> latest_at_;  // end after 2^i data sets
  Number latest_ = 0;
  Measurement measurement_;
};

}  // namespace

Evaluation simulate(const FoldedNet& net, const Options& options) {
  Evaluation evaluation = coarse_bounds(net, Method::simulate);
  const Integer& rows = net.pipeline.rows;
  PlayBudget budget;
  budget.data_sets = kSimulateOperations / net.pipeline.columns.size() + 1;
  const std::uint64_t max_rows = std::min(options.max_rows.value_or(budget.data_sets), budget.data_sets);
  if (rows > max_rows) {
    budget.data_sets = max_rows;
    evaluation.limit = tpn::TooLarge{tpn::LimitKind::rows, rows, max_rows};
  } else {
    budget.rows = rows.get_ui();
    const std::uint64_t states = kSimulateStates / firing_tokens(net).size();
    budget.hyper_periods =
        std::max<std::uint64_t>(1, std::min({budget.data_sets / budget.rows, states, kSimulateHyperPeriods}));
    evaluation.limit = Unproved{};
  }
  // Three plays side by side go up to p <= hyper_periods / 3 hyper-periods beyond the budget.
  if (ends_fit_64_bits(net, Integer(budget.data_sets) * 2)) {
    Simulation<std::int64_t>(net, budget, options.deadline).run(evaluation);
  } else {
    Simulation<Integer>(net, budget, options.deadline).run(evaluation);
  }
  if (evaluation.exact()) evaluation.limit = {};
  return evaluation;
}

}  // namespace takt::evaluators
