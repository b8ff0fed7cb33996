// Sorts the dependences by the column they lead to, and numbers the tokens.
#include "evaluators/sweep/plan.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <utility>

namespace takt::evaluators {

using tpn::Column;
using tpn::Dependence;
using tpn::FoldedNet;

namespace {

// By modulus, then by residue.
using Guarded = std::map<std::uint64_t, std::map<std::uint64_t, std::vector<Incoming>>>;

void add_guarded(const Guarded& guarded, Plan& plan, Plan::ColumnPlan& column) {
  for (const auto& [modulus, by_residue] : guarded) {
    GuardedIncoming& group = column.guarded.emplace_back();
    group.modulus = modulus;
    group.first.reserve(modulus + 1);
    for (const auto& [residue, arcs] : by_residue) {
      group.first.resize(residue + 1, plan.arcs.size());
      plan.arcs.insert(plan.arcs.end(), arcs.begin(), arcs.end());
    }
    group.first.resize(modulus + 1, plan.arcs.size());
  }
}

// Lists the arcs of every column.
void add_arcs(const FoldedNet& net, Plan& plan) {
  // How many arcs lead to a column, then where its next one goes.
  std::vector<std::size_t> next(plan.columns.size() + 1, 0);
  for (const Dependence& d : net.dependences) {
    if (d.modulus == 1) ++next[d.to + 1];
  }
  for (std::size_t c = 0; c < plan.columns.size(); ++c) next[c + 1] += next[c];
  std::vector<Incoming> unguarded(next.back());
  for (const Dependence& d : net.dependences) {
    if (d.modulus == 1) unguarded[next[d.to]++] = {d.from, d.height};
  }
  std::vector<Guarded> guarded(plan.plain ? 0 : plan.columns.size());
  for (const Dependence& d : net.dependences) {
    if (d.modulus > 1) guarded[d.to][d.modulus][(d.residue + d.height) % d.modulus].push_back({d.from, d.height});
  }
  plan.arcs.reserve(net.dependences.size());
  std::size_t read = 0;
  for (std::size_t c = 0; c < plan.columns.size(); ++c) {
    Plan::ColumnPlan& column = plan.columns[c];
    column.first_arc = plan.arcs.size();
    for (; read < next[c]; ++read) {
      const auto first = plan.arcs.begin() + static_cast<std::ptrdiff_t>(column.first_arc);
      if (std::find(first, plan.arcs.end(), unguarded[read]) == plan.arcs.end()) plan.arcs.push_back(unguarded[read]);
    }
    column.always = plan.arcs.size() - column.first_arc;
    if (!plan.plain) add_guarded(guarded[c], plan, column);
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

Plan make_plan(const FoldedNet& net) {
  const auto& pipeline = net.pipeline;
  Plan plan;
  plan.rows = pipeline.rows.get_ui();
  plan.columns.resize(pipeline.columns.size());
  for (const Dependence& d : net.dependences) {
    plan.columns[d.from].longest = std::max(plan.columns[d.from].longest, d.height);
    plan.longest = std::max(plan.longest, d.height);
    if (d.modulus > 1) plan.plain = false;
  }
  add_arcs(net, plan);
  std::size_t heights = 0;
  for (const Plan::ColumnPlan& column : plan.columns) heights += column.longest;
  maxplus::expects(heights < std::numeric_limits<std::uint32_t>::max() / 32, "clocks are numbered in 32 bits");
  plan.tokens.reserve(heights);
  if (plan.plain) {
    for (std::size_t c = 0; c < plan.columns.size(); ++c) {
      plan.columns[c].first_token = plan.tokens.size();
      for (std::uint64_t back = plan.columns[c].longest; back > 0; --back) plan.tokens.push_back({c, back});
    }
  } else {
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
