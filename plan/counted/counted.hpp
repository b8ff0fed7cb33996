// The cheapest typed plan where machines are counted or a data set must be through in time.
//
// Problem. As plan/typed/program.hpp; but a type with a count has no more machines than that, stand-bys included, and
// the latency is limited. Weakly NP-hard in the digits of the counts.
//
// Method. The unlimited program first: where its plan keeps the limits, nothing is left to do. Then multipliers
// (plan/counted/multipliers.hpp): charges on scarce machines and time, whose program bounds the cost from below and
// often finds the plan; where a gap is left, best first with labels (plan/counted/labels.hpp).
//
// Invariant. Exact: a plan of proved least cost, or a proof that there is none, unless the deadline cuts it short.
//
// References. [handler1980dual].
#pragma once

#include <optional>
#include <vector>

#include "maxplus/deadline.hpp"
#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "plan/typed/program.hpp"

namespace takt::plan {

/// What is asked of a plan within the counts of the catalogue.
struct CountedQuery {
  Query query;
  std::optional<Rational> latency{};  // at least 0
  maxplus::Deadline deadline{};
  bool is_proof_wanted = false;  // no plan on a few types in place of a proved one: all the time is for that
  /// Whether an answer that needs no limits has its potentials, of which a certificate is made. Without them it is
  /// found faster where numbers are long, and is as sure.
  bool has_potentials = true;
  /// Plans that cost more do not matter: where all do there is none, which takes less to prove.
  std::optional<Rational> most_cost{};
};

/// How an answer is proved.
enum class PlanProof {
  potentials,  // of the multipliers' program: no plan within the limits costs less than their bound
  search,      // by exhaustion
  no_path,     // no plan keeps the period, whatever the limits: the potentials reach no end
  excess,  // every plan is charged more by the multipliers, prices not counted, than all there is: by the potentials
  none,    // the deadline, or a limit of memory, or of the machines of a part (kMostMachines), cut the search short
};

struct CountedAnswer {
  std::optional<TypedPlan> plan;  // nothing: there is none, or, cut short, none was found
  Rational cost;                  // of the plan
  /// No plan costs less; a multiple of what all prices are multiples of. The cost itself unless cut short.
  Rational lower_bound;
  PlanProof proof = PlanProof::none;
  bool cut_short = false;
  std::vector<Rational> multipliers;        // >= 0 each, by type
  std::vector<Rational> quota_multipliers;  // >= 0 each, of the catalogue's quotas; 0 if empty
  Rational latency_multiplier;              // >= 0, per time unit
  /// Of `solve` with the multipliers on top of the weights, or, for an excess, in place of them.
  std::optional<Potentials> potentials;
  /// The potentials' least end less sum multipliers x counts (likewise quotas) less latency_multiplier x latency,
  /// rounded up likewise (an excess: above 0, not rounded).
  Rational potentials_bound;
};

/// The least cost of all typed plans within the limits; among plans of one cost, where limits do not matter the one of
/// fewest machines and shortest period, else any. The deadline of the query within does not count. Where the time is up
/// before any plan is found, a plan on a few types that look cheap is given if one keeps the limits.
CountedAnswer solve_within(const Catalogue& catalogue, const CountedQuery& query);

}  // namespace takt::plan
