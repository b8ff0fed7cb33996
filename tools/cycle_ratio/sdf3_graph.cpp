// Graphs of SDF3, homogeneous ones: each actor fires once for each token, for as long as its default processor takes.
#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "tools/cycle_ratio/graph_builder.hpp"
#include "tools/cycle_ratio/ratio_graph.hpp"
#include "tools/cycle_ratio/repetition_vector.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/json.hpp"
#include "tpn/visible.hpp"

namespace takt::tools {

namespace {

using maxplus::Rational;
using tpn::json::quote;

class Sdf3Reader {
 public:
  Sdf3Reader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : text_(text), path_(path), builder_(path, is_over) {}

  RatioGraph read() {
    parse();
    const pugi::xml_node root = document_.document_element();
    if (std::string_view(root.name()) != "sdf3") fail(root, element(root), "the element sdf3");
    const std::string_view type = root.attribute("type").value();
    if (type != "sdf") {
      fail(root, type.empty() ? "sdf3 without a type" : fmt::format("the type {}", quote(type)), "type=\"sdf\"");
    }
    const pugi::xml_node application = child(root, "applicationGraph");
    builder_.graph().name = application.attribute("name").value();
    const pugi::xml_node sdf = child(application, "sdf");
    for (const pugi::xml_node& actor : sdf.children("actor")) add_actor(actor);
    read_times(application.child("sdfProperties"));
    for (const pugi::xml_node& channel : sdf.children("channel")) add_channel(channel);
    require_rates_of_one();
    require_times(sdf);
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      const Flow& flow = flows_[i];
      builder_.add({flow.from, flow.to, *times_[flow.from], tokens_[i]});
    }
    return std::move(builder_.graph());
  }

 private:
  struct Port {
    std::uint64_t rate = 1;
    bool is_output = false;
  };

  void parse() {
    const pugi::xml_parse_result result =
        document_.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (result) return;
    std::string what = result.description();
    what.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(what.front())));
    throw_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(result.offset, 0)), what, "XML");
  }

  [[noreturn]] void throw_at(std::size_t offset, const std::string& found, const std::string& expected) const {
    fail_at(path_, place_of(text_, offset), found, expected);
  }
  [[noreturn]] void fail(const pugi::xml_node& at, const std::string& found, const std::string& expected) const {
    throw_at(static_cast<std::size_t>(std::max<std::ptrdiff_t>(at.offset_debug(), 0)), found, expected);
  }

  static std::string element(const pugi::xml_node& node) { return fmt::format("the element {}", quote(node.name())); }

  pugi::xml_node child(const pugi::xml_node& parent, const char* name) const {
    const pugi::xml_node found = parent.child(name);
    if (!found) fail(parent, fmt::format("{} without {}", element(parent), name), fmt::format("the element {}", name));
    return found;
  }

  std::string attribute(const pugi::xml_node& node, const char* name) const {
    const pugi::xml_attribute found = node.attribute(name);
    if (!found) fail(node, fmt::format("{} without {}", element(node), name), fmt::format("the attribute {}", name));
    return found.value();
  }

  std::uint64_t count(const pugi::xml_node& node, const std::string& text, std::uint64_t least,
                      const char* expected) const {
    const auto number = read_tokens(text);
    if (!number || *number < least) fail(node, quote(text), expected);
    return *number;
  }

  void add_actor(const pugi::xml_node& actor) {
    const std::string name = attribute(actor, "name");
    if (builder_.find_vertex(name)) fail(actor, "a second actor " + quote(name), "each actor once");
    builder_.vertex(name);
    auto& ports = ports_.emplace_back();
    for (const pugi::xml_node& port : actor.children("port")) {
      const std::string type = attribute(port, "type");
      if (type != "in" && type != "out") fail(port, quote(type), "the type \"in\" or \"out\"");
      const std::uint64_t rate = count(port, attribute(port, "rate"), 1, "a whole rate from 1 on");
      if (!ports.try_emplace(attribute(port, "name"), Port{rate, type == "out"}).second) {
        fail(port, "a second port " + quote(port.attribute("name").value()), "each port once");
      }
    }
  }

  // SDF3's default processor is the last one with that attribute; an actor with one processor need not mark it.
  void read_times(const pugi::xml_node& properties) {
    times_.resize(builder_.graph().vertices.size());
    for (const pugi::xml_node& of_actor : properties.children("actorProperties")) {
      const std::string name = attribute(of_actor, "actor");
      const auto actor = builder_.find_vertex(name);
      if (!actor) fail(of_actor, "the unknown actor " + quote(name), "the name of an actor");
      pugi::xml_node chosen;
      std::size_t processors = 0;
      for (const pugi::xml_node& processor : of_actor.children("processor")) {
        ++processors;
        if (processor.attribute("default")) chosen = processor;
      }
      if (!chosen && processors == 1) chosen = of_actor.child("processor");
      if (!chosen) continue;
      const pugi::xml_node time = child(chosen, "executionTime");
      times_[*actor] = read_time(time);
    }
  }

  Rational read_time(const pugi::xml_node& time) const {
    const std::string text = attribute(time, "time");
    auto number = maxplus::parse_number(text);
    if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&number)) {
      fail(time, quote(text), refused->expected);
    }
    auto& read = std::get<Rational>(number);
    if (read.sign() < 0) fail(time, quote(text), "a number of at least 0");
    return std::move(read);
  }

  // The end of a channel: its actor, and the rate of its port.
  std::pair<std::size_t, std::uint64_t> end_of(const pugi::xml_node& channel, bool is_source) const {
    const std::string name = attribute(channel, is_source ? "srcActor" : "dstActor");
    const auto actor = builder_.find_vertex(name);
    if (!actor) fail(channel, "the unknown actor " + quote(name), "the name of an actor");
    const std::string port = attribute(channel, is_source ? "srcPort" : "dstPort");
    const auto found = ports_[*actor].find(port);
    if (found == ports_[*actor].end() || found->second.is_output != is_source) {
      fail(channel, fmt::format("the {} port {} of {}", is_source ? "output" : "input", quote(port), quote(name)),
           "one that the actor has");
    }
    return {*actor, found->second.rate};
  }

  void add_channel(const pugi::xml_node& channel) {
    const auto [from, produced] = end_of(channel, true);
    const auto [to, consumed] = end_of(channel, false);
    const pugi::xml_attribute initial = channel.attribute("initialTokens");
    tokens_.push_back(initial ? count(channel, initial.value(), 0, kExpectedTokens) : 0);
    flows_.push_back({from, to, produced, consumed});
    if (!multi_rate_ && (produced != 1 || consumed != 1)) multi_rate_ = channel;
  }

  void require_rates_of_one() const {
    if (!multi_rate_) return;
    const auto& names = builder_.graph().vertices;
    const std::optional<std::vector<maxplus::Integer>> repetitions = repetition_vector(names.size(), flows_);
    constexpr const char* kExpected = "all rates 1; unfold the graph over its repetition vector first";
    if (!repetitions) fail(multi_rate_, "rates that no repetition vector balances", kExpected);
    constexpr std::size_t kShown = 10;
    std::string text;
    for (std::size_t v = 0; v < std::min(names.size(), kShown); ++v) {
      text += fmt::format("{}{} {}", v == 0 ? "" : ", ", tpn::visible(names[v], 30), brief((*repetitions)[v]));
    }
    if (names.size() > kShown) text += fmt::format(" and {} more", names.size() - kShown);
    fail(multi_rate_, fmt::format("rates beyond 1, with the repetition vector {}", text), kExpected);
  }

  void require_times(const pugi::xml_node& sdf) const {
    for (const Flow& flow : flows_) {
      if (times_[flow.from]) continue;
      const auto& name = builder_.graph().vertices[flow.from];
      const pugi::xml_node actor = sdf.find_child_by_attribute("actor", "name", name.c_str());
      fail(actor, fmt::format("the actor {} without an execution time", quote(name)),
           "actorProperties with a default processor");
    }
  }

  std::string_view text_;
  const std::string& path_;
  GraphBuilder builder_;
  pugi::xml_document document_;
  std::vector<std::unordered_map<std::string, Port>> ports_;  // by actor
  std::vector<std::optional<Rational>> times_;                // by actor
  std::vector<Flow> flows_;                                   // by channel
  std::vector<std::uint64_t> tokens_;                         // by channel
  pugi::xml_node multi_rate_;                                 // the first channel with other rates than 1
};

}  // namespace

RatioGraph read_sdf3_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  require_text(text, path);
  return Sdf3Reader(text, path, is_over).read();
}

}  // namespace takt::tools
