// Which of the two ends keeps the period from being shorter.
#include "tools/words/world_words.hpp"

#include <fmt/format.h>

#include <set>

namespace takt::tools {

namespace {

using tpn::PartRole;

std::string end_sentence(PartRole role, tpn::PortCount ports) {
  const bool sends = role == PartRole::source;
  const char* const name = sends ? "source" : "sink";
  const char* const does = sends ? "sends" : "takes";
  const std::string at_once = ports == tpn::kOnePort ? "one file at a time" : fmt::format("{} files at once", ports);
  return fmt::format(
      "The {} is busy all the time: it {} {}. If it {} more, write \"ports\": {} or \"ports\": \"unlimited\" in its "
      "\"{}\".",
      name, does, at_once, does, ports + 1, name);
}

}  // namespace

std::string world_sentence(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation) {
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return "";
  std::set<std::size_t> critical;
  for (const tpn::Resource& resource : net.resources)
    if (resource.cycle_time == evaluation.upper) critical.insert(resource.processor);
  std::string text;
  for (const tpn::NetPart& part : net.pipeline.parts) {
    if (part.role == PartRole::mapped || !critical.contains(part.sequence.front())) continue;
    if (!text.empty()) text += ' ';
    text += end_sentence(part.role, net.pipeline.port_count(part.sequence.front()));
  }
  return text;
}

}  // namespace takt::tools
