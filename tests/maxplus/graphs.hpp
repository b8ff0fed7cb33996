// Token graphs for the tests: named small ones, seeded random ones, and every cycle of a small one.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <boost/random/uniform_int_distribution.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "maxplus/rational_graph.hpp"
#include "maxplus/token_graph.hpp"

namespace takt::maxplus::test {

using Arcs = std::vector<ListedArc>;

struct Listed {
  std::size_t vertices = 0;
  Arcs arcs;

  TokenGraph graph() const { return make_token_graph(vertices, arcs); }
};

/// The arcs by edge index.
inline Listed listed_form(const TokenGraph& graph) {
  Listed result{num_vertices(graph), {}};
  for (std::size_t arc = 0; arc < num_edges(graph); ++arc) {
    const auto edge = edge_from_index(arc, graph);
    result.arcs.push_back({source(edge, graph), target(edge, graph), graph[edge].weight, graph[edge].tokens});
  }
  return result;
}

/// 10^40: weights times it fit no native integer.
inline Integer huge() { return Integer("1" + std::string(40, '0')); }

inline Listed scaled(Listed listed, const Integer& factor) {
  for (ListedArc& arc : listed.arcs) arc.weight *= factor;
  return listed;
}

/// Where arcs without tokens may be.
enum class TokenFree { kAnywhere, kForwardOnly };

struct Shape {
  std::size_t vertices = 1;
  std::size_t arcs = 1;
  std::int64_t least_weight = 0;
  std::int64_t greatest_weight = 10;
  std::uint64_t most_tokens = 2;
  TokenFree token_free = TokenFree::kForwardOnly;
};

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  template <typename Int>
  Int between(Int least, Int greatest) {
    return boost::random::uniform_int_distribution<Int>(least, greatest)(engine_);
  }

  ListedArc arc(const Shape& shape, std::size_t from, std::size_t to) {
    const bool may_be_free = shape.token_free == TokenFree::kAnywhere || from < to;
    const std::uint64_t least = may_be_free ? 0 : 1;
    return {from, to, Integer(between(shape.least_weight, shape.greatest_weight)), between(least, shape.most_tokens)};
  }

  /// Of that many vertices, and up to so many arcs for each.
  Shape shape(std::size_t least_vertices, std::size_t most_vertices, std::size_t arcs) {
    Shape drawn;
    drawn.vertices = between(least_vertices, most_vertices);
    drawn.arcs = between<std::size_t>(0, arcs * drawn.vertices);
    return drawn;
  }

  Listed graph(const Shape& shape) {
    Listed result{shape.vertices, {}};
    for (std::size_t i = 0; i < shape.arcs; ++i) {
      const auto from = between<std::size_t>(0, shape.vertices - 1);
      const auto to = between<std::size_t>(0, shape.vertices - 1);
      result.arcs.push_back(arc(shape, from, to));
    }
    return result;
  }

  /// Made strongly connected by a ring through all vertices.
  Listed connected_graph(const Shape& shape) {
    Listed result = graph(shape);
    for (std::size_t v = 0; v < shape.vertices; ++v) result.arcs.push_back(arc(shape, v, (v + 1) % shape.vertices));
    return result;
  }

  /// The same graph, its vertices and the list of its arcs shuffled.
  Listed shuffled(Listed listed) {
    std::vector<std::size_t> name(listed.vertices);
    for (std::size_t v = 0; v < name.size(); ++v) name[v] = v;
    for (std::size_t v = name.size(); v > 1; --v) std::swap(name[v - 1], name[between<std::size_t>(0, v - 1)]);
    for (ListedArc& arc : listed.arcs) {
      arc.from = name[arc.from];
      arc.to = name[arc.to];
    }
    for (std::size_t i = listed.arcs.size(); i > 1; --i) {
      std::swap(listed.arcs[i - 1], listed.arcs[between<std::size_t>(0, i - 1)]);
    }
    return listed;
  }

 private:
  boost::random::mt19937_64 engine_;
};

/// The ratio of a cycle, given by list indices of its arcs; nothing if it holds no token.
inline std::optional<Rational> ratio_of(const Listed& listed, const std::vector<std::size_t>& cycle) {
  Integer weight;
  Integer tokens;
  for (const std::size_t i : cycle) {
    weight += listed.arcs[i].weight;
    tokens += listed.arcs[i].tokens;
  }
  if (tokens == 0) return std::nullopt;
  return Rational::fraction(weight, tokens);
}

/// Calls `visit` with the list indices of the arcs of every elementary cycle, once each.
inline void for_each_cycle(const Listed& listed, const std::function<void(const std::vector<std::size_t>&)>& visit) {
  std::vector<std::size_t> path;
  std::vector<bool> on_path(listed.vertices, false);
  std::function<void(std::size_t, std::size_t)> extend = [&](std::size_t start, std::size_t at) {
    for (std::size_t i = 0; i < listed.arcs.size(); ++i) {
      const ListedArc& arc = listed.arcs[i];
      if (arc.from != at || arc.to < start || on_path[arc.to]) continue;
      path.push_back(i);
      if (arc.to == start) {
        visit(path);
      } else {
        on_path[arc.to] = true;
        extend(start, arc.to);
        on_path[arc.to] = false;
      }
      path.pop_back();
    }
  };
  for (std::size_t start = 0; start < listed.vertices; ++start) extend(start, start);
}

/// What all elementary cycles say.
struct AllCycles {
  bool has_deadlock = false;
  std::optional<Rational> ratio;             // the best
  std::map<std::size_t, Rational> ratio_at;  // the best through each vertex
};

inline AllCycles all_cycles(const Listed& listed, RatioExtreme extreme = RatioExtreme::largest) {
  AllCycles all;
  const auto is_better = [&](const Rational& a, const Rational& b) {
    return extreme == RatioExtreme::largest ? a > b : a < b;
  };
  for_each_cycle(listed, [&](const std::vector<std::size_t>& cycle) {
    const std::optional<Rational> ratio = ratio_of(listed, cycle);
    if (!ratio) {
      all.has_deadlock = true;
      return;
    }
    if (!all.ratio || is_better(*ratio, *all.ratio)) all.ratio = ratio;
    for (const std::size_t i : cycle) {
      const auto [at, is_new] = all.ratio_at.try_emplace(listed.arcs[i].from, *ratio);
      if (!is_new && is_better(*ratio, at->second)) at->second = *ratio;
    }
  });
  return all;
}

/// Whether `arcs`, edge indices, close a cycle that meets no vertex twice.
inline bool is_elementary_cycle(const TokenGraph& graph, const std::vector<std::size_t>& arcs) {
  if (arcs.empty()) return false;
  std::vector<std::size_t> met;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    if (arcs[i] >= num_edges(graph)) return false;
    const auto edge = edge_from_index(arcs[i], graph);
    const auto next = edge_from_index(arcs[(i + 1) % arcs.size()], graph);
    if (target(edge, graph) != source(next, graph)) return false;
    met.push_back(source(edge, graph));
  }
  std::ranges::sort(met);
  return std::ranges::adjacent_find(met) == met.end();
}

struct Sums {
  Integer weight;
  Integer tokens;
};

inline Sums sums(const TokenGraph& graph, const std::vector<std::size_t>& arcs) {
  Sums result;
  for (const std::size_t arc : arcs) {
    const TokenArc& content = graph[edge_from_index(arc, graph)];
    result.weight += content.weight;
    result.tokens += content.tokens;
  }
  return result;
}

}  // namespace takt::maxplus::test
