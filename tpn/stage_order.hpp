// The same problem with its stages in another order.
//
// Problem. Parts of a mapping are intervals of the list of stages, and the order of the parts is that of the columns. A
// workflow's stages may be listed in any topological order; which one they are in decides what can be one part.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// By place in the list, the stage: an index into the problem's own list. Each stage is behind those whose files it
/// takes.
using StageOrder = std::vector<std::size_t>;

/// 0, 1, ...
StageOrder own_order(const Application& application);

/// The document with its stages in that order, each with the files that it takes; without its mapping, which is one of
/// the order that it had, and what belongs to that (`transfers`, the predicted period, the heuristic).
Document reordered(const Document& document, const StageOrder& order);

/// Whether another order says the same: `apart` is about stages next to each other, and rates about chains.
bool may_be_reordered(const Application& application);

/// Calls visit(order) for every order in which each stage is behind those whose files it takes, in lexicographic order,
/// until it answers false; false then.
bool for_each_order(const Application& application, const std::function<bool(const StageOrder&)>& visit);

/// An order in which the stages of each group, of which those of no two wait for each other in a circle, are together:
/// of the stages that may be next, pick(n) says which of n. With each stage a group of its own any order may come.
/// By stage, its group.
StageOrder drawn_order(const Application& application, const std::vector<std::size_t>& groups,
                       const std::function<std::size_t(std::size_t)>& pick);

}  // namespace takt::tpn
