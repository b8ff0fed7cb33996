// Another order in which ports and processors serve the transfers of a mapping of a workflow.
//
// Problem. Within a data set transfers are served by sender, then by receiver (docs/model.md, "Workflows"). Where a
// part takes several files, or sends several, another order may let the others wait less: the period changes, the cycle
// times do not.
//
// Method. Local search by the exact period of the net: a transfer is served just behind, or just before, the next one
// of the same sender or receiver, where each part still takes all of its files before it sends any; the first order
// that is better takes the place of the one before, until none is, or the period is the largest cycle time.
//
// Cost. A net for each order that is tried.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/models.hpp"

namespace takt::heuristics {

using maxplus::Rational;

/// An order of all transfers of a mapping.
struct ServedOrder {
  std::vector<tpn::TransferEnds> transfers;
  Rational period;          // exact
  std::uint64_t tried = 0;  // orders
};

/// The best order found for the document's mapping, whose own order is the default and whose period is this; nothing
/// where no order that was tried has a shorter one. The evaluated nets have at most `most_operations` operations, rows
/// times columns, in all.
std::optional<ServedOrder> better_served(const tpn::Document& mapped, const tpn::Model& model, const Rational& period,
                                         const evaluators::Deadline& deadline, std::uint64_t most_operations);

}  // namespace takt::heuristics
