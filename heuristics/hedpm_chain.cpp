// Breadth-first search for the chain, dynamic programming for the cuts.
#include "heuristics/hedpm_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace takt::heuristics::dynamic_mapping {

namespace {

// The shortest chain of linked processors from the source to the sink, by breadth-first search; a chain of one is the
// processor that computes all stages the fastest.
std::vector<std::size_t> shortest_chain(const Model& model, const Order& order) {
  const auto starts = [&](std::size_t p) { return !model.has_source() || model.source_link(p); };
  const auto ends = [&](std::size_t p) { return !model.has_sink() || model.sink_link(p); };
  std::optional<std::size_t> alone;
  std::optional<Rational> least;
  for (const std::size_t p : order.processors) {
    if (!starts(p) || !ends(p)) continue;
    const auto time = model.execution_time(0, model.stages() - 1, p, Matches(model.stages()));
    if (!least || *time < *least) {
      alone = p;
      least = time;
    }
  }
  if (alone) return {*alone};

  std::vector<std::size_t> reached;  // in the order of the search
  std::vector<std::size_t> before;   // indices into `reached`
  std::vector<std::size_t> open = order.processors;
  const auto reach = [&](std::size_t p, std::size_t from) {
    reached.push_back(p);
    before.push_back(from);
  };
  for (const std::size_t p : order.processors)
    if (starts(p)) reach(p, reached.size());
  std::erase_if(open, starts);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    if (ends(reached[i])) {
      std::vector<std::size_t> chain{reached[i]};
      for (std::size_t k = i; before[k] != k; k = before[k]) chain.push_back(reached[before[k]]);
      std::ranges::reverse(chain);
      return chain;
    }
    std::erase_if(open, [&](std::size_t q) {
      if (!model.link(reached[i], q)) return false;
      reach(q, i);
      return true;
    });
  }
  return {};
}

std::optional<tpn::Mapping> chain_mapping(const Model& model, const Order& order) {
  const std::vector<std::size_t> chain = shortest_chain(model, order);
  const std::size_t n = model.stages();
  const std::size_t parts = chain.size();
  if (parts == 0 || parts > n) return std::nullopt;
  // Only whether a neighbour is matched counts, and to whom.
  const auto time = [&](std::size_t part, std::size_t first, std::size_t last) {
    Matches beside(n);
    if (part > 0) beside.add({first - 1, first - 1, {chain[part - 1]}});
    if (part + 1 < parts) beside.add({last + 1, last + 1, {chain[part + 1]}});
    return *model.execution_time(first, last, chain[part], beside);
  };
  // best[part][end]: the first parts up to `part`, over the stages before `end`.
  std::vector<std::vector<std::optional<Rational>>> best(parts, std::vector<std::optional<Rational>>(n + 1));
  std::vector<std::vector<std::size_t>> cut(parts, std::vector<std::size_t>(n + 1));
  for (std::size_t part = 0; part < parts; ++part) {
    const std::size_t last_end = n - (parts - 1 - part);
    for (std::size_t end = part + 1; end <= last_end; ++end) {
      if (part + 1 == parts && end < n) continue;
      for (std::size_t begin = part; begin < end; ++begin) {
        if (part == 0 ? begin > 0 : !best[part - 1][begin]) continue;
        Rational here = time(part, begin, end - 1);
        if (part > 0) here = std::max(here, *best[part - 1][begin]);
        if (best[part][end] && *best[part][end] <= here) continue;
        best[part][end] = here;
        cut[part][end] = begin;
      }
    }
  }
  tpn::Mapping mapping;
  std::size_t end = n;
  for (std::size_t part = parts; part-- > 0;) {
    mapping.push_back({cut[part][end], end - 1, {chain[part]}});
    end = cut[part][end];
  }
  std::ranges::reverse(mapping);
  return mapping;
}

}  // namespace

Result chain_proposal(const Model& model, const Order& order, Log& log) {
  auto mapping = chain_mapping(model, order);
  if (!mapping) {
    return Infeasible{fmt::format(
        "no chain of linked processors leads through at most {} stages{}{}, and every mapping needs one",
        model.stages(), model.has_source() ? " from the source" : "", model.has_sink() ? " to the sink" : "")};
  }
  log.notes.emplace_back(
      "The matching met a missing link; the mapping is a shortest chain of linked processors instead.");
  Rational production = *model.production_time(*mapping);
  return Proposal{std::move(*mapping), std::move(production)};
}

}  // namespace takt::heuristics::dynamic_mapping
