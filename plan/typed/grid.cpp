// Which edges are left, and the program on them.
#include "plan/typed/grid.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "plan/typed/forward.hpp"

namespace takt::plan {

namespace {

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
    for (std::size_t t = 0; t < edges_.types(); ++t) {
      if (edges_.least_first(last, t) > a) continue;
      const auto before = a == 0 ? std::optional(std::int64_t{0}) : forward_.least(a, t);
      if (!before) continue;
      const std::int64_t compute = edges_.computation(a, last, t);
      for (std::size_t u = 0; u < (is_last ? 1 : edges_.types()); ++u) {
        clock_.spend();
        const std::int64_t beyond = onward_[edges_.state(last + 1, t, u)];
        const std::int64_t send = edges_.sending(last, t, u);
        const bool is_sent = send != Edges<std::int64_t>::kAbsent && (!is_last || edges_.fits_sink(send));
        if (beyond == kNever || !is_sent) continue;
        if (*before + price_of(a, last, t, 0, compute, send) + beyond > most_) continue;
        for_each_before(a, t, [&](std::size_t tp, std::int64_t tail, std::int64_t receive) {
          const std::int64_t price = price_of(a, last, t, receive, compute, send);
          if (tail + price + beyond <= most_) use(tp, t, u, price);
        });
      }
    }
  }

  // The types that a part from stage a on, on type t, may receive from: what all before it costs, and the reception.
  template <typename Use>
  void for_each_before(std::size_t a, std::size_t t, const Use& use) {
    for (std::size_t tp = 0; tp < (a == 0 ? 1 : edges_.types()); ++tp) {
      const auto tail = a == 0 ? std::optional(std::int64_t{0}) : forward_.cost(edges_.state(a, tp, t));
      const std::int64_t receive = edges_.reception(a, tp, t);
      if (tail && receive != Edges<std::int64_t>::kAbsent) use(tp, *tail, receive);
    }
  }

  std::int64_t price_of(std::size_t a, std::size_t last, std::size_t t, std::int64_t receive, std::int64_t compute,
                        std::int64_t send) const {
    const bool is_replicable = edges_.is_replicable(a, last);
    const std::int64_t demand = edges_.demand(t, is_replicable, receive, compute, send);
    const std::int64_t working = edges_.machines(a, last, t, demand);
    if (working == Edges<std::int64_t>::kAbsent) return kNever;
    return edges_.cost(a, last, t, working + edges_.spare(), edges_.on_demand(t, demand, working));
  }

  const Edges<std::int64_t>& edges_;
  const Program<std::int64_t>& forward_;
  std::int64_t most_;
  std::vector<std::int64_t> onward_;  // by state, the least cost from there to the end
  PlanWatch clock_;
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
    if (own.working == Edges<std::int64_t>::kAbsent) return;
    LeftState next = edge.first == 0 ? LeftState() : tail;
    const std::int64_t machines = own.working + below_.spare();
    next.cost += below_.cost(edge.first, edge.last, edge.type, machines, on_demand(edge, own));
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
    answer.plan = plan_back(exact_, states_, *best);
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
    std::size_t first = kNobody;  // of the last part, kNobody if there is no path
    std::size_t before = 0;       // the type of the part before
  };

  std::int64_t working_of(const PlacedPart& edge, const Slowness& own) const {
    const std::int64_t least = below_.machines(edge.first, edge.last, edge.type, own.low);
    return least == above_.machines(edge.first, edge.last, edge.type, own.high)
               ? least
               : exact_.machines(edge.first, edge.last, edge.type, demand_of(exact_, edge)).get_si();
  }

  std::int64_t on_demand(const PlacedPart& edge, const Slowness& own) const {
    const std::int64_t least = below_.on_demand(edge.type, own.low, own.working);
    return least == above_.on_demand(edge.type, own.high, own.working)
               ? least
               : exact_.on_demand(edge.type, demand_of(exact_, edge), maxplus::integer_of(own.working)).get_si();
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

  const Edges<std::int64_t>& below_;
  const Edges<std::int64_t>& above_;
  const Edges<Integer>& exact_;
  std::vector<LeftState> states_;
};

}  // namespace

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

}  // namespace takt::plan
