// Textbook readings: marked graphs by their arcs, dataflow by the numbers of its tokens. [bilsen1996cyclo]
#include "tests/tools/interchange/read_back.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <pugixml.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <utility>

#include "maxplus/solvers.hpp"
#include "maxplus/token_graph.hpp"

namespace takt::testing {

namespace {

using maxplus::Integer;
using maxplus::Rational;

Rational number_of(const std::string& text) {
  const auto parsed = maxplus::parse_number(text);
  REQUIRE(std::holds_alternative<Rational>(parsed));
  return std::get<Rational>(parsed);
}

std::uint64_t divisor_of(const std::string& text) {
  std::smatch found;
  REQUIRE(std::regex_search(text, found, std::regex("divided by ([0-9]+) it is the period per data set")));
  return std::stoull(found[1]);
}

// An actor and what its ports do, phase by phase.
struct ReadActor {
  std::vector<Rational> times;
  std::map<std::string, std::vector<std::uint64_t>> ports;
  std::uint64_t iterations = 0;  // of all its phases, per iteration of the graph
  std::size_t first_vertex = 0;

  std::uint64_t firings() const { return iterations * times.size(); }
};

struct ReadChannel {
  std::string from;
  std::string to;
  std::vector<std::uint64_t> produced;
  std::vector<std::uint64_t> consumed;
  std::uint64_t tokens = 0;
};

std::vector<std::string> split_list(const std::string& list) {
  std::vector<std::string> items;
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) items.push_back(item);
  return items;
}

std::uint64_t sum_of(const std::vector<std::uint64_t>& rates) {
  return std::accumulate(rates.begin(), rates.end(), std::uint64_t{0});
}

class DataflowReader {
 public:
  explicit DataflowReader(const std::string& text) {
    REQUIRE(document_.load_string(text.c_str()));
    const pugi::xml_node root = document_.child("sdf3");
    const std::string type = root.attribute("type").value();
    const pugi::xml_node graph = root.child("applicationGraph");
    read_actors(graph.child(type.c_str()), graph.child((type + "Properties").c_str()));
    balance();
  }

  GraphRead expanded() {
    GraphRead graph;
    for (auto& [name, actor] : actors_) {
      actor.first_vertex = graph.vertices;
      graph.vertices += actor.firings();
      for (std::uint64_t n = 0; n < actor.firings(); ++n) {
        const bool is_last = n + 1 == actor.firings();
        graph.arcs.push_back(
            {actor.first_vertex + n, actor.first_vertex + (is_last ? 0 : n + 1), 0, is_last ? 1U : 0U});
      }
    }
    for (const ReadChannel& channel : channels_) expand(channel, graph);
    return graph;
  }

 private:
  void read_actors(const pugi::xml_node& body, const pugi::xml_node& properties) {
    for (const pugi::xml_node& node : body.children("actor")) {
      ReadActor& actor = actors_[node.attribute("name").value()];
      REQUIRE(actor.ports.empty());
      for (const pugi::xml_node& port : node.children("port")) {
        std::vector<std::uint64_t>& rates = actor.ports[port.attribute("name").value()];
        for (const std::string& rate : split_list(port.attribute("rate").value())) rates.push_back(std::stoull(rate));
      }
    }
    for (const pugi::xml_node& node : properties.children("actorProperties")) {
      ReadActor& actor = actors_.at(node.attribute("actor").value());
      const std::string times = node.child("processor").child("executionTime").attribute("time").value();
      for (const std::string& time : split_list(times)) actor.times.push_back(number_of(time));
      for (const auto& [name, rates] : actor.ports) REQUIRE(rates.size() == actor.times.size());
    }
    for (const pugi::xml_node& node : body.children("channel")) {
      const std::string from = node.attribute("srcActor").value();
      const std::string to = node.attribute("dstActor").value();
      channels_.push_back({from, to, actors_.at(from).ports.at(node.attribute("srcPort").value()),
                           actors_.at(to).ports.at(node.attribute("dstPort").value()),
                           node.attribute("initialTokens").as_ullong()});
    }
  }

  // The least numbers of iterations such that every channel gets what is taken from it; by component.
  void balance() {
    std::map<std::string, Rational> rates;
    for (const auto& [start, actor] : actors_) {
      if (rates.count(start) > 0) continue;
      std::vector<std::string> component = {start};
      rates[start] = 1;
      for (std::size_t k = 0; k < component.size(); ++k) {
        const std::string name = component[k];  // they move while they grow
        visit(name, rates, component);
      }
      Integer denominator = 1;
      Integer numerator = 0;
      for (const std::string& name : component) denominator = lcm(denominator, rates[name].denominator());
      for (const std::string& name : component) {
        rates[name] = rates[name] * Rational(denominator);
        numerator = gcd(numerator, rates[name].numerator());
      }
      for (const std::string& name : component) {
        actors_[name].iterations = (rates[name] / Rational(numerator)).numerator().get_ui();
      }
    }
    for (const ReadChannel& channel : channels_) {
      REQUIRE(actors_[channel.from].iterations * sum_of(channel.produced) ==
              actors_[channel.to].iterations * sum_of(channel.consumed));
    }
  }

  void visit(const std::string& name, std::map<std::string, Rational>& rates, std::vector<std::string>& component) {
    const auto reach = [&](const std::string& other, std::uint64_t mine, std::uint64_t theirs) {
      if (!rates.try_emplace(other, rates[name] * Rational::fraction(Integer(mine), Integer(theirs))).second) return;
      component.push_back(other);
    };
    for (const ReadChannel& channel : channels_) {
      if (channel.from == name) reach(channel.to, sum_of(channel.produced), sum_of(channel.consumed));
      if (channel.to == name) reach(channel.from, sum_of(channel.consumed), sum_of(channel.produced));
    }
  }

  // The token that a firing takes was made by the firing whose number says so, maybe of an earlier iteration.
  void expand(const ReadChannel& channel, GraphRead& graph) {
    const ReadActor& from = actors_[channel.from];
    const ReadActor& to = actors_[channel.to];
    std::vector<std::uint64_t> maker;  // of each token of an iteration, a firing
    for (std::uint64_t n = 0; n < from.firings(); ++n) {
      maker.insert(maker.end(), channel.produced[n % channel.produced.size()], n);
    }
    const auto total = static_cast<std::int64_t>(maker.size());
    std::int64_t taken = -static_cast<std::int64_t>(channel.tokens);  // numbers below 0 were there from the start
    for (std::uint64_t n = 0; n < to.firings(); ++n) {
      for (std::uint64_t k = channel.consumed[n % channel.consumed.size()]; k > 0; --k, ++taken) {
        const std::int64_t earlier = taken >= 0 ? 0 : (-taken + total - 1) / total;
        const std::uint64_t firing = maker[static_cast<std::size_t>(taken + earlier * total)];
        graph.arcs.push_back({from.first_vertex + firing, to.first_vertex + n, from.times[firing % from.times.size()],
                              static_cast<std::uint64_t>(earlier)});
      }
    }
  }

  pugi::xml_document document_;
  std::map<std::string, ReadActor> actors_;
  std::vector<ReadChannel> channels_;
};

}  // namespace

Rational period_in(const GraphRead& graph) {
  Integer scale = 1;
  for (const WeighedArc& arc : graph.arcs) scale = lcm(scale, arc.weight.denominator());
  std::vector<maxplus::ListedArc> arcs;
  for (const WeighedArc& arc : graph.arcs) {
    arcs.push_back({arc.from, arc.to, (arc.weight * Rational(scale)).numerator(), arc.tokens});
  }
  const auto solved = maxplus::default_solver().solve(maxplus::make_token_graph(graph.vertices, arcs), {});
  REQUIRE(std::holds_alternative<maxplus::CriticalCycle>(solved));
  REQUIRE(graph.divisor > 0);
  return std::get<maxplus::CriticalCycle>(solved).ratio / Rational(scale * graph.divisor);
}

GraphRead read_pnml(const std::string& text) {
  static const std::regex kId("[a-z][a-z0-9]*");
  pugi::xml_document document;
  REQUIRE(document.load_string(text.c_str()));
  const pugi::xml_node net = document.child("pnml").child("net");
  const pugi::xml_node page = net.child("page");
  GraphRead graph;
  std::map<std::string, std::size_t> vertices;
  std::vector<Rational> durations;
  std::map<std::string, WeighedArc> places;
  std::set<std::string> ids = {net.attribute("id").value(), page.attribute("id").value()};
  std::set<std::pair<long long, long long>> points;
  for (const pugi::xml_node& node : page.children()) {
    const std::string id = node.attribute("id").value();
    REQUIRE(std::regex_match(id, kId));
    REQUIRE(ids.insert(id).second);
    if (std::string(node.name()) != "arc") {
      // Viewers draw nodes where they stand: no two at one point.
      const pugi::xml_node position = node.child("graphics").child("position");
      REQUIRE(points.emplace(position.attribute("x").as_llong(-1), position.attribute("y").as_llong(-1)).second);
      REQUIRE((points.begin()->first > 0 && position.attribute("y").as_llong() > 0));
    }
    if (std::string(node.name()) == "transition") {
      vertices[id] = graph.vertices++;
      durations.push_back(number_of(node.child("toolspecific").child("duration").text().get()));
    } else if (std::string(node.name()) == "place") {
      places[id].tokens = node.child("initialMarking").child("text").text().as_ullong();
    }
  }
  std::set<std::string> fed;
  std::set<std::string> drained;
  for (const pugi::xml_node& node : page.children("arc")) {
    const std::string from = node.attribute("source").value();
    const std::string to = node.attribute("target").value();
    if (const auto place = places.find(to); place != places.end()) {
      place->second.from = vertices.at(from);
      place->second.weight = durations[place->second.from];
      REQUIRE(fed.insert(to).second);
    } else {
      places.at(from).to = vertices.at(to);
      REQUIRE(drained.insert(from).second);
    }
  }
  REQUIRE(fed.size() == places.size());
  REQUIRE(drained.size() == places.size());
  for (const auto& [id, arc] : places) graph.arcs.push_back(arc);
  graph.divisor = net.child("toolspecific").child("dataSets").text().as_ullong();
  return graph;
}

GraphRead read_tina(const std::string& text) {
  static const std::regex kTransition(R"(tr (t\d+) : \{[^{}\\]*\} \[(\d+),(\d+)\])");
  static const std::regex kPlace(R"(pl (p\d+) \((\d+)\))");
  GraphRead graph;
  graph.divisor = divisor_of(text);
  std::map<std::string, WeighedArc> places;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (line.rfind("# ", 0) == 0 || line.rfind("net {", 0) == 0) continue;
    if (std::regex_match(line, found, kPlace)) {
      places.at(found[1]).tokens = std::stoull(found[2]);
      continue;
    }
    INFO(line);
    REQUIRE(std::regex_search(line, found, kTransition, std::regex_constants::match_continuous));
    REQUIRE(found[2] == found[3]);
    std::istringstream words(found.suffix());
    std::string word;
    while (words >> word && word != "->") places[word].to = graph.vertices;
    REQUIRE(word == "->");
    while (words >> word) {
      places[word].from = graph.vertices;
      places[word].weight = number_of(found[2]);
    }
    ++graph.vertices;
  }
  for (const auto& [id, arc] : places) graph.arcs.push_back(arc);
  return graph;
}

GraphRead read_dataflow(const std::string& text) {
  GraphRead graph = DataflowReader(text).expanded();
  graph.divisor = divisor_of(text);
  return graph;
}

GraphRead read_arcs(const std::string& text) {
  const nlohmann::json document = nlohmann::json::parse(text);
  GraphRead graph;
  graph.divisor = document.at("data_sets");
  std::map<std::string, std::size_t> vertices;
  for (const nlohmann::json& arc : document.at("arcs")) {
    const std::size_t from = vertices.try_emplace(arc.at("from"), vertices.size()).first->second;
    const std::size_t to = vertices.try_emplace(arc.at("to"), vertices.size()).first->second;
    graph.arcs.push_back({from, to, number_of(arc.at("weight")), arc.at("tokens")});
  }
  graph.vertices = vertices.size();
  return graph;
}

}  // namespace takt::testing
