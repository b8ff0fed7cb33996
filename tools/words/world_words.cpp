// Which of the two ends keeps the period from being shorter.
#include "tools/words/world_words.hpp"

#include <fmt/format.h>

#include <set>

#include "tools/words/number_words.hpp"

namespace takt::tools {

namespace {

using tpn::PartRole;

std::string files_at_once(tpn::PortCount ports) {
  return ports == tpn::kOnePort ? "one file at a time" : fmt::format("{} files at once", ports);
}

// Several have names of their own.
std::string end_sentence(PartRole role, const std::string& own_name, bool is_one_of_several, tpn::PortCount ports) {
  const bool sends = role == PartRole::source;
  const char* const name = sends ? "source" : "sink";
  const char* const does = sends ? "sends" : "takes";
  return fmt::format(
      "{} is busy all the time: it {} {}. If it {} more, write \"ports\": {} or \"ports\": \"unlimited\" in its "
      "{}.",
      is_one_of_several ? printable(own_name) : fmt::format("The {}", name), does, files_at_once(ports), does,
      ports + 1, is_one_of_several ? fmt::format("entry of \"{}s\"", name) : fmt::format("\"{}\"", name));
}

// Of one direction of a segment, or of both; the document has one entry for the two.
std::string segment_sentence(const std::string& name, tpn::PortCount ports) {
  return fmt::format(
      "The segment {} is busy all the time: it carries {}. If it carries more, write \"ports\": {} in its entry of "
      "\"segments\".",
      printable(name), files_at_once(ports), ports + 1);
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
    for (const std::size_t end : part.sequence) {
      if (!critical.contains(end)) continue;
      if (!text.empty()) text += ' ';
      const std::string& name = net.pipeline.processors[end];
      const bool is_one_of_several = part.sequence.size() > 1 || (name != "source" && name != "sink");
      text += end_sentence(part.role, name, is_one_of_several, net.pipeline.port_count(end));
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
