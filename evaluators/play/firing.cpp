// Sorts the dependences by the column they lead to and sizes the rings.
#include "evaluators/play/firing.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace takt::evaluators {

using tpn::Dependence;
using tpn::FoldedNet;

FiringPlan make_firing_plan(const FoldedNet& net, std::uint64_t beyond) {
  const std::size_t columns = net.pipeline.columns.size();
  FiringPlan plan;
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<FiringPlan::Predecessor>>
      groups;  // by column and modulus
  std::vector<std::uint64_t> longest(columns, 0);
  for (const Dependence& d : net.dependences) {
    groups[{d.to, d.modulus}].push_back({(d.residue + d.height) % d.modulus, d.from, d.height});
    longest[d.from] = std::max(longest[d.from], d.height);
  }
  plan.first_group.assign(columns + 1, 0);
  for (auto& [key, predecessors] : groups) {
    std::ranges::sort(predecessors, {}, &FiringPlan::Predecessor::residue);
    plan.groups.push_back({key.first, key.second, std::move(predecessors)});
    ++plan.first_group[key.first + 1];
  }
  for (std::size_t c = 0; c < columns; ++c) {
    plan.first_group[c + 1] += plan.first_group[c];
    plan.rings.push_back({plan.slots, std::bit_ceil(longest[c] + beyond + 1) - 1});
    plan.slots += plan.rings.back().mask + 1;
    plan.longest_height = std::max(plan.longest_height, longest[c]);
  }
  return plan;
}

std::vector<FiringToken> firing_tokens(const FoldedNet& net) {
  std::set<std::pair<std::size_t, std::uint64_t>> held;
  for (const Dependence& d : net.dependences) {
    // Data sets -back = residue (mod modulus) with back <= height. The modulus divides the rows, so with a token that
    // is more than a hyper-period back its successors a hyper-period later are here too.
    for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) held.emplace(d.from, back);
  }
  std::vector<FiringToken> tokens;
  tokens.reserve(held.size());
  for (const auto& [column, back] : held) tokens.push_back({column, back});
  return tokens;
}

bool ends_fit_64_bits(const FoldedNet& net, const Integer& data_sets) {
  // Durations are read even if nothing is fired.
  const Integer counted = std::max(data_sets, Integer(1));
  Integer longest = 0;
  for (const tpn::Column& column : net.pipeline.columns) longest += column.table.longest();
  return longest * counted <= std::numeric_limits<std::int64_t>::max();
}

}  // namespace takt::evaluators
