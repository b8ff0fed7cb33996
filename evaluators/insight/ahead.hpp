// Which transfers to take ahead where processors that serve several parts wait for their own order.
//
// Problem. A processor takes up data set j + 1 only when all its parts are done with j; a part that takes files of
// several others takes those of j + 1 only behind those of j. A transfer that is ahead by k lets it compute j + k
// before what lies behind the transfer computes j (docs/model.md, "Ahead"). How many data sets ahead, at which
// transfers, reach the least period?
//
// Method. The period is evaluated with all transfers 1, 2, 4, ... ahead, then with each of them alone 1, 2, 3, ...
// ahead; a period that is the largest cycle time ends it, for no order changes that. Of the least period that was seen,
// one transfer alone comes first, the least ahead, the first in column order, those to parts that take several before
// others; else what had it is lowered, the last
// transfer first, until no number can be any smaller.
//
// The period is not monotone in what is ahead, so the least period found is proved the least only where it is the
// largest cycle time.
//
// Cost. At most some ten evaluations for each transfer, and one for each smaller number that is tried.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// A choice of what is ahead.
struct AheadChoice {
  std::vector<std::uint64_t> ahead;  // data sets, by column; 0 for computations
  Rational period;                   // exact
  bool is_least = false;             // no choice has a smaller period: it is the largest cycle time
  bool is_searched = true;           // all that the search looks at was looked at
};

/// Operations, distinct rows times columns, that a search may evaluate in all by default.
inline constexpr std::uint64_t kAheadOperations = 3'000'000;

/// The best choice found whose period is below `period`; none of its numbers can be lowered without a longer period.
/// Nothing if none is found within the limits. The pipeline must not be shifted; of a chain, transfers that no
/// processor or host of several parts is on both sides of are not ahead under models that do not occupy processors with
/// transfers. `options` say until when, and how each net is evaluated.
std::optional<AheadChoice> best_ahead(const tpn::Pipeline& pipeline, const tpn::Model& model, const Rational& period,
                                      const Options& options = {}, std::uint64_t most_operations = kAheadOperations);

/// Room for the files of transfers that are ahead, at each of their receivers, with which the net keeps the period: by
/// column, 0 of all others. The least that all of them may have, then none of it can be less. Nothing if a limit was
/// met, or where files that stay at a processor need none. The net is one with this ahead and without any room.
std::optional<std::vector<std::uint64_t>> least_rooms(const tpn::FoldedNet& net,
                                                      const std::vector<std::uint64_t>& ahead, const Rational& period,
                                                      const Options& options = {});

}  // namespace takt::evaluators
