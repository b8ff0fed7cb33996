// Which of the two ends keeps the period from being shorter.
#include "tools/words/world_words.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "evaluators/insight/carried_out.hpp"
#include "tools/words/listing.hpp"
#include "tools/words/number_words.hpp"
#include "tpn/counts.hpp"
#include "tpn/errors.hpp"
#include "tpn/segments.hpp"

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

// Of a source, sink or segment that is busy all the time, ends with as many ports together.
struct BusyPorts {
  PartRole role = PartRole::mapped;  // of a segment
  std::vector<std::string> names;    // of ends by name, or of a segment; empty of an end without one
  tpn::PortCount ports = tpn::kOnePort;
};

std::string_view name_of(PartRole role) { return role == PartRole::source ? "source" : "sink"; }

bool is_meant(const tpn::DocumentCount& count, const BusyPorts& busy) {
  using Owner = tpn::DocumentCount::Owner;
  if (count.quantity != tpn::DocumentCount::Quantity::ports || count.value != busy.ports) return false;
  const Owner owner = busy.role == PartRole::source ? Owner::source
                      : busy.role == PartRole::sink ? Owner::sink
                                                    : Owner::segment;
  return count.owner == owner && (busy.names.empty() || std::ranges::find(busy.names, count.name) != busy.names.end());
}

// Of the document with that many ports there; nothing if it is not known.
std::optional<maxplus::Rational> period_with(const tpn::Document& document, const tpn::FoldedNet& net,
                                             const BusyPorts& busy, tpn::PortCount ports,
                                             const evaluators::Options& options) {
  std::vector<tpn::DocumentCount> counts = tpn::all_counts_of(document);
  std::erase_if(counts, [&](const tpn::DocumentCount& count) { return !is_meant(count, busy); });
  for (tpn::DocumentCount& count : counts) count.value = ports;
  try {
    const auto found =
        evaluators::carry_out(tpn::with_counts(document, counts), net.model, options, net.capacity.window);
    return found ? std::optional(found->period()) : std::nullopt;
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;
  }
}

// "Write "ports": 2 in its entry: the period is then 5 ms; with "ports": "unlimited" 4 ms."
class WorldAdvice {
 public:
  WorldAdvice(const tpn::Document& document, const tpn::FoldedNet& net, const TimeWords& times,
              const evaluators::Options& options)
      : document_(document), net_(net), times_(times), options_(options) {}

  std::string end_sentence(const BusyPorts& busy) const {
    const bool sends = busy.role == PartRole::source;
    const bool are_several = busy.names.size() > 1;
    const std::string does = sends ? "send" : "take";
    return fmt::format("{} {} busy all the time: {} {}s {}. If {} {}{} more, write \"ports\": {} in {} {}{}.",
                       busy.names.empty() ? fmt::format("The {}", name_of(busy.role)) : names_listed(busy.names),
                       are_several ? "are" : "is", are_several ? "each" : "it", does, files_at_once(busy.ports),
                       are_several ? "they" : "it", does, are_several ? "" : "s", busy.ports + 1,
                       are_several ? "their" : "its",
                       busy.names.empty() ? fmt::format("\"{}\"", name_of(busy.role))
                       : are_several      ? fmt::format("entries of \"{}s\"", name_of(busy.role))
                                          : fmt::format("entry of \"{}s\"", name_of(busy.role)),
                       outcome(busy));
  }

  // Of one direction of a segment, or of both; the document has one entry for the two.
  std::string segment_sentence(const BusyPorts& busy, const std::string& way) const {
    return fmt::format(
        "The segment {} is busy all the time: it carries {}. If it carries more, write \"ports\": {} in its entry of "
        "\"segments\"{}.",
        printable(way), files_at_once(busy.ports), busy.ports + 1, outcome(busy));
  }

 private:
  std::string outcome(const BusyPorts& busy) const {
    const auto one_more = period_with(document_, net_, busy, busy.ports + 1, options_);
    const auto unlimited = period_with(document_, net_, busy, tpn::kUnlimitedPorts, options_);
    if (!one_more || !unlimited) return " or \"ports\": \"unlimited\"";
    const std::string then = times_.amount_per_item(*one_more);
    if (*one_more == *unlimited) return fmt::format(": the period is then {}, as with \"unlimited\"", then);
    return fmt::format(": the period is then {}, with \"unlimited\" {}", then, times_.amount_per_item(*unlimited));
  }

  const tpn::Document& document_;
  const tpn::FoldedNet& net_;
  const TimeWords& times_;
  const evaluators::Options& options_;
};

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

std::string world_sentence(const tpn::Document& document, const tpn::FoldedNet& net,
                           const evaluators::Evaluation& evaluation, const TimeWords& times,
                           const evaluators::Options& options) {
  if (!evaluation.exact() || evaluation.upper.sign() == 0) return "";
  std::set<std::size_t> critical;
  for (const tpn::Resource& resource : net.resources)
    if (resource.cycle_time == evaluation.upper) critical.insert(resource.processor);
  const tpn::Pipeline& pipeline = net.pipeline;
  const WorldAdvice advice(document, net, times, options);
  std::vector<std::string> sentences;
  for (const tpn::NetPart& part : pipeline.parts) {
    if (part.role == PartRole::mapped) continue;
    for (auto& [ports, names] : busy_ends(pipeline, part, critical))
      sentences.push_back(advice.end_sentence({part.role, std::move(names), ports}));
  }
  for (const std::size_t processor : critical) {
    if (!pipeline.is_segment(processor)) continue;
    const std::string& way = pipeline.processors[processor];
    const auto segment = std::ranges::find_if(document.platform.segments, [&](const auto& one) {
      return std::ranges::count(tpn::names_of_ways(one), way) > 0;
    });
    sentences.push_back(advice.segment_sentence({PartRole::mapped, {segment->name}, segment->ports}, way));
  }
  return fmt::format("{}", fmt::join(sentences, " "));
}

}  // namespace takt::tools
