// Algorithm 4.1 of HeDPM: stages from the slowest, processors from the fastest, matched one after the other.
//
// Problem. Given a production time to aim at, or none (then the ideal one of what remains), match every stage.
//
// Method. Stages are sorted once by Equation 3, processors by Equation 4, ties by index. The first stage of the list
// goes to the first processor. Too slow by the reading's band, it is replicated on the next processors; too fast, it
// is grouped with the next stage, else with the previous one, as long as these are unmatched. Matched ones leave their
// lists. The last stage of the list takes all processors that remain (Table 2 shows no T_ideal for it).
// - `closest`: band 0.95 to 1.05 as printed; outside it, candidates up to the first beyond T_ideal are looked at, and
//   the one closest to T_ideal is kept, the smaller one on ties.
// - `table`: band 0.95 to 1.10, and replicas or groups end as soon as they reach it; the replicas of the last stage
//   pay for one transfer at the mean link to each other. This is what reproduces Table 2.
// Where the paper is silent: Equation 6 counts a transfer only for the share of stages that has one (all of them where
// there is a source and a sink); a stage that is not replicable is never replicated; a processor whose links do not
// reach the matched neighbors is passed over.
//
// Invariant. There are never more runs of neighboring unmatched stages than unmatched processors: a group grows until
// it is so, and replicas leave that many processors. So stages never run out of processors, the paper's missing guard.
//
// Cost. With n stages and p processors, O((n + p) p) execution times at worst; few in practice.
//
// References. [moreno2017hedpm], Section 4.
#pragma once

#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "heuristics/hedpm/model.hpp"

namespace takt::heuristics::dynamic_mapping {

enum class Reading { closest, table };

/// Both lists in the order of Algorithm 4.1's first step.
struct Order {
  std::vector<std::size_t> processors;
  std::vector<std::size_t> stages;
};

Order sorted(const CostModel& model);

/// A row of Table 2, whose lists follow from the order and the rows before.
struct Match {
  std::optional<Rational> ideal;  // what it aims at; not for the last stage
  tpn::Part part;
  Rational time;  // T, as known then
};

enum class MatchingEnd { complete, missing_link, deadline };

struct StageMatching {
  MatchingEnd ending = MatchingEnd::complete;
  std::vector<Match> matches;

  tpn::Mapping mapping() const;
  /// The largest T.
  Rational production_time() const;
};

/// `objective`: the production time to aim at, in place of the ideal one.
StageMatching match(const CostModel& model, const Order& order, Reading reading,
                    const std::optional<Rational>& objective, const evaluators::Deadline& deadline);

}  // namespace takt::heuristics::dynamic_mapping
