// Best first over the beginnings of plans, with what each has used: exact under limits.
//
// Method. A label is a way from the start to a node with its cost and use. Labels are taken in the order of the least
// cost that any plan from there has, by the charges of plan/counted/multipliers.hpp; one that is dearer and uses no
// less than another at the same node is dropped, and so is one from where a limit cannot be kept, or nothing cheaper
// found than the best plan. It ends once the first label cannot better that.
//
// Invariant. Every plan better than the best one found begins with a label that waits. The order's keys are lower
// bounds, so the first of them bounds all.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/counted/limits.hpp"
#include "plan/typed/edges.hpp"

namespace takt::plan {

/// How a search ended; `too_many`: a limit of labels, or of work on them, about 10 s.
enum class LabelsEnd { all_seen, out_of_time, too_many };

template <typename Graph>
class LabelSearch {
 public:
  using Number = typename Graph::Number;

  /// Keeps references. The charges, with the prices, order and bound the search; those of `tightest`, if there are any,
  /// tell what can never fit.
  LabelSearch(const Graph& graph, const Limits<Number>& limits, const Charges<Number>& charges,
              const Charges<Number>* tightest, const std::optional<PlanRoute<Number>>& incumbent)
      : graph_(graph), limits_(limits), incumbent_(incumbent) {
    add_guide(limits.step == 0 && tightest != nullptr ? *tightest : charges, true);
    if (tightest != nullptr) add_guide(*tightest, false);
    for (std::size_t t = 0; t < limits.counts.size(); ++t) {
      if (!limits.counts[t] || *limits.counts[t] == 0) continue;
      scarce_.push_back(t);
      Charges<Number> alone = nothing();
      alone.by_type[t] = 1;
      add_guide(alone, false);
    }
    for (std::size_t q = 0; q < limits.quotas.size(); ++q) {
      Charges<Number> alone = nothing();
      alone.by_quota.assign(limits.quotas.size(), 0);
      alone.by_quota[q] = 1;
      add_guide(alone, false);
    }
    if (limits.ticks) {
      Charges<Number> alone = nothing();
      alone.by_tick = 1;
      add_guide(alone, false);
    }
  }

  LabelsEnd run(const maxplus::Deadline& deadline) {
    for (const std::size_t node : graph_.starts()) {
      Usage<Number> usage;
      usage.machines.resize(limits_.counts.size());
      add(node, std::move(usage), {}, kNobody);
    }
    while (!waiting_.empty()) {
      if (incumbent_ && incumbent_->usage.cost <= limits_.rounded_up(waiting_.top().key)) break;
      if (deadline.has_passed()) return LabelsEnd::out_of_time;
      if (labels_.size() > kMostLabels || work_ > kMostWork) return LabelsEnd::too_many;
      const std::size_t index = waiting_.top().label;
      waiting_.pop();
      if (!labels_[index].is_dropped) extend(index);
    }
    waiting_ = {};
    return LabelsEnd::all_seen;
  }

  const std::optional<PlanRoute<Number>>& incumbent() const { return incumbent_; }
  /// Of the cost of all plans that are not seen, in parts of a unit; nothing if all are.
  std::optional<Number> bound() const {
    if (waiting_.empty()) return std::nullopt;
    return waiting_.top().key;
  }
  std::size_t labels() const { return labels_.size(); }

 private:
  static constexpr std::size_t kMostLabels = std::size_t{1} << 19;
  static constexpr std::uint64_t kMostWork = std::uint64_t{1} << 30;
  static constexpr std::uint64_t kWorkOfLabel = 32;  // in comparisons
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  struct Label {
    Usage<Number> usage;
    PlannedMove move;  // that led here
    std::size_t node = 0;
    std::size_t before = kNobody;
    bool is_dropped = false;
  };

  struct Waiting {
    Number key;
    std::size_t depth;
    std::size_t label;

    // The heap's top is the largest.
    bool operator<(const Waiting& other) const {
      if (key != other.key) return other.key < key;
      if (depth != other.depth) return depth < other.depth;
      return other.label < label;
    }
  };

  // Weights, what they are from each node to the end at least, and what they may be for a plan within the limits.
  struct Guide {
    Charges<Number> weights;
    typename Graph::Table table;
    Number limit;
  };

  Charges<Number> nothing() const {
    Charges<Number> charges;
    charges.by_type.assign(limits_.counts.size(), 0);
    return charges;
  }

  void add_guide(const Charges<Number>& charges, bool with_prices) {
    Charges<Number> weights = charges.weights(limits_, with_prices);
    typename Graph::Table table = graph_.table(weights, true);
    guides_.push_back({std::move(weights), std::move(table), charges.of_limits(limits_)});
  }

  // At least, for a plan that begins like this; nothing if no way leads to the end.
  std::optional<Number> least(const Guide& guide, std::size_t node, const Usage<Number>& usage) const {
    Number sum = graph_.ahead(guide.table, node);
    if (sum == Graph::kNoWay) return std::nullopt;
    for (std::size_t t = 0; t < usage.machines.size(); ++t)
      sum += guide.weights.by_type[t] * number_from<Number>(usage.machines[t]);
    sum += guide.weights.by_tick * usage.ticks;
    if (!guide.weights.has_prices || !limits_.has_further_costs) return sum;
    // What machines cost beside their prices.
    Number further = usage.cost - limits_.tick_price * usage.ticks;
    for (std::size_t t = 0; t < usage.machines.size(); ++t)
      further -= limits_.prices[t] * number_from<Number>(usage.machines[t]);
    sum += limits_.grid * further;
    return sum;
  }

  bool can_fit(std::size_t node, const Usage<Number>& usage) const {
    for (std::size_t k = 1; k < guides_.size(); ++k) {
      const std::optional<Number> sum = least(guides_[k], node, usage);
      if (!sum || guides_[k].limit < *sum) return false;
    }
    return true;
  }

  void add(std::size_t node, Usage<Number> usage, const PlannedMove& move, std::size_t before) {
    work_ += kWorkOfLabel;
    if (!limits_.holds(usage) || !can_fit(node, usage)) return;
    std::optional<Number> key = least(guides_.front(), node, usage);
    if (!key) return;
    *key -= guides_.front().limit;
    if (limits_.is_too_dear(*key)) return;
    if (incumbent_ && incumbent_->usage.cost <= limits_.rounded_up(*key)) return;
    if (graph_.is_end(node)) {
      if (!incumbent_ || usage.cost < incumbent_->usage.cost) incumbent_ = route_of(std::move(usage), move, before);
      return;
    }
    if (by_node_.size() <= node) by_node_.resize(node + 1);
    if (is_dominated(node, usage)) return;
    by_node_[node].push_back(labels_.size());
    waiting_.push({*key, graph_.depth(node), labels_.size()});
    labels_.push_back({std::move(usage), move, node, before});
  }

  bool dominates(const Usage<Number>& one, const Usage<Number>& other) const {
    if (other.cost < one.cost || (limits_.ticks && other.ticks < one.ticks)) return false;
    return std::ranges::all_of(scarce_, [&](std::size_t t) { return one.machines[t] <= other.machines[t]; }) &&
           limits_.takes_no_more(one.machines, other.machines);
  }

  // By a label of the node; those that the usage dominates are dropped.
  bool is_dominated(std::size_t node, const Usage<Number>& usage) {
    std::vector<std::size_t>& here = by_node_[node];
    work_ += 2 * here.size();
    for (const std::size_t index : here) {
      if (dominates(labels_[index].usage, usage)) return true;
    }
    std::erase_if(here, [&](std::size_t index) {
      if (!dominates(usage, labels_[index].usage)) return false;
      labels_[index].is_dropped = true;
      return true;
    });
    return false;
  }

  void extend(std::size_t index) {
    const std::size_t node = labels_[index].node;
    const Usage<Number> usage = labels_[index].usage;  // labels move as more come
    graph_.for_each_move(node, [&](std::size_t head, const PlannedMove& move, const Number& ticks) {
      Usage<Number> longer = usage;
      longer.machines[move.type] += move.machines;
      longer.cost += limits_.prices[move.type] * number_from<Number>(move.machines) + limits_.tick_price * ticks;
      if (limits_.has_further_costs) longer.cost += graph_.further_cost(move);
      longer.ticks += ticks;
      add(head, std::move(longer), move, index);
    });
  }

  PlanRoute<Number> route_of(Usage<Number> usage, const PlannedMove& move, std::size_t before) const {
    PlanRoute<Number> route{{move}, std::move(usage)};
    for (std::size_t index = before; labels_[index].before != kNobody; index = labels_[index].before)
      route.moves.push_back(labels_[index].move);
    std::ranges::reverse(route.moves);
    return route;
  }

  const Graph& graph_;
  const Limits<Number>& limits_;
  std::optional<PlanRoute<Number>> incumbent_;
  std::vector<Guide> guides_;  // the first orders the search
  std::vector<std::size_t> scarce_;
  std::vector<Label> labels_;
  std::uint64_t work_ = 0;
  std::vector<std::vector<std::size_t>> by_node_;
  std::priority_queue<Waiting> waiting_;
};

/// What came of a search.
template <typename Number>
struct FoundRoute {
  std::optional<PlanRoute<Number>> incumbent;  // the best way
  Number bound = 0;                            // cut short: of the cost of all ways, in parts of a unit
  bool cut_short = false;                      // by the deadline or a limit
};

/// From what multipliers know.
template <typename Graph, typename Multipliers>
FoundRoute<typename Graph::Number> search_labels(const Graph& graph, const Limits<typename Graph::Number>& limits,
                                                 const Multipliers& multipliers, const maxplus::Deadline& deadline) {
  FoundRoute<typename Graph::Number> found{multipliers.incumbent(), multipliers.bound(), true};
  std::optional<LabelSearch<Graph>> labels;
  try {
    labels.emplace(graph, limits, multipliers.charges(), multipliers.tightest(), multipliers.incumbent());
    found.cut_short = labels->run(deadline) != LabelsEnd::all_seen;
    if (const auto bound = labels->bound()) found.bound = std::max(found.bound, *bound);
  } catch (const PlanTimeUp&) {
    // In the middle of a label: what the others bound, it may not.
  }
  if (labels) found.incumbent = labels->incumbent();
  return found;
}

}  // namespace takt::plan
