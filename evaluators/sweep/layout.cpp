// Sorts the dependences by the column they lead to, and numbers the tokens.
#include "evaluators/sweep/layout.hpp"

#include <algorithm>
#include <bit>
#include <limits>
#include <span>
#include <tuple>
#include <utility>

namespace takt::evaluators {

using tpn::Column;
using tpn::Dependence;
using tpn::FoldedNet;

namespace {

// The residue of the data sets that a guarded dependence leads to.
std::uint64_t arriving_residue(const Dependence& d) { return (d.residue + d.height) % d.modulus; }

// Guarded dependences, as indices of a net's: there may be millions. By column, modulus and residue.
std::vector<std::uint32_t> sorted_guarded(const FoldedNet& net) {
  maxplus::expects(net.dependences.size() < std::numeric_limits<std::uint32_t>::max(),
                   "dependences are numbered in 32 bits");
  std::vector<std::uint32_t> guarded;
  for (std::uint32_t k = 0; k < net.dependences.size(); ++k) {
    if (net.dependences[k].modulus > 1) guarded.push_back(k);
  }
  std::ranges::sort(guarded, {}, [&](std::uint32_t k) {
    const Dependence& d = net.dependences[k];
    return std::tuple(d.to, d.modulus, arriving_residue(d), k);
  });
  return guarded;
}

// Those that lead to one column.
void add_guarded(const FoldedNet& net, std::span<const std::uint32_t> guarded, SweepLayout& layout,
                 SweepLayout::ColumnLayout& column) {
  for (auto first = guarded.begin(); first != guarded.end();) {
    GuardedIncoming& group = column.guarded.emplace_back();
    group.modulus = net.dependences[*first].modulus;
    group.first.reserve(group.modulus + 1);
    for (; first != guarded.end() && net.dependences[*first].modulus == group.modulus; ++first) {
      const Dependence& d = net.dependences[*first];
      group.first.resize(arriving_residue(d) + 1, layout.arcs.size());
      layout.arcs.push_back({d.from, d.height});
    }
    group.first.resize(group.modulus + 1, layout.arcs.size());
  }
}

// Lists the arcs of every column.
void add_arcs(const FoldedNet& net, SweepLayout& layout) {
  // How many arcs lead to a column, then where its next one goes.
  std::vector<std::size_t> next(layout.columns.size() + 1, 0);
  for (const Dependence& d : net.dependences) {
    if (d.modulus == 1) ++next[d.to.value() + 1];
  }
  for (std::size_t c = 0; c < layout.columns.size(); ++c) next[c + 1] += next[c];
  std::vector<Incoming> unguarded(next.back());
  for (const Dependence& d : net.dependences) {
    if (d.modulus == 1) unguarded[next[d.to]++] = {d.from, d.height};
  }
  const std::vector<std::uint32_t> guarded = sorted_guarded(net);
  auto guarded_here = guarded.begin();
  layout.arcs.reserve(net.dependences.size());
  std::size_t read = 0;
  for (std::size_t c = 0; c < layout.columns.size(); ++c) {
    SweepLayout::ColumnLayout& column = layout.columns[c];
    column.first_arc = layout.arcs.size();
    for (; read < next[c]; ++read) {
      const auto first = layout.arcs.begin() + static_cast<std::ptrdiff_t>(column.first_arc);
      if (std::find(first, layout.arcs.end(), unguarded[read]) == layout.arcs.end())
        layout.arcs.push_back(unguarded[read]);
    }
    column.always = layout.arcs.size() - column.first_arc;
    const auto guarded_there =
        std::find_if(guarded_here, guarded.end(), [&](std::uint32_t k) { return net.dependences[k].to != c; });
    add_guarded(net, {guarded_here, guarded_there}, layout, column);
    guarded_here = guarded_there;
  }
}

// Which operations before data set 0 hold a token: [column][back].
std::vector<std::vector<bool>> token_holders(const FoldedNet& net, const SweepLayout& layout) {
  std::vector<std::vector<bool>> holds(layout.columns.size());
  for (std::size_t c = 0; c < layout.columns.size(); ++c) holds[c].resize(layout.columns[c].longest + 1, false);
  for (const Dependence& d : net.dependences) {
    for (std::uint64_t back = d.modulus - d.residue; back <= d.height; back += d.modulus) {
      for (std::uint64_t b = back; b > 0; b = b > layout.rows ? b - layout.rows : 0) holds[d.from][b] = true;
    }
  }
  return holds;
}

}  // namespace

std::size_t SweepLayout::token_at(std::size_t column, std::uint64_t back) const {
  const std::size_t first = columns[column].first_token;
  if (plain) return first + (columns[column].longest - back);
  const auto last = column + 1 < columns.size()
                        ? tokens.begin() + static_cast<std::ptrdiff_t>(columns[column + 1].first_token)
                        : tokens.end();
  const auto found = std::lower_bound(tokens.begin() + static_cast<std::ptrdiff_t>(first), last, back,
                                      [](const TokenHolder& token, std::uint64_t b) { return token.back > b; });
  maxplus::expects(found != last && found->back == back, "the operation holds a token");
  return static_cast<std::size_t>(found - tokens.begin());
}

SweepLayout make_layout(const FoldedNet& net) {
  const auto& pipeline = net.pipeline;
  SweepLayout layout;
  layout.rows = tpn::repetition_of(net).get_ui();
  layout.columns.resize(pipeline.columns.size());
  for (const Dependence& d : net.dependences) {
    layout.columns[d.from].longest = std::max(layout.columns[d.from].longest, d.height);
    layout.longest = std::max(layout.longest, d.height);
    if (d.modulus > 1) layout.plain = false;
  }
  add_arcs(net, layout);
  std::size_t heights = 0;
  for (const SweepLayout::ColumnLayout& column : layout.columns) heights += column.longest;
  maxplus::expects(heights < std::numeric_limits<std::uint32_t>::max() / 32, "clocks are numbered in 32 bits");
  layout.tokens.reserve(heights);
  if (layout.plain) {
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      layout.columns[c].first_token = layout.tokens.size();
      for (std::uint64_t back = layout.columns[c].longest; back > 0; --back) layout.tokens.push_back({c, back});
    }
  } else {
    const std::vector<std::vector<bool>> holds = token_holders(net, layout);
    for (std::size_t c = 0; c < layout.columns.size(); ++c) {
      layout.columns[c].first_token = layout.tokens.size();
      for (std::uint64_t back = layout.columns[c].longest; back > 0; --back) {
        if (holds[c][back]) layout.tokens.push_back({c, back});
      }
    }
  }
  for (const Column& column : pipeline.columns) layout.row_total += column.table.longest();
  layout.origin_bits = static_cast<int>(std::bit_width(layout.tokens.size()));
  return layout;
}

}  // namespace takt::evaluators
