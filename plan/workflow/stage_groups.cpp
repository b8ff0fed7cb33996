// Groups are taken as one node each; a topological order of these is one of the parts.
#include "plan/workflow/stage_groups.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <utility>

#include "tpn/workflow.hpp"

namespace takt::plan {

StageGroups each_apart(const tpn::Application& application) {
  StageGroups groups;
  for (std::size_t k = 0; k < application.stages.size(); ++k) groups.push_back({k});
  return groups;
}

std::vector<std::size_t> group_of_stages(const StageGroups& groups, std::size_t stages) {
  std::vector<std::size_t> group_of(stages);
  for (std::size_t g = 0; g < groups.size(); ++g)
    for (const std::size_t k : groups[g]) group_of[k] = g;
  return group_of;
}

std::optional<StageGroups> in_order(const tpn::Application& application, StageGroups groups) {
  const std::vector<std::size_t> group_of = group_of_stages(groups, application.stages.size());
  for (std::size_t k = 0; k < group_of.size(); ++k)
    if (application.stages[k].apart && k != groups[group_of[k]].front()) return std::nullopt;
  std::vector<std::set<std::size_t>> takers(groups.size());
  std::vector<std::size_t> missing(groups.size());
  for (std::size_t k = 0; k < group_of.size(); ++k) {
    for (const std::size_t before : tpn::stages_before(application, k)) {
      if (group_of[before] == group_of[k]) continue;
      if (takers[group_of[before]].insert(group_of[k]).second) ++missing[group_of[k]];
    }
  }
  using Next = std::pair<std::size_t, std::size_t>;  // first stage, group
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (missing[g] == 0) next.emplace(groups[g].front(), g);
  StageGroups ordered;
  while (!next.empty()) {
    const std::size_t g = next.top().second;
    next.pop();
    for (const std::size_t taker : takers[g])
      if (--missing[taker] == 0) next.emplace(groups[taker].front(), taker);
    ordered.push_back(std::move(groups[g]));
  }
  if (ordered.size() < groups.size()) return std::nullopt;
  return ordered;
}

tpn::StageOrder order_of(const StageGroups& groups) {
  tpn::StageOrder order;
  for (const auto& group : groups) order.insert(order.end(), group.begin(), group.end());
  return order;
}

namespace {

bool group_rest(const tpn::Application& application, std::size_t stage, StageGroups& groups,
                const std::function<bool(const StageGroups&)>& visit) {
  if (stage == application.stages.size()) {
    const auto ordered = in_order(application, groups);
    return !ordered || visit(*ordered);
  }
  groups.push_back({stage});
  if (!group_rest(application, stage + 1, groups, visit)) return false;
  groups.pop_back();
  if (application.stages[stage].apart) return true;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    groups[g].push_back(stage);
    if (!group_rest(application, stage + 1, groups, visit)) return false;
    groups[g].pop_back();
  }
  return true;
}

}  // namespace

bool for_each_grouping(const tpn::Application& application, const std::function<bool(const StageGroups&)>& visit) {
  StageGroups groups;
  return group_rest(application, 0, groups, visit);
}

}  // namespace takt::plan
