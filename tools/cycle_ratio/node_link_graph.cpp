// NetworkX's node-link JSON: "nodes" with an "id", "links" or "edges" with "source", "target" and attributes.
#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/files/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

namespace json = tpn::json;

class NodeLinkReader {
 public:
  NodeLinkReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : tree_(json::parse(text, display_name(path))), builder_(path, is_over, text.size()) {}

  RatioGraph read() {
    const json::Value& root = tree_.root;
    const json::Value* directed = json::find(root, "directed");
    if (directed == nullptr) json::fail(tree_, root, "a graph without \"directed\"", "\"directed\": true");
    if (directed->kind != json::Kind::boolean || !directed->boolean) {
      json::fail(tree_, *directed, json::describe(*directed), "true: a directed graph");
    }
    for (const json::Value& node : json::as_array(tree_, json::required(tree_, root, "a graph", "nodes"), "nodes")) {
      const std::string name = name_of(json::required(tree_, node, "a node", "id"));
      if (builder_.find_vertex(name)) json::fail(tree_, node, "a second node " + json::quote(name), "each node once");
      builder_.vertex(name);
    }
    const json::Value* links = json::find(root, "links");
    if (links == nullptr) links = &json::required(tree_, root, "a graph", "edges");
    for (const json::Value& link : json::as_array(tree_, *links, "links")) add_link(link);
    return std::move(builder_.graph());
  }

 private:
  // Ids of numbers are their texts.
  std::string name_of(const json::Value& id) const {
    if (id.kind != json::Kind::number && id.kind != json::Kind::string) {
      json::fail(tree_, id, json::describe(id), "a text or a number");
    }
    return id.text;
  }

  std::size_t end_of(const json::Value& link, std::string_view key) {
    const json::Value& id = json::required(tree_, link, "a link", key);
    const auto vertex = builder_.find_vertex(name_of(id));
    if (!vertex) json::fail(tree_, id, json::describe(id), "the id of a node");
    return *vertex;
  }

  void add_link(const json::Value& link) {
    maxplus::RationalArc arc;
    arc.from = end_of(link, "source");
    arc.to = end_of(link, "target");
    arc.weight = json::as_number(tree_, json::required(tree_, link, "a link", "weight"), json::Bound::any);
    arc.tokens = kUnsaidTokens;
    if (const json::Value* tokens = json::find(link, "tokens")) {
      const maxplus::Rational number = json::as_number(tree_, *tokens, json::Bound::whole);
      if (!number.numerator().fits_ulong_p()) json::fail(tree_, *tokens, json::describe(*tokens), kExpectedTokens);
      arc.tokens = number.numerator().get_ui();
    }
    builder_.add(arc);
  }

  json::Tree tree_;
  GraphBuilder builder_;
};

// Where the string that begins behind `start` ends: its quotation mark, or the end of the text.
std::size_t end_of_string(std::string_view text, std::size_t start) {
  std::size_t at = start;
  for (; at < text.size() && text[at] != '"'; ++at) {
    if (text[at] == '\\') ++at;
  }
  return at;
}

}  // namespace

bool is_node_link_graph(std::string_view text) {
  // The key may stand behind others, but not within them: what is behind "nodes" is looked at no further.
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && depth > 0) --depth;
    if (c != '"') continue;
    const std::size_t start = at + 1;
    at = end_of_string(text, start);
    if (depth != 1 || at >= text.size()) continue;
    const std::string_view key = text.substr(start, at - start);
    const std::size_t behind = text.find_first_not_of(" \t\r\n", at + 1);
    if (behind == std::string_view::npos || text[behind] != ':') continue;
    if (key == "nodes" || key == "links") return true;
    if (key == "arcs" || key == "vertices") return false;
  }
  return false;
}

RatioGraph read_node_link_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  return NodeLinkReader(text, path, is_over).read();
}

}  // namespace takt::tools
