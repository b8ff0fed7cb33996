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

// Of a workflow: the longest path between a data set's own operations, in the order in which each resource has them.
// Those of other data sets, which stand between them where transfers are ahead, take no time.
class WorkflowAlone {
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
    const tpn::ColumnIndex arrival = pipeline.arrival();
    const tpn::ColumnIndex delivery = pipeline.delivery();
    const std::uint64_t first = own[arrival];
    // By round from the first on, then column, when the operation ends at the earliest; nothing where it follows none
    // of the data set's.
    std::vector<std::vector<std::optional<Integer>>> ends;
    for (std::uint64_t round = first; round <= own[delivery]; ++round) {
      auto& row = ends.emplace_back(pipeline.columns.size());
      for (const tpn::ColumnIndex c : pipeline.all_columns()) {
        std::optional<Integer> start;
        if (round == first && c == arrival) start = 0;
        for (const tpn::Dependence* d : before_[c]) {
          if (d->height > round - first || (round - d->height) % d->modulus != d->residue) continue;
          const std::optional<Integer>& end = ends[round - d->height - first][d->from];
          if (end && (!start || *start < *end)) start = end;
        }
        if (!start) continue;
        if (round == own[c]) *start += pipeline.columns[c].duration(round);
        row[c] = std::move(start);
      }
    }
    return *ends.back()[delivery];
  }

 private:
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

// Rounds from the first operation of a data set to the one that delivers it, which may be that of a whole batch.
std::uint64_t rounds_between(const tpn::FoldedNet& net, std::uint64_t data_set) {
  const tpn::Column& delivery = net.pipeline.columns[net.pipeline.delivery()];
  return delivery.shift - net.pipeline.columns[net.pipeline.arrival()].shift +
         net.pipeline.parts[delivery.part].computed_with(data_set) - data_set;
}

// The last operation of a data set, by its first one; both are numbered by row, then column.
class LastOperation {
 public:
  explicit LastOperation(const OperationWaits& waits) : waits_(waits), delivery_(waits.net().pipeline.delivery()) {
    for (std::uint64_t row = 0; row < waits.rows(); ++row) rounds_.push_back(rounds_between(waits.net(), row));
  }

  std::uint64_t rounds(std::size_t first) const { return rounds_[waits_.row_of(first)]; }
  std::size_t of(std::size_t first) const {
    return (waits_.row_of(first) + rounds(first)) % waits_.rows() * waits_.columns() + delivery_.value();
  }

 private:
  const OperationWaits& waits_;
  std::vector<std::uint64_t> rounds_;  // by row
  tpn::ColumnIndex delivery_;
};

// What the waits that raised their operations last say of a circuit.
struct ReturnCircuit {
  Integer durations = 0;  // in 1 / scale
  Integer height = 0;
  std::uint64_t returns = 0;
};

using TrialEnd = std::variant<std::vector<Integer>, ReturnCircuit, OutOfTime, Beyond64Bits>;

// Longest paths with a return from the last operation of every data set to its first.
template <typename Number>
class LatencyTrial {
 public:
  LatencyTrial(const OperationWaits& waits, const Rational& period, const Rational& latency)
      : waits_(waits), last_(waits), factor_(lcm(period.denominator(), latency.denominator())) {
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
  static constexpr std::size_t kReturn = static_cast<std::size_t>(-2);

  std::size_t returning(std::size_t vertex) const { return last_.of(vertex); }

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
    if (waits_.column_of(v) != 0) return raised;
    const std::size_t last = returning(v);
    return raise_to(v, starts_[last] + durations_[last] + sooner_by(period_, last_.rounds(v)) - latency_, kReturn) ||
           raised;
  }

  std::size_t before(std::size_t v) const {
    return raised_by_[v] == kReturn ? returning(v) : waits_.of(v)[raised_by_[v]].vertex;
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
      if (raised_by_[v] == kReturn) {
        ++circuit.returns;
        circuit.height -= last_.rounds(v);
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
  LastOperation last_;
  Integer factor_;
  std::vector<Number> durations_;
  Number period_;
  Number latency_;
  std::vector<Number> starts_;
  std::vector<std::size_t> raised_by_;  // which of its waits, kReturn or kNone
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

// The largest cycle ratio of each component, in time units per data set; 0 where there is no cycle.
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
  const tpn::ColumnIndex last = net.pipeline.delivery();
  for (std::uint64_t row = 0; row < paced.rows; ++row) {
    const std::uint64_t rounds = rounds_between(net, row);
    const std::uint64_t round = row + rounds;
    latency.paced_by_class.push_back(paced.offset(round % paced.rows, last) + net.pipeline.duration({round, last}));
    if (rounds > 0) latency.paced_by_class.back() += paced.period * Rational(Integer(rounds));
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
  maxplus::expects(!net.pipeline.has_batches(), "a net of a latency curve has no batches");
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
  const std::size_t arrival = waits.net().pipeline.arrival();
  const LastOperation last(waits);
  const auto first_of = [&](std::uint64_t row) { return row * waits.columns() + arrival; };
  const auto last_of = [&](std::uint64_t row) { return last.of(first_of(row)); };
  bool is_together = true;
  for (std::uint64_t row = 0; row < waits.rows(); ++row) {
    is_together = is_together && component[first_of(row)] == component[last_of(row)];
  }
  if (is_together) return growth;
  const auto paces = paces_of(waits, component, deadline);
  if (!paces) return Limit(OutOfTime{});
  for (std::uint64_t row = 0; row < waits.rows(); ++row) {
    growth[row] = (*paces)[last_of(row)] - (*paces)[first_of(row)];
  }
  return growth;
}

}  // namespace takt::evaluators
