// Forward over the states, with a bound that spares most of the edges.
#include "plan/typed/program.hpp"

#include <algorithm>
#include <concepts>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/typed/edges.hpp"

namespace takt::plan {

namespace {

constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

// Products of two in numbers that hold them.
template <typename Number>
auto wide(const Number& value) {
  if constexpr (std::same_as<Number, std::int64_t>) {
    return static_cast<maxplus::Int128>(value);
  } else if constexpr (std::same_as<Number, Integer>) {
    return value;
  } else {
    return maxplus::integer_of(value);
  }
}

// What a path to a state costs, in the order in which it counts; the period is demand / machines.
template <typename Number>
struct Worth {
  Number cost = 0;
  Number machines = 0;
  Number demand = 0;
  Number working = 1;

  bool is_better_than(const Worth& other) const {
    if (cost != other.cost) return cost < other.cost;
    if (machines != other.machines) return machines < other.machines;
    return wide(demand) * wide(other.working) < wide(other.demand) * wide(working);
  }
  // A further part of demand `further` on `on` machines.
  void slow_down_to(const Number& further, const Number& on) {
    if (wide(further) * wide(working) <= wide(demand) * wide(on)) return;
    demand = further;
    working = on;
  }
};

template <typename Number>
struct State {
  Worth<Number> worth;
  std::size_t first = kNobody;  // of the last part, kNobody where there is no path
  std::size_t before = 0;       // the type of the part before
};

template <typename Number>
class Program {
 public:
  /// Throws PlanTimeUp.
  Program(const Edges<Number>& edges, const maxplus::Deadline& deadline)
      : edges_(edges), states_(edges.states()), least_(edges.types() * (edges.stages() + 1)), clock_(deadline) {
    for (std::size_t b = 1; b <= edges_.stages(); ++b) {
      for (std::size_t t = 0; t < edges_.types(); ++t) place(b, t);
      note_least(b);
    }
  }

  // The best of the last states; nothing where none is reached.
  std::optional<std::size_t> best_type() const {
    std::optional<std::size_t> best;
    for (std::size_t t = 0; t < edges_.types(); ++t) {
      const State<Number>& state = states_[edges_.state(edges_.stages(), t, 0)];
      if (state.first == kNobody) continue;
      if (!best || state.worth.is_better_than(last(*best).worth)) best = t;
    }
    return best;
  }

  const State<Number>& last(std::size_t t) const { return states_[edges_.state(edges_.stages(), t, 0)]; }

  TypedPlan plan_to(std::size_t t) const {
    TypedPlan plan;
    std::size_t u = 0;
    for (std::size_t b = edges_.stages(); b > 0;) {
      const State<Number>& state = states_[edges_.state(b, t, u)];
      TypedPart& part = plan.emplace_back(TypedPart{state.first, b - 1, t});
      set_machines(part, edges_.working(demand_of(state.first, b - 1, state.before, t, u)));
      b = state.first;
      u = t;
      t = state.before;
    }
    std::ranges::reverse(plan);
    return plan;
  }

  const std::vector<State<Number>>& states() const { return states_; }

 private:
  Number demand_of(std::size_t a, std::size_t last, std::size_t tp, std::size_t t, std::size_t u) const {
    return edges_.demand(t, edges_.is_replicable(a, last), edges_.reception(a, tp, t), edges_.computation(a, last, t),
                         edges_.sending(last, t, u));
  }

  void set_machines(TypedPart& part, const Number& working) const {
    const auto count = [](const Number& number) {
      if constexpr (std::same_as<Number, Integer>) {
        return std::uint64_t{number.get_ui()};
      } else {
        return static_cast<std::uint64_t>(number);
      }
    };
    const bool replicable = edges_.is_replicable(part.first_stage, part.last_stage);
    part.machines = count(working) + (replicable ? count(edges_.spare()) : 0);
    part.standby = replicable ? 0 : count(edges_.spare());
  }

  void place(std::size_t b, std::size_t t) {
    const std::size_t last = b - 1;
    const std::size_t next_types = b == edges_.stages() ? 1 : edges_.types();
    const std::size_t least = edges_.least_first(last, t);
    for (std::size_t a = b; a-- > least;) {
      const Number compute = edges_.computation(a, last, t);
      clock_.spend(next_types);
      for (std::size_t u = 0; u < next_types; ++u) place_part(a, last, t, u, compute);
    }
  }

  // Once all types of a boundary are done this is the least cost of any path to (b, t, u), by u.
  void note_least(std::size_t b) {
    if (b == edges_.stages()) return;
    for (std::size_t u = 0; u < edges_.types(); ++u) {
      std::optional<Number>& least = least_[b * edges_.types() + u];
      least.reset();
      for (std::size_t t = 0; t < edges_.types(); ++t) {
        const State<Number>& state = states_[edges_.state(b, t, u)];
        if (state.first != kNobody && (!least || state.worth.cost < *least)) least = state.worth.cost;
      }
    }
  }

  void place_part(std::size_t a, std::size_t last, std::size_t t, std::size_t u, const Number& compute) {
    const Number& send = edges_.sending(last, t, u);
    if (send == Edges<Number>::kAbsent) return;
    if (last + 1 == edges_.stages() && !edges_.fits_sink(send)) return;
    State<Number>& head = states_[edges_.state(last + 1, t, u)];
    if (a == 0) {
      if (edges_.fits_source(edges_.reception(0, 0, t))) try_edge(head, {}, 0, 0, last, t, compute, send);
      return;
    }
    const std::optional<Number>& least = least_[a * edges_.types() + t];
    if (!least) return;
    const Number few =
        edges_.working(edges_.demand(t, edges_.is_replicable(a, last), 0, compute, send)) + edges_.spare();
    const Number at_least = edges_.weight(t) * few + edges_.tick_weight() * compute;
    if (head.first != kNobody && head.worth.cost < *least + at_least) return;
    clock_.spend(edges_.types());
    for (std::size_t tp = 0; tp < edges_.types(); ++tp) {
      const State<Number>& tail = states_[edges_.state(a, tp, t)];
      if (tail.first == kNobody) continue;
      if (head.first != kNobody && head.worth.cost < tail.worth.cost + at_least) continue;
      try_edge(head, tail.worth, a, tp, last, t, compute, send);
    }
  }

  void try_edge(State<Number>& head, const Worth<Number>& tail, std::size_t a, std::size_t tp, std::size_t last,
                std::size_t t, const Number& compute, const Number& send) {
    const Number& receive = edges_.reception(a, tp, t);
    if (receive == Edges<Number>::kAbsent) return;
    const bool is_replicable = edges_.is_replicable(a, last);
    const Number demand = edges_.demand(t, is_replicable, receive, compute, send);
    const Number working = edges_.working(demand);
    if (working > 1 && !is_replicable) return;
    if (working > Number(static_cast<std::int64_t>(kMostMachines))) return;
    Worth<Number> worth = tail;
    worth.cost += edges_.weight(t) * (working + edges_.spare()) + edges_.tick_weight() * (receive + compute);
    if (last + 1 == edges_.stages()) worth.cost += edges_.tick_weight() * send;
    if (head.first != kNobody && head.worth.cost < worth.cost) return;
    worth.machines += working + edges_.spare();
    worth.slow_down_to(demand, working);
    if (head.first == kNobody || worth.is_better_than(head.worth)) head = {worth, a, tp};
  }

  const Edges<Number>& edges_;
  std::vector<State<Number>> states_;
  std::vector<std::optional<Number>> least_;  // by boundary * T + type of the next part
  SearchClock clock_;
};

template <typename Number>
Potentials potentials_of(const Program<Number>& program, const Scales& scales) {
  Potentials potentials;
  potentials.unit = scales.unit;
  for (const State<Number>& state : program.states()) {
    auto& value = potentials.values.emplace_back();
    if (state.first != kNobody) value = maxplus::integer_of(state.worth.cost);
  }
  return potentials;
}

// Makes a denominator common to that number too.
void include_denominator(Integer& denominator, const std::optional<Rational>& number) {
  if (!number || mpz_divisible_p(denominator.get_mpz_t(), number->denominator().get_mpz_t()) != 0) return;
  denominator = lcm(denominator, number->denominator());
}

// Of all that a part's machines and the ends divide their times by.
Integer common_places(const Catalogue& catalogue, const tpn::Model& model) {
  Integer common = 1;
  const auto include = [&](std::uint64_t places) {
    if (places > 0) common = lcm(common, Integer(static_cast<unsigned long>(places)));
  };
  for (std::size_t t = 0; t < catalogue.types.size(); ++t) {
    for (const bool is_replicable : {false, true}) {
      for (const MachineLimit& limit : catalogue.limits(model, t, is_replicable)) include(limit.places);
    }
  }
  include(catalogue.source_ports);
  include(catalogue.sink_ports);
  return common;
}

// Goes through a catalogue's times.
class TimeScan {
 public:
  TimeScan(const Catalogue& catalogue, const Query& query)
      : denominator_(query.period.denominator()), clock_(query.deadline) {
    const std::size_t count = catalogue.types.size();
    add_largest(catalogue.stage_times, count);
    add_largest(catalogue.transfers, count * count);
    add_largest(catalogue.from_source, count);
    add_largest(catalogue.to_sink, count);
    Rational fixed;
    for (const MachineType& type : catalogue.types) {
      include(type.fixed_time);
      fixed = std::max(fixed, type.fixed_time.value_or(0));
    }
    sum_ += fixed * Rational(catalogue.stages.size());
  }

  /// Common to all times and the query's period.
  const Integer& denominator() const { return denominator_; }
  /// No part, and no demand, takes longer than all there is on the slowest types.
  const Rational& sum() const { return sum_; }

 private:
  void include(const std::optional<Rational>& time) {
    clock_.spend();
    include_denominator(denominator_, time);
  }

  // The largest of each row.
  void add_largest(const std::vector<std::optional<Rational>>& times, std::size_t row) {
    for (std::size_t begin = 0; begin < times.size(); begin += row) {
      const std::optional<Rational>* largest = nullptr;
      for (std::size_t k = begin; k < begin + row; ++k) {
        include(times[k]);
        if (times[k] && (largest == nullptr || **largest < *times[k])) largest = &times[k];
      }
      if (largest != nullptr) sum_ += **largest;
    }
  }

  Integer denominator_;
  Rational sum_;
  SearchClock clock_;
};

}  // namespace

Scales::Scales(const Catalogue& catalogue, const Query& query) {
  const TimeScan times(catalogue, query);
  ticks = times.denominator() * common_places(catalogue, query.model);
  period = (query.period * ticks).numerator();
  longest = (times.sum() * ticks).numerator();
  most_machines = longest / period + 2 + Integer(static_cast<unsigned long>(query.spare));

  const Rational per_tick = query.latency_weight / ticks;
  Integer denominator = per_tick.denominator();
  std::vector<Rational> costs = query.weights;
  if (costs.empty()) {
    for (const MachineType& type : catalogue.types) costs.push_back(type.price);
  }
  for (const Rational& weight : costs) denominator = lcm(denominator, weight.denominator());
  unit = Rational::fraction(1, denominator);
  tick_weight = (per_tick / unit).numerator();
  Integer heaviest = 0;
  for (const Rational& weight : costs) {
    weights.push_back((weight / unit).numerator());
    heaviest = std::max(heaviest, weights.back());
  }
  most_cost =
      Integer(static_cast<unsigned long>(catalogue.stages.size())) * heaviest * most_machines + tick_weight * longest;
}

ProgramAnswer solve(const Catalogue& catalogue, const Query& query, bool with_potentials) {
  maxplus::expects(query.period.sign() > 0, "a period is positive");
  maxplus::expects(tpn::follows_cycle_times(query.model), "the planner's closed forms are of cycle times");
  const auto run = [&](const auto& edges, const Scales& scales) {
    const Program program(edges, query.deadline);
    ProgramAnswer answer;
    if (const auto type = program.best_type()) {
      answer.plan = program.plan_to(*type);
      answer.cost = Rational(maxplus::integer_of(program.last(*type).worth.cost)) * scales.unit;
    }
    if (with_potentials) answer.potentials = potentials_of(program, scales);
    return answer;
  };
  try {
    return with_edges(catalogue, query, run);
  } catch (const PlanTimeUp&) {
    ProgramAnswer answer;
    answer.cut_short = true;
    return answer;
  }
}

}  // namespace takt::plan
