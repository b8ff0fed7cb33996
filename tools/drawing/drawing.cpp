// Words, colours and marking of the unfolded and the folded net.
#include "tools/drawing/drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/range/iterator_range.hpp>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "maxplus/contract.hpp"
#include "tools/drawing/critical_steps.hpp"
#include "tools/drawing/words.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using tpn::ColumnKind;
using tpn::ConstraintKind;
using tpn::Dependence;
using tpn::Integer;
using tpn::Rational;

constexpr double kFont = 10;
constexpr double kTitleFont = 15;
constexpr double kLine = 12.5;  // from one line of text to the next
constexpr double kPlaceRadius = 6.5;
constexpr double kWidestText = 130;
constexpr double kNarrowestBox = 104;  // two loops fit beneath it
constexpr double kTitles = 52;         // title and legend
constexpr double kLabels = 24;         // below the lowest lines of a folded net
constexpr double kHeadings = 44;       // of columns

// Told apart by people with any colour vision, on white, and none of them like the critical red.
// (Okabe and Ito's palette without its orange, red and yellow, and three of Paul Tol's.)
constexpr std::array kPalette = {"#0072b2", "#009e73", "#aa4499", "#56b4e9",
                                 "#332288", "#999933", "#44aa99", "#7f5539"};
constexpr const char* kCriticalColour = "#d50000";
constexpr const char* kCriticalFill = "#ffe3dc";
constexpr const char* kFlowColour = "#555555";
constexpr double kCriticalWidth = 3.2;

std::string capped(const std::string& text) { return fitted(text, kFont, kWidestText); }

// Colours by processor, in order of appearance along the chain.
class Styles {
 public:
  explicit Styles(const tpn::Pipeline& pipeline) : number_(pipeline.processors.size()) {
    std::vector<bool> seen(pipeline.processors.size(), false);
    std::size_t next = 0;
    for (const tpn::NetPart& part : pipeline.parts) {
      for (const std::size_t p : part.sequence) {
        if (!seen[p]) number_[p] = next++;
        seen[p] = true;
      }
    }
  }

  Stroke stroke(ConstraintKind kind, std::size_t processor) const {
    if (kind == ConstraintKind::flow) return {kFlowColour, Dash::solid, 1};
    if (kind == ConstraintKind::room) return {kFlowColour, Dash::dotted, 1};
    return {kPalette[number_[processor] % kPalette.size()], dash(kind), 1.6};
  }

  static Dash dash(ConstraintKind kind) {
    switch (kind) {
      case ConstraintKind::in_port:
      case ConstraintKind::port:
        return Dash::dashed;
      case ConstraintKind::out_port:
      case ConstraintKind::room:
        return Dash::dotted;
      case ConstraintKind::flow:
      case ConstraintKind::processor:
      case ConstraintKind::compute:
        return Dash::solid;
    }
    return Dash::solid;
  }

 private:
  std::vector<std::size_t> number_;  // by processor
};

Stroke critical(Stroke stroke) {
  stroke.colour = kCriticalColour;
  stroke.width = kCriticalWidth;
  return stroke;
}

// The sides a dependence leaves and enters its boxes by: a sender's circuit keeps to the left, a receiver's
// to the right; the circuits of STRICT lead back from the left of one box to the right of another.
Connection connect(const Dependence& d, Cell from, Cell to) {
  Connection line{Connection::Kind::circuit, from, to};
  switch (d.kind) {
    case ConstraintKind::flow:
      line.kind = Connection::Kind::level;
      break;
    case ConstraintKind::compute:
      break;
    case ConstraintKind::out_port:
      line.shift = -0.5;
      break;
    case ConstraintKind::in_port:
      line.shift = 0.5;
      line.exit = line.entry = Side::right;
      break;
    case ConstraintKind::processor:
    case ConstraintKind::port:
    case ConstraintKind::room:
      if (to.column < from.column) line.entry = Side::right;
      if (to.column > from.column) line.exit = Side::right;
      break;
  }
  return line;
}

std::string title(const Subject& subject) {
  std::string text = tpn::title_of(subject.net.model);
  const std::string& name = subject.document.application.name;
  if (!name.empty()) text += " — " + fitted(name, kTitleFont, 520);
  const auto& evaluation = subject.evaluation;
  if (!evaluation.exact()) return text;
  const Rational& period = evaluation.lower;
  text += " — period " + (period.to_string().size() <= 24 ? period.to_string() : brief(period));
  const auto decimal = period.to_double();
  if (!period.is_integer() && decimal && period.to_string().size() <= 24) text += fmt::format(" ≈ {:.4f}", *decimal);
  return text;
}

std::string legend(const Subject& subject, std::string text) {
  if (tpn::separates_operations(subject.net.model)) {
    text += " · solid: computation · dashed: in port · dotted: out port";
  }
  if (subject.net.model->has_rooms) text += " · grey, dotted: room";
  if (subject.evaluation.exact()) text += " · bold red: critical circuit";
  return text;
}

void shift(Layout& layout, Point by) {
  for (double& x : layout.column_x) x += by.x;
  for (double& y : layout.row_y) y += by.y;
  for (Route& route : layout.routes) {
    for (Point& corner : route.corners) corner = {corner.x + by.x, corner.y + by.y};
    route.spot = {route.spot.x + by.x, route.spot.y + by.y};
  }
}

Node text_node(std::string name, std::vector<std::string> lines, Point centre, double font_size, Node::Weight weight) {
  Node node;
  node.name = std::move(name);
  for (const std::string& line : lines) node.width = std::max(node.width, 1.1 * text_width(line, font_size) + 4);
  node.height = kLine * font_size / kFont * static_cast<double>(lines.size()) + 2;
  node.lines = std::move(lines);
  node.centre = centre;
  node.font_size = font_size;
  node.weight = weight;
  return node;
}

// Title and legend above a layout; where they are wider, all moves to the middle.
void add_titles(Drawing& drawing, Layout& layout, const Subject& subject, const std::string& colours) {
  Node head = text_node("title", {title(subject)}, {}, kTitleFont, Node::Weight::bold);
  Node key = text_node("legend", {legend(subject, colours)}, {}, kFont, Node::Weight::regular);
  const double width = std::max({layout.width, head.width + 16, key.width + 16});
  shift(layout, {(width - layout.width) / 2, 0});
  drawing.name = tpn::title_of(subject.net.model);
  drawing.width = width;
  drawing.height = layout.height;
  head.centre = {width / 2, layout.height - 16};
  key.centre = {width / 2, layout.height - 38};
  drawing.nodes.push_back(std::move(head));
  drawing.nodes.push_back(std::move(key));
}

void add_headings(Drawing& drawing, const Layout& layout, const Subject& subject, const Grid& grid) {
  const Words words(subject);
  for (std::size_t c = 0; c < layout.column_x.size(); ++c) {
    const double room = grid.box_widths[c] + 48;
    std::vector<std::string> lines = {fitted(words.operation(c), kFont * 1.1, room)};
    const std::string who = words.all_processors(c, kFont * 1.1, room);
    if (!who.empty()) lines.push_back(who);
    const Point centre{layout.column_x[c], layout.height - kTitles - kHeadings / 2};
    Node heading = text_node(fmt::format("heading{}", c), lines, centre, kFont, Node::Weight::bold);
    heading.tooltip = words.operation(c) + (who.empty() ? "" : " " + words.all_processors(c));
    drawing.nodes.push_back(std::move(heading));
  }
}

double box_width(const std::vector<std::string>& lines) {
  double width = kNarrowestBox;
  for (const std::string& line : lines) width = std::max(width, text_width(line, kFont) + 14);
  return width;
}

Node box(std::string name, std::vector<std::string> lines, Point centre, const Grid& grid, std::size_t column,
         ColumnKind kind) {
  Node node;
  node.name = std::move(name);
  node.shape = Node::Shape::box;
  node.lines = std::move(lines);
  node.centre = centre;
  node.width = grid.box_widths[column];
  node.height = grid.box_height;
  node.stroke.colour = "#333333";
  node.fill = kind == ColumnKind::compute ? "#eceff1" : "#ffffff";
  return node;
}

void mark(Node& node) {
  node.stroke = critical(node.stroke);
  node.fill = kCriticalFill;
}

// Computations of one width, transfers of another.
void even_out(std::vector<double>& widths) {
  for (const std::size_t parity : {std::size_t{0}, std::size_t{1}}) {
    double widest = 0;
    for (std::size_t c = parity; c < widths.size(); c += 2) widest = std::max(widest, widths[c]);
    for (std::size_t c = parity; c < widths.size(); c += 2) widths[c] = widest;
  }
}

std::string token_words(std::uint64_t tokens) {
  if (tokens == 0) return "no token";
  return tokens == 1 ? "1 token" : fmt::format("{} tokens", tokens);
}

}  // namespace

Drawing draw_unfolded(const Subject& subject, const tpn::EventGraph& graph, PlaceForm form) {
  const tpn::FoldedNet& net = subject.net;
  const tpn::Pipeline& pipeline = net.pipeline;
  const std::uint64_t rows = pipeline.rows.get_ui();
  const std::size_t columns = pipeline.columns.size();
  const Words words(subject);
  const Styles styles(pipeline);

  std::vector<std::vector<std::string>> texts;
  Grid grid;
  grid.rows = rows;
  grid.box_widths.assign(columns, 0);
  grid.box_height = 3 * kLine + 12;
  grid.header = kTitles + kHeadings;
  grid.spot_room = 38;
  grid.track_pitch = 16;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      std::vector<std::string> lines = {capped(words.operation(c))};
      const std::string who = words.processors(c, row);
      if (!who.empty()) lines.push_back(capped(who));
      lines.push_back(fmt::format("data set {}: {}", row, brief(pipeline.duration({row, c}))));
      grid.box_widths[c] = std::max(grid.box_widths[c], box_width(lines));
      texts.push_back(std::move(lines));
    }
  }
  even_out(grid.box_widths);

  std::vector<tpn::EventGraph::edge_descriptor> places;
  std::vector<Connection> connections;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const tpn::Transition& from = graph[boost::source(edge, graph)];
    const tpn::Transition& to = graph[boost::target(edge, graph)];
    places.push_back(edge);
    connections.push_back(
        connect(net.dependences[graph[edge].dependence], {from.row, from.column}, {to.row, to.column}));
  }
  Layout layout = lay_out(grid, connections);

  Drawing drawing;
  add_titles(drawing, layout, subject, "a colour for each processor");
  add_headings(drawing, layout, subject, grid);
  const std::size_t first = drawing.nodes.size();
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::size_t c = 0; c < columns; ++c) {
      Node node = box(fmt::format("T{}_{}", c, row), texts[row * columns + c], {layout.column_x[c], layout.row_y[row]},
                      grid, c, pipeline.columns[c].kind);
      node.tooltip = fmt::format("{} {}, data set {}: {}", words.operation(c), words.processors(c, row), row,
                                 pipeline.duration({row, c}).to_string());
      drawing.nodes.push_back(std::move(node));
    }
  }

  std::set<std::pair<std::size_t, std::size_t>> marked;  // transition, dependence
  CriticalSteps(subject).for_each(rows, [&](std::uint64_t row, std::size_t dependence) {
    const std::size_t transition = row * columns + net.dependences[dependence].from;
    marked.emplace(transition, dependence);
    mark(drawing.nodes[first + transition]);
  });

  for (std::size_t k = 0; k < places.size(); ++k) {
    const std::size_t from = boost::source(places[k], graph);
    const std::size_t to = boost::target(places[k], graph);
    const tpn::Place& place = graph[places[k]];
    const Dependence& d = net.dependences[place.dependence];
    const std::size_t processor = pipeline.parts[d.part].processor_at(graph[from].row);
    const bool is_critical = marked.contains({from, place.dependence});
    Stroke stroke = styles.stroke(d.kind, processor);
    if (is_critical) stroke = critical(stroke);
    std::string what = "file";
    if (d.kind == ConstraintKind::processor)
      what = words.processor(processor);
    else if (d.kind != ConstraintKind::flow)
      what = words.processor(processor) + " " + std::string(tpn::name_of(d.kind));
    const std::string tooltip = fmt::format("{}, {}", what, token_words(place.tokens));
    const Route& route = layout.routes[k];

    if (form == PlaceForm::arcs) {
      Edge edge{first + from,   first + to,  route.corners, stroke, tooltip,
                {place.tokens}, route.piece, route.spot,    {},     {}};
      if (place.tokens > 1) {
        edge.lines = {std::to_string(place.tokens)};
        edge.label = {route.spot.x + 6 + kFont / 2, route.spot.y + 9};
      }
      drawing.edges.push_back(std::move(edge));
      continue;
    }
    Node node;
    node.name = fmt::format("p{}", k);
    node.shape = Node::Shape::circle;
    if (place.tokens > 1) node.lines = {std::to_string(place.tokens)};
    node.tooltip = tooltip;
    node.centre = route.spot;
    node.width = node.height = 2 * kPlaceRadius;
    node.stroke = stroke;
    node.stroke.dash = Dash::solid;
    node.stroke.width = is_critical ? 2.4 : 1.2;
    node.font_size = kFont - 2;
    node.tokens = {place.tokens};
    const auto cut = route.corners.begin() + static_cast<std::ptrdiff_t>(route.piece) + 1;
    std::vector<Point> before(route.corners.begin(), cut);
    before.push_back(route.spot);
    std::vector<Point> after(cut, route.corners.end());
    after.insert(after.begin(), route.spot);
    std::ranges::reverse(after);
    after = shortened(std::move(after), kPlaceRadius);
    std::ranges::reverse(after);
    drawing.edges.push_back({first + from,
                             drawing.nodes.size(),
                             shortened(std::move(before), kPlaceRadius),
                             stroke,
                             tooltip,
                             {},
                             0,
                             {},
                             {},
                             {}});
    drawing.edges.push_back({drawing.nodes.size(), first + to, std::move(after), stroke, tooltip, {}, 0, {}, {}, {}});
    drawing.nodes.push_back(std::move(node));
  }
  return drawing;
}

namespace {

// All dependences of one kind between two columns.
struct Bundle {
  std::size_t first = 0;  // a dependence
  std::size_t count = 0;
  std::uint64_t lowest = 0;  // heights
  std::uint64_t highest = 0;
  bool is_critical = false;
};

using BundleKey = std::tuple<std::size_t, std::size_t, ConstraintKind>;  // from, to, kind

std::vector<std::string> label(const Bundle& bundle, const Dependence& d) {
  std::vector<std::string> lines;
  lines.push_back(bundle.lowest == bundle.highest ? fmt::format("h = {}", bundle.lowest)
                                                  : fmt::format("h = {} … {}", bundle.lowest, bundle.highest));
  if (bundle.count > 1) {
    lines.push_back(fmt::format("{} guards", bundle.count));
  } else if (d.modulus > 1) {
    lines.push_back(fmt::format("j = {} mod {}", d.residue, d.modulus));
  }
  return lines;
}

std::string range_of(const tpn::Pipeline& pipeline, std::size_t column) {
  const auto& table = pipeline.columns[column].table;
  const std::string low = brief(Rational::fraction(table.shortest(), pipeline.scale));
  const std::string high = brief(Rational::fraction(table.longest(), pipeline.scale));
  return table.shortest() == table.longest() ? low : low + " to " + high;
}

}  // namespace

Drawing draw_folded(const Subject& subject) {
  const tpn::FoldedNet& net = subject.net;
  const tpn::Pipeline& pipeline = net.pipeline;
  const std::size_t columns = pipeline.columns.size();
  const Words words(subject);
  const Styles styles(pipeline);

  std::map<BundleKey, Bundle> bundles;
  for (std::size_t k = 0; k < net.dependences.size(); ++k) {
    const Dependence& d = net.dependences[k];
    const auto [entry, is_new] = bundles.try_emplace({d.from, d.to, d.kind}, Bundle{k, 0, d.height, d.height, false});
    Bundle& bundle = entry->second;
    ++bundle.count;
    bundle.lowest = std::min(bundle.lowest, d.height);
    bundle.highest = std::max(bundle.highest, d.height);
  }
  std::vector<bool> is_critical(columns, false);
  CriticalSteps(subject).for_each(1, [&](std::uint64_t, std::size_t dependence) {
    const Dependence& d = net.dependences[dependence];
    bundles.at({d.from, d.to, d.kind}).is_critical = true;
    is_critical[d.from] = true;
  });

  Grid grid;
  grid.box_height = 4 * kLine + 12;
  grid.header = kTitles + kLabels;
  grid.spot_room = 40;
  grid.track_pitch = 36;
  std::vector<std::vector<std::string>> texts;
  for (std::size_t c = 0; c < columns; ++c) {
    std::vector<std::string> lines = {capped(words.operation(c))};
    const std::string who = words.all_processors(c, kFont, 1.3 * kWidestText);
    if (!who.empty()) lines.push_back(who);
    lines.push_back(fmt::format("repeats every {}", pipeline.columns[c].period));
    lines.push_back(capped("takes " + range_of(pipeline, c)));
    grid.box_widths.push_back(std::max(150.0, box_width(lines)));
    texts.push_back(std::move(lines));
  }
  even_out(grid.box_widths);
  std::vector<Connection> connections;
  for (const auto& [key, bundle] : bundles) {
    const Dependence& d = net.dependences[bundle.first];
    connections.push_back(connect(d, {0, d.from}, {0, d.to}));
  }
  Layout layout = lay_out(grid, connections);
  layout.height += kLabels;
  shift(layout, {0, kLabels});

  Drawing drawing;
  add_titles(drawing, layout, subject, "h: how many data sets later");
  const std::size_t first = drawing.nodes.size();
  for (std::size_t c = 0; c < columns; ++c) {
    Node node =
        box(fmt::format("C{}", c), texts[c], {layout.column_x[c], layout.row_y[0]}, grid, c, pipeline.columns[c].kind);
    node.tooltip = words.operation(c) + " " + words.all_processors(c);
    if (is_critical[c]) mark(node);
    drawing.nodes.push_back(std::move(node));
  }
  std::size_t k = 0;
  for (const auto& [key, bundle] : bundles) {
    const Dependence& d = net.dependences[bundle.first];
    const Route& route = layout.routes[k++];
    // One part may have many processors, whose circuits run in one bundle: no processor's colour.
    const bool is_shared = pipeline.parts[d.part].sequence.size() > 1 || bundle.count > 1;
    Stroke stroke = styles.stroke(d.kind, pipeline.parts[d.part].sequence.front());
    if (is_shared && d.kind != ConstraintKind::flow) stroke.colour = "#222222";
    if (bundle.is_critical) stroke = critical(stroke);
    Edge edge{first + d.from,
              first + d.to,
              route.corners,
              stroke,
              std::string(tpn::name_of(d.kind)),
              {},
              route.piece,
              route.spot,
              {},
              {}};
    if (d.kind != ConstraintKind::flow) {
      edge.lines = label(bundle, d);
      // Above the lines that run above the boxes, below the others.
      const double away = 5 + kLine / 2 * static_cast<double>(edge.lines.size());
      edge.label = {route.spot.x, route.spot.y + (route.spot.y > layout.row_y[0] ? away : -away)};
    }
    drawing.edges.push_back(std::move(edge));
  }
  return drawing;
}

}  // namespace takt::tools
