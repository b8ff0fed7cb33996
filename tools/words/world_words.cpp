// Which of the two ends keeps the period from being shorter.
#include "tools/words/world_words.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

using tpn::PartRole;

std::string files_at_once(tpn::PortCount ports) {
  return ports == tpn::kOnePort ? "one file at a time" : fmt::format("{} files at once", ports);
}

std::string names_listed(const std::vector<std::string>& names) {
  std::vector<std::string> printed;
  printed.reserve(names.size());
  for (const std::string& name : names) printed.push_back(printable(name));
  return listing(printed);
}

// Those with as many ports each; `names` are those of ends by name, and empty of one without.
std::string end_sentence(PartRole role, const std::vector<std::string>& names, tpn::PortCount ports) {
  const bool sends = role == PartRole::source;
  const char* const name = sends ? "source" : "sink";
  const bool are_several = names.size() > 1;
  const std::string does = sends ? "send" : "take";
  return fmt::format(
      "{} {} busy all the time: {} {}s {}. If {} {}{} more, write \"ports\": {} or \"ports\": \"unlimited\" in {} {}.",
      names.empty() ? fmt::format("The {}", name) : names_listed(names), are_several ? "are" : "is",
      are_several ? "each" : "it", does, files_at_once(ports), are_several ? "they" : "it", does,
      are_several ? "" : "s", ports + 1, are_several ? "their" : "its",
      names.empty() ? fmt::format("\"{}\"", name)
      : are_several ? fmt::format("entries of \"{}s\"", name)
                    : fmt::format("entry of \"{}s\"", name));
}

// Of one direction of a segment, or of both; the document has one entry for the two.
std::string segment_sentence(const std::string& name, tpn::PortCount ports) {
  return fmt::format(
      "The segment {} is busy all the time: it carries {}. If it carries more, write \"ports\": {} in its entry of "
      "\"segments\".",
      printable(name), files_at_once(ports), ports + 1);
}

// Of a source or sink, the names of ends that are critical, by ports.
std::map<tpn::PortCount, std::vector<std::string>> busy_ends(const tpn::Pipeline& pipeline, const tpn::NetPart& part,
                                                             const std::set<std::size_t>& critical) {
  std::map<tpn::PortCount, std::vector<std::string>> busy;
  for (const std::size_t end : part.sequence) {
    if (!critical.contains(end)) continue;
    std::vector<std::string>& names = busy[pipeline.port_count(end)];
    const std::string& name = pipeline.processors[end];
    const bool is_named = part.sequence.size() > 1 || (name != "source" && name != "sink");
    if (is_named) names.push_back(name);
  }
  return busy;
}

}  // namespace

std::string world_sentence(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation) {
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return "";
  std::set<std::size_t> critical;
  for (const tpn::Resource& resource : net.resources)
    if (resource.cycle_time == evaluation.upper) critical.insert(resource.processor);
  std::string text;
  for (const tpn::NetPart& part : net.pipeline.parts) {
    if (part.role == PartRole::mapped) continue;
    for (const auto& [ports, names] : busy_ends(net.pipeline, part, critical)) {
      if (!text.empty()) text += ' ';
      text += end_sentence(part.role, names, ports);
    }
  }
  for (const std::size_t processor : critical) {
    if (!net.pipeline.is_segment(processor)) continue;
    if (!text.empty()) text += ' ';
    text += segment_sentence(net.pipeline.processors[processor], net.pipeline.port_count(processor));
  }
  return text;
}

}  // namespace takt::tools
