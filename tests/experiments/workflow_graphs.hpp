// What tests ask of the graph of a workflow that was drawn.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/workflow.hpp"

namespace takt::experiments {

/// Edges between stages, from the one that makes a file to one that takes it.
inline std::set<std::pair<std::size_t, std::size_t>> edges_of(const tpn::Application& application) {
  std::set<std::pair<std::size_t, std::size_t>> edges;
  for (std::size_t k = 0; k < application.stages.size(); ++k) {
    for (const std::size_t before : tpn::stages_before(application, k)) edges.emplace(before, k);
  }
  return edges;
}

/// By stage, how many files it takes, and how many take its file.
struct Degrees {
  std::vector<std::size_t> in;
  std::vector<std::size_t> out;
};
inline Degrees degrees_of(const tpn::Application& application) {
  Degrees degrees{std::vector<std::size_t>(application.stages.size()),
                  std::vector<std::size_t>(application.stages.size())};
  for (const auto& [from, to] : edges_of(application)) {
    ++degrees.out[from];
    ++degrees.in[to];
  }
  return degrees;
}

/// Whether edges are those of a series-parallel graph from `first` to `last`: edges beside each other are made one, and
/// vertices of one edge in and one out are left out, until a single edge is left.
inline bool is_series_parallel(std::set<std::pair<std::size_t, std::size_t>> edges, std::size_t first,
                               std::size_t last) {
  for (bool has_changed = true; has_changed && edges.size() > 1;) {
    has_changed = false;
    std::map<std::size_t, std::set<std::size_t>> before;
    std::map<std::size_t, std::set<std::size_t>> behind;
    for (const auto& [from, to] : edges) {
      before[to].insert(from);
      behind[from].insert(to);
    }
    for (const auto& [vertex, from] : before) {
      if (vertex == first || vertex == last || from.size() != 1 || behind[vertex].size() != 1) continue;
      const std::size_t to = *behind[vertex].begin();
      edges.erase({*from.begin(), vertex});
      edges.erase({vertex, to});
      edges.emplace(*from.begin(), to);
      has_changed = true;
      break;
    }
  }
  return edges == std::set<std::pair<std::size_t, std::size_t>>{{first, last}};
}

}  // namespace takt::experiments
