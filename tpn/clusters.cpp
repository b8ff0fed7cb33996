// Strongly connected components, numbered the other way round.
#include "tpn/clusters.hpp"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/strong_components.hpp>
#include <numeric>
#include <set>
#include <utility>

namespace takt::tpn {

std::vector<std::size_t> column_clusters(const FoldedNet& net) {
  const std::size_t columns = net.pipeline.columns.size();
  // As of chains under OVERLAP: nothing leads back.
  if (std::ranges::none_of(net.dependences, [](const Dependence& d) { return d.to < d.from; })) {
    std::vector<std::size_t> alone(columns);
    std::iota(alone.begin(), alone.end(), std::size_t{0});
    return alone;
  }
  std::set<std::pair<std::size_t, std::size_t>> arcs;
  for (const Dependence& d : net.dependences)
    if (d.from != d.to) arcs.emplace(d.from.value(), d.to.value());
  using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;
  const Graph graph(arcs.begin(), arcs.end(), columns);
  std::vector<std::size_t> clusters(columns);
  const std::size_t count = boost::strong_components(
      graph, boost::make_iterator_property_map(clusters.begin(), boost::get(boost::vertex_index, graph)));
  // Boost numbers a component before those that lead to it.
  for (std::size_t& cluster : clusters) cluster = count - 1 - cluster;
  return clusters;
}

std::vector<std::vector<ColumnIndex>> columns_by_cluster(const std::vector<std::size_t>& clusters) {
  std::vector<std::vector<ColumnIndex>> columns(clusters.empty() ? 0 : *std::ranges::max_element(clusters) + 1);
  for (const ColumnIndex c : ColumnRange(clusters.size())) columns[clusters[c]].push_back(c);
  return columns;
}

}  // namespace takt::tpn
