// Graphs in DOT, as lists of edges.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace takt::tools {

/// An edge of a directed graph, with its label where it has one.
struct DotEdge {
  std::string from;
  std::string to;
  std::string label;
};

/// The edges of a directed graph in DOT, by their tails in the order in which nodes appear. Throws FileError, with the
/// file's name and Graphviz' own words, where the text is none.
std::vector<DotEdge> edges_of_dot(const std::string& text, const std::string& file);

}  // namespace takt::tools
