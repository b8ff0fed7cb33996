// How the stages of a workflow may be grouped into parts.
//
// Problem. A part may hold any stages, next to each other in the list or not, as long as no two parts wait for each
// other in a circle: then some list of the stages has every part's together.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/stage_order.hpp"

namespace takt::plan {

/// The stages of each part, ascending; each part behind those whose files it takes.
using StageGroups = std::vector<std::vector<std::size_t>>;

/// Each stage a part of its own.
StageGroups each_apart(const tpn::Application& application);

/// By stage, the number of its group.
std::vector<std::size_t> group_of_stages(const StageGroups& groups, std::size_t stages);

/// The groups in order, of those that may be next always the one with the least stage; nothing if they wait for each
/// other in a circle, or where a stage is to stand apart and is not the first of its group.
/// Cost: linear in the stages and in what they take, but for a logarithm.
std::optional<StageGroups> in_order(const tpn::Application& application, StageGroups groups);

/// The stages in the order of their groups.
tpn::StageOrder order_of(const StageGroups& groups);

/// Calls visit(groups) for every grouping that in_order accepts, until it answers false; false then. There are as many
/// as the Bell number of the stages at most: 4,140 of 8.
bool for_each_grouping(const tpn::Application& application, const std::function<bool(const StageGroups&)>& visit);

}  // namespace takt::plan
