// Prices of machines beyond those there are, bounded from below by charges on all of them.
#include "plan/counted/additions.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <queue>
#include <utility>

#include "maxplus/contract.hpp"
#include "plan/counted/limits.hpp"
#include "plan/counted/typed_graph.hpp"
#include "plan/counted/whole_limits.hpp"
#include "plan/typed/edges.hpp"

namespace takt::plan {

namespace {

constexpr std::uint64_t kAsManyAsOneLikes = std::numeric_limits<std::uint64_t>::max();

// One query in integers of one kind; costs in parts of a unit, as the charges.
template <typename Number>
class AdditionSearch {
 public:
  AdditionSearch(const Catalogue& catalogue, const CountedQuery& asked, const Scales& scales, const WholeLimits& whole)
      : catalogue_(catalogue),
        asked_(asked),
        edges_(catalogue, asked.query, scales),
        limits_(unlimited(whole.in<Number>(catalogue, scales))),
        graph_(edges_, limits_, asked.deadline) {
    // No way through the graph has more, so what is there beyond that does not matter, nor makes numbers large.
    for (const MachineType& type : catalogue.types) {
      owned_.push_back(kAsManyAsOneLikes);
      if (type.count)
        owned_.back() =
            whole.machines < Integer(static_cast<unsigned long>(*type.count)) ? whole.machines.get_ui() : *type.count;
    }
    for (const Number& price : limits_.prices) prices_.push_back(price * limits_.grid);
  }

  Additions run() {
    Additions result;
    try {
      if (!charge()) return result;
      result.cut_short = !look();
    } catch (const PlanTimeUp&) {
      result.cut_short = true;
    }
    if (!best_) return result;
    TypedPlan& plan = result.plan.emplace();
    for (const PlannedMove& move : best_->moves) plan.push_back(part_of(move));
    for (std::size_t t = 0; t < owned_.size(); ++t)
      result.added.push_back(best_->usage.machines[t] - std::min(owned_[t], best_->usage.machines[t]));
    return result;
  }

 private:
  static constexpr int kSteps = 60;
  static constexpr std::size_t kMostLabels = std::size_t{1} << 19;
  static constexpr std::size_t kNobody = static_cast<std::size_t>(-1);

  struct Label {
    Usage<Number> usage;  // the cost is of what is added
    PlannedMove move;
    std::size_t node = 0;
    std::size_t before = kNobody;
    bool is_dropped = false;
  };

  struct Waiting {
    Number key;
    std::size_t depth;
    std::size_t label;

    bool operator<(const Waiting& other) const {
      if (key != other.key) return other.key < key;
      if (depth != other.depth) return depth < other.depth;
      return other.label < label;
    }
  };

  static Limits<Number> unlimited(Limits<Number> limits) {
    limits.counts.assign(limits.counts.size(), std::nullopt);
    return limits;
  }

  TypedPart part_of(const PlannedMove& move) const {
    const std::uint64_t spare = asked_.query.spare;
    const bool is_replicable = catalogue_.least_replicable_stage(move.last_stage) <= move.first_stage;
    return {move.first_stage, move.last_stage, move.type, is_replicable ? move.machines : 1, is_replicable ? 0 : spare};
  }

  Number cost_of(const std::vector<std::uint64_t>& machines) const {
    Number cost = 0;
    for (std::size_t t = 0; t < machines.size(); ++t) {
      if (machines[t] > owned_[t]) cost += prices_[t] * number_from<Number>(machines[t] - owned_[t]);
    }
    return cost;
  }

  // What charges pay for the machines that are there.
  Number paid(const Charges<Number>& charges) const {
    Number sum = 0;
    for (std::size_t t = 0; t < owned_.size(); ++t) {
      if (owned_[t] != kAsManyAsOneLikes) sum += charges.by_type[t] * number_from<Number>(owned_[t]);
    }
    return sum;
  }

  // The latency and the quotas; counts are what is there, not limits.
  bool keeps_limits(const Usage<Number>& usage) const { return limits_.holds(usage); }

  // Charges that bound the cost from below as high as they are found to; false if there is no way at all.
  bool charge() {
    std::vector<double> share;  // of the price
    for (const std::uint64_t owned : owned_) share.push_back(owned == 0 ? 1 : 0);
    for (std::size_t t = 0; t < owned_.size(); ++t) {
      if (owned_[t] > 0 && owned_[t] != kAsManyAsOneLikes) share[t] = 0.5;
    }
    for (int step = 1; step <= kSteps; ++step) {
      Charges<Number> charges;
      for (std::size_t t = 0; t < owned_.size(); ++t)
        charges.by_type.push_back(std::min(prices_[t], whole_part<Number>(share[t] * roughly(prices_[t]))));
      auto table = graph_.table(charges, false);
      const auto start = graph_.best_start(table);
      if (!start) return false;
      const Number bound = graph_.ahead(table, *start) - paid(charges);
      PlanRoute<Number> route = graph_.route(table, *start);
      const std::vector<std::uint64_t> used = route.usage.machines;
      offer(std::move(route));
      if (guide_ == std::nullopt || bound_ < bound) {
        bound_ = bound;
        guide_.emplace(std::move(charges), std::move(table));
      }
      if (is_closed() || !step_along(share, used, step)) return true;
    }
    return true;
  }

  // Towards what the way uses too much, or too little, of.
  bool step_along(std::vector<double>& share, const std::vector<std::uint64_t>& used, int step) const {
    bool has_moved = false;
    for (std::size_t t = 0; t < share.size(); ++t) {
      if (owned_[t] == 0 || owned_[t] == kAsManyAsOneLikes) continue;
      const auto owned = static_cast<double>(owned_[t]);
      const double excess = std::clamp((static_cast<double>(used[t]) - owned) / owned, -1.0, 1.0);
      const double next = std::clamp(share[t] + excess / (1 + 0.3 * step), 0.0, 1.0);
      has_moved = has_moved || next != share[t];
      share[t] = next;
    }
    return has_moved;
  }

  bool is_closed() const { return best_ && best_->usage.cost <= bound_; }

  void offer(PlanRoute<Number> route) {
    if (!keeps_limits(route.usage)) return;
    route.usage.cost = cost_of(route.usage.machines);
    if (!best_ || route.usage.cost < best_->usage.cost) best_ = std::move(route);
  }

  // Best first; false if a limit was reached.
  bool look() {
    if (is_closed()) return true;
    for (const std::size_t node : graph_.starts()) {
      Usage<Number> usage;
      usage.machines.resize(owned_.size());
      add(node, std::move(usage), {}, kNobody);
    }
    while (!waiting_.empty()) {
      if (best_ && best_->usage.cost <= waiting_.top().key) return true;
      if (asked_.deadline.has_passed() || labels_.size() > kMostLabels) return false;
      const std::size_t index = waiting_.top().label;
      waiting_.pop();
      if (!labels_[index].is_dropped) extend(index);
    }
    return true;
  }

  void extend(std::size_t index) {
    const std::size_t node = labels_[index].node;
    const Usage<Number> usage = labels_[index].usage;  // labels move as more come
    graph_.for_each_move(node, [&](std::size_t head, const PlannedMove& move, const Number& ticks) {
      Usage<Number> longer = usage;
      longer.machines[move.type] += move.machines;
      longer.cost = cost_of(longer.machines);
      longer.ticks += ticks;
      add(head, std::move(longer), move, index);
    });
  }

  void add(std::size_t node, Usage<Number> usage, const PlannedMove& move, std::size_t before) {
    if (!keeps_limits(usage) || (best_ && best_->usage.cost <= usage.cost)) return;
    const auto& [charges, table] = *guide_;
    const Number ahead = graph_.ahead(table, node);
    if (ahead == TypedGraph<Number>::kNoWay) return;
    Number key = ahead - paid(charges);
    for (std::size_t t = 0; t < owned_.size(); ++t) key += charges.by_type[t] * number_from<Number>(usage.machines[t]);
    key = std::max(key, usage.cost);
    if (best_ && best_->usage.cost <= key) return;
    if (graph_.is_end(node)) {
      best_ = route_of(std::move(usage), move, before);
      return;
    }
    if (by_node_.size() <= node) by_node_.resize(node + 1);
    if (is_dominated(node, usage)) return;
    by_node_[node].push_back(labels_.size());
    waiting_.push({key, graph_.depth(node), labels_.size()});
    labels_.push_back({std::move(usage), move, node, before});
  }

  bool dominates(const Usage<Number>& one, const Usage<Number>& other) const {
    if (other.cost < one.cost || (limits_.ticks && other.ticks < one.ticks)) return false;
    for (std::size_t t = 0; t < owned_.size(); ++t) {
      const bool counts = owned_[t] != 0 && owned_[t] != kAsManyAsOneLikes;
      if (counts && one.machines[t] > other.machines[t]) return false;
    }
    return limits_.takes_no_more(one.machines, other.machines);
  }

  bool is_dominated(std::size_t node, const Usage<Number>& usage) {
    std::vector<std::size_t>& here = by_node_[node];
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

  PlanRoute<Number> route_of(Usage<Number> usage, const PlannedMove& move, std::size_t before) const {
    PlanRoute<Number> route{{move}, std::move(usage)};
    for (std::size_t index = before; labels_[index].before != kNobody; index = labels_[index].before)
      route.moves.push_back(labels_[index].move);
    std::ranges::reverse(route.moves);
    return route;
  }

  const Catalogue& catalogue_;
  const CountedQuery& asked_;
  Edges<Number> edges_;
  Limits<Number> limits_;
  TypedGraph<Number> graph_;
  std::vector<std::uint64_t> owned_;
  std::vector<Number> prices_;
  std::optional<std::pair<Charges<Number>, typename TypedGraph<Number>::Table>> guide_;
  Number bound_ = 0;
  std::optional<PlanRoute<Number>> best_;
  std::vector<Label> labels_;
  std::vector<std::vector<std::size_t>> by_node_;
  std::priority_queue<Waiting> waiting_;
};

}  // namespace

Additions least_additions(const Catalogue& catalogue, const CountedQuery& query) {
  CountedQuery asked = query;
  asked.query.deadline = query.deadline;
  asked.query.latency_weight = 0;
  asked.query.weights.clear();
  const bool is_free =
      std::ranges::all_of(catalogue.types, [](const MachineType& type) { return type.price.sign() == 0; });
  for (const MachineType& type : catalogue.types) asked.query.weights.push_back(is_free ? Rational(1) : type.price);
  Additions result;
  try {
    const Scales scales = scales_within(catalogue, asked);
    const WholeLimits whole(catalogue, asked, scales);
    result = whole.with_number(
        [&]<typename Number>(const Number&) { return AdditionSearch<Number>(catalogue, asked, scales, whole).run(); });
  } catch (const PlanTimeUp&) {
    result.cut_short = true;
  }
  for (std::size_t t = 0; t < result.added.size(); ++t)
    result.cost += asked.query.weights[t] * Rational(result.added[t]);
  return result;
}

}  // namespace takt::plan
