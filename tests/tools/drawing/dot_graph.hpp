// Drawings of the examples, read back by cgraph, and the nets that they are of.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "tpn/document.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/folded_net.hpp"

namespace takt::testing {

using Attributes = std::map<std::string, std::string>;

struct ReadEdge {
  std::string from;
  std::string to;
  Attributes attributes;
};

struct ReadGraph {
  Attributes attributes;
  std::map<std::string, Attributes> nodes;
  std::vector<ReadEdge> edges;

  std::vector<std::string> of_class(const std::string& name) const {
    std::vector<std::string> found;
    for (const auto& [node, attributes_of_node] : nodes) {
      if (attributes_of_node.at("class") == name) found.push_back(node);
    }
    return found;
  }
};

/// What a text in the DOT language says.
ReadGraph read_dot(const std::string& text);

/// What `takt dot` draws of an example.
ReadGraph drawn(const std::string& file, const std::string& model, const std::vector<std::string>& options = {});

/// Whether a node or an edge belongs to the critical circuit.
bool is_marked(const Attributes& attributes);

/// Rows and columns of a net with its places, from the net itself.
struct Net {
  tpn::Document document;
  tpn::FoldedNet folded;
  tpn::EventGraph graph;
  evaluators::Evaluation evaluation;
};

Net net_of(const std::string& file, tpn::Model model);

struct DrawnCase {
  std::string file;
  tpn::Model model;
  std::string name;
};

/// Examples small enough to be drawn, of every kind of mapping.
const std::vector<DrawnCase>& drawn_cases();

}  // namespace takt::testing
