// Inside the solvers: the arcs on cycles as flat arrays, in the narrowest numbers that hold them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <type_traits>
#include <vector>

#include "maxplus/components.hpp"
#include "maxplus/contract.hpp"
#include "maxplus/rational.hpp"
#include "maxplus/token_graph.hpp"

namespace takt::maxplus {

/// Solvers are written once over (Scalar, Value): weights and tokens are Scalars, products and sums of products are
/// Values. The pairs are (int64, Int128), where a bound proves that nothing overflows, and (Integer, Integer).
inline Int128 product(std::int64_t a, std::int64_t b) { return static_cast<Int128>(a) * b; }
inline Integer product(const Integer& a, const Integer& b) { return a * b; }

template <typename Scalar>
Scalar scalar_of(const Integer& value) {
  if constexpr (std::is_same_v<Scalar, Integer>) {
    return value;
  } else {
    return value.get_si();
  }
}

template <typename Scalar>
Scalar scalar_of(std::uint64_t value) {
  return static_cast<Scalar>(value);
}

/// What bounds are computed from, of all arcs of a graph.
struct Magnitudes {
  Integer weight = 1;  // the largest absolute value, or 1
  Integer tokens = 1;  // the most on one arc, or 1
};

inline Magnitudes magnitudes(const TokenGraph& graph) {
  Magnitudes result;
  std::uint64_t tokens = 1;
  const auto [begin, end] = edges(graph);
  for (auto edge = begin; edge != end; ++edge) {
    const TokenArc& arc = graph[*edge];
    if (mpz_cmpabs(arc.weight.get_mpz_t(), result.weight.get_mpz_t()) > 0) result.weight = abs(arc.weight);
    tokens = std::max(tokens, arc.tokens);
  }
  result.tokens = tokens;
  return result;
}

inline bool fits_int64(const Integer& magnitude) { return mpz_sizeinbase(magnitude.get_mpz_t(), 2) <= 63; }
inline bool fits_int128(const Integer& magnitude) { return mpz_sizeinbase(magnitude.get_mpz_t(), 2) <= 127; }

template <typename Scalar>
struct FlatArc {
  Scalar weight{};
  Scalar tokens{};
  std::uint32_t head = 0;  // as FlatGraph numbers vertices
};

/// A subgraph whose vertices are numbered by their positions in a list, its arcs by tail and edge index.
template <typename Scalar>
struct FlatGraph {
  std::vector<std::uint32_t> first{0};  // out-arcs of u: first[u] .. first[u + 1] - 1
  std::vector<FlatArc<Scalar>> arcs;
  std::vector<std::size_t> edge_index;  // of each arc, in the token graph

  std::uint32_t size() const { return static_cast<std::uint32_t>(first.size() - 1); }
  std::span<const FlatArc<Scalar>> out_arcs(std::uint32_t u) const {
    return std::span(arcs).subspan(first[u], first[u + 1] - first[u]);
  }
};

/// The arcs between `vertices` (all different) that join equal groups; `group` has an entry for each vertex of `graph`.
template <typename Scalar>
FlatGraph<Scalar> flatten(const TokenGraph& graph, std::span<const std::size_t> vertices,
                          std::span<const std::uint32_t> group) {
  std::vector<std::uint32_t> position(num_vertices(graph));
  for (std::size_t i = 0; i < vertices.size(); ++i) position[vertices[i]] = static_cast<std::uint32_t>(i);
  FlatGraph<Scalar> flat;
  flat.first.reserve(vertices.size() + 1);
  flat.arcs.reserve(num_edges(graph));
  flat.edge_index.reserve(num_edges(graph));
  const auto index = get(boost::edge_index, graph);
  for (const std::size_t tail : vertices) {
    const auto [begin, end] = out_edges(tail, graph);
    for (auto edge = begin; edge != end; ++edge) {
      const std::size_t head = target(*edge, graph);
      if (group[head] != group[tail]) continue;
      const TokenArc& arc = graph[*edge];
      flat.arcs.push_back({scalar_of<Scalar>(arc.weight), scalar_of<Scalar>(arc.tokens), position[head]});
      flat.edge_index.push_back(get(index, *edge));
    }
    flat.first.push_back(static_cast<std::uint32_t>(flat.arcs.size()));
  }
  return flat;
}

/// The arcs inside components, on all their members: component after component, so each is a range of positions.
template <typename Scalar>
FlatGraph<Scalar> flatten(const TokenGraph& graph, const Components& components) {
  std::vector<std::uint32_t> group(num_vertices(graph), static_cast<std::uint32_t>(components.size()));
  for (std::size_t c = 0; c < components.size(); ++c) {
    for (const std::size_t vertex : components.members(c)) group[vertex] = static_cast<std::uint32_t>(c);
  }
  return flatten<Scalar>(graph, components.all_members(), group);
}

/// Positions and arcs are counted in 32 bits.
inline void expect_flattable(const TokenGraph& graph) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max() - 1;
  expects(num_vertices(graph) <= kMost && num_edges(graph) <= kMost, "a solver's graph has fewer than 2^32 - 1 arcs");
}

}  // namespace takt::maxplus
