// takt dot: what it draws, read back by cgraph, and what it says.
#include <fmt/format.h>
#include <graphviz/cgraph.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "tools/command.hpp"
#include "tools/drawing.hpp"
#include "tools/graphviz.hpp"
#include "tools/layout.hpp"
#include "tpn/event_graph.hpp"
#include "tpn/reader.hpp"

// What LeakSanitizer must not mind: the layout and the fonts of Graphviz are never freed in full.
extern "C" const char* __lsan_default_suppressions();   // NOLINT: its name for it
extern "C" const char* __lsan_default_suppressions() {  // NOLINT
  return "leak:libgvc\nleak:libgvplugin\nleak:libpango\nleak:libfontconfig\n";
}

namespace takt::tools {

namespace {

const std::string kExamples = std::string(TAKT_SOURCE_DIR) + "/examples/";

struct Outcome {
  int status = 0;
  std::string out;
  std::string err;
};

Outcome takt(const std::vector<std::string>& arguments, const std::string& input = "") {
  std::istringstream in(input);
  std::ostringstream out;
  std::ostringstream err;
  const int status = run(arguments, Streams{in, out, err});
  return {status, out.str(), err.str()};
}

std::string file_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  REQUIRE(file);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

// A folder for one test's files, gone afterwards.
class Scratch {
 public:
  explicit Scratch(const std::string& name) : path_(std::filesystem::temp_directory_path() / ("takt-dot-" + name)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directory(path_);
  }
  ~Scratch() { std::filesystem::remove_all(path_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

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

Attributes attributes_of(Agraph_t* graph, void* object, int kind) {
  Attributes result;
  for (Agsym_t* symbol = agnxtattr(graph, kind, nullptr); symbol != nullptr; symbol = agnxtattr(graph, kind, symbol)) {
    result[symbol->name] = agxget(object, symbol);
  }
  return result;
}

ReadGraph read_dot(const std::string& text) {
  const std::unique_ptr<Agraph_t, int (*)(Agraph_t*)> graph(agmemread(text.c_str()), agclose);
  REQUIRE(graph != nullptr);
  ReadGraph result;
  result.attributes = attributes_of(graph.get(), graph.get(), AGRAPH);
  for (Agnode_t* node = agfstnode(graph.get()); node != nullptr; node = agnxtnode(graph.get(), node)) {
    result.nodes[agnameof(node)] = attributes_of(graph.get(), node, AGNODE);
    for (Agedge_t* edge = agfstout(graph.get(), node); edge != nullptr; edge = agnxtout(graph.get(), edge)) {
      result.edges.push_back(
          {agnameof(agtail(edge)), agnameof(aghead(edge)), attributes_of(graph.get(), edge, AGEDGE)});
    }
  }
  return result;
}

ReadGraph drawn(const std::string& file, const std::string& model, std::vector<std::string> options = {}) {
  options.insert(options.begin(), {"dot", kExamples + file, "--model", model});
  const Outcome outcome = takt(options);
  INFO(outcome.err);
  REQUIRE(outcome.status == kAnswered);
  REQUIRE(outcome.err.empty());
  return read_dot(outcome.out);
}

Point position_of(const Attributes& attributes) {
  Point point;
  char comma = 0;
  std::istringstream(attributes.at("pos")) >> point.x >> comma >> point.y;
  return point;
}

bool is_marked(const Attributes& attributes) { return attributes.at("color") == "#d50000"; }

// Rows and columns of a net with its places, from the net itself.
struct Net {
  tpn::Document document;
  tpn::FoldedNet folded;
  tpn::EventGraph graph;
  evaluators::Evaluation evaluation;
};

Net net_of(const std::string& file, tpn::Model model) {
  tpn::Document document = tpn::read_document(file_text(kExamples + file), file);
  auto folded = std::get<tpn::FoldedNet>(tpn::fold(document, model));
  auto graph = std::get<tpn::EventGraph>(tpn::unfold(folded, 1000));
  evaluators::Evaluation evaluation = evaluators::evaluate(folded);
  return {std::move(document), std::move(folded), std::move(graph), std::move(evaluation)};
}

std::uint64_t tokens_of(const Attributes& place) {
  if (!place.at("label").empty()) return std::stoull(place.at("label"));
  return place.at("peripheries") == "2" ? 1 : 0;
}

struct Case {
  std::string file;
  tpn::Model model;
  std::string name;
};

const std::vector<Case> kCases = {{"example-a.json", tpn::Model::overlap, "overlap"},
                                  {"example-a.json", tpn::Model::strict, "strict"},
                                  {"example-b.json", tpn::Model::overlap, "overlap"},
                                  {"hedpm-case-study.json", tpn::Model::strict, "strict"},
                                  {"several-parts.json", tpn::Model::overlap, "overlap"},
                                  {"several-parts.json", tpn::Model::strict, "strict"},
                                  {"weighted-round-robin.json", tpn::Model::overlap, "overlap"}};

}  // namespace

TEST_CASE("a drawing has a node for each transition and each place, two arcs a place, and its tokens") {
  for (const Case& c : kCases) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name);
    CHECK(drawing.of_class("transition").size() == boost::num_vertices(net.graph));
    CHECK(drawing.of_class("place").size() == boost::num_edges(net.graph));
    REQUIRE(drawing.edges.size() == 2 * boost::num_edges(net.graph));

    // (from, to, tokens) of all places, drawn and meant.
    using Triple = std::tuple<std::string, std::string, std::uint64_t>;
    std::map<std::string, std::pair<std::string, std::string>> ends;
    for (const ReadEdge& edge : drawing.edges) {
      if (edge.from.starts_with("p")) ends[edge.from].second = edge.to;
      if (edge.to.starts_with("p")) ends[edge.to].first = edge.from;
    }
    std::multiset<Triple> shown;
    for (const auto& [place, pair] : ends) shown.emplace(pair.first, pair.second, tokens_of(drawing.nodes.at(place)));
    std::multiset<Triple> meant;
    const auto name = [&](std::size_t transition) {
      return fmt::format("T{}_{}", net.graph[transition].column, net.graph[transition].row);
    };
    const auto [first, last] = boost::edges(net.graph);
    for (auto edge = first; edge != last; ++edge) {
      meant.emplace(name(boost::source(*edge, net.graph)), name(boost::target(*edge, net.graph)),
                    net.graph[*edge].tokens);
    }
    CHECK(shown == meant);
  }
}

TEST_CASE("as arcs, a drawing has one edge for each place and shows tokens on them") {
  for (const Case& c : kCases) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name, {"--arcs"});
    CHECK(drawing.of_class("transition").size() == boost::num_vertices(net.graph));
    CHECK(drawing.of_class("place").empty());
    CHECK(drawing.edges.size() == boost::num_edges(net.graph));
    const auto [first, last] = boost::edges(net.graph);
    const auto holding = std::count_if(first, last, [&](const auto& edge) { return net.graph[edge].tokens == 1; });
    CHECK(holding > 0);
    CHECK(std::ranges::count_if(
              drawing.edges, [](const ReadEdge& edge) { return edge.attributes.at("arrowtail") == "dot"; }) == holding);
  }
}

TEST_CASE("transitions of a row stand in a line, those of a column below one another, rows downwards") {
  for (const Case& c : kCases) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name);
    CHECK(drawing.attributes.at("layout") == "nop2");
    std::map<std::size_t, double> x;
    std::map<std::uint64_t, double> y;
    for (std::size_t v = 0; v < boost::num_vertices(net.graph); ++v) {
      const auto& transition = net.graph[v];
      const Point at = position_of(drawing.nodes.at(fmt::format("T{}_{}", transition.column, transition.row)));
      CHECK(x.try_emplace(transition.column, at.x).first->second == at.x);
      CHECK(y.try_emplace(transition.row, at.y).first->second == at.y);
    }
    for (std::size_t column = 1; column < x.size(); ++column) CHECK(x.at(column - 1) + 100 < x.at(column));
    for (std::uint64_t row = 1; row < y.size(); ++row) CHECK(y.at(row) + 40 < y.at(row - 1));
  }
}

TEST_CASE("boxes name stage or file, processors, data set and duration") {
  const ReadGraph drawing = drawn("example-a.json", "strict");
  CHECK(drawing.nodes.at("T2_1").at("label") == "S1\\non P2\\ndata set 1: 128");
  CHECK(drawing.nodes.at("T1_1").at("label") == "S0's file\\nP0 → P2\\ndata set 1: 192");
  CHECK(drawing.nodes.at("heading2").at("label") == "S1\\non P1, P2");
  CHECK(drawing.nodes.at("title").at("label") ==
        "STRICT ONE-PORT — example-a (reconstructed) — period 692/3 ≈ 230.6667");
  const ReadGraph parts = drawn("several-parts.json", "overlap");
  CHECK(parts.nodes.at("T0_0").at("label") == "source\\ndata set 0: 0");
  CHECK(parts.nodes.at("T4_0").at("label") == "stitch–detect\\non gpu-1\\ndata set 0: 35/4");
}

TEST_CASE("exactly the places and transitions of the critical circuit are marked, in colour and weight") {
  for (const Case& c : kCases) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const ReadGraph drawing = drawn(c.file, c.name);
    // The circuit's transitions, followed over as many laps as it takes to close in the unfolded net.
    const std::uint64_t rows = net.folded.pipeline.rows.get_ui();
    std::set<std::string> meant;
    std::multiset<std::pair<std::string, std::string>> steps;
    std::uint64_t data_set = net.evaluation.circuit.data_set;
    do {
      for (std::size_t t = 0; t < net.evaluation.circuit.steps.size(); ++t) {
        const auto& step = net.evaluation.circuit.steps[t];
        const auto& next = net.evaluation.circuit.steps[(t + 1) % net.evaluation.circuit.steps.size()];
        const std::string from = fmt::format("T{}_{}", step.column, data_set % rows);
        data_set += step.height;
        meant.insert(from);
        steps.emplace(from, fmt::format("T{}_{}", next.column, data_set % rows));
      }
    } while (data_set % rows != net.evaluation.circuit.data_set % rows);

    std::set<std::string> marked;
    std::map<std::string, std::pair<std::string, std::string>> ends;
    for (const std::string& node : drawing.of_class("transition")) {
      if (!is_marked(drawing.nodes.at(node))) continue;
      marked.insert(node);
      CHECK(std::stod(drawing.nodes.at(node).at("penwidth")) >= 3);
    }
    CHECK(marked == meant);
    for (const ReadEdge& edge : drawing.edges) {
      const bool enters = edge.to.starts_with("p");
      const std::string& place = enters ? edge.to : edge.from;
      CHECK(is_marked(edge.attributes) == is_marked(drawing.nodes.at(place)));
      CHECK((std::stod(edge.attributes.at("penwidth")) >= 3) == is_marked(edge.attributes));
      if (is_marked(edge.attributes)) (enters ? ends[place].first : ends[place].second) = enters ? edge.from : edge.to;
    }
    std::multiset<std::pair<std::string, std::string>> shown;
    for (const auto& [place, pair] : ends) shown.insert(pair);
    CHECK(shown == steps);
  }
}

TEST_CASE("ports differ from one another by colour and by dash") {
  const ReadGraph drawing = drawn("example-a.json", "overlap");
  std::map<std::string, std::set<std::string>> dashes;
  std::map<std::string, std::set<std::string>> colours;
  for (const ReadEdge& edge : drawing.edges) {
    if (is_marked(edge.attributes)) continue;
    const std::string tooltip = edge.attributes.at("tooltip");
    const std::string resource = tooltip.substr(0, tooltip.find(','));
    dashes[resource.substr(resource.find(' ') + 1)].insert(edge.attributes.at("style"));
    colours[resource.substr(0, resource.find(' '))].insert(edge.attributes.at("color"));
  }
  CHECK(dashes == std::map<std::string, std::set<std::string>>{
                      {"file", {"solid"}}, {"compute", {"solid"}}, {"in-port", {"dashed"}}, {"out-port", {"dotted"}}});
  std::set<std::string> all;
  for (const auto& [processor, used] : colours) {
    CHECK(used.size() == 1);
    all.insert(used.begin(), used.end());
  }
  CHECK(all.size() == 8);  // seven processors and the flow
}

TEST_CASE("lines are drawn around the boxes") {
  for (const Case& c : kCases) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
    std::size_t hits = 0;
    for (const Edge& edge : drawing.edges) {
      for (std::size_t i = 0; i + 1 < edge.corners.size(); ++i) {
        const auto [a, b] = std::pair(edge.corners[i], edge.corners[i + 1]);
        CHECK((a.x == Approx(b.x) || a.y == Approx(b.y)));
        for (const Node& node : drawing.nodes) {
          if (node.shape == Node::Shape::text) continue;
          // A line may end on a border, not inside; a circle stands where two lines meet.
          const double reach_x = node.width / 2 - 0.5;
          const double reach_y = node.height / 2 - 0.5;
          const bool apart =
              std::max(a.x, b.x) < node.centre.x - reach_x || std::min(a.x, b.x) > node.centre.x + reach_x ||
              std::max(a.y, b.y) < node.centre.y - reach_y || std::min(a.y, b.y) > node.centre.y + reach_y;
          if (!apart) ++hits;
        }
      }
    }
    CHECK(hits == 0);
  }
}

TEST_CASE("no two nodes of a drawing overlap, words included") {
  for (const Case& c : kCases) {
    INFO(c.file << " " << c.name);
    const Net net = net_of(c.file, c.model);
    const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
    for (const Node& a : drawing.nodes) {
      CHECK(a.centre.x - a.width / 2 >= 0);
      CHECK(a.centre.x + a.width / 2 <= drawing.width);
      CHECK(a.centre.y - a.height / 2 >= 0);
      CHECK(a.centre.y + a.height / 2 <= drawing.height);
    }
    std::size_t overlaps = 0;
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        const Node& a = drawing.nodes[i];
        const Node& b = drawing.nodes[j];
        if (std::abs(a.centre.x - b.centre.x) < (a.width + b.width) / 2 &&
            std::abs(a.centre.y - b.centre.y) < (a.height + b.height) / 2) {
          ++overlaps;
        }
      }
    }
    CHECK(overlaps == 0);
  }
}

TEST_CASE("a net of too many transitions is not drawn, and the message says what to do") {
  const Outcome outcome = takt({"dot", kExamples + "example-c.json", "--model", "strict"});
  CHECK(outcome.status == kLimit);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("the net has 10395 rows x 7 columns = 72765 transitions, more than 600: draw the folded net "
                         "with --collapse, or raise --max-transitions\n") != std::string::npos);
  CHECK(takt({"dot", kExamples + "example-a.json", "--max-transitions", "41"}).status == kLimit);
  CHECK(takt({"dot", kExamples + "example-a.json", "--max-transitions", "42"}).status == kAnswered);
}

TEST_CASE("a PNG beyond its largest side is refused before it is drawn") {
  const Scratch scratch("wide");
  const Outcome outcome = takt({"dot", kExamples + "example-c.json", "--model", "overlap", "--max-transitions",
                                "100000", "-o", scratch / "c.png"});
  CHECK(outcome.status == kLimit);
  CHECK(outcome.err.find("a PNG can have 32767: write .svg or .pdf") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(scratch / "c.png"));
}

TEST_CASE("the folded net has one box a column and an edge for each kind of dependence") {
  const ReadGraph overlap = drawn("example-c.json", "overlap", {"--collapse"});
  CHECK(overlap.of_class("transition").size() == 7);
  CHECK(overlap.edges.size() == 6 + 4 + 3 + 3);
  CHECK(overlap.nodes.at("C1").at("label") == "S0's file\\nP0, … (5) → P5, … (21)\\nrepeats every 105\\ntakes 5 to 15");
  std::multiset<std::string> labels;
  for (const ReadEdge& edge : overlap.edges) labels.insert(edge.attributes.at("label"));
  CHECK(labels.count("h = 21") == 3);  // S1's computation, its in port and its out port
  CHECK(labels.count("") == 6);        // the flow

  const Net net = [] {
    tpn::Document document = tpn::read_document(file_text(kExamples + "example-c.json"), "c");
    auto folded = std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model::strict));
    evaluators::Evaluation evaluation = evaluators::evaluate(folded);
    return Net{std::move(document), std::move(folded), {}, std::move(evaluation)};
  }();
  const ReadGraph strict = drawn("example-c.json", "strict", {"--collapse"});
  std::set<std::string> meant;
  for (const auto& step : net.evaluation.circuit.steps) meant.insert(fmt::format("C{}", step.column));
  for (const std::string& box : strict.of_class("transition")) {
    CHECK(is_marked(strict.nodes.at(box)) == meant.contains(box));
  }
}

TEST_CASE("guards of the folded net are told, one by its residue and many by their number") {
  const ReadGraph one = drawn("weighted-round-robin.json", "overlap", {"--collapse"});
  std::set<std::string> labels;
  for (const ReadEdge& edge : one.edges) labels.insert(edge.attributes.at("label"));
  CHECK(labels.contains("h = 1 … 3\\n3 guards"));
  const ReadGraph parts = drawn("several-parts.json", "strict", {"--collapse"});
  CHECK(std::ranges::any_of(parts.edges, [](const ReadEdge& edge) { return edge.attributes.at("label") == "h = 1"; }));
}

TEST_CASE("any name comes through as it is, and none can break the text") {
  const std::vector<std::string> names = {
      R"("quoted")", R"(back\slash \N \G \l)", R"(ends in \)", "<b>bold</b>", "a&lt;b&amp;",
      "é ü → 東京",  "; } digraph {",          "%1",           "{a|b}",       ""};
  for (const std::string& name : names) {
    for (const std::string option : {"--arcs", "--collapse"}) {
      INFO(name << " " << option);
      tpn::Document document = tpn::read_document(
          R"({"application": {"stages": [{"name": "s"}]}, "platform": {"processors": [{"name": "p", "time": 1}]},
              "mapping": [{"stages": ["s"], "processors": ["p"]}]})",
          "names");
      document.application.name = name;
      document.application.stages[0].name = name;
      document.platform.processors[0].name = name;
      const auto folded = std::get<tpn::FoldedNet>(tpn::fold(document, tpn::Model::overlap));
      const auto evaluation = evaluators::evaluate(folded);
      const Subject subject{document, folded, evaluation};
      const auto graph = std::get<tpn::EventGraph>(tpn::unfold(folded, 10));
      const Drawing drawing =
          option == "--arcs" ? draw_unfolded(subject, graph, PlaceForm::arcs) : draw_folded(subject);
      const ReadGraph read = read_dot(to_dot(drawing));
      // Graphviz' own escapes undone.
      std::string label = read.nodes.at(option == "--arcs" ? "T0_0" : "C0").at("label");
      label = label.substr(0, label.find("\\non "));
      std::string plain;
      for (std::size_t i = 0; i < label.size(); ++i) {
        if (label.compare(i, 5, "&amp;") == 0) {
          plain += '&';
          i += 4;
        } else {
          if (label[i] == '\\') ++i;
          plain += label[i];
        }
      }
      CHECK(plain == name);
      CHECK(render(drawing, PictureFormat::svg).find("</svg>") != std::string::npos);
    }
  }
}

TEST_CASE("line breaks, zero bytes and broken UTF-8 in a name cannot break a drawing") {
  Drawing drawing{"odd", 200, 100, {}, {}};
  Node node;
  node.name = "T0_0";
  node.lines = {std::string("a\nb\0c", 5), "x\xFFy\xC3"};
  node.centre = {100, 50};
  node.width = node.height = 50;
  drawing.nodes.push_back(node);
  const std::string text = to_dot(drawing);
  CHECK(read_dot(text).nodes.at("T0_0").at("label") == "a b c\\nx\uFFFDy\uFFFD");
  CHECK(render(drawing, PictureFormat::svg).find(">a b c<") != std::string::npos);
}

TEST_CASE("long names are cut in the middle of no character, and told in full by the tooltip") {
  const std::string name(120, 'm');
  CHECK(text_width(fitted(name, 10, 130), 10) <= 130);
  CHECK(fitted("short", 10, 130) == "short");
  const std::string greek = fitted("αβγδεζηθικλμνξοπρστυφχψω", 10, 60);
  CHECK(greek == "αβγδε…");
}

TEST_CASE("option -o writes DOT text, SVG, PNG or PDF, and names each model's file") {
  const Scratch scratch("formats");
  const std::map<std::string, std::string> starts = {
      {"a.dot", "digraph"}, {"a.gv", "digraph"}, {"a.svg", "<?xml"}, {"a.png", "\x89PNG"}, {"a.pdf", "%PDF"}};
  for (const auto& [name, magic] : starts) {
    const Outcome outcome = takt({"dot", kExamples + "example-a.json", "--model", "strict", "-o", scratch / name});
    CHECK(outcome.status == kAnswered);
    CHECK(outcome.out == "wrote " + (scratch / name) + ": 6 rows x 7 columns, STRICT ONE-PORT\n");
    CHECK(outcome.err.empty());
    CHECK(file_text(scratch / name).starts_with(magic));
  }
  CHECK(takt({"dot", kExamples + "example-a.json", "-o", scratch / "b.svg"}).status == kAnswered);
  CHECK(file_text(scratch / "b-overlap.svg").find("OVERLAP") != std::string::npos);
  CHECK(file_text(scratch / "b-strict.svg").find("STRICT") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(scratch / "b.svg"));

  const Outcome unknown = takt({"dot", kExamples + "example-a.json", "-o", scratch / "a.jpg"});
  CHECK(unknown.status == kUsage);
  CHECK(unknown.err.find("ends in .dot (or .gv), .svg, .png or .pdf") != std::string::npos);
  CHECK(takt({"dot", kExamples + "example-a.json", "-o", "/nowhere/a.svg"}).status == kBadInput);
}

TEST_CASE("the same net gives the same drawing, byte for byte") {
  const std::vector<std::string> arguments = {"dot", kExamples + "example-a.json"};
  const Outcome once = takt(arguments);
  CHECK(once.out == takt(arguments).out);
  const std::size_t second = once.out.find("digraph", 1);
  REQUIRE(second != std::string::npos);
  CHECK(read_dot(once.out.substr(0, second)).nodes.at("title").at("label").starts_with("OVERLAP"));
  CHECK(read_dot(once.out.substr(second)).nodes.at("title").at("label").starts_with("STRICT"));
  const Net net = net_of("example-a.json", tpn::Model::strict);
  const Drawing drawing = draw_unfolded({net.document, net.folded, net.evaluation}, net.graph, PlaceForm::circles);
  CHECK(render(drawing, PictureFormat::svg) == render(drawing, PictureFormat::svg));
}

TEST_CASE("an interval is drawn without a mark") {
  Net net = net_of("example-a.json", tpn::Model::strict);
  evaluators::Options options;
  options.max_rows = 1;
  net.evaluation = evaluators::evaluate(net.folded, options);
  REQUIRE_FALSE(net.evaluation.exact());
  const Subject subject{net.document, net.folded, net.evaluation};
  for (const Drawing& drawing : {draw_unfolded(subject, net.graph, PlaceForm::circles), draw_folded(subject)}) {
    CHECK(to_dot(drawing).find("#d50000") == std::string::npos);
    CHECK(to_dot(drawing).find("critical") == std::string::npos);
  }
}

TEST_CASE("a file's ending names the format") {
  CHECK(format_of("a/b.svg") == PictureFormat::svg);
  CHECK(format_of("b.gv") == PictureFormat::dot);
  CHECK(format_of("svg") == std::nullopt);
  CHECK(format_of("a.svg.txt") == std::nullopt);
}

}  // namespace takt::tools
