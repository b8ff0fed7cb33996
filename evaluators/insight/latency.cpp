// Stays in the paced schedule, the least bound on them, and how they grow without pacing.
#include "evaluators/insight/latency.hpp"

#include <algorithm>
#include <optional>
#include <type_traits>

#include "evaluators/insight/convex_curve.hpp"
#include "evaluators/insight/waits.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/solvers.hpp"

namespace takt::evaluators {

namespace {

// Where data sets arrive, and where they are delivered: the computations of the parts that receive nothing, and of
// those that send nothing.
struct Passage {
  std::vector<tpn::ColumnIndex> arrivals;
  std::vector<tpn::ColumnIndex> deliveries;

  explicit Passage(const tpn::Pipeline& pipeline) {
    for (const tpn::PartIndex part : pipeline.entries()) arrivals.push_back(pipeline.parts[part].computation);
    for (const tpn::PartIndex part : pipeline.exits()) deliveries.push_back(pipeline.parts[part].computation);
  }
};

// By column, whether it is one of these.
std::vector<bool> marked(const std::vector<tpn::ColumnIndex>& some, std::size_t columns) {
  std::vector<bool> marks(columns, false);
  for (const tpn::ColumnIndex c : some) marks[c] = true;
  return marks;
}

// Of a workflow: the longest path between a data set's own operations, in the order in which each resource has them.
// Those of other data sets, which stand between them where transfers are ahead, take no time.
class WorkflowAlone {
  // By round from the first on, then column, when the operation ends at the earliest; nothing if it follows none of the
  // data set's.
  using Ends = std::vector<std::vector<std::optional<Integer>>>;

 public:
  explicit WorkflowAlone(const tpn::FoldedNet& net) : net_(net), before_(net.pipeline.columns.size()) {
    for (const tpn::Dependence& d : net.dependences) before_[d.to].push_back(&d);
  }

  Integer of(std::uint64_t data_set) const {
    const tpn::Pipeline& pipeline = net_.pipeline;
    std::vector<std::uint64_t> own;  // the round of the data set's operation, by column
    for (const tpn::Column& column : pipeline.columns) {
      const bool computes = column.kind == tpn::ColumnKind::compute;
      own.push_back((computes ? pipeline.parts[column.part].computed_with(data_set) : data_set) + column.shift);
    }
    const Passage passage(pipeline);
    const std::vector<bool> arrives = marked(passage.arrivals, pipeline.columns.size());
    std::uint64_t first = own[passage.arrivals.front()];
    for (const tpn::ColumnIndex c : passage.arrivals) first = std::min(first, own[c]);
    std::uint64_t last = 0;
    for (const tpn::ColumnIndex c : passage.deliveries) last = std::max(last, own[c]);
    Ends ends;
    for (std::uint64_t round = first; round <= last; ++round) {
      auto& row = ends.emplace_back(pipeline.columns.size());
      for (const tpn::ColumnIndex c : pipeline.all_columns()) {
        std::optional<Integer> start = last_end_before(c, round, first, ends);
        if (!start && round == own[c] && arrives[c]) start = 0;
        if (!start) continue;
        if (round == own[c]) *start += pipeline.columns[c].duration(round);
        row[c] = std::move(start);
      }
    }
    Integer delivered = 0;
    for (const tpn::ColumnIndex c : passage.deliveries) delivered = std::max(delivered, *ends[own[c] - first][c]);
    return delivered;
  }

 private:
  // Of what the operation of that round waits for.
  std::optional<Integer> last_end_before(tpn::ColumnIndex column, std::uint64_t round, std::uint64_t first,
                                         const Ends& ends) const {
    std::optional<Integer> last;
    for (const tpn::Dependence* d : before_[column]) {
      if (d->height > round - first || (round - d->height) % d->modulus != d->residue) continue;
      const std::optional<Integer>& end = ends[round - d->height - first][d->from];
      if (end && (!last || *last < *end)) last = end;
    }
    return last;
  }

  const tpn::FoldedNet& net_;
  std::vector<std::vector<const tpn::Dependence*>> before_;  // by the column that waits
};

std::vector<Rational> alone_by_class(const tpn::FoldedNet& net, std::uint64_t rows) {
  std::vector<Rational> result;
  if (!net.pipeline.is_chain()) {
    const WorkflowAlone alone(net);
    for (std::uint64_t row = 0; row < rows; ++row)
      result.push_back(Rational::fraction(alone.of(row), net.pipeline.scale));
    return result;
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    Integer sum = 0;
    for (const tpn::Column& column : net.pipeline.columns) {
      const bool computes = column.kind == tpn::ColumnKind::compute;
      sum += column.duration((computes ? net.pipeline.parts[column.part].computed_with(row) : row) + column.shift);
    }
    result.push_back(Rational::fraction(sum, net.pipeline.scale));
  }
  return result;
}

// Rounds from the arrival of a data set, if nothing is shifted, to the operation of an exit that delivers it, which
// may be that of a whole batch.
std::uint64_t rounds_to(const tpn::Pipeline& pipeline, tpn::ColumnIndex delivery, std::uint64_t data_set) {
  const tpn::Column& column = pipeline.columns[delivery];
  return column.shift + pipeline.parts[column.part].computed_with(data_set) - data_set;
}

// The last operations of a data set, one for each exit, by its row; operations are numbered by row, then column.
class LastOperations {
 public:
  explicit LastOperations(const OperationWaits& waits)
      : waits_(waits), deliveries_(Passage(waits.net().pipeline).deliveries) {
    for (const tpn::ColumnIndex delivery : deliveries_) {
      auto& rounds = rounds_.emplace_back();
      for (std::uint64_t row = 0; row < waits.rows(); ++row)
        rounds.push_back(rounds_to(waits.net().pipeline, delivery, row));
    }
  }

  std::size_t exits() const { return deliveries_.size(); }
  std::uint64_t rounds(std::size_t exit, std::uint64_t row) const { return rounds_[exit][row]; }
  std::size_t of(std::size_t exit, std::uint64_t row) const {
    return (row + rounds(exit, row)) % waits_.rows() * waits_.columns() + deliveries_[exit].value();
  }

 private:
  const OperationWaits& waits_;
  std::vector<tpn::ColumnIndex> deliveries_;
  std::vector<std::vector<std::uint64_t>> rounds_;  // by exit, then row
};

// What the waits that raised their operations last say of a circuit.
struct ReturnCircuit {
  Integer durations = 0;  // in 1 / scale
  Integer height = 0;
  std::uint64_t returns = 0;
};

using TrialEnd = std::variant<std::vector<Integer>, ReturnCircuit, OutOfTime, Beyond64Bits>;

// Longest paths with a return from each last operation of every data set to each of its first ones.
template <typename Number>
class LatencyTrial {
 public:
  LatencyTrial(const OperationWaits& waits, const Rational& period, const Rational& latency)
      : waits_(waits),
        last_(waits),
        arrives_(marked(Passage(waits.net().pipeline).arrivals, waits.columns())),
        factor_(lcm(period.denominator(), latency.denominator())) {
    const Rational unit(waits.net().pipeline.scale * factor_);
    durations_ = waits.durations<Number>(factor_);
    period_ = narrow<Number>((period * unit).numerator());
    latency_ = narrow<Number>((latency * unit).numerator());
    starts_.assign(waits.size(), Number(0));
    raised_by_.assign(waits.size(), kNone);
  }

  TrialEnd run(const Deadline& deadline) {
    for (;;) {
      if (deadline.has_passed()) return OutOfTime{};
      bool raised = false;
      for (std::size_t v = 0; v < starts_.size(); ++v) {
        raised = raise(v) || raised;
        if constexpr (std::is_same_v<Number, std::int64_t>) {
          if (starts_[v] > kMostTime) return Beyond64Bits{};
        }
      }
      if (!raised) return starts();
      if (const auto circuit = find_circuit()) return *circuit;
    }
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  static constexpr std::size_t kReturns = kNone / 2;  // and the number of the exit

  bool is_return(std::size_t by) const { return by >= kReturns && by != kNone; }

  bool raise_to(std::size_t v, const Number& start, std::size_t by) {
    if (!(starts_[v] < start)) return false;
    starts_[v] = start;
    raised_by_[v] = by;
    return true;
  }

  bool raise(std::size_t v) {
    bool raised = false;
    std::size_t k = 0;
    for (const Wait& wait : waits_.of(v)) {
      const Number end = starts_[wait.vertex] + durations_[wait.vertex] - sooner_by(period_, wait.height);
      raised = raise_to(v, end, k++) || raised;
    }
    if (!arrives_[waits_.column_of(v)]) return raised;
    const std::uint64_t row = waits_.row_of(v);
    for (std::size_t exit = 0; exit < last_.exits(); ++exit) {
      const std::size_t last = last_.of(exit, row);
      const Number end = starts_[last] + durations_[last] + sooner_by(period_, last_.rounds(exit, row)) - latency_;
      raised = raise_to(v, end, kReturns + exit) || raised;
    }
    return raised;
  }

  std::size_t before(std::size_t v) const {
    const std::size_t by = raised_by_[v];
    return is_return(by) ? last_.of(by - kReturns, waits_.row_of(v)) : waits_.of(v)[by].vertex;
  }

  // A circuit of what raised what last: it is positive.
  std::optional<ReturnCircuit> find_circuit() const {
    std::vector<std::size_t> seen_from(starts_.size(), kNone);
    for (std::size_t root = 0; root < starts_.size(); ++root) {
      std::size_t v = root;
      while (seen_from[v] == kNone && raised_by_[v] != kNone) {
        seen_from[v] = root;
        v = before(v);
      }
      if (seen_from[v] == root && raised_by_[v] != kNone) return circuit_through(v);
    }
    return std::nullopt;
  }

  ReturnCircuit circuit_through(std::size_t vertex) const {
    ReturnCircuit circuit;
    std::size_t v = vertex;
    do {
      const std::size_t from = before(v);
      circuit.durations += waits_.net().pipeline.columns[waits_.column_of(from)].duration(waits_.row_of(from));
      if (is_return(raised_by_[v])) {
        ++circuit.returns;
        circuit.height -= last_.rounds(raised_by_[v] - kReturns, waits_.row_of(v));
      } else {
        circuit.height += waits_.of(v)[raised_by_[v]].height;
      }
      v = from;
    } while (v != vertex);
    maxplus::expects(circuit.returns > 0, "the net attains the period of a latency");
    return circuit;
  }

  std::vector<Integer> starts() const {
    std::vector<Integer> result;
    result.reserve(starts_.size());
    for (const Number& start : starts_) result.push_back(widen(start));
    return result;
  }

  const OperationWaits& waits_;
  LastOperations last_;
  std::vector<bool> arrives_;  // by column
  Integer factor_;
  std::vector<Number> durations_;
  Number period_;
  Number latency_;
  std::vector<Number> starts_;
  std::vector<std::size_t> raised_by_;  // which of its waits, a return or kNone
};

TrialEnd try_latency(const OperationWaits& waits, const Rational& period, const Rational& latency,
                     const Deadline& deadline) {
  const Integer factor = lcm(period.denominator(), latency.denominator());
  const Rational unit(waits.net().pipeline.scale * factor);
  if (fits_64_bits(waits, factor, (period * unit).numerator()) && latency * unit < Rational(kMostTime)) {
    TrialEnd end = LatencyTrial<std::int64_t>(waits, period, latency).run(deadline);
    if (!std::holds_alternative<Beyond64Bits>(end)) return end;
  }
  return LatencyTrial<Integer>(waits, period, latency).run(deadline);
}

std::variant<LeastLatency, Limit> least_latency(const OperationWaits& waits, const Rational& period,
                                                const Deadline& deadline) {
  const std::vector<Rational> alone = alone_by_class(waits.net(), waits.rows());
  LeastLatency least;
  least.value = *std::ranges::max_element(alone);
  const Rational scale(waits.net().pipeline.scale);
  for (;;) {
    TrialEnd end = try_latency(waits, period, least.value, deadline);
    if (std::holds_alternative<OutOfTime>(end)) return Limit(OutOfTime{});
    if (auto* starts = std::get_if<std::vector<Integer>>(&end)) {
      least.offsets = std::move(*starts);
      least.unit = waits.net().pipeline.scale * lcm(period.denominator(), least.value.denominator());
      return least;
    }
    const ReturnCircuit& circuit = std::get<ReturnCircuit>(end);
    const Rational higher =
        (Rational(circuit.durations) / scale - period * Rational(circuit.height)) / Rational(Integer(circuit.returns));
    maxplus::expects(higher > least.value, "a positive circuit asks for a larger latency");
    least.value = higher;
    least.height_per_return = Rational::fraction(circuit.height, Integer(circuit.returns));
  }
}

std::vector<std::size_t> components_of(const OperationWaits& waits) {
  std::vector<WaitArc> arcs;
  for (std::size_t v = 0; v < waits.size(); ++v) {
    for (const Wait& wait : waits.of(v)) arcs.emplace_back(wait.vertex, v);
  }
  return strong_components_of(arcs, waits.size());
}

// The largest cycle ratio of each component, in time units per data set; 0 if there is no cycle.
std::vector<Rational> component_paces(const OperationWaits& waits, const std::vector<std::size_t>& component) {
  std::vector<std::vector<std::size_t>> members(*std::ranges::max_element(component) + 1);
  std::vector<std::size_t> place(waits.size());
  for (std::size_t v = 0; v < waits.size(); ++v) {
    place[v] = members[component[v]].size();
    members[component[v]].push_back(v);
  }
  std::vector<Rational> paces;
  for (const std::vector<std::size_t>& vertices : members) {
    std::vector<maxplus::ListedArc> arcs;
    for (const std::size_t v : vertices) {
      for (const Wait& wait : waits.of(v)) {
        if (component[wait.vertex] != component[v]) continue;
        const tpn::Column& column = waits.net().pipeline.columns[waits.column_of(wait.vertex)];
        arcs.push_back({place[wait.vertex], place[v], column.duration(waits.row_of(wait.vertex)), wait.height});
      }
    }
    const auto solved = maxplus::default_solver().solve(maxplus::make_token_graph(vertices.size(), arcs), {});
    const auto* critical = std::get_if<maxplus::CriticalCycle>(&solved);
    paces.push_back(critical == nullptr ? Rational() : critical->ratio / Rational(waits.net().pipeline.scale));
  }
  return paces;
}

// The largest pace of the components that each operation waits for.
std::optional<std::vector<Rational>> paces_of(const OperationWaits& waits, const std::vector<std::size_t>& component,
                                              const Deadline& deadline) {
  const std::vector<Rational> own = component_paces(waits, component);
  std::vector<Rational> pace;
  pace.reserve(component.size());
  for (const std::size_t c : component) pace.push_back(own[c]);
  for (bool raised = true; raised;) {
    if (deadline.has_passed()) return std::nullopt;
    raised = false;
    for (std::size_t v = 0; v < waits.size(); ++v) {
      for (const Wait& wait : waits.of(v)) {
        if (!(pace[v] < pace[wait.vertex])) continue;
        pace[v] = pace[wait.vertex];
        raised = true;
      }
    }
  }
  return pace;
}

}  // namespace

Latency latency_of(const tpn::FoldedNet& net, const PacedSchedule& paced) {
  Latency latency;
  latency.has_batches = net.pipeline.has_batches();
  latency.alone_by_class = alone_by_class(net, paced.rows);
  const std::vector<tpn::ColumnIndex> deliveries = Passage(net.pipeline).deliveries;
  for (std::uint64_t row = 0; row < paced.rows; ++row) {
    Rational& longest = latency.paced_by_class.emplace_back();
    for (const tpn::ColumnIndex last : deliveries) {
      const std::uint64_t rounds = rounds_to(net.pipeline, last, row);
      const std::uint64_t round = row + rounds;
      Rational stay = paced.offset(round % paced.rows, last) + net.pipeline.duration({round, last});
      if (rounds > 0) stay += paced.period * Rational(Integer(rounds));
      longest = std::max(longest, stay);
    }
  }
  latency.alone = *std::ranges::max_element(latency.alone_by_class);
  latency.paced = *std::ranges::max_element(latency.paced_by_class);
  return latency;
}

std::variant<LeastLatency, Limit> least_latency(const tpn::FoldedNet& net, const Rational& period,
                                                const Deadline& deadline, std::uint64_t most_operations) {
  auto made = OperationWaits::make(net, most_operations);
  if (auto* too_large = std::get_if<tpn::TooLarge>(&made)) return Limit(std::move(*too_large));
  return least_latency(std::get<OperationWaits>(made), period, deadline);
}

std::variant<LatencyCurve, Limit> latency_curve(const tpn::FoldedNet& net, const Rational& period,
                                                const Deadline& deadline, std::uint64_t most_operations) {
  maxplus::expects(!net.pipeline.has_batches() && !net.pipeline.is_shifted(),
                   "a net of a latency curve has neither batches nor transfers ahead");
  auto made = OperationWaits::make(net, most_operations);
  if (auto* too_large = std::get_if<tpn::TooLarge>(&made)) return Limit(std::move(*too_large));
  const OperationWaits& waits = std::get<OperationWaits>(made);
  const LineFinder find = [&](const Rational& x) -> std::optional<TouchingLine> {
    const auto least = least_latency(waits, x, deadline);
    const auto* found = std::get_if<LeastLatency>(&least);
    if (found == nullptr) return std::nullopt;
    return TouchingLine{x, found->value, -found->height_per_return};
  };
  const auto left = find(period);
  if (!left) return Limit(OutOfTime{});
  const std::vector<Rational> times_alone = alone_by_class(net, waits.rows());
  const Rational alone = *std::ranges::max_element(times_alone);
  if (left->value == alone) return LatencyCurve{{period, alone}};
  // From P = S on one data set after the other keeps the period.
  auto curve = convex_curve(*left, {alone, alone, Rational()}, find);
  if (!curve) return Limit(OutOfTime{});
  while (curve->size() >= 2 && (*curve)[curve->size() - 2].second == alone) curve->pop_back();
  return *std::move(curve);
}

std::variant<std::vector<Rational>, Limit> unpaced_growth(const tpn::FoldedNet& net, const Deadline& deadline,
                                                          std::uint64_t most_operations) {
  auto made = OperationWaits::make(net, most_operations);
  if (auto* too_large = std::get_if<tpn::TooLarge>(&made)) return Limit(std::move(*too_large));
  const OperationWaits& waits = std::get<OperationWaits>(made);
  const std::vector<std::size_t> component = components_of(waits);
  std::vector<Rational> growth(waits.rows());
  const std::vector<tpn::ColumnIndex> arrivals = Passage(waits.net().pipeline).arrivals;
  const LastOperations last(waits);
  const auto first_of = [&](std::uint64_t row, tpn::ColumnIndex arrival) {
    return row * waits.columns() + arrival.value();
  };
  bool is_together = true;
  for (std::uint64_t row = 0; row < waits.rows(); ++row) {
    const std::size_t one = component[first_of(row, arrivals.front())];
    for (const tpn::ColumnIndex arrival : arrivals)
      is_together = is_together && component[first_of(row, arrival)] == one;
    for (std::size_t exit = 0; exit < last.exits(); ++exit)
      is_together = is_together && component[last.of(exit, row)] == one;
  }
  if (is_together) return growth;
  const auto paces = paces_of(waits, component, deadline);
  if (!paces) return Limit(OutOfTime{});
  for (std::uint64_t row = 0; row < waits.rows(); ++row) {
    // The first operation to start is one of the quickest entry, in the long run; the last to end is the slowest
    // exit's.
    Rational first = (*paces)[first_of(row, arrivals.front())];
    for (const tpn::ColumnIndex arrival : arrivals) first = std::min(first, (*paces)[first_of(row, arrival)]);
    for (std::size_t exit = 0; exit < last.exits(); ++exit)
      growth[row] = std::max(growth[row], (*paces)[last.of(exit, row)] - first);
  }
  return growth;
}

}  // namespace takt::evaluators
