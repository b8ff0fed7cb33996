// The graph of parts whose machines may be of several types, on equal links: by boundary, then type after type.
#pragma once

#include <algorithm>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "plan/counted/limits.hpp"
#include "plan/typed/edges.hpp"

namespace takt::plan {

/// Stages [first, last].
using StageRange = std::pair<std::size_t, std::size_t>;

/// How the machines of a part take turns.
enum class Turns {
  plain,    // one each: a part needs a number of machines, each of a type that this number is enough for
  weighted  // any: a part needs shares that add up to 1, of machines that each can take P / demand of it
};

/// A part needs a total of what its machines have a share of. Plain turns: of each number of machines that is just
/// enough for some type, with shares of 1; between such numbers the types allowed are the same, and of types without a
/// count only the cheapest matters. Weighted turns: of the common denominator of shares, or, where that is too large,
/// of 2^50 with shares rounded up. Nodes are the boundaries between stages and, within a part, what is left to choose
/// from which types.
template <typename Numbers>
class ShareGraph {
 public:
  using Number = Numbers;
  static inline const Number kNoWay = -1;

  struct Table {
    std::vector<Number> ahead;        // by boundary
    std::vector<std::size_t> option;  // by boundary: the next part
    std::vector<Number> weights;      // by type
  };

  /// Keeps references. The parts in `plain` have plain turns in any case. Throws PlanTimeUp, as all that walks the
  /// graph.
  ShareGraph(const Edges<Number>& edges, const Limits<Number>& limits, Turns turns, const maxplus::Deadline& deadline,
             const std::set<StageRange>& plain = {})
      : edges_(edges), limits_(limits), stages_(edges.stages()), clock_(deadline) {
    for (std::size_t a = 0; a < stages_; ++a) {
      begin_.push_back(options_.size());
      for (std::size_t last = a; last < stages_; ++last)
        list_options(a, last, plain.contains({a, last}) ? Turns::plain : turns);
    }
    begin_.push_back(options_.size());
  }

  bool is_end(std::size_t node) const { return node == stages_; }
  /// The stages before a node, those of a part that is being chosen included.
  std::size_t depth(std::size_t node) const {
    return node <= stages_ ? node : options_[choosing_[node - stages_ - 1].option].last + 1;
  }
  std::vector<std::size_t> starts() const { return {0}; }

  /// Nothing is set up in these plans.
  static Number further_cost(const PlannedMove& /*move*/) { return 0; }

  template <typename Visit>
  void for_each_move(std::size_t node, const Visit& visit) const {
    if (node > stages_) {
      const Choosing from = choosing_[node - stages_ - 1];  // a copy: more come
      return choose(from, visit);
    }
    for (std::size_t option = begin_[node]; option < begin_[node + 1]; ++option)
      choose({option, 0, options_[option].total}, visit);
  }

  Table table(const Charges<Number>& weights, bool within_counts) const {
    Table result{std::vector<Number>(stages_ + 1, kNoWay), std::vector<std::size_t>(stages_), weights.by_type};
    result.ahead[stages_] = 0;
    for (std::size_t a = stages_; a-- > 0;) {
      for (std::size_t option = begin_[a]; option < begin_[a + 1]; ++option) {
        const MachineOption& part = options_[option];
        const Number& behind = result.ahead[part.last + 1];
        if (behind == kNoWay || (within_counts && !part.is_there)) continue;
        const Number sum = behind + cheapest(part, 0, part.total, result.weights).second;
        if (result.ahead[a] != kNoWay && result.ahead[a] <= sum) continue;
        result.ahead[a] = sum;
        result.option[a] = option;
      }
    }
    return result;
  }

  Number ahead(const Table& table, std::size_t node) const {
    if (node <= stages_) return table.ahead[node];
    const Choosing& from = choosing_[node - stages_ - 1];
    const MachineOption& part = options_[from.option];
    const Number& behind = table.ahead[part.last + 1];
    if (behind == kNoWay) return kNoWay;
    return behind + cheapest(part, from.next, from.left, table.weights).second;
  }

  std::optional<std::size_t> best_start(const Table& table) const {
    if (table.ahead[0] == kNoWay) return std::nullopt;
    return 0;
  }

  /// One type a part; where that takes more than a share, it weighs more than the table says.
  PlanRoute<Number> route(const Table& table, std::size_t node) const {
    PlanRoute<Number> result;
    result.usage.machines.resize(limits_.counts.size());
    while (node < stages_) {
      const MachineOption& part = options_[table.option[node]];
      const auto [type, share] = part.types[cheapest(part, 0, part.total, table.weights).first];
      const std::uint64_t paid = enough(part.total, share);
      result.moves.push_back({node, part.last, type, paid});
      result.usage.machines[type] += paid;
      result.usage.cost += limits_.prices[type] * number_from<Number>(paid);
      node = part.last + 1;
    }
    return result;
  }

 private:
  static constexpr std::uint64_t kRoughTotal = std::uint64_t{1} << 50;

  struct TypeShare {
    std::size_t type = 0;
    std::uint64_t share = 1;
  };

  // A part on machines of any of these types whose shares add up to the total; types without a count last.
  struct MachineOption {
    std::size_t first = 0;
    std::size_t last = 0;
    std::uint64_t total = 1;
    std::vector<TypeShare> types;
    bool is_there = false;  // whether there are machines for it
  };

  // `left` of the share is still to be chosen, from types[next] on.
  struct Choosing {
    std::size_t option = 0;
    std::size_t next = 0;
    std::uint64_t left = 0;

    friend auto operator<=>(const Choosing&, const Choosing&) = default;
  };

  static std::uint64_t count_of(const Number& number) {
    if constexpr (std::same_as<Number, Integer>) {
      return number.get_ui();
    } else {
      return static_cast<std::uint64_t>(number);
    }
  }

  static std::uint64_t enough(std::uint64_t total, std::uint64_t share) {
    return total / share + (total % share == 0 ? 0 : 1);
  }

  // The weight of left / share machines, rounded down: the last may be a fraction.
  static Number in_part(const Number& weight, std::uint64_t left, std::uint64_t share) {
    if (share == 1) return weight * number_from<Number>(left);
    if constexpr (std::same_as<Number, std::int64_t>) {
      return static_cast<Number>(static_cast<maxplus::Int128>(weight) * left / share);
    } else {
      const Integer parts = maxplus::integer_of(weight) * Integer(static_cast<unsigned long>(left));
      return Edges<Number>::number_of(parts / Integer(static_cast<unsigned long>(share)));
    }
  }

  // The lightest type for the `left` shares, and its weight.
  std::pair<std::size_t, Number> cheapest(const MachineOption& part, std::size_t from, std::uint64_t left,
                                          const std::vector<Number>& weights) const {
    clock_.spend(part.types.size() - from);
    std::pair<std::size_t, Number> best{from, in_part(weights[part.types[from].type], left, part.types[from].share)};
    for (std::size_t k = from + 1; k < part.types.size(); ++k) {
      Number sum = in_part(weights[part.types[k].type], left, part.types[k].share);
      if (sum < best.second) best = {k, std::move(sum)};
    }
    return best;
  }

  struct TypeDemand {
    Number demand;
    std::size_t type = 0;
  };

  void list_options(std::size_t a, std::size_t last, Turns turns) {
    const Number& receive = edges_.reception(a, 0, 0);
    const Number& send = edges_.sending(last, 0, 0);
    if (receive == Edges<Number>::kAbsent || send == Edges<Number>::kAbsent) return;
    if (a == 0 && !edges_.fits_source(receive)) return;
    if (last + 1 == stages_ && !edges_.fits_sink(send)) return;
    const bool is_replicable = edges_.is_replicable(a, last);
    const Number most = is_replicable ? Number(static_cast<std::int64_t>(kMostMachines)) : Number(1);
    constexpr std::size_t kStepsOfType = 16;  // rationals among them
    clock_.spend(kStepsOfType * edges_.types());
    std::vector<TypeDemand> demands;
    for (std::size_t t = 0; t < edges_.types(); ++t) {
      if (edges_.least_first(last, t) > a || (limits_.counts[t] && *limits_.counts[t] == 0)) continue;
      const Number demand = edges_.demand(t, is_replicable, receive, edges_.computation(a, last, t), send);
      const Number working = edges_.working(demand);
      if (working != Edges<Number>::kAbsent && working <= most) demands.push_back({demand, t});
    }
    if (demands.empty()) return;
    std::ranges::stable_sort(demands, std::less<>(), [](const TypeDemand& one) -> const Number& { return one.demand; });
    if (turns == Turns::weighted && most > 1) return add_covers(a, last, demands);
    for (std::size_t k = 0; k < demands.size(); ++k) {
      const Number working = edges_.working(demands[k].demand);
      if (k + 1 < demands.size() && edges_.working(demands[k + 1].demand) == working) continue;
      add_plain(a, last, count_of(working) + count_of(edges_.spare()), k + 1, demands);
    }
  }

  // The first `count` types will do.
  void add_plain(std::size_t a, std::size_t last, std::uint64_t paid, std::size_t count,
                 const std::vector<TypeDemand>& demands) {
    MachineOption option{a, last, paid, {}, false};
    std::optional<std::size_t> cheapest_free;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t t = demands[k].type;
      if (limits_.counts[t]) {
        option.types.push_back({t, 1});
      } else if (!cheapest_free || limits_.prices[t] < limits_.prices[*cheapest_free]) {
        cheapest_free = t;
      }
    }
    if (cheapest_free) option.types.push_back({*cheapest_free, 1});
    add(std::move(option));
  }

  void add_covers(std::size_t a, std::size_t last, const std::vector<TypeDemand>& demands) {
    MachineOption option{a, last, 1, {}, false};
    std::vector<Rational> shares;
    Integer total = 1;
    for (const TypeDemand& one : demands) {
      shares.push_back(share_of_data_sets(Rational(maxplus::integer_of(one.demand)),
                                          Rational(maxplus::integer_of(edges_.period()))));
      total = lcm(total, shares.back().denominator());
    }
    const bool is_exact = total <= Integer(static_cast<unsigned long>(kRoughTotal));
    option.total = is_exact ? total.get_ui() : kRoughTotal;
    for (const bool counted : {true, false}) {
      for (std::size_t k = 0; k < demands.size(); ++k) {
        if (limits_.counts[demands[k].type].has_value() != counted) continue;
        const Rational share = shares[k] * Rational(option.total);
        option.types.push_back({demands[k].type, share.ceiling().get_ui()});
      }
    }
    add(std::move(option));
  }

  void add(MachineOption option) {
    std::uint64_t there = 0;
    for (const TypeShare& one : option.types) {
      const std::uint64_t needed = enough(option.total, one.share);
      const std::uint64_t taken = std::min(limits_.counts[one.type].value_or(needed), needed);
      there = taken == needed ? option.total : std::min(option.total, there + taken * one.share);
    }
    option.is_there = there == option.total;
    options_.push_back(std::move(option));
  }

  // How many machines of the next type.
  template <typename Visit>
  void choose(const Choosing& from, const Visit& visit) const {
    const MachineOption& part = options_[from.option];
    const auto [type, share] = part.types[from.next];
    const std::size_t first = part.first;
    const std::size_t last = part.last;
    const std::uint64_t needed = enough(from.left, share);
    const std::uint64_t most = std::min(limits_.counts[type].value_or(needed), needed);
    if (most == needed) visit(last + 1, PlannedMove{first, last, type, needed}, Number(0));
    if (from.next + 1 == part.types.size()) return;
    clock_.spend(std::min(most, needed));
    for (std::uint64_t taken = 0; taken <= most && taken < needed; ++taken) {
      const std::size_t head = place({from.option, from.next + 1, from.left - taken * share});
      visit(head, PlannedMove{first, last, type, taken}, Number(0));
    }
  }

  std::size_t place(const Choosing& choosing) const {
    const auto [found, is_new] = places_.try_emplace(choosing, stages_ + 1 + choosing_.size());
    if (is_new) choosing_.push_back(choosing);
    return found->second;
  }

  const Edges<Number>& edges_;
  const Limits<Number>& limits_;
  std::size_t stages_;
  std::vector<MachineOption> options_;
  std::vector<std::size_t> begin_;  // of the options by first stage
  // Nodes within parts get their numbers as they are met.
  mutable std::map<Choosing, std::size_t> places_;
  mutable std::vector<Choosing> choosing_;
  mutable PlanWatch clock_;
};

}  // namespace takt::plan
