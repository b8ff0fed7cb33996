// Graphs as programs write them. Arcs are taken as they come: there may be millions.
#include <fmt/format.h>

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/files/files.hpp"
#include "tpn/errors.hpp"
#include "tpn/json.hpp"

namespace takt::tools {

namespace {

namespace json = tpn::json;
using maxplus::Rational;

constexpr std::array<std::string_view, 5> kGraphKeys = {"name", "data_sets", "time_unit", "vertices", "arcs"};
constexpr std::array<std::string_view, 2> kVertexKeys = {"name", "time"};
constexpr std::array<std::string_view, 4> kArcKeys = {"from", "to", "weight", "tokens"};

constexpr json::ValueForm kVertexForm{.content = json::ValueForm::Content::object, .keys = kVertexKeys};
constexpr json::ValueForm kArcForm{.content = json::ValueForm::Content::object, .keys = kArcKeys};

class JsonGraphReader {
 public:
  JsonGraphReader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : text_(text), builder_(path, is_over) {
    item_.file = display_name(path);
  }

  RatioGraph read() {
    const auto taker = [this](std::string_view key, std::size_t& count, auto read_one) {
      return std::function<void(const json::Value&)>(
          [this, key, &count, read_one](const json::Value& item) { take(key, count++, item, read_one); });
    };
    const auto vertices =
        taker("vertices", vertices_, [this](const auto& tree, const auto& at) { add_vertex(tree, at); });
    const auto arcs = taker("arcs", arcs_, [this](const auto& tree, const auto& at) { add_arc(tree, at); });
    const json::ValueForm vertices_form = list_form(kVertexForm, vertices);
    const json::ValueForm arcs_form = list_form(kArcForm, arcs);
    const json::ValueForm::Member members[] = {{"vertices", &vertices_form}, {"arcs", &arcs_form}};
    const json::ValueForm form{
        .content = json::ValueForm::Content::object, .items = nullptr, .keys = kGraphKeys, .members = members};
    const json::Tree tree = json::parse(text_, item_.file, &form);
    read_rest(tree);
    return std::move(builder_.graph());
  }

 private:
  // Where a vertex was named by an arc first.
  struct Mention {
    json::Position position;
    std::size_t arc = 0;
    bool is_from = true;
  };

  static json::ValueForm list_form(const json::ValueForm& item, const std::function<void(const json::Value&)>& take) {
    return {.content = json::ValueForm::Content::array, .items = &item, .keys = {}, .members = {}, .take_item = &take};
  }

  // Messages name an item by where it stands in the whole, of which only it is left.
  template <typename ReadOne>
  void take(std::string_view key, std::size_t index, const json::Value& item, ReadOne read_one) {
    item_.root = item;
    try {
      read_one(item_, item_.root);
    } catch (const tpn::ParseError&) {
      json::Tree whole;
      whole.file = item_.file;
      whole.root.kind = json::Kind::object;
      whole.root.keys.push_back({std::string(key), {}});
      whole.root.items.emplace_back().items.resize(index + 1);
      json::Value& again = whole.root.items.front().items.back();
      again = item;
      read_one(whole, again);
      throw;
    }
  }

  void add_vertex(const json::Tree& tree, const json::Value& value) {
    json::as_object(tree, value, "a vertex", kVertexKeys);
    const json::Value& name = json::required(tree, value, "a vertex", "name");
    const std::size_t vertex = builder_.vertex(json::as_string(tree, name, "the name of a vertex"));
    if (times_.size() <= vertex) times_.resize(vertex + 1);
    if (times_[vertex]) json::fail(tree, name, "a second vertex " + json::quote(name.text), "each vertex once");
    const json::Value* time = json::find(value, "time");
    times_[vertex] = time == nullptr ? Rational() : json::as_number(tree, *time, json::Bound::any);
  }

  std::size_t end_of(const json::Tree& tree, const json::Value& arc, std::string_view key) {
    const json::Value& name = json::required(tree, arc, "an arc", key);
    const std::size_t vertex = builder_.vertex(json::as_string(tree, name, "the name of a vertex"));
    if (mentions_.size() <= vertex) mentions_.resize(vertex + 1);
    if (!mentions_[vertex]) mentions_[vertex] = {name.position, arcs_ - 1, key == "from"};
    return vertex;
  }

  void add_arc(const json::Tree& tree, const json::Value& value) {
    json::as_object(tree, value, "an arc", kArcKeys);
    maxplus::RationalArc arc;
    arc.from = end_of(tree, value, "from");
    arc.to = end_of(tree, value, "to");
    if (const json::Value* weight = json::find(value, "weight")) {
      arc.weight = json::as_number(tree, *weight, json::Bound::any);
    }
    arc.tokens = kUnsaidTokens;
    if (const json::Value* tokens = json::find(value, "tokens")) {
      const Rational number = json::as_number(tree, *tokens, json::Bound::whole);
      if (!number.numerator().fits_ulong_p()) json::fail(tree, *tokens, json::describe(*tokens), kExpectedTokens);
      arc.tokens = number.numerator().get_ui();
    }
    builder_.add(arc);
  }

  // What is left in the tree: all but the vertices and arcs that were taken.
  void read_rest(const json::Tree& tree) {
    json::as_object(tree, tree.root, "a graph", kGraphKeys);
    RatioGraph& graph = builder_.graph();
    if (const json::Value* name = json::find(tree.root, "name")) {
      graph.name = json::as_string(tree, *name, "the name of the graph");
    }
    if (const json::Value* unit = json::find(tree.root, "time_unit")) {
      graph.time_unit = json::as_string(tree, *unit, "the unit of the weights");
    }
    if (const json::Value* data_sets = json::find(tree.root, "data_sets")) {
      graph.data_sets = json::as_number(tree, *data_sets, json::Bound::positive_whole).numerator();
    }
    require_taken(tree, json::required(tree, tree.root, "a graph", "arcs"), "arcs", arcs_, "an object: an arc");
    const json::Value* vertices = json::find(tree.root, "vertices");
    if (vertices == nullptr) return;
    require_taken(tree, *vertices, "vertices", vertices_, "an object: a vertex");
    require_declared();
    std::vector<Rational> times;
    times.reserve(times_.size());
    for (const auto& time : times_) times.push_back(*time);
    graph.arcs.add_times(times);
  }

  void require_taken(const json::Tree& tree, const json::Value& list, std::string_view key, std::size_t taken,
                     const std::string& expected) const {
    const auto& rest = json::as_array(tree, list, key);
    if (rest.empty()) return;
    fail_in(rest.front().position, fmt::format("/{}/{}", key, taken), json::describe(rest.front()), expected);
  }

  // If there are vertices, arcs join no others.
  void require_declared() {
    const auto& names = builder_.graph().vertices;
    times_.resize(names.size());
    for (std::size_t v = 0; v < names.size(); ++v) {
      if (times_[v]) continue;
      const Mention& mention = *mentions_[v];
      fail_in(mention.position, fmt::format("/arcs/{}/{}", mention.arc, mention.is_from ? "from" : "to"),
              "the unknown vertex " + json::quote(names[v]) + suggestion_for(names[v]), "the name of a vertex");
    }
  }

  std::string suggestion_for(std::string_view unknown) const {
    const NameTable& names = builder_.graph().vertices;
    std::vector<std::string_view> known;
    for (std::size_t v = 0; v < names.size(); ++v) {
      if (times_[v]) known.emplace_back(names[v]);
    }
    return json::suggestion(unknown, known);
  }

  [[noreturn]] void fail_in(json::Position position, const std::string& pointer, const std::string& found,
                            const std::string& expected) const {
    throw tpn::ParseError(item_.file, position.line, position.column, "found " + found + ", expected " + expected,
                          pointer);
  }

  std::string_view text_;
  GraphBuilder builder_;
  json::Tree item_;  // the one that is being read
  std::size_t vertices_ = 0;
  std::size_t arcs_ = 0;
  std::vector<std::optional<Rational>> times_;    // by vertex, where it is listed
  std::vector<std::optional<Mention>> mentions_;  // by vertex, where an arc names it
};

}  // namespace

RatioGraph read_json_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  return JsonGraphReader(text, path, is_over).read();
}

}  // namespace takt::tools
