// Actors with their ports, channels, then the times of the actors on a processor of their own.
#include "tools/interchange/dataflow.hpp"

#include "tools/interchange/xml.hpp"

namespace takt::tools {

namespace {

// "1,0,1,0": the values over and over.
template <typename Values, typename ToText>
std::string list_of(const Values& values, std::uint64_t length, ToText to_text) {
  std::string text;
  for (std::uint64_t k = 0; k < length; ++k) {
    if (k > 0) text += ',';
    text += to_text(values[k % values.size()]);
  }
  return text;
}

void append_port(pugi::xml_node actor, bool is_input, std::size_t channel, const PortRates& rates,
                 std::uint64_t phases) {
  pugi::xml_node port = actor.append_child("port");
  port.append_attribute("name") = ((is_input ? "i" : "o") + std::to_string(channel)).c_str();
  port.append_attribute("type") = is_input ? "in" : "out";
  const auto digit = [](std::uint8_t rate) { return static_cast<char>('0' + rate); };
  port.append_attribute("rate") = list_of(rates, phases, digit).c_str();
}

void append_actors(pugi::xml_node parent, const DataflowGraph& graph) {
  std::vector<pugi::xml_node> nodes;
  nodes.reserve(graph.actors.size());
  for (const DataflowActor& actor : graph.actors) {
    nodes.push_back(parent.append_child("actor"));
    nodes.back().append_attribute("name") = actor.name.c_str();
    nodes.back().append_attribute("type") = "operation";
  }
  for (std::size_t k = 0; k < graph.channels.size(); ++k) {
    const DataflowChannel& channel = graph.channels[k];
    append_port(nodes[channel.from], false, k, channel.produced, graph.actors[channel.from].phases);
    append_port(nodes[channel.to], true, k, channel.consumed, graph.actors[channel.to].phases);
  }
}

void append_channels(pugi::xml_node parent, const DataflowGraph& graph) {
  for (std::size_t k = 0; k < graph.channels.size(); ++k) {
    const DataflowChannel& channel = graph.channels[k];
    const std::string number = std::to_string(k);
    pugi::xml_node node = parent.append_child("channel");
    node.append_attribute("name") = ("c" + number).c_str();
    node.append_attribute("srcActor") = graph.actors[channel.from].name.c_str();
    node.append_attribute("srcPort") = ("o" + number).c_str();
    node.append_attribute("dstActor") = graph.actors[channel.to].name.c_str();
    node.append_attribute("dstPort") = ("i" + number).c_str();
    if (channel.tokens > 0) node.append_attribute("initialTokens") = std::to_string(channel.tokens).c_str();
  }
}

void append_times(pugi::xml_node parent, const DataflowGraph& graph) {
  for (const DataflowActor& actor : graph.actors) {
    pugi::xml_node properties = parent.append_child("actorProperties");
    properties.append_attribute("actor") = actor.name.c_str();
    pugi::xml_node processor = properties.append_child("processor");
    processor.append_attribute("type") = "p";
    processor.append_attribute("default") = "true";
    const std::vector<std::string> times = {actor.time.get_str()};
    processor.append_child("executionTime").append_attribute("time") =
        list_of(times, actor.phases, [](const std::string& time) { return time; }).c_str();
  }
}

}  // namespace

std::string sdf3_text(const DataflowGraph& graph) {
  const std::string type = graph.is_cyclo_static ? "csdf" : "sdf";
  pugi::xml_document document;
  document.append_child(pugi::node_comment).set_value((" " + graph.comment + " ").c_str());
  pugi::xml_node root = document.append_child("sdf3");
  root.append_attribute("type") = type.c_str();
  root.append_attribute("version") = "1.0";
  pugi::xml_node application = root.append_child("applicationGraph");
  application.append_attribute("name") = xml_text(graph.name).c_str();
  pugi::xml_node body = application.append_child(type.c_str());
  body.append_attribute("name") = "net";
  body.append_attribute("type") = "net";
  append_actors(body, graph);
  append_channels(body, graph);
  append_times(application.append_child((type + "Properties").c_str()), graph);
  return text_of(document);
}

}  // namespace takt::tools
