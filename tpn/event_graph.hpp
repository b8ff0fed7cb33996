// The timed Petri net of a mapping: the folded net unfolded over its rows, as an event graph.
#pragma once

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <cstddef>
#include <cstdint>
#include <variant>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// T_column^row: the operation of a column on the data sets congruent to `row`.
struct Transition {
  ColumnIndex column;
  std::uint64_t row = 0;
  Integer firing_time;  // in units of 1 / Pipeline::scale
};

/// A place has one input and one output transition, so it is an edge of the graph.
struct Place {
  std::uint64_t tokens = 0;    // (row + height) div rows
  std::size_t dependence = 0;  // index into FoldedNet::dependences
};

/// Vertex `row * columns + column` is T_column^row, so the edges without tokens lead to higher numbers.
using EventGraph = boost::compressed_sparse_row_graph<boost::directedS, Transition, Place>;

/// The timed event graph of a folded net, or TooLarge (counted in rows) before anything is allocated.
/// Cost: linear in its size, O(rows * (columns + dependences)). [benoit2009throughput, section 3]
std::variant<EventGraph, TooLarge> unfold(const FoldedNet& net, std::uint64_t max_rows);

}  // namespace takt::tpn
