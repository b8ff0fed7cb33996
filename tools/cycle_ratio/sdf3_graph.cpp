// Graphs of SDF3 and Kiter, unfolded over their repetition vectors: a vertex for each firing of an iteration.
//
// Problem. Firing n of an actor takes tokens from its channels that firings of other actors, maybe of earlier
// iterations, have put there. When may it start, if tokens leave a channel in the order in which they came?
//
// Method. Token k of a channel, from 0, is there from the start if k < d, else is token k - d that its source makes.
// Firings of an actor start in order: an arc of weight 0 from each to the next, and one with a token from the last to
// the first. So of the firings that make what a firing takes only the last counts, and earlier ones that take longer,
// of which each phase has one that counts. Where all phases of an actor take as long, no order is lost by that: its
// firings could start in order anyway, since what they take is made in order.
//
// Cost. Linear in the firings of an iteration, the channels of each and the phases of their sources.
#include <fmt/format.h>
#include <pugixml.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
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

namespace takt::tools {

namespace {

using maxplus::Rational;
using tpn::json::quote;

constexpr std::uint64_t kMostFirings = 5'000'000;  // of an iteration
const std::vector<std::uint64_t> kOnce = {1};

class Sdf3Reader {
 public:
  Sdf3Reader(std::string_view text, const std::string& path, const std::function<bool()>& is_over)
      : text_(text), path_(path), builder_(path, is_over) {}

  RatioGraph read() {
    parse();
    const pugi::xml_node root = document_.document_element();
    if (std::string_view(root.name()) != "sdf3") fail(root, element(root), "the element sdf3");
    require_type(root);
    const pugi::xml_node application = child(root, "applicationGraph");
    builder_.graph().name = application.attribute("name").value();
    const pugi::xml_node body = application.child("csdf") ? application.child("csdf") : child(application, "sdf");
    for (const pugi::xml_node& actor : body.children("actor")) add_actor(actor);
    const pugi::xml_node properties = application.child("csdfProperties");
    read_times(properties ? properties : application.child("sdfProperties"));
    for (Actor& actor : actors_) settle_phases(actor);
    for (const pugi::xml_node& channel : body.children("channel")) add_channel(channel);
    require_times();
    if (is_homogeneous_) {
      for (const Channel& channel : channels_) {
        builder_.add({channel.from, channel.to, actors_[channel.from].times.front(), channel.tokens});
      }
    } else {
      unfold();
    }
    return std::move(builder_.graph());
  }

 private:
  struct Port {
    std::vector<std::uint64_t> rates;
    bool is_output = false;
  };

  struct Actor {
    pugi::xml_node node;
    std::string name;
    std::unordered_map<std::string, Port> ports;
    std::vector<Rational> times;  // none: not said
    std::size_t phases = 1;
    std::uint64_t firings = 1;     // of an iteration
    std::size_t first_vertex = 0;  // of its firings
  };

  struct Channel {
    pugi::xml_node node;
    std::size_t from = 0;
    std::size_t to = 0;
    std::vector<std::uint64_t> produced;
    std::vector<std::uint64_t> consumed;
    std::uint64_t tokens = 0;
  };

  void require_type(const pugi::xml_node& root) const {
    const std::string_view type = root.attribute("type").value();
    if (type == "sdf" || type == "csdf") return;
    constexpr const char* kTypes = "type=\"sdf\" or type=\"csdf\"";
    if (type == "sadf" || type == "fsmsadf") {
      fail(root, fmt::format("the type {}, scenarios of which there is no single period", quote(type)), kTypes);
    }
    fail(root, type.empty() ? "sdf3 without a type" : fmt::format("the type {}", quote(type)), kTypes);
  }

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

  // "1", "3,1" or "39*1,0": values firing after firing.
  template <typename Value, typename Read>
  std::vector<Value> phases_of(const pugi::xml_node& node, const std::string& text, Read read) const {
    if (text.find(';') != std::string::npos) {
      fail(node, quote(text) + ", phases that come once at the start", "phases that repeat");
    }
    std::vector<Value> values;
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find(',', start), text.size());
      const std::string item = text.substr(start, end - start);
      const std::size_t star = item.find('*');
      std::uint64_t times = 1;
      if (star != std::string::npos) times = count(node, item.substr(0, star), 1, "a whole number of phases");
      if (times > kMostFirings - values.size()) {
        fail(node, quote(item), fmt::format("at most {} phases", kMostFirings));
      }
      values.insert(values.end(), times, read(star == std::string::npos ? item : item.substr(star + 1)));
      start = end + 1;
    }
    return values;
  }

  void add_actor(const pugi::xml_node& node) {
    Actor actor{.node = node, .name = attribute(node, "name"), .ports = {}, .times = {}};
    if (!index_.try_emplace(actor.name, actors_.size()).second) {
      fail(node, "a second actor " + quote(actor.name), "each actor once");
    }
    for (const pugi::xml_node& port : node.children("port")) {
      const std::string type = attribute(port, "type");
      if (type != "in" && type != "out") fail(port, quote(type), "the type \"in\" or \"out\"");
      const auto rates = phases_of<std::uint64_t>(
          port, attribute(port, "rate"), [&](const std::string& text) { return count(port, text, 0, "a whole rate"); });
      if (std::ranges::all_of(rates, [](std::uint64_t rate) { return rate == 0; })) {
        fail(port, quote(port.attribute("rate").value()), "a rate from 1 on");
      }
      if (!actor.ports.try_emplace(attribute(port, "name"), Port{rates, type == "out"}).second) {
        fail(port, "a second port " + quote(port.attribute("name").value()), "each port once");
      }
    }
    actors_.push_back(std::move(actor));
  }

  // As many phases as the longest list; others must be as long, or one value.
  void settle_phases(Actor& actor) const {
    actor.phases = std::max<std::size_t>(1, actor.times.size());
    for (const auto& [name, port] : actor.ports) actor.phases = std::max(actor.phases, port.rates.size());
    const auto fits = [&](std::size_t length) { return length == 1 || length == actor.phases; };
    for (const auto& [name, port] : actor.ports) {
      if (fits(port.rates.size())) continue;
      fail(actor.node, fmt::format("{} phases of the port {}", port.rates.size(), quote(name)),
           fmt::format("1 or {}, as the actor has", actor.phases));
    }
    if (!actor.times.empty() && !fits(actor.times.size())) {
      fail(actor.node, fmt::format("{} execution times", actor.times.size()),
           fmt::format("1 or {}, one for each phase", actor.phases));
    }
  }

  // SDF3's default processor is the last one with that attribute; an actor with one processor need not mark it.
  void read_times(const pugi::xml_node& properties) {
    for (const pugi::xml_node& of_actor : properties.children("actorProperties")) {
      const std::size_t actor = known(of_actor, attribute(of_actor, "actor"));
      pugi::xml_node chosen;
      std::size_t processors = 0;
      for (const pugi::xml_node& processor : of_actor.children("processor")) {
        ++processors;
        if (processor.attribute("default")) chosen = processor;
      }
      if (!chosen && processors == 1) chosen = of_actor.child("processor");
      if (!chosen) continue;
      const pugi::xml_node time = child(chosen, "executionTime");
      actors_[actor].times = phases_of<Rational>(time, attribute(time, "time"),
                                                 [&](const std::string& text) { return read_time(time, text); });
    }
  }

  std::size_t known(const pugi::xml_node& node, const std::string& name) const {
    const auto found = index_.find(name);
    if (found == index_.end()) fail(node, "the unknown actor " + quote(name), "the name of an actor");
    return found->second;
  }

  Rational read_time(const pugi::xml_node& time, const std::string& text) const {
    auto number = maxplus::parse_number(text);
    if (const auto* refused = std::get_if<maxplus::NumberExpectation>(&number)) {
      fail(time, quote(text), refused->expected);
    }
    auto& read = std::get<Rational>(number);
    if (read.sign() < 0) fail(time, quote(text), "a number of at least 0");
    return std::move(read);
  }

  // The end of a channel: its actor, and the rates of its port.
  std::pair<std::size_t, std::vector<std::uint64_t>> end_of(const pugi::xml_node& channel, bool is_source) const {
    const std::string name = attribute(channel, is_source ? "srcActor" : "dstActor");
    const std::size_t actor = known(channel, name);
    const std::string port = attribute(channel, is_source ? "srcPort" : "dstPort");
    const auto found = actors_[actor].ports.find(port);
    if (found == actors_[actor].ports.end() || found->second.is_output != is_source) {
      fail(channel, fmt::format("the {} port {} of {}", is_source ? "output" : "input", quote(port), quote(name)),
           "one that the actor has");
    }
    std::vector<std::uint64_t> rates = found->second.rates;
    if (rates.size() == 1) rates.resize(actors_[actor].phases, rates.front());
    return {actor, std::move(rates)};
  }

  void add_channel(const pugi::xml_node& node) {
    auto [from, produced] = end_of(node, true);
    auto [to, consumed] = end_of(node, false);
    const pugi::xml_attribute initial = node.attribute("initialTokens");
    const std::uint64_t tokens = initial ? count(node, initial.value(), 0, kExpectedTokens) : 0;
    is_homogeneous_ = is_homogeneous_ && produced == kOnce && consumed == kOnce;
    channels_.push_back({node, from, to, std::move(produced), std::move(consumed), tokens});
  }

  void require_times() {
    for (std::size_t a = 0; a < actors_.size(); ++a) {
      if (is_homogeneous_) builder_.vertex(actors_[a].name);
    }
    for (const Channel& channel : channels_) {
      const Actor& actor = actors_[channel.from];
      if (!actor.times.empty()) continue;
      fail(actor.node, fmt::format("the actor {} without an execution time", quote(actor.name)),
           "actorProperties with a default processor");
    }
  }

  // Of a cycle of phases; fits 62 bits.
  std::uint64_t sum_of(const Channel& channel, const std::vector<std::uint64_t>& rates) const {
    maxplus::Integer sum;
    for (const std::uint64_t rate : rates) sum += rate;
    if (mpz_sizeinbase(sum.get_mpz_t(), 2) > 62) fail(channel.node, "rates of 2^62 tokens or more", "fewer");
    return sum.get_ui();
  }

  void unfold() {
    std::vector<Flow> flows;
    flows.reserve(channels_.size());
    for (const Channel& channel : channels_) {
      flows.push_back({channel.from, channel.to, sum_of(channel, channel.produced), sum_of(channel, channel.consumed)});
    }
    const std::optional<std::vector<maxplus::Integer>> repetitions = repetition_vector(actors_.size(), flows);
    if (!repetitions) {
      fail(channels_.front().node, "rates that no repetition vector balances", "rates of some iteration");
    }
    set_firings(*repetitions);
    for (Actor& actor : actors_) {
      if (actor.times.empty()) actor.times.assign(1, Rational());
      if (actor.times.size() == 1) actor.times.resize(actor.phases, actor.times.front());
      add_firings(actor);
    }
    for (std::size_t i = 0; i < channels_.size(); ++i) add_arcs(channels_[i], flows[i]);
  }

  void set_firings(const std::vector<maxplus::Integer>& repetitions) {
    maxplus::Integer all;
    for (std::size_t a = 0; a < actors_.size(); ++a) all += repetitions[a] * actors_[a].phases;
    if (all > kMostFirings) {
      fail(channels_.front().node, fmt::format("{} firings in an iteration", brief(all)),
           fmt::format("at most {}", kMostFirings));
    }
    for (std::size_t a = 0; a < actors_.size(); ++a) {
      actors_[a].firings = repetitions[a].get_ui() * actors_[a].phases;
    }
  }

  // Vertices "NAME#0", "NAME#1", ..., which start in order.
  void add_firings(Actor& actor) {
    actor.first_vertex = builder_.graph().vertices.size();
    for (std::uint64_t n = 0; n < actor.firings; ++n) {
      const std::string name = actor.firings == 1 ? actor.name : fmt::format("{}#{}", actor.name, n);
      if (builder_.vertex(name) != actor.first_vertex + n) {
        fail(actor.node, "a second vertex " + quote(name),
             "actor names whose firings NAME#0, NAME#1, ... are not actors");
      }
    }
    if (actor.firings == 1) return;
    for (std::uint64_t n = 0; n + 1 < actor.firings; ++n) {
      builder_.add(actor.first_vertex + n, actor.first_vertex + n + 1, 0, 1, 0);
    }
    builder_.add(actor.first_vertex + actor.firings - 1, actor.first_vertex, 0, 1, 1);
  }

  void add_arcs(const Channel& channel, const Flow& flow) {
    const Actor& from = actors_[channel.from];
    const Actor& to = actors_[channel.to];
    std::vector<std::uint64_t> made(channel.produced.size());  // by the end of each phase of a cycle
    std::partial_sum(channel.produced.begin(), channel.produced.end(), made.begin());
    const auto total = static_cast<maxplus::Int128>(flow.produced) * (from.firings / from.phases);
    maxplus::Int128 taken = -static_cast<maxplus::Int128>(channel.tokens);
    for (std::uint64_t n = 0; n < to.firings; ++n) {
      const std::uint64_t consumed = channel.consumed[n % to.phases];
      if (consumed == 0) continue;
      taken += consumed;
      const maxplus::Int128 last = taken - 1;  // the number of the last token it takes; negative ones are of before
      const maxplus::Int128 earlier = last >= 0 ? 0 : (total - 1 - last) / total;
      const auto token = static_cast<std::uint64_t>(last + earlier * total);
      const auto phase = std::ranges::upper_bound(made, token % flow.produced) - made.begin();
      const std::uint64_t firing = token / flow.produced * from.phases + static_cast<std::uint64_t>(phase);
      add_arcs_to(channel, to.first_vertex + n, firing, static_cast<std::uint64_t>(earlier));
    }
  }

  // From a firing `earlier` iterations before, and from those before it, of other phases, that take longer.
  void add_arcs_to(const Channel& channel, std::size_t vertex, std::uint64_t firing, std::uint64_t earlier) {
    const Actor& from = actors_[channel.from];
    const Rational* longest = nullptr;
    for (std::size_t back = 0; back < from.phases; ++back) {
      const std::size_t phase = firing % from.phases;
      if (channel.produced[phase] > 0 && (longest == nullptr || from.times[phase] > *longest)) {
        longest = &from.times[phase];
        builder_.add({from.first_vertex + firing, vertex, *longest, earlier});
      }
      if (firing == 0) ++earlier;
      firing = firing == 0 ? from.firings - 1 : firing - 1;
    }
  }

  std::string_view text_;
  const std::string& path_;
  GraphBuilder builder_;
  pugi::xml_document document_;
  std::vector<Actor> actors_;
  std::unordered_map<std::string, std::size_t> index_;
  std::vector<Channel> channels_;
  bool is_homogeneous_ = true;
};

}  // namespace

RatioGraph read_sdf3_graph(std::string_view text, const std::string& path, const std::function<bool()>& is_over) {
  require_text(text, path);
  return Sdf3Reader(text, path, is_over).read();
}

}  // namespace takt::tools
