// The planner's graph of parts of one type each, as the search for plans under limits walks it: from the ends.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "plan/counted/limits.hpp"
#include "plan/typed/edges.hpp"
#include "plan/typed/forward.hpp"

namespace takt::plan {

/// Of edges on a grid those that the other rounding gives, and those of long numbers: parts need exactly as many
/// machines as they do where the two roundings disagree.
template <typename Number>
struct ExactCounts {
  const Edges<Number>& other;
  const Edges<Integer>& exact;
};

/// States (b, t, u) and the parts between them; of types of which there are none, none.
template <typename Numbers>
class TypedGraph {
 public:
  using Number = Numbers;
  static inline const Number kNoWay = -1;

  /// By node, the least weight from there to the end.
  struct Table {
    std::vector<Number> ahead;
    std::vector<std::pair<std::size_t, std::size_t>> choice;  // the last stage of the next part, the type behind it
  };

  /// Keeps references. Throws PlanTimeUp, as all that walks the graph.
  TypedGraph(const Edges<Number>& edges, const Limits<Number>& limits, const maxplus::Deadline& deadline,
             const ExactCounts<Number>* counts = nullptr)
      : edges_(edges),
        counts_(counts),
        limits_(limits),
        stages_(edges.stages()),
        types_(edges.types()),
        clock_(deadline) {
    spare_ = count_of(edges_.spare());
    find_most();
    find_reach();
    const std::size_t size = list_blocks();
    if (size <= kMostListed) list_machines(size);
  }

  std::size_t nodes() const { return edges_.states(); }
  bool is_end(std::size_t node) const { return node >= edges_.state(stages_, 0, 0); }
  /// The stages before a node.
  std::size_t depth(std::size_t node) const { return node / (types_ * types_); }
  std::vector<std::size_t> starts() const {
    std::vector<std::size_t> result;
    for (std::size_t t = 0; t < types_; ++t) result.push_back(edges_.state(0, 0, t));
    return result;
  }

  /// Calls visit(head, move, ticks) for all that may come next.
  template <typename Visit>
  void for_each_move(std::size_t node, const Visit& visit) const {
    const std::size_t b = depth(node);
    const std::size_t t = node / types_ % types_;
    const std::size_t u = node % types_;
    for_each_part(b, t, u, [&](std::size_t last, std::size_t next, std::uint64_t paid, const Number& ticks) {
      visit(edges_.state(last + 1, u, next), move_of(b, last, t, u, next, paid), ticks);
    });
  }

  /// For such weights; without parts that alone need more than there is, where `within_counts`.
  Table table(const Charges<Number>& weights, bool within_counts) const {
    Table result{std::vector<Number>(nodes(), kNoWay), std::vector<std::pair<std::size_t, std::size_t>>(nodes())};
    for (std::size_t t = 0; t < types_; ++t) result.ahead[edges_.state(stages_, t, 0)] = 0;
    for (std::size_t b = stages_; b-- > 0;) {
      for (std::size_t t = 0; t < (b == 0 ? 1 : types_); ++t) {
        for (std::size_t u = 0; u < types_; ++u) look_ahead(result, weights, within_counts, b, t, u);
      }
    }
    return result;
  }

  /// In units, beside the price of a move's machines: those that do not serve its stages already are set up, some are
  /// on demand.
  Number further_cost(const PlannedMove& move) const {
    return edges_.further_cost(move.first_stage, move.last_stage, move.type, number_from<Number>(move.machines),
                               number_from<Number>(move.on_demand));
  }

  const Number& ahead(const Table& table, std::size_t node) const { return table.ahead[node]; }

  /// The best start; nothing if no way leads to the end.
  std::optional<std::size_t> best_start(const Table& table) const {
    std::optional<std::size_t> best;
    for (const std::size_t node : starts()) {
      if (table.ahead[node] == kNoWay) continue;
      if (!best || table.ahead[node] < table.ahead[*best]) best = node;
    }
    return best;
  }

  PlanRoute<Number> route(const Table& table, std::size_t node) const {
    PlanRoute<Number> result;
    result.usage.machines.resize(types_);
    while (!is_end(node)) {
      const std::pair<std::size_t, std::size_t> chosen = table.choice[node];
      const std::size_t b = depth(node);
      const std::size_t t = node / types_ % types_;
      const std::size_t u = node % types_;
      const std::uint64_t paid = machines(b, chosen.first, t, u, chosen.second) + spare_;
      result.moves.push_back(move_of(b, chosen.first, t, u, chosen.second, paid));
      result.usage.machines[u] += paid;
      const Number ticks = ticks_of(b, chosen.first, t, u, chosen.second);
      result.usage.cost += limits_.prices[u] * number_from<Number>(paid) + limits_.tick_price * ticks;
      if (limits_.has_further_costs) result.usage.cost += further_cost(result.moves.back());
      result.usage.ticks += ticks;
      node = edges_.state(chosen.first + 1, u, chosen.second);
    }
    return result;
  }

 private:
  static constexpr std::size_t kMostListed = std::size_t{1} << 26;
  static constexpr std::uint32_t kUnlisted = std::numeric_limits<std::uint32_t>::max();

  template <typename AnyNumber>
  static std::uint64_t count_of(const AnyNumber& number) {
    if constexpr (std::same_as<AnyNumber, Integer>) {
      return number.get_ui();
    } else {
      return static_cast<std::uint64_t>(number);
    }
  }

  std::size_t next_types(std::size_t last) const { return last + 1 == stages_ ? 1 : types_; }
  std::size_t types_before(std::size_t first) const { return first == 0 ? 1 : types_; }

  // Machines of one type alone.
  void find_most() {
    for (std::size_t t = 0; t < types_; ++t) {
      most_.push_back(limits_.counts[t].value_or(std::numeric_limits<std::uint64_t>::max()));
      for (const WholeQuota<Number>& quota : limits_.quotas) {
        if (quota.uses[t] == 0) continue;
        const Number fit = quota.most / quota.uses[t];
        if (fit < number_from<Number>(std::min(most_[t], kMostMachines))) most_[t] = count_of(fit);
      }
    }
  }

  // The parts that begin with a stage on a type end before reach_.
  void find_reach() {
    reach_.assign(stages_ * types_, 0);
    for (std::size_t last = 0; last < stages_; ++last) {
      for (std::size_t t = 0; t < types_; ++t) {
        for (std::size_t a = edges_.least_first(last, t); a <= last; ++a) reach_[a * types_ + t] = last + 1;
      }
    }
  }

  // Where the parts of each first stage and type begin in the list; how long it is.
  std::size_t list_blocks() {
    std::size_t size = 0;
    for (std::size_t a = 0; a < stages_; ++a) {
      for (std::size_t t = 0; t < types_; ++t) {
        blocks_.push_back(size);
        const std::size_t reach = reach_[a * types_ + t];
        if (reach > a) size += (reach - a) * types_before(a) * types_;
      }
    }
    return size;
  }

  std::size_t place(std::size_t a, std::size_t last, std::size_t tp, std::size_t t, std::size_t u) const {
    return blocks_[a * types_ + t] + ((last - a) * types_before(a) + tp) * types_ + u;
  }

  void list_machines(std::size_t size) {
    listed_.assign(size, 0);
    for (std::size_t a = 0; a < stages_; ++a) {
      for (std::size_t t = 0; t < types_; ++t) {
        for (std::size_t last = a; last < reach_[a * types_ + t]; ++last) list_part(a, last, t);
      }
    }
  }

  void list_part(std::size_t a, std::size_t last, std::size_t t) {
    for (std::size_t tp = 0; tp < types_before(a); ++tp) {
      clock_.spend(next_types(last));
      for (std::size_t u = 0; u < next_types(last); ++u) {
        const std::uint64_t needed = needed_machines(a, last, tp, t, u);
        listed_[place(a, last, tp, t, u)] = needed < kUnlisted ? static_cast<std::uint32_t>(needed) : kUnlisted;
      }
    }
  }

  // That must compute; 0 if there is no such part.
  std::uint64_t machines(std::size_t a, std::size_t last, std::size_t tp, std::size_t t, std::size_t u) const {
    if (listed_.empty()) return needed_machines(a, last, tp, t, u);
    const std::uint32_t listed = listed_[place(a, last, tp, t, u)];
    return listed == kUnlisted ? needed_machines(a, last, tp, t, u) : listed;
  }

  std::uint64_t needed_machines(std::size_t a, std::size_t last, std::size_t tp, std::size_t t, std::size_t u) const {
    const PlacedPart part{a, last, tp, t, u};
    const std::uint64_t own = needed_by(edges_, part);
    return counts_ == nullptr || own == needed_by(counts_->other, part) ? own : needed_by(counts_->exact, part);
  }

  // 0 if there is no such part.
  template <typename AnyNumber>
  static std::uint64_t needed_by(const Edges<AnyNumber>& edges, const PlacedPart& part) {
    const AnyNumber& receive = edges.reception(part.first, part.before, part.type);
    const AnyNumber& send = edges.sending(part.last, part.type, part.after);
    if (receive == Edges<AnyNumber>::kAbsent || send == Edges<AnyNumber>::kAbsent) return 0;
    if (part.first == 0 && !edges.fits_source(receive)) return 0;
    if (part.last + 1 == edges.stages() && !edges.fits_sink(send)) return 0;
    const AnyNumber working = edges.machines(part.first, part.last, part.type, demand_of(edges, part));
    if (working == Edges<AnyNumber>::kAbsent) return 0;
    if (working > AnyNumber(static_cast<std::int64_t>(kMostMachines))) return 0;
    return count_of(working);
  }

  PlannedMove move_of(std::size_t a, std::size_t last, std::size_t tp, std::size_t t, std::size_t u,
                      std::uint64_t paid) const {
    PlannedMove move{a, last, t, paid};
    if (!edges_.has_premium(t)) return move;
    const auto on_demand = [&]<typename AnyNumber>(const Edges<AnyNumber>& edges) {
      return count_of(edges.on_demand(t, demand_of(edges, {a, last, tp, t, u}), number_from<AnyNumber>(paid)));
    };
    move.on_demand = on_demand(edges_);
    if (counts_ != nullptr && move.on_demand != on_demand(counts_->other)) move.on_demand = on_demand(counts_->exact);
    return move;
  }

  // What a part adds to the latency.
  Number ticks_of(std::size_t a, std::size_t last, std::size_t tp, std::size_t t, std::size_t u) const {
    Number ticks = edges_.reception(a, tp, t) + edges_.computation(a, last, t);
    if (last + 1 == stages_) ticks += edges_.sending(last, t, u);
    return ticks;
  }

  template <typename Visit>
  void for_each_part(std::size_t a, std::size_t tp, std::size_t t, const Visit& visit) const {
    if (limits_.counts[t] && *limits_.counts[t] == 0) return;
    for (std::size_t last = a; last < reach_[a * types_ + t]; ++last) {
      clock_.spend(next_types(last));
      for (std::size_t u = 0; u < next_types(last); ++u) {
        const std::uint64_t working = machines(a, last, tp, t, u);
        if (working > 0) visit(last, u, working + spare_, ticks_of(a, last, tp, t, u));
      }
    }
  }

  void look_ahead(Table& table, const Charges<Number>& weights, bool within_counts, std::size_t b, std::size_t t,
                  std::size_t u) const {
    const std::size_t node = edges_.state(b, t, u);
    const Number& weight = weights.by_type[u];
    const std::uint64_t most = within_counts ? most_[u] : std::numeric_limits<std::uint64_t>::max();
    Number best = kNoWay;
    for_each_part(b, t, u, [&](std::size_t last, std::size_t next, std::uint64_t paid, const Number& ticks) {
      const Number& behind = table.ahead[edges_.state(last + 1, u, next)];
      if (behind == kNoWay || paid > most) return;
      Number sum = behind + weight * number_from<Number>(paid) + weights.by_tick * ticks;
      if (weights.has_prices && limits_.has_further_costs)
        sum += limits_.grid * further_cost(move_of(b, last, t, u, next, paid));
      if (best != kNoWay && best <= sum) return;
      best = sum;
      table.choice[node] = {last, next};
    });
    table.ahead[node] = best;
  }

  const Edges<Number>& edges_;
  const ExactCounts<Number>* counts_;  // of a grid
  const Limits<Number>& limits_;
  std::size_t stages_;
  std::size_t types_;
  std::uint64_t spare_ = 0;
  std::vector<std::uint64_t> most_;  // machines by type, of those that there are
  std::vector<std::size_t> reach_;
  std::vector<std::size_t> blocks_;
  std::vector<std::uint32_t> listed_;  // empty if there are too many
  mutable PlanWatch clock_;
};

}  // namespace takt::plan
