// Forward over the states, with a bound that spares most of the edges.
#include "plan/typed/program.hpp"

#include <algorithm>
#include <concepts>
#include <limits>
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

  // The least cost of a path to a state, and to any (a, tp, t) by t; nothing where there is none.
  std::optional<Number> cost(std::size_t state) const {
    return states_[state].first == kNobody ? std::nullopt : std::optional(states_[state].worth.cost);
  }
  const std::optional<Number>& least(std::size_t a, std::size_t t) const { return least_[a * edges_.types() + t]; }

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

// The part [first, last] on a type between others; `before` is 0 for the first part, `after` for the last.
struct PlacedPart {
  std::size_t first = 0;
  std::size_t last = 0;
  std::size_t before = 0;
  std::size_t type = 0;
  std::size_t after = 0;

  friend bool operator==(const PlacedPart&, const PlacedPart&) = default;
};

// The edges of a grid, no dearer than the real ones, on ways that may cost as little as a known plan.
class EdgeFilter {
 public:
  // `forward` is of these edges; the most is in units. Throws PlanTimeUp.
  EdgeFilter(const Edges<std::int64_t>& edges, const Program<std::int64_t>& forward, std::int64_t most,
             const maxplus::Deadline& deadline)
      : edges_(edges), forward_(forward), most_(most), onward_(edges.states(), kNever), clock_(deadline) {
    for (std::size_t t = 0; t < edges.types(); ++t) onward_[edges.state(edges.stages(), t, 0)] = 0;
    for (std::size_t a = edges.stages(); a-- > 1;) {
      for (std::size_t last = a; last < edges.stages(); ++last) {
        for_each(a, last, [&](std::size_t tp, std::size_t t, std::size_t u, std::int64_t onward) {
          std::int64_t& known = onward_[edges_.state(a, tp, t)];
          known = std::min(known, onward + onward_[edges_.state(last + 1, t, u)]);
        });
      }
    }
  }

  template <typename Use>
  void visit(const Use& use) {
    for (std::size_t last = 0; last < edges_.stages(); ++last) {
      for (std::size_t a = last + 1; a-- > 0;) {
        for_each(a, last, [&](std::size_t tp, std::size_t t, std::size_t u, std::int64_t) {
          use(PlacedPart{a, last, tp, t, u});
        });
      }
    }
  }

 private:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max() / 4;

  // Those of a part with what they cost; what is beyond the part is known.
  template <typename Use>
  void for_each(std::size_t a, std::size_t last, const Use& use) {
    const bool is_last = last + 1 == edges_.stages();
    const bool is_replicable = edges_.is_replicable(a, last);
    for (std::size_t t = 0; t < edges_.types(); ++t) {
      if (edges_.least_first(last, t) > a) continue;
      const auto before = a == 0 ? std::optional(std::int64_t{0}) : forward_.least(a, t);
      if (!before) continue;
      const std::int64_t compute = edges_.computation(a, last, t);
      for (std::size_t u = 0; u < (is_last ? 1 : edges_.types()); ++u) {
        clock_.spend();
        const std::int64_t beyond = onward_[edges_.state(last + 1, t, u)];
        const std::int64_t send = edges_.sending(last, t, u);
        if (beyond == kNever || send == Edges<std::int64_t>::kAbsent) continue;
        if (is_last && !edges_.fits_sink(send)) continue;
        if (*before + price_of(t, is_replicable, 0, compute, send) + beyond > most_) continue;
        for (std::size_t tp = 0; tp < (a == 0 ? 1 : edges_.types()); ++tp) {
          const auto tail = a == 0 ? std::optional(std::int64_t{0}) : forward_.cost(edges_.state(a, tp, t));
          const std::int64_t receive = edges_.reception(a, tp, t);
          if (!tail || receive == Edges<std::int64_t>::kAbsent) continue;
          const std::int64_t price = price_of(t, is_replicable, receive, compute, send);
          if (*tail + price + beyond <= most_) use(tp, t, u, price);
        }
      }
    }
  }

  std::int64_t price_of(std::size_t t, bool is_replicable, std::int64_t receive, std::int64_t compute,
                        std::int64_t send) const {
    const std::int64_t working = edges_.working(edges_.demand(t, is_replicable, receive, compute, send));
    return working > 1 && !is_replicable ? kNever : edges_.weight(t) * (working + edges_.spare());
  }

  const Edges<std::int64_t>& edges_;
  const Program<std::int64_t>& forward_;
  std::int64_t most_;
  std::vector<std::int64_t> onward_;  // by state, the least cost from there to the end
  SearchClock clock_;
};

// The program on the edges that a filter leaves, decided exactly: numbers of machines and periods are those of the grid
// where both its ends agree, and of long numbers elsewhere.
class LeftProgram {
 public:
  LeftProgram(const Edges<std::int64_t>& below, const Edges<std::int64_t>& above, const Edges<Integer>& exact)
      : below_(below), above_(above), exact_(exact), states_(exact.states()) {}

  // Takes the part [a, last] on type t between types tp and u, after all that end before it.
  void relax(const PlacedPart& edge) {
    const bool is_last = edge.last + 1 == exact_.stages();
    if (is_last && !fits_sink(above_, edge) && !fits_sink(exact_, edge)) return;
    if (edge.first == 0 && !fits_source(above_, edge) && !fits_source(exact_, edge)) return;
    const LeftState& tail = states_[exact_.state(edge.first, edge.before, edge.type)];
    if (edge.first > 0 && tail.first == kNobody) return;
    Slowness own{edge, demand_of(below_, edge), demand_of(above_, edge), 0};
    own.working = working_of(edge, own);
    if (own.working > 1 && !exact_.is_replicable(edge.first, edge.last)) return;
    LeftState next = edge.first == 0 ? LeftState() : tail;
    const std::int64_t machines = own.working + below_.spare();
    next.cost += below_.weight(edge.type) * machines;
    next.machines += machines;
    if (!next.slowest || is_slower(own, *next.slowest)) next.slowest = own;
    next.first = edge.first;
    next.before = edge.before;
    LeftState& head = states_[exact_.state(edge.last + 1, edge.type, edge.after)];
    if (head.first == kNobody || is_better(next, head)) head = next;
  }

  ProgramAnswer answer(const Scales& scales) const {
    std::optional<std::size_t> best;
    for (std::size_t t = 0; t < exact_.types(); ++t) {
      if (last(t).first != kNobody && (!best || is_better(last(t), last(*best)))) best = t;
    }
    ProgramAnswer answer;
    if (!best) return answer;
    answer.cost = Rational(maxplus::integer_of(last(*best).cost)) * scales.unit;
    answer.plan = plan_to(*best);
    return answer;
  }

 private:
  // How long a part's machines are busy, between these ticks of a grid over `working`.
  struct Slowness {
    PlacedPart edge;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::int64_t working = 1;
  };

  struct LeftState {
    std::int64_t cost = 0;
    std::int64_t machines = 0;
    std::optional<Slowness> slowest{};
    std::size_t first = kNobody;  // of the last part, kNobody where there is no path
    std::size_t before = 0;       // the type of the part before
  };

  template <typename Number>
  static Number demand_of(const Edges<Number>& edges, const PlacedPart& edge) {
    return edges.demand(
        edge.type, edges.is_replicable(edge.first, edge.last), edges.reception(edge.first, edge.before, edge.type),
        edges.computation(edge.first, edge.last, edge.type), edges.sending(edge.last, edge.type, edge.after));
  }

  std::int64_t working_of(const PlacedPart& edge, const Slowness& own) const {
    const std::int64_t least = below_.working(own.low);
    return least == above_.working(own.high) ? least : exact_.working(demand_of(exact_, edge)).get_si();
  }

  template <typename Number>
  static bool fits_sink(const Edges<Number>& edges, const PlacedPart& edge) {
    return edges.fits_sink(edges.sending(edge.last, edge.type, edge.after));
  }
  template <typename Number>
  static bool fits_source(const Edges<Number>& edges, const PlacedPart& edge) {
    return edges.fits_source(edges.reception(0, 0, edge.type));
  }

  bool is_slower(const Slowness& one, const Slowness& other) const {
    if (wide(one.low) * other.working > wide(other.high) * one.working) return true;
    if (wide(one.high) * other.working < wide(other.low) * one.working || one.edge == other.edge) return false;
    return demand_of(exact_, one.edge) * maxplus::integer_of(other.working) >
           demand_of(exact_, other.edge) * maxplus::integer_of(one.working);
  }

  bool is_better(const LeftState& one, const LeftState& other) const {
    if (one.cost != other.cost) return one.cost < other.cost;
    if (one.machines != other.machines) return one.machines < other.machines;
    return is_slower(*other.slowest, *one.slowest);
  }

  const LeftState& last(std::size_t t) const { return states_[exact_.state(exact_.stages(), t, 0)]; }

  TypedPlan plan_to(std::size_t t) const {
    TypedPlan plan;
    std::size_t u = 0;
    for (std::size_t b = exact_.stages(); b > 0;) {
      const LeftState& state = states_[exact_.state(b, t, u)];
      const PlacedPart edge{state.first, b - 1, state.before, t, u};
      const bool is_replicable = exact_.is_replicable(edge.first, edge.last);
      const auto working = static_cast<std::uint64_t>(exact_.working(demand_of(exact_, edge)).get_ui());
      const auto spare = static_cast<std::uint64_t>(below_.spare());
      plan.push_back({edge.first, edge.last, t, working + (is_replicable ? spare : 0), is_replicable ? 0 : spare});
      b = state.first;
      u = t;
      t = state.before;
    }
    std::ranges::reverse(plan);
    return plan;
  }

  const Edges<std::int64_t>& below_;
  const Edges<std::int64_t>& above_;
  const Edges<Integer>& exact_;
  std::vector<LeftState> states_;
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

std::optional<Scales> Scales::on_grid(const Catalogue& catalogue, const Query& query, GridRounding toward) const {
  constexpr std::size_t kBits = 56;      // of all times together
  constexpr std::size_t kCostBits = 58;  // of a cost
  constexpr long kCoarsest = 1L << 24;   // ticks of the period
  if (tick_weight != 0 || mpz_sizeinbase(most_cost.get_mpz_t(), 2) > kCostBits) return std::nullopt;
  Scales grid = *this;
  grid.rounding = toward;
  grid.places = common_places(catalogue, query.model);
  // `longest` counts in the exact scale's ticks; a row of times may add one tick each.
  const Rational all = Rational::fraction(longest, ticks) * Rational(grid.places);
  const std::size_t bits = mpz_sizeinbase(all.ceiling().get_mpz_t(), 2);
  if (bits > kBits) return std::nullopt;
  const Integer grains = Integer(1) << (kBits - bits);
  grid.ticks = grains * grid.places;
  const Rational scaled = query.period * Rational(grains);
  grid.period = (toward == GridRounding::up ? scaled.floor() : scaled.ceiling()) * grid.places;
  if (grid.period < kCoarsest) return std::nullopt;
  return grid;
}

namespace {

template <typename Number>
ProgramAnswer answer_of(const Program<Number>& program, const Scales& scales) {
  ProgramAnswer answer;
  if (const auto type = program.best_type()) {
    answer.plan = program.plan_to(*type);
    answer.cost = Rational(maxplus::integer_of(program.last(*type).worth.cost)) * scales.unit;
  }
  return answer;
}

// Where exact numbers are long: 64 bits on a grid bound the costs from both sides, and what is left is decided exactly.
// Nothing where the grid does not say enough.
std::optional<ProgramAnswer> solve_by_grid(const Catalogue& catalogue, const Query& query, const Edges<Integer>& exact,
                                           const Scales& scales, bool with_potentials) {
  const auto below = scales.on_grid(catalogue, query, GridRounding::down);
  const auto above = scales.on_grid(catalogue, query, GridRounding::up);
  if (!below || !above) return std::nullopt;
  const Edges<std::int64_t> feasible(catalogue, query, *above);
  const Program dear(feasible, query.deadline);
  const auto known = dear.best_type();
  if (!known) return std::nullopt;
  const std::int64_t most = dear.last(*known).worth.cost;
  const Edges<std::int64_t> relaxed(catalogue, query, *below);
  const Program cheap(relaxed, query.deadline);
  // Then the potentials of the grid prove the cost as well.
  if (with_potentials && cheap.last(*cheap.best_type()).worth.cost != most) return std::nullopt;
  EdgeFilter filter(relaxed, cheap, most, query.deadline);
  LeftProgram program(relaxed, feasible, exact);
  filter.visit([&](const PlacedPart& edge) { program.relax(edge); });
  ProgramAnswer answer = program.answer(scales);
  if (with_potentials) answer.potentials = potentials_of(cheap, *below);
  return answer;
}

}  // namespace

ProgramAnswer solve(const Catalogue& catalogue, const Query& query, bool with_potentials) {
  maxplus::expects(query.period.sign() > 0, "a period is positive");
  maxplus::expects(tpn::follows_cycle_times(query.model), "the planner's closed forms are of cycle times");
  const auto run = [&]<typename Number>(const Edges<Number>& edges, const Scales& scales) {
    if constexpr (std::same_as<Number, Integer>) {
      if (auto answer = solve_by_grid(catalogue, query, edges, scales, with_potentials)) return *std::move(answer);
    }
    const Program program(edges, query.deadline);
    ProgramAnswer answer = answer_of(program, scales);
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
