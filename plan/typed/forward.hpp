// The planner's program, edge by edge forward over the states; for plan/typed alone.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "plan/typed/edges.hpp"

namespace takt::plan {

inline constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

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
  std::size_t first = kNobody;  // of the last part, kNobody if there is no path
  std::size_t before = 0;       // the type of the part before
};

// The part [first, last] on a type between others; `before` is 0 for the first part, `after` for the last.
struct PlacedPart {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t before = 0;
  std::size_t type = 0;
  std::size_t after = 0;

  friend bool operator==(const PlacedPart&, const PlacedPart&) = default;
};

template <typename Number>
Number demand_of(const Edges<Number>& edges, const PlacedPart& part) {
  return edges.demand(
      part.type, edges.is_replicable(part.first, part.last), edges.reception(part.first, part.before, part.type),
      edges.computation(part.first, part.last, part.type), edges.sending(part.last, part.type, part.after));
}

// The plan of a last part on type t, by the `first` and `before` of states, each as Edges::state numbers it.
template <typename Number, typename AnyState>
TypedPlan plan_back(const Edges<Number>& edges, const std::vector<AnyState>& states, std::size_t t) {
  const auto count = [](const Number& number) {
    if constexpr (std::same_as<Number, Integer>) {
      return std::uint64_t{number.get_ui()};
    } else {
      return static_cast<std::uint64_t>(number);
    }
  };
  TypedPlan plan;
  std::size_t u = 0;
  for (std::size_t b = edges.stages(); b > 0;) {
    const AnyState& state = states[edges.state(b, t, u)];
    const PlacedPart part{state.first, b - 1, state.before, t, u};
    const bool is_replicable = edges.is_replicable(part.first, part.last);
    const Number demand = demand_of(edges, part);
    const Number machines = edges.machines(part.first, part.last, t, demand);
    const std::uint64_t working = count(machines);
    const std::uint64_t spare = count(edges.spare());
    plan.push_back({part.first, part.last, t, working + (is_replicable ? spare : 0), is_replicable ? 0 : spare,
                    count(edges.on_demand(t, demand, machines))});
    b = state.first;
    u = t;
    t = state.before;
  }
  std::ranges::reverse(plan);
  return plan;
}

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

  // The best of the last states; nothing if none is reached.
  std::optional<std::size_t> best_type() const {
    std::optional<std::size_t> best;
    for (std::size_t t = 0; t < edges_.types(); ++t) {
      const State<Number>& state = states_[edges_.state(edges_.stages(), t, 0)];
      if (state.first == kNobody) continue;
      if (!best || state.worth.is_better_than(last(*best).worth)) best = t;
    }
    return best;
  }

  // The least cost of a path to a state, and to any (a, tp, t) by t; nothing if there is none.
  std::optional<Number> cost(std::size_t state) const {
    return states_[state].first == kNobody ? std::nullopt : std::optional(states_[state].worth.cost);
  }
  const std::optional<Number>& least(std::size_t a, std::size_t t) const { return least_[a * edges_.types() + t]; }

  const State<Number>& last(std::size_t t) const { return states_[edges_.state(edges_.stages(), t, 0)]; }

  TypedPlan plan_to(std::size_t t) const { return plan_back(edges_, states_, t); }

  const std::vector<State<Number>>& states() const { return states_; }

 private:
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
    const Number least_demand = edges_.demand(t, edges_.is_replicable(a, last), 0, compute, send);
    const Number few = edges_.machines(a, last, t, least_demand);
    if (few == Edges<Number>::kAbsent) return;
    const Number at_least = edges_.cost(a, last, t, few + edges_.spare(), edges_.on_demand(t, least_demand, few)) +
                            edges_.tick_weight() * compute;
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
    const Number demand = edges_.demand(t, edges_.is_replicable(a, last), receive, compute, send);
    const Number working = edges_.machines(a, last, t, demand);
    if (working == Edges<Number>::kAbsent) return;
    if (working > Number(static_cast<std::int64_t>(kMostMachines))) return;
    Worth<Number> worth = tail;
    worth.cost += edges_.cost(a, last, t, working + edges_.spare(), edges_.on_demand(t, demand, working));
    worth.cost += edges_.tick_weight() * (receive + compute);
    if (last + 1 == edges_.stages()) worth.cost += edges_.tick_weight() * send;
    if (head.first != kNobody && head.worth.cost < worth.cost) return;
    worth.machines += working + edges_.spare();
    worth.slow_down_to(demand, working);
    if (head.first == kNobody || worth.is_better_than(head.worth)) head = {worth, a, tp};
  }

  const Edges<Number>& edges_;
  std::vector<State<Number>> states_;
  std::vector<std::optional<Number>> least_;  // by boundary * T + type of the next part
  PlanWatch clock_;
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

template <typename Number>
ProgramAnswer answer_of(const Program<Number>& program, const Scales& scales) {
  ProgramAnswer answer;
  if (const auto type = program.best_type()) {
    answer.plan = program.plan_to(*type);
    answer.cost = Rational(maxplus::integer_of(program.last(*type).worth.cost)) * scales.unit;
  }
  return answer;
}

}  // namespace takt::plan
