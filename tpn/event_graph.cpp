// Unfolds the dependences over all rows by a counting sort.
#include "tpn/event_graph.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace takt::tpn {

std::variant<EventGraph, TooLarge> unfold(const FoldedNet& net, std::uint64_t max_rows) {
  const Pipeline& pipeline = net.pipeline;
  if (pipeline.rows > max_rows) return TooLarge{LimitKind::rows, pipeline.rows, max_rows};
  // Numbers of vertices and edges stay far below 2^64, whatever rows are allowed.
  constexpr std::uint64_t kMostArcs = std::uint64_t{1} << 40;
  const Integer most_arcs = pipeline.rows * (pipeline.columns.size() + net.dependences.size());
  if (most_arcs > kMostArcs) return TooLarge{LimitKind::transitions_and_places, most_arcs, kMostArcs};
  const std::uint64_t rows = pipeline.rows.get_ui();
  const std::size_t columns = pipeline.columns.size();
  const std::size_t transitions = rows * columns;

  // Counting sort of the places by their input transition.
  std::vector<std::size_t> first_place(transitions + 1, 0);
  for (const Dependence& d : net.dependences) {
    for (std::uint64_t row = d.residue; row < rows; row += d.modulus) ++first_place[row * columns + d.from + 1];
  }
  std::partial_sum(first_place.begin(), first_place.end(), first_place.begin());
  std::vector<std::pair<std::size_t, std::size_t>> ends(first_place.back());
  std::vector<Place> places(first_place.back());
  for (std::size_t k = 0; k < net.dependences.size(); ++k) {
    const Dependence& d = net.dependences[k];
    for (std::uint64_t row = d.residue; row < rows; row += d.modulus) {
      const std::size_t input = row * columns + d.from;
      const std::size_t slot = first_place[input]++;
      const std::uint64_t target = row + d.height;
      ends[slot] = {input, (target % rows) * columns + d.to};
      places[slot] = {target / rows, k};
    }
  }

  EventGraph graph(boost::edges_are_sorted, ends.begin(), ends.end(), places.begin(), transitions);
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      graph[row * columns + c] = {c, row, pipeline.columns[c].duration(row)};
    }
  }
  return graph;
}

}  // namespace takt::tpn
