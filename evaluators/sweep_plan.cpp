// Sorts the dependences by the column they lead to, and numbers the tokens.
#include "evaluators/sweep_plan.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

namespace takt::evaluators {

using tpn::Column;
using tpn::Dependence;
using tpn::FoldedNet;

Plan make_plan(const FoldedNet& net) {
  const auto& pipeline = net.pipeline;
  Plan plan;
  plan.rows = pipeline.rows.get_ui();
  plan.columns.resize(pipeline.columns.size());
  std::vector<std::vector<bool>> holds_token(pipeline.columns.size());  // [column][back]
  std::vector<std::map<std::uint64_t, std::map<std::uint64_t, std::vector<Incoming>>>> guarded(pipeline.columns.size());

  for (const Dependence& d : net.dependences) {
    if (d.modulus == 1) {
      plan.columns[d.to].always.push_back({d.from, d.height});
    } else {
      guarded[d.to][d.modulus][(d.residue + d.height) % d.modulus].push_back({d.from, d.height});
    }
    auto& backs = holds_token[d.from];
    if (backs.size() <= d.height) backs.resize(d.height + 1, false);
    for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
      for (std::uint64_t b = back; b > 0; b = b > plan.rows ? b - plan.rows : 0) backs[b] = true;
    }
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    Plan::ColumnPlan& column = plan.columns[c];
    for (const auto& [modulus, by_residue] : guarded[c]) {
      GuardedIncoming group;
      group.modulus = modulus;
      group.first.assign(modulus + 1, 0);
      for (const auto& [residue, arcs] : by_residue) group.first[residue + 1] = arcs.size();
      for (std::size_t r = 0; r < modulus; ++r) group.first[r + 1] += group.first[r];
      for (const auto& [residue, arcs] : by_residue) group.arcs.insert(group.arcs.end(), arcs.begin(), arcs.end());
      column.guarded.push_back(std::move(group));
    }
    const std::uint64_t longest = holds_token[c].empty() ? 0 : holds_token[c].size() - 1;
    column.ring = plan.slots;
    column.mask = std::bit_ceil(longest + 1) - 1;
    plan.slots += column.mask + 1;
    for (std::uint64_t back = longest; back > 0; --back) {
      if (holds_token[c][back]) plan.tokens.push_back({c, back});
    }
  }
  for (const Column& column : pipeline.columns) {
    // Each row takes at most the column's longest duration.
    plan.total_duration += column.table.longest() * pipeline.rows;
  }
  plan.origin_bits = static_cast<int>(std::bit_width(plan.tokens.size()));
  return plan;
}

}  // namespace takt::evaluators
