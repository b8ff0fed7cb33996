// The graph of parts whose machines may be of several types, on equal links: by boundary, then type after type.
#pragma once

#include <algorithm>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "plan/edges.hpp"
#include "plan/limits.hpp"

namespace takt::plan {

/// For stages a to b only the numbers of machines matter that are enough for some type: between them the types allowed
/// are the same. Of allowed types without a count only the cheapest matters, and comes last. Nodes are the boundaries
/// between stages and, within a part, what is left to choose from which types.
template <typename Numbers>
class MixedGraph {
 public:
  using Number = Numbers;
  static inline const Number kNoWay = -1;

  struct Table {
    std::vector<Number> ahead;        // by boundary
    std::vector<std::size_t> option;  // by boundary: the next part
    std::vector<Number> weights;      // by type
  };

  /// Keeps references.
  MixedGraph(const Edges<Number>& edges, const Limits<Number>& limits)
      : edges_(edges), limits_(limits), stages_(edges.stages()) {
    for (std::size_t a = 0; a < stages_; ++a) {
      begin_.push_back(options_.size());
      for (std::size_t last = a; last < stages_; ++last) list_options(a, last);
    }
    begin_.push_back(options_.size());
  }

  bool is_end(std::size_t node) const { return node == stages_; }
  /// The stages before a node, those of a part that is being chosen included.
  std::size_t depth(std::size_t node) const {
    return node <= stages_ ? node : options_[choosing_[node - stages_ - 1].option].last + 1;
  }
  std::vector<std::size_t> starts() const { return {0}; }

  template <typename Visit>
  void for_each_move(std::size_t node, const Visit& visit) const {
    if (node > stages_) {
      const Choosing from = choosing_[node - stages_ - 1];  // a copy: more come
      return choose(from, visit);
    }
    for (std::size_t option = begin_[node]; option < begin_[node + 1]; ++option)
      choose({option, 0, options_[option].paid}, visit);
  }

  Table table(const Charges<Number>& weights, bool within_counts) const {
    Table result{std::vector<Number>(stages_ + 1, kNoWay), std::vector<std::size_t>(stages_), weights.by_type};
    result.ahead[stages_] = 0;
    for (std::size_t a = stages_; a-- > 0;) {
      for (std::size_t option = begin_[a]; option < begin_[a + 1]; ++option) {
        const MachineOption& part = options_[option];
        const Number& behind = result.ahead[part.last + 1];
        if (behind == kNoWay || (within_counts && !part.is_there)) continue;
        const Number sum = behind + weights.by_type[cheapest(part, 0, result)] * number_from<Number>(part.paid);
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
    return behind + table.weights[cheapest(part, from.next, table)] * number_from<Number>(from.left);
  }

  std::optional<std::size_t> best_start(const Table& table) const {
    if (table.ahead[0] == kNoWay) return std::nullopt;
    return 0;
  }

  PlanRoute<Number> route(const Table& table, std::size_t node) const {
    PlanRoute<Number> result;
    result.usage.machines.resize(limits_.counts.size());
    while (node < stages_) {
      const MachineOption& part = options_[table.option[node]];
      const std::size_t type = cheapest(part, 0, table);
      result.moves.push_back({node, part.last, type, part.paid});
      result.usage.machines[type] += part.paid;
      result.usage.cost += limits_.prices[type] * number_from<Number>(part.paid);
      node = part.last + 1;
    }
    return result;
  }

 private:
  // A part on so many machines, of any of these types; those without a count last, one at most.
  struct MachineOption {
    std::size_t first = 0;
    std::size_t last = 0;
    std::uint64_t paid = 0;
    std::vector<std::size_t> types;
    bool is_there = false;  // so many machines of them
  };

  // From types[next] on, so many machines are still to be chosen.
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

  std::size_t cheapest(const MachineOption& part, std::size_t from, const Table& table) const {
    std::size_t best = part.types[from];
    for (std::size_t k = from + 1; k < part.types.size(); ++k) {
      if (table.weights[part.types[k]] < table.weights[best]) best = part.types[k];
    }
    return best;
  }

  void list_options(std::size_t a, std::size_t last) {
    const Number& receive = edges_.reception(a, 0, 0);
    const Number& send = edges_.sending(last, 0, 0);
    if (receive == Edges<Number>::kAbsent || send == Edges<Number>::kAbsent) return;
    if (a == 0 && !edges_.fits_end(receive)) return;
    if (last + 1 == stages_ && !edges_.fits_end(send)) return;
    const Number most = edges_.is_replicable(a, last) ? Number(static_cast<std::int64_t>(kMostMachines)) : Number(1);
    std::vector<std::pair<std::uint64_t, std::size_t>> enough;  // machines that must compute, type
    for (std::size_t t = 0; t < edges_.types(); ++t) {
      if (edges_.least_first(last, t) > a || (limits_.counts[t] && *limits_.counts[t] == 0)) continue;
      const Number working = edges_.working(edges_.demand(receive, edges_.computation(a, last, t), send));
      if (working <= most) enough.emplace_back(count_of(working), t);
    }
    std::ranges::sort(enough);
    for (std::size_t k = 0; k < enough.size(); ++k) {
      if (k + 1 < enough.size() && enough[k + 1].first == enough[k].first) continue;
      add_option(a, last, enough[k].first, {enough.begin(), enough.begin() + static_cast<std::ptrdiff_t>(k) + 1});
    }
  }

  void add_option(std::size_t a, std::size_t last, std::uint64_t working,
                  const std::vector<std::pair<std::uint64_t, std::size_t>>& enough) {
    MachineOption option{a, last, working + count_of(edges_.spare()), {}, false};
    std::optional<std::size_t> cheapest_free;
    std::uint64_t there = 0;
    for (const auto& [needed, t] : enough) {
      if (limits_.counts[t]) {
        option.types.push_back(t);
        there += std::min(*limits_.counts[t], option.paid);
      } else if (!cheapest_free || limits_.prices[t] < limits_.prices[*cheapest_free]) {
        cheapest_free = t;
      }
    }
    if (cheapest_free) option.types.push_back(*cheapest_free);
    option.is_there = cheapest_free || there >= option.paid;
    options_.push_back(std::move(option));
  }

  // How many machines of the next type.
  template <typename Visit>
  void choose(const Choosing& from, const Visit& visit) const {
    const MachineOption& part = options_[from.option];
    const std::size_t type = part.types[from.next];
    const bool is_last = from.next + 1 == part.types.size();
    std::uint64_t most = from.left;
    if (limits_.counts[type]) most = std::min(most, *limits_.counts[type]);
    if (is_last && most < from.left) return;
    for (std::uint64_t taken = is_last ? from.left : 0; taken <= most; ++taken) {
      const std::size_t head =
          taken == from.left ? part.last + 1 : place({from.option, from.next + 1, from.left - taken});
      visit(head, PlannedMove{part.first, part.last, type, taken}, Number(0));
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
};

}  // namespace takt::plan
