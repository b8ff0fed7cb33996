// The writer: one line for every stage, processor, link and part.
#include "tpn/writer.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"
#include "tpn/json.hpp"
#include "tpn/models.hpp"

namespace takt::tpn {

namespace {

// The members of an object, the values as JSON text.
using Members = std::vector<std::pair<std::string, std::string>>;

std::string number(const Rational& value) {
  const auto text = json::number_text(value);
  maxplus::expects(text.has_value(), "a document's numbers are within the limits of its text");
  return *text;
}

std::string text(const std::string& value) {
  const auto quoted = json::string_text(value);
  maxplus::expects(quoted.has_value(), "a document's texts are UTF-8");
  return *quoted;
}

void add(Members& members, const std::string& key, const std::optional<Rational>& value) {
  if (value) members.emplace_back(key, number(*value));
}

void add(Members& members, const LinkTiming& timing) {
  add(members, "bandwidth", timing.bandwidth);
  add(members, "latency", timing.latency);
  add(members, "time", timing.time);
}

std::string joined(const std::vector<std::string>& items, const std::string& separator) {
  std::string list;
  for (std::size_t i = 0; i < items.size(); ++i) list += (i == 0 ? "" : separator) + items[i];
  return list;
}

std::vector<std::string> member_texts(const Members& members) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : members) texts.push_back(text(key) + ": " + value);
  return texts;
}

std::string line(const Members& members) { return fmt::format("{{{}}}", joined(member_texts(members), ", ")); }

std::string line(const std::vector<std::string>& items) { return fmt::format("[{}]", joined(items, ", ")); }

// An object or array with one line for each item, within `indent`.
std::string block(const Members& members, const std::string& indent) {
  return "{\n" + indent + "  " + joined(member_texts(members), ",\n" + indent + "  ") + "\n" + indent + "}";
}

std::string block(const std::vector<std::string>& items, const std::string& indent) {
  if (items.empty()) return "[]";
  return "[\n" + indent + "  " + joined(items, ",\n" + indent + "  ") + "\n" + indent + "]";
}

std::string written(const Stage& stage) {
  Members members{{"name", text(stage.name)}};
  add(members, "work", stage.work);
  add(members, "output", stage.output);
  if (!stage.replicable) members.emplace_back("replicable", "false");
  if (stage.consumes != 1) members.emplace_back("consumes", number(stage.consumes));
  if (stage.produces != 1) members.emplace_back("produces", number(stage.produces));
  return line(members);
}

std::string written(const Application& application) {
  Members members;
  if (!application.name.empty()) members.emplace_back("name", text(application.name));
  add(members, "input", application.input);
  std::vector<std::string> stages;
  for (const Stage& stage : application.stages) stages.push_back(written(stage));
  members.emplace_back("stages", block(stages, "    "));
  return block(members, "  ");
}

std::string written(const Endpoint& endpoint, const std::vector<std::string>& names) {
  Members members;
  add(members, endpoint.timing);
  std::vector<std::string> links;
  for (const EndpointLink& link : endpoint.links) {
    Members entry{{"processor", names.at(link.processor)}};
    add(entry, link.timing);
    links.push_back(line(entry));
  }
  if (!links.empty()) members.emplace_back("links", line(links));
  return line(members);
}

std::string written(const Platform& platform, const std::vector<std::string>& names) {
  std::vector<std::string> processors;
  for (std::size_t i = 0; i < platform.processors.size(); ++i) {
    Members entry{{"name", names[i]}};
    add(entry, "speed", platform.processors[i].speed);
    add(entry, "time", platform.processors[i].time);
    processors.push_back(line(entry));
  }
  std::vector<std::string> links;
  for (const Link& link : platform.links) {
    Members entry{{"from", names.at(link.from)}, {"to", names.at(link.to)}};
    add(entry, link.timing);
    if (link.directed) entry.emplace_back("directed", "true");
    links.push_back(line(entry));
  }
  Members members{{"processors", block(processors, "    ")}};
  add(members, platform.defaults);
  if (!links.empty()) members.emplace_back("links", block(links, "    "));
  if (platform.source) members.emplace_back("source", written(*platform.source, names));
  if (platform.sink) members.emplace_back("sink", written(*platform.sink, names));
  return block(members, "  ");
}

std::string written(const Mapping& mapping, const Document& document, const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const Part& part : mapping) {
    std::vector<std::string> stages;
    for (std::size_t stage = part.first_stage; stage <= part.last_stage; ++stage) {
      stages.push_back(text(document.application.stages.at(stage).name));
    }
    std::vector<std::string> processors;
    for (const std::size_t processor : part.processors) processors.push_back(names.at(processor));
    parts.push_back(line(Members{{"stages", line(stages)}, {"processors", line(processors)}}));
  }
  return block(parts, "  ");
}

std::string written(const OptionValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* quantity = std::get_if<Rational>(&value)) return number(*quantity);
  return text(std::get<std::string>(value));
}

std::string written(const HeuristicRecord& heuristic) {
  Members members{{"name", text(heuristic.name)}};
  add(members, "seed", heuristic.seed);
  Members options;
  for (const auto& [key, value] : heuristic.options) options.emplace_back(key, written(value));
  if (!options.empty()) members.emplace_back("options", line(options));
  return line(members);
}

}  // namespace

std::string write_document(const Document& document) {
  std::vector<std::string> names;
  for (const Processor& processor : document.platform.processors) names.push_back(text(processor.name));

  Members members{{"application", written(document.application)}, {"platform", written(document.platform, names)}};
  if (document.mapping) members.emplace_back("mapping", written(*document.mapping, document, names));
  add(members, "predicted_period", document.predicted_period);
  if (document.heuristic) members.emplace_back("heuristic", written(*document.heuristic));
  if (document.model) {
    members.emplace_back("model", text(std::string(name_of(*document.model))));
    if (document.model->definition().has_rooms) members.emplace_back("rooms", std::to_string(document.model->rooms()));
  }
  return block(members, "") + "\n";
}

}  // namespace takt::tpn
