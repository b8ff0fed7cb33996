// Words, colors and marking of the unfolded and the folded net.
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
#include "tools/pictures/palette.hpp"
#include "tools/pictures/text_width.hpp"
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

// Told apart by people with any color vision, on white, and none of them like the critical red.
// (Okabe and Ito's palette without its orange, red and yellow, and three of Paul Tol's.)
constexpr std::array kPalette = {hue::kBlue,   hue::kGreen, "#aa4499", hue::kSky,
                                 hue::kIndigo, hue::kOlive, "#44aa99", "#7f5539"};
constexpr const char* kCriticalColor = "#d50000";
constexpr const char* kCriticalFill = "#ffe3dc";
constexpr const char* kFlowColor = "#555555";
constexpr double kCriticalWidth = 3.2;

std::string capped(const std::string& text) { return fitted(text, kFont, kWidestText); }

// Colors by processor, in order of appearance along the chain.
class Styles {
 public:
  explicit Styles(const tpn::Pipeline& pipeline) : number_(pipeline.processors.size()) {
    std::vector<bool> seen(pipeline.processors.size(), false);
    std::size_t next = 0;
    for (const tpn::NetPart& part : pipeline.parts) {
      for (const std::size_t p : part.sequence) {
        if (seen[p]) continue;
        seen[p] = true;
        number_[p] = next++;
        // A host has the color of its first processor.
        const std::size_t host = pipeline.port_owner(p);
        if (!seen[host]) number_[host] = number_[p];
        seen[host] = true;
      }
    }
    for (std::size_t p = 0; p < number_.size(); ++p)
      if (pipeline.is_segment(p)) number_[p] = next++;
  }

  Stroke stroke(ConstraintKind kind, std::size_t processor) const {
    if (kind == ConstraintKind::flow) return {kFlowColor, Dash::solid, 1};
    if (kind == ConstraintKind::room || kind == ConstraintKind::window) return {kFlowColor, Dash::dotted, 1};
    return {kPalette[number_[processor] % kPalette.size()], dash(kind), 1.6};
  }

  static Dash dash(ConstraintKind kind) {
    switch (kind) {
      case ConstraintKind::in_port:
      case ConstraintKind::port:
      case ConstraintKind::segment:
        return Dash::dashed;
      case ConstraintKind::out_port:
      case ConstraintKind::room:
      case ConstraintKind::window:
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
  stroke.color = kCriticalColor;
  stroke.width = kCriticalWidth;
  return stroke;
}

// The sides a dependence leaves and enters its boxes by: a sender's circuit keeps to the left, a receiver's
// to the right; the circuits of STRICT lead back from the left of one box to the right of another.
Connection connect(const Dependence& d, Cell from, Cell to) {
  Connection line{Connection::Kind::circuit, from, to};
  switch (d.kind) {
    case ConstraintKind::flow:
      // To the next box of its row; else around the boxes between.
      if (from.is_before(to)) {
        line.kind = Connection::Kind::level;
      } else {
        line.exit = Side::right;
      }
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
    case ConstraintKind::window:
    case ConstraintKind::segment:
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
  const TimeWords times(subject.document);
  if (times.has_units()) return text + " — period " + times.amount(period);
  text += " — period " + (period.to_string().size() <= 24 ? period.to_string() : brief(period));
  const auto decimal = period.to_double();
  if (!period.is_integer() && decimal && period.to_string().size() <= 24) text += fmt::format(" ≈ {:.4f}", *decimal);
  return text;
}

std::string legend(const Subject& subject, std::string text) {
  if (tpn::separates_operations(subject.net.model)) {
    text += " · solid: computation · dashed: in port · dotted: out port";
  }
  const auto is_segment = [](const tpn::Resource& resource) { return resource.kind == ConstraintKind::segment; };
  if (std::ranges::any_of(subject.net.resources, is_segment)) text += " · dashed, in a color of its own: segment";
  if (subject.net.model->has_rooms) text += " · grey, dotted: room";
  if (subject.evaluation.exact()) text += " · bold red: critical circuit";
  return text;
}

void shift(Layout& layout, PagePoint by) {
  for (double& x : layout.column_x) x += by.x;
  for (double& y : layout.row_y) y += by.y;
  for (Route& route : layout.routes) {
    for (PagePoint& corner : route.corners) corner = {corner.x + by.x, corner.y + by.y};
    route.spot = {route.spot.x + by.x, route.spot.y + by.y};
  }
}

DrawnNode text_node(std::string name, std::vector<std::string> lines, PagePoint center, double font_size,
                    DrawnNode::Weight weight) {
  DrawnNode node;
  node.name = std::move(name);
  for (const std::string& line : lines) node.width = std::max(node.width, 1.1 * text_width(line, font_size) + 4);
  node.height = kLine * font_size / kFont * static_cast<double>(lines.size()) + 2;
  node.lines = std::move(lines);
  node.center = center;
  node.font_size = font_size;
  node.weight = weight;
  return node;
}

// Title and legend above a layout; where they are wider, all moves to the middle.
void add_titles(Drawing& drawing, Layout& layout, const Subject& subject, const std::string& colors) {
  DrawnNode head = text_node("title", {title(subject)}, {}, kTitleFont, DrawnNode::Weight::bold);
  DrawnNode key = text_node("legend", {legend(subject, colors)}, {}, kFont, DrawnNode::Weight::regular);
  const double width = std::max({layout.width, head.width + 16, key.width + 16});
  shift(layout, {(width - layout.width) / 2, 0});
  drawing.name = tpn::title_of(subject.net.model);
  drawing.width = width;
  drawing.height = layout.height;
  head.center = {width / 2, layout.height - 16};
  key.center = {width / 2, layout.height - 38};
  drawing.nodes.push_back(std::move(head));
  drawing.nodes.push_back(std::move(key));
}

void add_headings(Drawing& drawing, const Layout& layout, const Subject& subject, const BoxGrid& grid) {
  const Words words(subject);
  for (const tpn::ColumnIndex c : subject.net.pipeline.all_columns()) {
    const double room = grid.box_widths[c] + 48;
    std::vector<std::string> lines = {fitted(words.operation(c), kFont * 1.1, room)};
    const std::string who = words.all_processors(c, kFont * 1.1, room);
    if (!who.empty()) lines.push_back(who);
    const PagePoint center{layout.column_x[c], layout.height - kTitles - kHeadings / 2};
    DrawnNode heading = text_node(fmt::format("heading{}", c), lines, center, kFont, DrawnNode::Weight::bold);
    heading.tooltip = words.operation(c) + (who.empty() ? "" : " " + words.all_processors(c));
    drawing.nodes.push_back(std::move(heading));
  }
}

double box_width(const std::vector<std::string>& lines) {
  double width = kNarrowestBox;
  for (const std::string& line : lines) width = std::max(width, text_width(line, kFont) + 14);
  return width;
}

DrawnNode box(std::string name, std::vector<std::string> lines, PagePoint center, const BoxGrid& grid,
              std::size_t column, ColumnKind kind) {
  DrawnNode node;
  node.name = std::move(name);
  node.shape = DrawnNode::Shape::box;
  node.lines = std::move(lines);
  node.center = center;
  node.width = grid.box_widths[column];
  node.height = grid.box_height;
  node.stroke.color = "#333333";
  node.fill = kind == ColumnKind::compute ? "#eceff1" : "#ffffff";
  return node;
}

void mark(DrawnNode& node) {
  node.stroke = critical(node.stroke);
  node.fill = kCriticalFill;
}

// Computations of one width, transfers of another.
void even_out(const tpn::Pipeline& pipeline, std::vector<double>& widths) {
  for (const bool transfers : {false, true}) {
    double widest = 0;
    for (const tpn::ColumnIndex c : pipeline.all_columns())
      if (pipeline.is_transfer(c) == transfers) widest = std::max(widest, widths[c]);
    for (const tpn::ColumnIndex c : pipeline.all_columns())
      if (pipeline.is_transfer(c) == transfers) widths[c] = widest;
  }
}

std::string token_words(std::uint64_t tokens) {
  if (tokens == 0) return "no token";
  return tokens == 1 ? "1 token" : fmt::format("{} tokens", tokens);
}

// Rows and columns of boxes for the transitions, with lines between them for the places.
class UnfoldedDrawing {
 public:
  UnfoldedDrawing(const Subject& subject, const tpn::EventGraph& graph, PlaceForm form)
      : subject_(subject),
        net_(subject.net),
        pipeline_(net_.pipeline),
        graph_(graph),
        form_(form),
        rows_(pipeline_.rows.get_ui()),
        columns_(pipeline_.columns.size()),
        words_(subject),
        styles_(pipeline_) {}

  Drawing draw() {
    write_boxes();
    list_places();
    layout_ = lay_out(grid_, connections_);
    add_titles(drawing_, layout_, subject_, "a color for each processor");
    add_headings(drawing_, layout_, subject_, grid_);
    first_ = drawing_.nodes.size();
    add_boxes();
    mark_circuit();
    for (std::size_t k = 0; k < places_.size(); ++k) add_place(k);
    return std::move(drawing_);
  }

 private:
  // A place of the net: where it leads, and how it is drawn.
  struct DrawnPlace {
    std::size_t from = 0;  // transitions
    std::size_t to = 0;
    std::uint64_t tokens = 0;
    bool is_critical = false;
    Stroke stroke;
    std::string tooltip;
  };

  // What stands in the boxes, which says how wide they are.
  void write_boxes() {
    grid_.rows = rows_;
    grid_.box_widths.assign(columns_, 0);
    grid_.box_height = 3 * kLine + 12;
    grid_.header = kTitles + kHeadings;
    grid_.spot_room = 38;
    grid_.track_pitch = 16;
    for (std::uint64_t row = 0; row < rows_; ++row) {
      for (const tpn::ColumnIndex c : pipeline_.all_columns()) {
        std::vector<std::string> lines = {capped(words_.operation(c))};
        const std::string who = words_.processors(c, row);
        if (!who.empty()) lines.push_back(capped(who));
        lines.push_back(fmt::format("{} {}: {}", words_.times().item(), pipeline_.data_set_of({row, c}, rows_),
                                    words_.times().brief(pipeline_.duration({row, c}))));
        grid_.box_widths[c] = std::max(grid_.box_widths[c], box_width(lines));
        texts_.push_back(std::move(lines));
      }
    }
    even_out(pipeline_, grid_.box_widths);
  }

  void list_places() {
    for (const auto edge : boost::make_iterator_range(boost::edges(graph_))) {
      const tpn::Transition& from = graph_[boost::source(edge, graph_)];
      const tpn::Transition& to = graph_[boost::target(edge, graph_)];
      places_.push_back(edge);
      connections_.push_back(
          connect(net_.dependences[graph_[edge].dependence], {from.row, from.column}, {to.row, to.column}));
    }
  }

  void add_boxes() {
    for (std::uint64_t row = 0; row < rows_; ++row) {
      for (const tpn::ColumnIndex c : pipeline_.all_columns()) {
        DrawnNode node = box(fmt::format("T{}_{}", c, row), texts_[row * columns_ + c.value()],
                             {layout_.column_x[c], layout_.row_y[row]}, grid_, c, pipeline_.columns[c].kind);
        node.tooltip =
            fmt::format("{} {}, {} {}: {}", words_.operation(c), words_.processors(c, row), words_.times().item(),
                        pipeline_.data_set_of({row, c}, rows_), pipeline_.duration({row, c}).to_string());
        drawing_.nodes.push_back(std::move(node));
      }
    }
  }

  void mark_circuit() {
    CriticalSteps(subject_).for_each(rows_, [&](std::uint64_t row, std::size_t dependence) {
      const std::size_t transition = row * columns_ + net_.dependences[dependence].from.value();
      marked_.emplace(transition, dependence);
      mark(drawing_.nodes[first_ + transition]);
    });
  }

  DrawnPlace place(std::size_t k) const {
    const tpn::Place& known = graph_[places_[k]];
    const Dependence& d = net_.dependences[known.dependence];
    DrawnPlace place{boost::source(places_[k], graph_), boost::target(places_[k], graph_), known.tokens, false, {}, {}};
    const std::size_t processor = pipeline_.owner(d, graph_[place.from].row);
    place.is_critical = marked_.contains({place.from, known.dependence});
    place.stroke = styles_.stroke(d.kind, processor);
    if (place.is_critical) place.stroke = critical(place.stroke);
    std::string what = d.kind == ConstraintKind::flow ? "file" : words_.processor(processor);
    if (d.kind != ConstraintKind::flow && d.kind != ConstraintKind::processor && d.kind != ConstraintKind::segment) {
      what += " " + std::string(tpn::name_of(d.kind));
    }
    place.tooltip = fmt::format("{}, {}", what, token_words(known.tokens));
    return place;
  }

  void add_place(std::size_t k) {
    const DrawnPlace drawn = place(k);
    if (form_ == PlaceForm::arcs) {
      add_arc(drawn, layout_.routes[k]);
    } else {
      add_circle(fmt::format("p{}", k), drawn, layout_.routes[k]);
    }
  }

  void add_arc(const DrawnPlace& place, const Route& route) {
    DrawnEdge edge{first_ + place.from, first_ + place.to, route.corners, place.stroke, place.tooltip,
                   {place.tokens},      route.piece,       route.spot,    {},           {}};
    if (place.tokens > 1) {
      edge.lines = {std::to_string(place.tokens)};
      edge.label = {route.spot.x + 6 + kFont / 2, route.spot.y + 9};
    }
    drawing_.edges.push_back(std::move(edge));
  }

  // A circle on its line, which it cuts into two arcs.
  void add_circle(std::string name, const DrawnPlace& place, const Route& route) {
    DrawnNode node;
    node.name = std::move(name);
    node.shape = DrawnNode::Shape::circle;
    if (place.tokens > 1) node.lines = {std::to_string(place.tokens)};
    node.tooltip = place.tooltip;
    node.center = route.spot;
    node.width = node.height = 2 * kPlaceRadius;
    node.stroke = place.stroke;
    node.stroke.dash = Dash::solid;
    node.stroke.width = place.is_critical ? 2.4 : 1.2;
    node.font_size = kFont - 2;
    node.tokens = {place.tokens};
    const auto cut = route.corners.begin() + static_cast<std::ptrdiff_t>(route.piece) + 1;
    std::vector<PagePoint> before(route.corners.begin(), cut);
    before.push_back(route.spot);
    std::vector<PagePoint> after(cut, route.corners.end());
    after.insert(after.begin(), route.spot);
    std::ranges::reverse(after);
    after = shortened(std::move(after), kPlaceRadius);
    std::ranges::reverse(after);
    const std::size_t circle = drawing_.nodes.size();
    add_plain(first_ + place.from, circle, shortened(std::move(before), kPlaceRadius), place);
    add_plain(circle, first_ + place.to, std::move(after), place);
    drawing_.nodes.push_back(std::move(node));
  }

  void add_plain(std::size_t from, std::size_t to, std::vector<PagePoint> corners, const DrawnPlace& place) {
    drawing_.edges.push_back({from, to, std::move(corners), place.stroke, place.tooltip, {}, 0, {}, {}, {}});
  }

  const Subject& subject_;
  const tpn::FoldedNet& net_;
  const tpn::Pipeline& pipeline_;
  const tpn::EventGraph& graph_;
  PlaceForm form_;
  std::uint64_t rows_;
  std::size_t columns_;
  Words words_;
  Styles styles_;
  BoxGrid grid_;
  std::vector<std::vector<std::string>> texts_;  // by transition
  std::vector<tpn::EventGraph::edge_descriptor> places_;
  std::vector<Connection> connections_;  // as the places
  Layout layout_;
  Drawing drawing_;
  std::size_t first_ = 0;                                 // of the nodes that are boxes
  std::set<std::pair<std::size_t, std::size_t>> marked_;  // transition, dependence
};

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

std::string range_of(const tpn::Pipeline& pipeline, const TimeWords& times, std::size_t column) {
  const auto& table = pipeline.columns[column].table;
  const std::string low = times.brief(Rational::fraction(table.shortest(), pipeline.scale));
  const std::string high = times.brief(Rational::fraction(table.longest(), pipeline.scale));
  return table.shortest() == table.longest() ? low : low + " to " + high;
}

// A row of boxes for the columns, with a line for each bundle of dependences.
class FoldedDrawing {
 public:
  explicit FoldedDrawing(const Subject& subject)
      : subject_(subject),
        net_(subject.net),
        pipeline_(net_.pipeline),
        columns_(pipeline_.columns.size()),
        words_(subject),
        styles_(pipeline_),
        is_critical_(columns_, false) {}

  Drawing draw() {
    bundle_dependences();
    write_boxes();
    std::vector<Connection> connections;
    for (const auto& [key, bundle] : bundles_) {
      const Dependence& d = net_.dependences[bundle.first];
      connections.push_back(connect(d, {0, d.from}, {0, d.to}));
    }
    layout_ = lay_out(grid_, connections);
    layout_.height += kLabels;
    shift(layout_, {0, kLabels});
    add_titles(drawing_, layout_, subject_, fmt::format("h: how many {} later", words_.times().item_plural()));
    first_ = drawing_.nodes.size();
    add_boxes();
    std::size_t k = 0;
    for (const auto& [key, bundle] : bundles_) add_line(bundle, layout_.routes[k++]);
    return std::move(drawing_);
  }

 private:
  void bundle_dependences() {
    for (std::size_t k = 0; k < net_.dependences.size(); ++k) {
      const Dependence& d = net_.dependences[k];
      const auto [entry, is_new] =
          bundles_.try_emplace({d.from, d.to, d.kind}, Bundle{k, 0, d.height, d.height, false});
      Bundle& bundle = entry->second;
      ++bundle.count;
      bundle.lowest = std::min(bundle.lowest, d.height);
      bundle.highest = std::max(bundle.highest, d.height);
    }
    CriticalSteps(subject_).for_each(1, [&](std::uint64_t, std::size_t dependence) {
      const Dependence& d = net_.dependences[dependence];
      bundles_.at({d.from, d.to, d.kind}).is_critical = true;
      is_critical_[d.from] = true;
    });
  }

  // What stands in the boxes, which says how wide they are.
  void write_boxes() {
    grid_.box_height = 4 * kLine + 12;
    grid_.header = kTitles + kLabels;
    grid_.spot_room = 40;
    grid_.track_pitch = 36;
    for (const tpn::ColumnIndex c : pipeline_.all_columns()) {
      std::vector<std::string> lines = {capped(words_.operation(c))};
      const std::string who = words_.all_processors(c, kFont, 1.3 * kWidestText);
      if (!who.empty()) lines.push_back(who);
      lines.push_back(fmt::format("repeats every {}", pipeline_.columns[c].period));
      lines.push_back(capped("takes " + range_of(pipeline_, words_.times(), c)));
      grid_.box_widths.push_back(std::max(150.0, box_width(lines)));
      texts_.push_back(std::move(lines));
    }
    even_out(pipeline_, grid_.box_widths);
  }

  void add_boxes() {
    for (const tpn::ColumnIndex c : pipeline_.all_columns()) {
      DrawnNode node = box(fmt::format("C{}", c), texts_[c], {layout_.column_x[c], layout_.row_y[0]}, grid_, c,
                           pipeline_.columns[c].kind);
      node.tooltip = words_.operation(c) + " " + words_.all_processors(c);
      if (is_critical_[c]) mark(node);
      drawing_.nodes.push_back(std::move(node));
    }
  }

  Stroke stroke(const Bundle& bundle) const {
    const Dependence& d = net_.dependences[bundle.first];
    const auto& sequence = pipeline_.parts[d.part].sequence;
    const bool is_of_segment = d.kind == ConstraintKind::segment;
    Stroke stroke = styles_.stroke(d.kind, is_of_segment ? d.segment : sequence.front());
    // One part may have many processors, whose circuits run in one bundle: no processor's color.
    const bool is_shared = (sequence.size() > 1 && !is_of_segment) || bundle.count > 1;
    if (is_shared && d.kind != ConstraintKind::flow) stroke.color = "#222222";
    return bundle.is_critical ? critical(stroke) : stroke;
  }

  void add_line(const Bundle& bundle, const Route& route) {
    const Dependence& d = net_.dependences[bundle.first];
    DrawnEdge edge;
    edge.from = first_ + d.from.value();
    edge.to = first_ + d.to.value();
    edge.corners = route.corners;
    edge.stroke = stroke(bundle);
    edge.tooltip = tpn::name_of(d.kind);
    edge.piece = route.piece;
    edge.spot = route.spot;
    if (d.kind != ConstraintKind::flow) {
      edge.lines = label(bundle, d);
      // Above the lines that run above the boxes, below the others.
      const double away = 5 + kLine / 2 * static_cast<double>(edge.lines.size());
      edge.label = {route.spot.x, route.spot.y + (route.spot.y > layout_.row_y[0] ? away : -away)};
    }
    drawing_.edges.push_back(std::move(edge));
  }

  const Subject& subject_;
  const tpn::FoldedNet& net_;
  const tpn::Pipeline& pipeline_;
  std::size_t columns_;
  Words words_;
  Styles styles_;
  std::map<BundleKey, Bundle> bundles_;
  std::vector<bool> is_critical_;  // by column
  BoxGrid grid_;
  std::vector<std::vector<std::string>> texts_;  // by column
  Layout layout_;
  Drawing drawing_;
  std::size_t first_ = 0;  // of the nodes that are boxes
};

}  // namespace

Drawing draw_unfolded(const Subject& subject, const tpn::EventGraph& graph, PlaceForm form) {
  return UnfoldedDrawing(subject, graph, form).draw();
}

Drawing draw_folded(const Subject& subject) { return FoldedDrawing(subject).draw(); }

}  // namespace takt::tools
