// Weights over one denominator, solved as integers; edge indices of the graph back to indices of the list.
#include "maxplus/rational_graph.hpp"

#include <numeric>
#include <optional>
#include <utility>
#include <vector>

#include "maxplus/components.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/potentials.hpp"

namespace takt::maxplus {

namespace {

std::uint64_t words_of(const Integer& number) { return mpz_size(number.get_mpz_t()); }

// Of all weights; the words that they take over it are at most `max_words`.
std::variant<Integer, WeightLimit> common_denominator(std::span<const RationalArc> arcs, std::uint64_t max_words) {
  Integer common = 1;
  for (const RationalArc& arc : arcs) {
    const Integer& denominator = arc.weight.denominator();
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
 public:
  ScaledGraph(std::size_t vertices, std::span<const RationalArc> arcs, Integer denominator, RatioExtreme extreme)
      : scale_(std::move(denominator)) {
    if (extreme == RatioExtreme::smallest) scale_ = -scale_;
    std::vector<ListedArc> scaled;
    scaled.reserve(arcs.size());
    for (const RationalArc& arc : arcs) {
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
std::vector<std::size_t> listed_indices(std::size_t vertices, std::span<const RationalArc> arcs,
                                        const std::vector<std::size_t>& edges) {
  std::vector<std::size_t> next(vertices + 1, 0);
  for (const RationalArc& arc : arcs) ++next[arc.from + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::size_t> index_of_edge(arcs.size());
  for (std::size_t i = 0; i < arcs.size(); ++i) index_of_edge[next[arcs[i].from]++] = i;
  std::vector<std::size_t> result;
  result.reserve(edges.size());
  for (const std::size_t edge : edges) result.push_back(index_of_edge[edge]);
  return result;
}

AcyclicOrder acyclic_order(std::size_t vertices, std::span<const RationalArc> arcs) {
  std::vector<ListedArc> without_tokens;
  without_tokens.reserve(arcs.size());
  for (const RationalArc& arc : arcs) without_tokens.push_back({arc.from, arc.to, 0, 0});
  auto order = token_free_order(make_token_graph(vertices, without_tokens));
  expects(std::holds_alternative<std::vector<std::size_t>>(order), "a graph that is said to have no cycle has none");
  return {std::get<std::vector<std::size_t>>(std::move(order))};
}

std::optional<RatioProof> ratio_proof(std::size_t vertices, std::span<const RationalArc> arcs, const RatioCycle& cycle,
                                      RatioExtreme extreme, const Deadline& deadline) {
  const auto denominator = common_denominator(arcs, UINT64_MAX);
  const ScaledGraph scaled(vertices, arcs, std::get<Integer>(denominator), extreme);
  const Rational ratio = cycle.ratio * Rational(scaled.scale());
  auto values = potentials(scaled.graph(), ratio, deadline);
  if (!values && has_passed(deadline)) return std::nullopt;
  expects(values.has_value(), "no cycle has a better ratio than the best");
  if (extreme == RatioExtreme::smallest) {
    for (Integer& value : *values) value = -value;
  }
  return RatioProof{cycle, extreme, *std::move(values), ratio.denominator() * abs(scaled.scale())};
}

}  // namespace

RationalCycleRatio cycle_ratio(std::size_t vertices, std::span<const RationalArc> arcs, const CycleRatioSolver& solver,
                               RatioExtreme extreme, std::uint64_t max_words, const Deadline& deadline) {
  auto denominator = common_denominator(arcs, max_words);
  if (const auto* limit = std::get_if<WeightLimit>(&denominator)) return *limit;
  const ScaledGraph scaled(vertices, arcs, std::get<Integer>(std::move(denominator)), extreme);
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

std::optional<CycleRatioProof> prove_cycle_ratio(std::size_t vertices, std::span<const RationalArc> arcs,
                                                 const RationalCycleRatio& answer, RatioExtreme extreme,
                                                 const Deadline& deadline) {
  if (const auto* deadlock = std::get_if<DeadlockCycle>(&answer)) return *deadlock;
  if (std::holds_alternative<NoCycle>(answer)) return acyclic_order(vertices, arcs);
  const auto* cycle = std::get_if<RatioCycle>(&answer);
  expects(cycle != nullptr, "a limit has no proof");
  return ratio_proof(vertices, arcs, *cycle, extreme, deadline);
}

}  // namespace takt::maxplus
