// A net unfolded for the formats that have a transition for each operation and row, its parts named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>

#include "tools/interchange/format.hpp"
#include "tpn/event_graph.hpp"

namespace takt::tools {

/// Over how many rows.
enum class Unfolding {
  mapping,     // all of the mapping: all data sets of a row are handled by the same processors, one after the other
  repetition,  // the fewest of the same period: a transition may be several processors in turn, and overlap itself
};

struct UnfoldedNet {
  std::uint64_t rows = 1;
  tpn::EventGraph graph;
};

/// At most `max_transitions` transitions, and kPlacesPerTransition times as many places.
std::variant<UnfoldedNet, NotExported> unfold_for(const ExportedNet& exported, Unfolding unfolding,
                                                  std::uint64_t max_transitions);
inline constexpr std::uint64_t kPlacesPerTransition = 10;

/// Calls visit(number, from, to, place) for all places in order; from and to are vertices.
template <typename Visit>
void for_each_place(const UnfoldedNet& unfolded, Visit visit) {
  std::size_t number = 0;
  for (auto [place, end] = edges(unfolded.graph); place != end; ++place, ++number) {
    visit(number, source(*place, unfolded.graph), target(*place, unfolded.graph), unfolded.graph[*place]);
  }
}

/// "t7", whatever the names of the document.
std::string transition_id(std::size_t vertex);
/// "p7".
std::string place_id(std::size_t number);

/// "compute S1 #1 on P2": the number is that of the row; no processor if it is not the same for all data sets of it.
std::string transition_name(const ExportedNet& exported, const UnfoldedNet& unfolded, std::size_t vertex);

}  // namespace takt::tools
