// Which transfers to take ahead where processors that serve several parts wait for their own order.
//
// Problem. A processor takes up data set j + 1 only when all its parts are done with j; a part that takes files of
// several others takes those of j + 1 only behind those of j. A transfer that is ahead by k lets it compute j + k
// before what lies behind the transfer computes j (docs/model.md, "Ahead"). How many data sets ahead, at which
// transfers, reach the least period?
//
// Method. The period is evaluated with all transfers 1, 2, 4, ... ahead, then with each of them alone 1, 2, 3, ...
// ahead, beside what the document has ahead and without it; then, of few transfers, with all choices of up to three
// data sets; last, from the best that was seen, with one transfer a data set more or less ahead. A period that no order
// makes less ends it. Of the least period that was seen, one transfer alone comes first, the least ahead, the first in
// column order, those to parts that take several before others; else what had it is lowered, the last transfer first,
// until no number can be any smaller.
//
// The period is not monotone in what is ahead, so the least period found is the best found, and proved the least only
// where it is `least_of_any_order`.
//
// Cost. At most some ten evaluations for each transfer, 64 for few transfers, two for each transfer and step, of at
// most 64, and one for each smaller number that is tried.
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
  bool is_least = false;             // no order of the operations has a smaller period
  bool is_searched = true;           // all that the search looks at was looked at
};

/// Operations, distinct rows times columns, that a search may evaluate in all by default.
inline constexpr std::uint64_t kAheadOperations = 3'000'000;

/// What a document says of its transfers, by column; empty: nothing.
struct TransferTerms {
  std::vector<std::uint64_t> ahead{};
  std::vector<std::uint64_t> room{};  // 0: no limit
};

/// The best choice found whose period is below `period`, with the rooms of `terms`; none of its numbers can be lowered
/// without a longer period. Nothing if none is found within the limits. `period` is that with what `terms` has ahead;
/// the pipeline itself must not be ahead. Transfers of a chain are not ahead where that changes the order of no
/// resource. `options` say until when, and how each net is evaluated; beyond `most_operations`, or where that is the
/// default or less after few steps, the search ends.
std::optional<AheadChoice> best_ahead(const tpn::Pipeline& pipeline, const tpn::Model& model, const Rational& period,
                                      const Options& options = {}, std::uint64_t most_operations = kAheadOperations,
                                      const TransferTerms& terms = {});

/// Room for the files of transfers that are ahead, at each of their receivers, with which the net keeps the period: by
/// column, 0 of all others. The least that all of them may have, then none of it can be less. Nothing if a limit was
/// met, or where files that stay at a processor need none. The net is one with this ahead, and without room of these
/// transfers.
std::optional<std::vector<std::uint64_t>> least_rooms(const tpn::FoldedNet& net,
                                                      const std::vector<std::uint64_t>& ahead, const Rational& period,
                                                      const Options& options = {});

}  // namespace takt::evaluators
