// PNML: a place/transition net of ISO 15909-2. [iso2011transfer]
//
// Such nets have no time: durations stand in elements that the standard leaves to each tool.
#include <fmt/format.h>

#include <array>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tools/interchange/unfolded_net.hpp"
#include "tools/interchange/xml.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

constexpr const char* kNamespace = "http://www.pnml.org/version-2009/grammar/pnml";
constexpr const char* kType = "http://www.pnml.org/version-2009/grammar/ptnet";

pugi::xml_node append_named(pugi::xml_node parent, const char* kind, const std::string& id, std::string_view name) {
  pugi::xml_node node = parent.append_child(kind);
  node.append_attribute("id") = id.c_str();
  append_text(node.append_child("name"), "text", xml_text(name));
  return node;
}

pugi::xml_node append_own(pugi::xml_node parent) {
  pugi::xml_node own = parent.append_child("toolspecific");
  own.append_attribute("tool") = "takt";
  own.append_attribute("version") = "1";
  return own;
}

void append_arc(pugi::xml_node page, const std::string& id, const std::string& from, const std::string& to) {
  pugi::xml_node arc = page.append_child("arc");
  arc.append_attribute("id") = id.c_str();
  arc.append_attribute("source") = from.c_str();
  arc.append_attribute("target") = to.c_str();
}

// Where nodes stand, in the points that viewers of PNML use: a row of the net is a row of the drawing, a column a
// column.
class NodePoints {
 public:
  using Point = std::array<std::int64_t, 2>;

  static Point of(const tpn::Transition& transition) {
    return {kMargin + kStep * static_cast<std::int64_t>(transition.column.value()),
            kMargin + kStep * static_cast<std::int64_t>(transition.row)};
  }

  // Half way between two transitions, or as near below as no place stands yet; beside the transition of a loop, and
  // below the row that it leads back along.
  Point between(const tpn::Transition& from, const tpn::Transition& to) {
    const Point begin = of(from);
    const Point end = of(to);
    const bool is_back = from.row == to.row && to.column <= from.column;
    Point point = {(begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2 + (is_back ? kStep / 3 : 0)};
    std::vector<std::int64_t*> passed;
    for (auto at = next_.find(point); at != next_.end(); at = next_.find(point)) {
      passed.push_back(&at->second);
      point[1] = at->second;
    }
    take(point);
    for (std::int64_t* const next : passed) *next = point[1] + kBelow;
    return point;
  }

  void take(const Point& point) { next_.try_emplace(point, point[1] + kBelow); }

 private:
  static constexpr std::int64_t kMargin = 60;
  static constexpr std::int64_t kStep = 120;
  static constexpr std::int64_t kBelow = kStep / 8;
  std::map<Point, std::int64_t> next_;  // of a point that is taken: none is free from it to this height
};

void append_position(pugi::xml_node node, const NodePoints::Point& point) {
  pugi::xml_node position = node.append_child("graphics").append_child("position");
  position.append_attribute("x") = static_cast<long long>(point[0]);
  position.append_attribute("y") = static_cast<long long>(point[1]);
}

void append_net(pugi::xml_node page, const ExportedNet& exported, const UnfoldedNet& unfolded) {
  NodePoints points;
  for (std::size_t v = 0; v < num_vertices(unfolded.graph); ++v) {
    const tpn::Transition& transition = unfolded.graph[v];
    points.take(NodePoints::of(transition));
    pugi::xml_node node = append_named(page, "transition", transition_id(v), transition_name(exported, unfolded, v));
    append_position(node, NodePoints::of(transition));
    const auto duration = exported.net.pipeline.duration({transition.row, transition.column});
    append_text(append_own(node), "duration", duration.to_string());
  }
  for_each_place(unfolded, [&](std::size_t k, std::size_t from, std::size_t to, const tpn::Place& place) {
    const std::string id = place_id(k);
    pugi::xml_node node =
        append_named(page, "place", id, tpn::name_of(exported.net.dependences[place.dependence].kind));
    append_position(node, points.between(unfolded.graph[from], unfolded.graph[to]));
    if (place.tokens > 0) append_text(node.append_child("initialMarking"), "text", std::to_string(place.tokens));
    append_arc(page, "i" + std::to_string(k), transition_id(from), id);
    append_arc(page, "o" + std::to_string(k), id, transition_id(to));
  });
}

}  // namespace

Exported write_pnml(const ExportedNet& exported, std::uint64_t max_transitions) {
  const auto made = unfold_for(exported, Unfolding::mapping, max_transitions);
  if (const auto* reason = std::get_if<NotExported>(&made)) return *reason;
  const auto& unfolded = std::get<UnfoldedNet>(made);
  pugi::xml_document document;
  pugi::xml_node pnml = document.append_child("pnml");
  pnml.append_attribute("xmlns") = kNamespace;
  pugi::xml_node net = pnml.append_child("net");
  net.append_attribute("id") = "takt";
  net.append_attribute("type") = kType;
  append_text(net.append_child("name"), "text", xml_text(exported.name));
  append_text(append_own(net), "dataSets", std::to_string(unfolded.rows));
  pugi::xml_node page = net.append_child("page");
  page.append_attribute("id") = "page";
  append_net(page, exported, unfolded);
  return InterchangeText{text_of(document),
                         fmt::format("{} transitions and {} places for {} data sets; durations as takt's own elements",
                                     num_vertices(unfolded.graph), num_edges(unfolded.graph), unfolded.rows)};
}

}  // namespace takt::tools
