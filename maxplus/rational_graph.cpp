// Weights over one denominator, solved as integers; edge indices of the graph back to indices of the list.
#include "maxplus/rational_graph.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/component_graph.hpp"
#include "maxplus/components.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/least_potentials.hpp"
#include "maxplus/potentials.hpp"

namespace takt::maxplus {

namespace {

std::uint64_t words_of(const Integer& number) { return mpz_size(number.get_mpz_t()); }

// Of all weights; the words that they take over it are at most `max_words`.
std::variant<Integer, WeightLimit> common_denominator(const ArcColumns& arcs, std::uint64_t max_words) {
  if (arcs.is_narrow()) return integer_of(arcs.denominator());
  Integer common = 1;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const Rational weight = arcs.weight(i);
    const Integer& denominator = weight.denominator();
    if (mpz_divisible_p(common.get_mpz_t(), denominator.get_mpz_t()) != 0) continue;
    common = lcm(common, denominator);
    // One word each is as short as it gets.
    if (words_of(common) > 1 && words_of(common) * arcs.size() > max_words) {
      return WeightLimit{words_of(common) * arcs.size(), max_words};
    }
  }
  return common;
}

// The list as a graph of integers: weights times `scale`, negative where the smallest ratio is looked for.
class ScaledGraph {
  static constexpr std::size_t kArcsPerLook = 4096;

 public:
  /// Without arcs if the deadline passes.
  ScaledGraph(std::size_t vertices, const ArcColumns& arcs, Integer denominator, RatioExtreme extreme,
              const Deadline& deadline)
      : scale_(std::move(denominator)) {
    if (extreme == RatioExtreme::smallest) scale_ = -scale_;
    std::vector<ListedArc> scaled;
    scaled.reserve(arcs.size());
    for (std::size_t i = 0; i < arcs.size(); ++i) {
      if (i % kArcsPerLook == 0 && has_passed(deadline)) return;
      const RationalArc arc = arcs[i];
      scaled.push_back({arc.from, arc.to, scale_ / arc.weight.denominator() * arc.weight.numerator(), arc.tokens});
    }
    graph_ = make_token_graph(vertices, scaled);
  }

  const TokenGraph& graph() const { return graph_; }
  /// Ratios of the graph are this many times those of the list.
  const Integer& scale() const { return scale_; }

 private:
  Integer scale_;
  TokenGraph graph_;
};

// Edge indices count the arcs by their tails, those of one tail in the order of the list.
std::vector<std::size_t> listed_indices(std::size_t vertices, const ArcColumns& arcs,
                                        const std::vector<std::size_t>& edges) {
  const ArcsByTail by_tail = arcs_by_tail(vertices, arcs);
  std::vector<std::size_t> result;
  result.reserve(edges.size());
  for (const std::size_t edge : edges) result.push_back(by_tail.arcs[edge]);
  return result;
}

AcyclicOrder acyclic_order(std::size_t vertices, const ArcColumns& arcs) {
  std::vector<ListedArc> without_tokens;
  without_tokens.reserve(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) without_tokens.push_back({arcs.from(i), arcs.to(i), 0, 0});
  auto order = token_free_order(make_token_graph(vertices, without_tokens));
  expects(std::holds_alternative<std::vector<std::size_t>>(order), "a graph that is said to have no cycle has none");
  return {std::get<std::vector<std::size_t>>(std::move(order))};
}

std::optional<std::vector<Integer>> potentials_of(std::size_t vertices, const ArcColumns& arcs, RatioExtreme extreme,
                                                  const Integer& denominator, const Rational& ratio,
                                                  const Deadline& deadline) {
  if (arcs.is_narrow()) {
    auto found = least_potentials(vertices, arcs, extreme == RatioExtreme::smallest ? -1 : 1, ratio, deadline);
    if (auto* values = std::get_if<std::vector<Integer>>(&found)) return std::move(*values);
    if (std::holds_alternative<PotentialsTimeout>(found)) return std::nullopt;
  }
  const ScaledGraph scaled(vertices, arcs, denominator, extreme, deadline);
  if (has_passed(deadline)) return std::nullopt;
  return potentials(scaled.graph(), ratio, deadline);
}

std::optional<RatioProof> ratio_proof(std::size_t vertices, const ArcColumns& arcs, const RatioCycle& cycle,
                                      RatioExtreme extreme, const Deadline& deadline) {
  const auto denominator = std::get<Integer>(common_denominator(arcs, UINT64_MAX));
  const Rational ratio =
      cycle.ratio * Rational(extreme == RatioExtreme::smallest ? Integer(-denominator) : denominator);
  auto values = potentials_of(vertices, arcs, extreme, denominator, ratio, deadline);
  if (!values && has_passed(deadline)) return std::nullopt;
  expects(values.has_value(), "no cycle has a better ratio than the best");
  if (extreme == RatioExtreme::smallest) {
    for (Integer& value : *values) value = -value;
  }
  return RatioProof{cycle, extreme, *std::move(values), ratio.denominator() * denominator};
}

RationalCycleRatio solve_graph(std::size_t vertices, const ArcColumns& arcs, const ScaledGraph& scaled,
                               const CycleRatioSolver& solver, const Deadline& deadline) {
  const CycleRatio answer = solver.solve(scaled.graph(), deadline);
  if (const auto* limit = std::get_if<SolverLimit>(&answer)) return *limit;
  if (std::holds_alternative<SolverTimeout>(answer)) return SolverTimeout{};
  if (std::holds_alternative<NoCycle>(answer)) return NoCycle{};
  if (const auto* deadlock = std::get_if<Deadlock>(&answer)) {
    return DeadlockCycle{listed_indices(vertices, arcs, deadlock->arcs)};
  }
  const auto& cycle = std::get<CriticalCycle>(answer);
  return RatioCycle{cycle.ratio / Rational(scaled.scale()), listed_indices(vertices, arcs, cycle.arcs)};
}

}  // namespace

std::optional<WeightLimit> weight_limit(const ArcColumns& arcs, std::uint64_t max_words) {
  const auto denominator = common_denominator(arcs, max_words);
  const auto* limit = std::get_if<WeightLimit>(&denominator);
  return limit == nullptr ? std::nullopt : std::optional(*limit);
}

RationalCycleRatio best_of(const ComponentAnswer& answer, RatioExtreme extreme) {
  if (const auto* deadlock = std::get_if<DeadlockCycle>(&answer)) return *deadlock;
  if (std::holds_alternative<SolverTimeout>(answer)) return SolverTimeout{};
  const auto& components = std::get<ComponentRatios>(answer).components;
  if (components.empty()) return NoCycle{};
  const auto ratio_of = [](const ComponentRatio& component) -> const Rational& { return component.best.ratio; };
  const auto best = extreme == RatioExtreme::largest ? std::ranges::max_element(components, {}, ratio_of)
                                                     : std::ranges::min_element(components, {}, ratio_of);
  return best->best;
}

RationalCycleRatio cycle_ratio(std::size_t vertices, const ArcColumns& arcs, const CycleRatioSolver& solver,
                               RatioExtreme extreme, std::uint64_t max_words, const Deadline& deadline) {
  auto denominator = common_denominator(arcs, max_words);
  if (const auto* limit = std::get_if<WeightLimit>(&denominator)) return *limit;
  if (solver.solve == howard) {
    return best_of(component_ratios(vertices, arcs, {.extreme = extreme, .deadline = deadline}), extreme);
  }
  const ScaledGraph scaled(vertices, arcs, std::get<Integer>(std::move(denominator)), extreme, deadline);
  if (has_passed(deadline)) return SolverTimeout{};
  return solve_graph(vertices, arcs, scaled, solver, deadline);
}

std::optional<CycleRatioProof> prove_cycle_ratio(std::size_t vertices, const ArcColumns& arcs,
                                                 const RationalCycleRatio& answer, RatioExtreme extreme,
                                                 const Deadline& deadline) {
  if (const auto* deadlock = std::get_if<DeadlockCycle>(&answer)) return *deadlock;
  if (std::holds_alternative<NoCycle>(answer)) return acyclic_order(vertices, arcs);
  const auto* cycle = std::get_if<RatioCycle>(&answer);
  expects(cycle != nullptr, "a limit has no proof");
  return ratio_proof(vertices, arcs, *cycle, extreme, deadline);
}

}  // namespace takt::maxplus
