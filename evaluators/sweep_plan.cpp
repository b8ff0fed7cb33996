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

namespace {

using ByResidue = std::map<std::uint64_t, std::vector<Incoming>>;

GuardedIncoming guarded_incoming(std::uint64_t modulus, const ByResidue& by_residue) {
  GuardedIncoming group;
  group.modulus = modulus;
  group.first.assign(modulus + 1, 0);
  for (const auto& [residue, arcs] : by_residue) group.first[residue + 1] = arcs.size();
  for (std::size_t r = 0; r < modulus; ++r) group.first[r + 1] += group.first[r];
  for (const auto& [residue, arcs] : by_residue) group.arcs.insert(group.arcs.end(), arcs.begin(), arcs.end());
  return group;
}

void add_guarded(const FoldedNet& net, Plan& plan) {
  std::vector<std::map<std::uint64_t, ByResidue>> guarded(plan.columns.size());
  for (const Dependence& d : net.dependences) {
    if (d.modulus > 1) guarded[d.to][d.modulus][(d.residue + d.height) % d.modulus].push_back({d.from, d.height});
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    for (const auto& [modulus, by_residue] : guarded[c]) {
      plan.columns[c].guarded.push_back(guarded_incoming(modulus, by_residue));
    }
  }
}

// Which operations before data set 0 hold a token: [column][back].
std::vector<std::vector<bool>> token_holders(const FoldedNet& net, const Plan& plan) {
  std::vector<std::vector<bool>> holds(plan.columns.size());
  for (std::size_t c = 0; c < plan.columns.size(); ++c) holds[c].resize(plan.columns[c].longest + 1, false);
  for (const Dependence& d : net.dependences) {
    for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
      for (std::uint64_t b = back; b > 0; b = b > plan.rows ? b - plan.rows : 0) holds[d.from][b] = true;
    }
  }
  return holds;
}

}  // namespace

std::size_t Plan::token_at(std::size_t column, std::uint64_t back) const {
  const std::size_t first = columns[column].first_token;
  if (plain) return first + (columns[column].longest - back);
  const auto last = column + 1 < columns.size()
                        ? tokens.begin() + static_cast<std::ptrdiff_t>(columns[column + 1].first_token)
                        : tokens.end();
  const auto found = std::lower_bound(tokens.begin() + static_cast<std::ptrdiff_t>(first), last, back,
                                      [](const Token& token, std::uint64_t b) { return token.back > b; });
  maxplus::expects(found != last && found->back == back, "the operation holds a token");
  return static_cast<std::size_t>(found - tokens.begin());
}

Incoming incoming_at(const Plan::ColumnPlan& column, std::uint64_t row, std::size_t position) {
  if (position < column.always.size()) return column.always[position];
  position -= column.always.size();
  for (const GuardedIncoming& group : column.guarded) {
    const std::uint64_t r = row % group.modulus;
    const std::size_t count = group.first[r + 1] - group.first[r];
    if (position < count) return group.arcs[group.first[r] + position];
    position -= count;
  }
  maxplus::expects(false, "an operation has a predecessor at this position");
  return {};
}

Plan make_plan(const FoldedNet& net) {
  const auto& pipeline = net.pipeline;
  Plan plan;
  plan.rows = pipeline.rows.get_ui();
  plan.columns.resize(pipeline.columns.size());
  for (const Dependence& d : net.dependences) {
    plan.columns[d.from].longest = std::max(plan.columns[d.from].longest, d.height);
    plan.longest = std::max(plan.longest, d.height);
    if (d.modulus > 1) {
      plan.plain = false;
    } else if (auto& always = plan.columns[d.to].always;
               std::find(always.begin(), always.end(), Incoming{d.from, d.height}) == always.end()) {
      always.push_back({d.from, d.height});
    }
  }
  if (plan.plain) {
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      plan.columns[c].first_token = plan.tokens.size();
      for (std::uint64_t back = plan.columns[c].longest; back > 0; --back) plan.tokens.push_back({c, back});
    }
  } else {
    add_guarded(net, plan);
    const std::vector<std::vector<bool>> holds = token_holders(net, plan);
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      plan.columns[c].first_token = plan.tokens.size();
      for (std::uint64_t back = plan.columns[c].longest; back > 0; --back) {
        if (holds[c][back]) plan.tokens.push_back({c, back});
      }
    }
  }
  for (const Column& column : pipeline.columns) plan.row_total += column.table.longest();
  plan.origin_bits = static_cast<int>(std::bit_width(plan.tokens.size()));
  return plan;
}

}  // namespace takt::evaluators
