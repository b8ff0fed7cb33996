// Drawings to cgraph, to text and to pictures; errors of Graphviz to exceptions.
#include "tools/drawing/graphviz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

#include "maxplus/contract.hpp"
#include "tools/command.hpp"
#include "tools/drawing/graphviz_library.hpp"
#include "tools/pictures/svg.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

constexpr double kPoints = 72;       // an inch
constexpr double kPngDots = 96;      // an inch: Cairo's resolution unless told
constexpr double kArrowLength = 10;  // of an arrow of size 1
constexpr double kDotLength = 8;     // of a dot as arrow, likewise
constexpr double kTokenGap = 4;      // between a circle and the dot in it: what Graphviz puts between outlines

struct Extension {
  std::string_view ending;
  PictureFormat format;
};
constexpr std::array kExtensions = {Extension{".dot", PictureFormat::dot}, Extension{".gv", PictureFormat::dot},
                                    Extension{".svg", PictureFormat::svg}, Extension{".png", PictureFormat::png},
                                    Extension{".pdf", PictureFormat::pdf}};

// Collects what Graphviz would print while one is alive.
class Complaints {
 public:
  Complaints() : before_(graphviz().agseterrf(collect)) {
    text().clear();
    graphviz().agreseterrors();
  }
  ~Complaints() { graphviz().agseterrf(before_); }
  Complaints(const Complaints&) = delete;
  Complaints& operator=(const Complaints&) = delete;

  static bool are_errors() { return graphviz().agerrors() >= AGERR; }
  static std::string& text() {
    static std::string collected;
    return collected;
  }

 private:
  static int collect(char* message) {
    text() += message;
    return 0;
  }

  agusererrf before_;
};

int append(void* channel, const char* text) {
  *static_cast<std::string*>(channel) += text;
  return 0;
}

int flush(void*) { return 0; }

// Graphviz reads files as it always does, and writes to a string.
Agiodisc_t* string_io() {
  static Agiodisc_t io = {graphviz().AgIoDisc->afread, append, flush};
  return &io;
}

struct GraphCloser {
  void operator()(Agraph_t* graph) const { graphviz().agclose(graph); }
};
using Graph = std::unique_ptr<Agraph_t, GraphCloser>;

// cgraph takes strings it doesn't change as char*.
char* loose(const std::string& text) { return const_cast<char*>(text.c_str()); }  // NOLINT(*-const-cast)

template <typename Object>
void set(Object* object, const std::string& name, const std::string& value) {
  graphviz().agsafeset(object, loose(name), loose(value), loose(""));
}

void set_default(Agraph_t* graph, int kind, const std::string& name, const std::string& value) {
  graphviz().agattr(graph, kind, loose(name), loose(value));
}

// Hundredths of a point are enough, and shorter.
std::string number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

std::string position(const PagePoint& point) { return number(point.x) + "," + number(point.y); }

std::string inches(double points) { return fmt::format("{:.4f}", points / kPoints); }

// Any text as what Graphviz shows as that very text: it would replace \N and &lt;, and stop at a zero byte.
std::string label_text(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const tpn::Utf8Start start = tpn::first_character(text);
    if (start.code && tpn::is_unseen(*start.code)) {
      result += ' ';
    } else if (!start.code || !is_xml_character(*start.code)) {
      result += "\uFFFD";
    } else if (*start.code == U'\\') {
      result += "\\\\";
    } else if (*start.code == U'&') {
      result += "&amp;";
    } else {
      result += text.substr(0, start.length);
    }
    text.remove_prefix(start.length);
  }
  return result;
}

std::string label_of(const std::vector<std::string>& lines) {
  std::string label;
  for (std::size_t i = 0; i < lines.size(); ++i) label += (i == 0 ? "" : "\\n") + label_text(lines[i]);
  return label;
}

const char* name_of(Dash dash) {
  switch (dash) {
    case Dash::solid:
      return "solid";
    case Dash::dashed:
      return "dashed";
    case Dash::dotted:
      return "dotted";
  }
  return "solid";
}

double arrow_size(const Stroke& stroke) { return stroke.width > 2 ? 0.85 : 0.65; }

std::string spline(const std::vector<PagePoint>& corners) {
  std::string text;
  for (const PagePoint& point : rounded(corners)) text += (text.empty() ? "" : " ") + position(point);
  return text;
}

// A place's only token stands on its edge as a dot: the arrow tail of the edge's second part.
std::string course_of(const DrawnEdge& edge) {
  const double arrow = kArrowLength * arrow_size(edge.stroke);
  const std::string head = "e," + position(edge.corners.back()) + " ";
  if (edge.tokens.count != 1) return head + spline(shortened(edge.corners, arrow));
  const auto cut = edge.corners.begin() + static_cast<std::ptrdiff_t>(edge.piece) + 1;
  const double radius = kDotLength * arrow_size(edge.stroke) / 2;
  std::vector<PagePoint> before(edge.corners.begin(), cut);
  before.push_back(edge.spot);
  std::vector<PagePoint> after(cut, edge.corners.end());
  const PagePoint to = after.front();
  const double length = std::hypot(to.x - edge.spot.x, to.y - edge.spot.y);
  const PagePoint step{(to.x - edge.spot.x) / length * radius, (to.y - edge.spot.y) / length * radius};
  after.insert(after.begin(), {edge.spot.x + step.x, edge.spot.y + step.y});
  return spline(before) + ";s," + position({edge.spot.x - step.x, edge.spot.y - step.y}) + " " + head +
         spline(shortened(after, arrow));
}

void set_defaults(Agraph_t* graph, const Drawing& drawing) {
  set_default(graph, AGRAPH, "layout", "nop2");
  set_default(graph, AGRAPH, "charset", "UTF-8");
  set_default(graph, AGRAPH, "bgcolor", "white");
  set_default(graph, AGRAPH, "outputorder", "edgesfirst");
  set_default(graph, AGRAPH, "splines", "true");
  set_default(graph, AGRAPH, "bb", fmt::format("0,0,{},{}", number(drawing.width), number(drawing.height)));
  for (const int kind : {AGNODE, AGEDGE}) {
    set_default(graph, kind, "fontname", "Helvetica");
    set_default(graph, kind, "fontsize", "10");
    // An empty default of nodes is not written, and to Graphviz a node without a label shows its name.
    set_default(graph, kind, "label", kind == AGNODE ? "\\N" : "");
    set_default(graph, kind, "tooltip", "");
    set_default(graph, kind, "class", "");
    set_default(graph, kind, "pos", "");
    set_default(graph, kind, "color", "#333333");
    set_default(graph, kind, "penwidth", "1");
    set_default(graph, kind, "style", kind == AGNODE ? "filled" : "solid");
  }
  set_default(graph, AGNODE, "shape", "box");
  set_default(graph, AGNODE, "fixedsize", "shape");
  set_default(graph, AGNODE, "margin", "0");
  set_default(graph, AGNODE, "width", "0");
  set_default(graph, AGNODE, "height", "0");
  set_default(graph, AGNODE, "fillcolor", "#ffffff");
  set_default(graph, AGNODE, "peripheries", "1");
  set_default(graph, AGEDGE, "arrowsize", "0.65");
  set_default(graph, AGEDGE, "arrowtail", "none");
  set_default(graph, AGEDGE, "dir", "forward");
  set_default(graph, AGEDGE, "lp", "");
}

// What a node of that shape looks like, and how large its outermost outline is; `node` has its colors.
void set_shape(Agnode_t* result, const DrawnNode& node) {
  double width = node.width;
  double height = node.height;
  switch (node.shape) {
    case DrawnNode::Shape::text:
      set(result, "shape", "plaintext");
      set(result, "peripheries", "0");
      set(result, "style", "solid");
      set(result, "class", "words");
      break;
    case DrawnNode::Shape::box:
      set(result, "class", "transition");
      break;
    case DrawnNode::Shape::circle:
      set(result, "shape", "circle");
      set(result, "class", "place");
      if (node.tokens.count == 1) {
        // An outline around a filled dot.
        set(result, "peripheries", "2");
        set(result, "fillcolor", node.stroke.color);
        width -= 2 * kTokenGap;
        height -= 2 * kTokenGap;
      }
      break;
  }
  set(result, "width", inches(width));
  set(result, "height", inches(height));
}

Agnode_t* add(Agraph_t* graph, const DrawnNode& node) {
  Agnode_t* result = graphviz().agnode(graph, loose(node.name), 1);
  set(result, "pos", position(node.center));
  set(result, "label", label_of(node.lines));
  if (!node.tooltip.empty()) set(result, "tooltip", label_text(node.tooltip));
  if (node.font_size != 10) set(result, "fontsize", number(node.font_size));
  if (node.weight == DrawnNode::Weight::bold) set(result, "fontname", "Helvetica-Bold");
  set(result, "fillcolor", node.fill);
  set(result, "color", node.stroke.color);
  set(result, "penwidth", number(node.stroke.width));
  set_shape(result, node);
  return result;
}

void add(Agraph_t* graph, Agnode_t* from, Agnode_t* to, const DrawnEdge& edge) {
  Agedge_t* result = graphviz().agedge(graph, from, to, nullptr, 1);
  set(result, "pos", course_of(edge));
  set(result, "color", edge.stroke.color);
  set(result, "penwidth", number(edge.stroke.width));
  set(result, "style", name_of(edge.stroke.dash));
  set(result, "arrowsize", number(arrow_size(edge.stroke)));
  if (!edge.tooltip.empty()) set(result, "tooltip", label_text(edge.tooltip));
  if (edge.tokens.count == 1) {
    set(result, "dir", "both");
    set(result, "arrowtail", "dot");
  }
  if (!edge.lines.empty()) {
    set(result, "label", label_of(edge.lines));
    set(result, "lp", position(edge.label));
  }
}

Graph build(const Drawing& drawing) {
  static Agdisc_t discipline = {nullptr, nullptr, string_io()};
  Graph graph(graphviz().agopen(loose(drawing.name), *graphviz().Agdirected, &discipline));
  maxplus::expects(graph != nullptr, "cgraph opens a graph");
  set_defaults(graph.get(), drawing);
  std::vector<Agnode_t*> nodes;
  nodes.reserve(drawing.nodes.size());
  for (const DrawnNode& node : drawing.nodes) nodes.push_back(add(graph.get(), node));
  for (const DrawnEdge& edge : drawing.edges) add(graph.get(), nodes[edge.from], nodes[edge.to], edge);
  return graph;
}

std::string written(Agraph_t* graph) {
  std::string text;
  graphviz().agwrite(graph, &text);
  return text;
}

// One for the whole program: Graphviz' text layout keeps the name of a font that a closed context has freed.
GVC_t* context() {
  struct ContextCloser {
    void operator()(GVC_t* context) const { graphviz().gvFreeContext(context); }
  };
  static const std::unique_ptr<GVC_t, ContextCloser> kContext(graphviz().gvContext());
  return kContext.get();
}

const char* renderer_name(PictureFormat format) {
  switch (format) {
    case PictureFormat::dot:
      return "dot";
    case PictureFormat::svg:
      return "svg";
    case PictureFormat::png:
      return "png";
    case PictureFormat::pdf:
      return "pdf";
  }
  return "";
}

// Its libraries have state that all threads share.
std::mutex& graphviz_mutex() {
  static std::mutex mutex;
  return mutex;
}

std::string failure_words(const std::string& what) {
  std::string text = Complaints::text();
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return fmt::format("Graphviz cannot {}: {}", what, text.empty() ? "it does not say why" : text);
}

Graph boxes_of(const BoxGraph& boxes, std::vector<Agnode_t*>& nodes, std::vector<Agedge_t*>& edges) {
  static Agdisc_t discipline = {nullptr, nullptr, string_io()};
  static std::string name = "boxes";
  Graph graph(graphviz().agopen(loose(name), *graphviz().Agstrictdirected, &discipline));
  maxplus::expects(graph != nullptr, "cgraph opens a graph");
  set_default(graph.get(), AGRAPH, "rankdir", "LR");
  set_default(graph.get(), AGRAPH, "ranksep", "0.6");
  set_default(graph.get(), AGRAPH, "nodesep", "0.35");
  set_default(graph.get(), AGNODE, "shape", "box");
  set_default(graph.get(), AGNODE, "fixedsize", "true");
  set_default(graph.get(), AGNODE, "label", "");
  set_default(graph.get(), AGNODE, "width", inches(boxes.width));
  set_default(graph.get(), AGNODE, "height", inches(boxes.height));
  set_default(graph.get(), AGEDGE, "dir", "none");
  set_default(graph.get(), AGEDGE, "label", "");
  for (std::size_t k = 0; k < boxes.boxes; ++k)
    nodes.push_back(graphviz().agnode(graph.get(), loose(fmt::format("b{}", k)), 1));
  for (const BoxGraph::Edge& edge : boxes.edges) {
    Agedge_t* const made = graphviz().agedge(graph.get(), nodes[edge.from], nodes[edge.to], nullptr, 1);
    edges.push_back(made);
    if (edge.label_width <= 0) continue;
    const std::string table = fmt::format(
        R"(<TABLE BORDER="0" CELLBORDER="0" CELLPADDING="0" CELLSPACING="0"><TR><TD FIXEDSIZE="TRUE" WIDTH="{:.0f}" )"
        R"(HEIGHT="{:.0f}"></TD></TR></TABLE>)",
        edge.label_width, boxes.label_height);
    char* const text = graphviz().agstrdup_html(graph.get(), loose(table));
    graphviz().agsafeset(made, loose(std::string("label")), text, loose(std::string()));
    graphviz().agstrfree(graph.get(), text);
  }
  return graph;
}

}  // namespace

PlacedBoxes placed(const BoxGraph& boxes) {
  const std::lock_guard alone(graphviz_mutex());
  const Complaints complaints;
  std::vector<Agnode_t*> nodes;
  std::vector<Agedge_t*> edges;
  const Graph graph = boxes_of(boxes, nodes, edges);
  if (graphviz().gvLayout(context(), graph.get(), "dot") != 0) throw FileError(failure_words("lay out a graph"));
  PlacedBoxes result;
  const boxf bounds = GD_bb(graph.get());
  result.width = bounds.UR.x - bounds.LL.x;
  result.height = bounds.UR.y - bounds.LL.y;
  const auto on_page = [&](const pointf& point) { return PagePoint{point.x - bounds.LL.x, bounds.UR.y - point.y}; };
  for (Agnode_t* const node : nodes) result.centers.push_back(on_page(ND_coord(node)));
  for (Agedge_t* const edge : edges) {
    std::vector<PagePoint>& curve = result.edges.emplace_back();
    const splines* const drawn = ED_spl(edge);
    maxplus::expects(drawn != nullptr && drawn->size > 0, "Graphviz draws each edge");
    const bezier& path = drawn->list[0];
    for (std::size_t k = 0; k < static_cast<std::size_t>(path.size); ++k) curve.push_back(on_page(path.list[k]));
    const textlabel_t* const label = ED_label(edge);
    result.labels.push_back(label == nullptr ? PagePoint{} : on_page(label->pos));
  }
  graphviz().gvFreeLayout(context(), graph.get());
  return result;
}

std::optional<PictureFormat> format_of(std::string_view path) {
  for (const Extension& extension : kExtensions) {
    if (path.ends_with(extension.ending)) return extension.format;
  }
  return std::nullopt;
}

double pixels(const Drawing& drawing) {
  constexpr double kPad = 4;  // Graphviz' own, on each side
  return std::ceil((std::max(drawing.width, drawing.height) + 2 * kPad) * kPngDots / kPoints);
}

std::string to_dot(const Drawing& drawing) {
  const std::lock_guard alone(graphviz_mutex());
  return written(build(drawing).get());
}

std::string render(const Drawing& drawing, PictureFormat format) {
  if (format == PictureFormat::dot) return to_dot(drawing);
  const std::lock_guard alone(graphviz_mutex());
  const Complaints complaints;
  const Graph graph = build(drawing);
  const auto fail = [&] { throw FileError(failure_words(fmt::format("render {}", renderer_name(format)))); };
  if (graphviz().gvLayout(context(), graph.get(), "nop2") != 0) fail();
  char* data = nullptr;
  unsigned int length = 0;
  const int status = graphviz().gvRenderData(context(), graph.get(), renderer_name(format), &data, &length);
  std::string picture;
  if (status == 0 && data != nullptr) picture.assign(data, length);
  if (data != nullptr) graphviz().gvFreeRenderData(data);
  graphviz().gvFreeLayout(context(), graph.get());
  if (status != 0 || picture.empty() || Complaints::are_errors()) fail();
  return picture;
}

}  // namespace takt::tools
