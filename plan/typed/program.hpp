// The cheapest typed plan for a period: a shortest path.
//
// Problem. n stages, T types of which there are as many as one likes. Which stages share a part, on which type, on how
// many machines, so that the period is at most P and the price least?
//
// Method. By the theorem of plan/plan.hpp a plan keeps P if and only if each part has at least x_i / P machines and the
// transfers of source and sink take at most P. The demand x_i depends on the part, its type and its neighbors' types.
// State (b, t, u): stages before b are placed, the last part on type t, the next one will be on u. An edge places
// stages a..b-1 on m = max(1, ceil(x / P)) machines of type t between types tp and u:
//     f(b, t, u) = min over a, tp of f(a, tp, t) + weight_t m.
// Sums (cost, machines) first and a maximum (the period) last: prefixes of an optimal path may be taken optimal.
//
// Invariant. The potentials f prove the least cost: f(head) <= f(tail) + cost on every edge.
//
// Cost. n^2 T^3 / 2 edges, most of which a bound spares; 64-bit integers, 128 bits or GMP if they do not fit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

/// What is asked of a plan.
struct Query {
  tpn::Model model = tpn::Model::kOverlap;  // one that tpn::follows_cycle_times
  Rational period;                          // at most this, after as many failures as `spare` says
  bool strictly = false;                    // below it
  std::uint64_t spare = 0;                  // machines that every part could lose
  bool all_apart = false;                   // each stage a part of its own
  /// By type, what a machine costs; the prices where empty. At least 0.
  std::vector<Rational> weights{};
  /// What a time unit costs that a data set stays in the pipeline. At least 0.
  Rational latency_weight{};
  /// Machines that serve parts already, and what each other machine of a part costs on top: to be set up. At least 0.
  std::vector<TypedPart> running{};
  Rational setup{};
  /// The period that machines on demand keep alone, > 0: of every part as many cost the premium of their type on top.
  /// Nothing: none are.
  std::optional<Rational> on_demand{};
  maxplus::Deadline deadline{};
};

/// The least cost of a path to each state, as multiples of `unit`; nothing if there is no path. By
/// (b * T + t) * T + u for 1 <= b <= n; behind the last stage u is 0.
struct Potentials {
  Rational unit = 1;
  std::vector<std::optional<Integer>> values;
};

struct ProgramAnswer {
  std::optional<TypedPlan> plan;  // nothing: no typed plan keeps the period, or, cut short, none was found
  Rational cost;                  // by the weights, latency included
  bool cut_short = false;         // by the deadline: there is neither a plan nor potentials
  std::optional<Potentials> potentials;
};

/// The machines of a plan, stand-bys included, by what they serve: those that serve the same stages in `running` stay.
std::uint64_t staying(const std::vector<TypedPart>& running, const TypedPart& part);
/// What setting up the others costs, and machines on demand.
Rational further_cost(const Catalogue& catalogue, const Query& query, const TypedPlan& plan);
/// Above the cost of every plan that the program looks at, set-ups not included: as the price of one, it makes their
/// number count before all else. Throws nothing; the deadline does not matter.
Rational above_all_costs(const Catalogue& catalogue, const Query& query);

/// Machines of one part that a plan may need at most; `solve` answers none for parts that would need more.
inline constexpr std::uint64_t kMostMachines = std::uint64_t{1} << 50;

/// The least of (cost, machines, period) of all typed plans; counts of types do not matter to it. The period that
/// counts is that after the failures. With potentials where wanted.
ProgramAnswer solve(const Catalogue& catalogue, const Query& query, bool with_potentials = false);

}  // namespace takt::plan
