// Feature by feature; the first that is not taken is the reason.
#include "tpn/capabilities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "tpn/absent_times.hpp"
#include "tpn/chain.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/visible.hpp"

namespace takt::tpn {

namespace {

constexpr const char* kChains = "chains";
constexpr const char* kUnshared = "processors that share no resource";
constexpr const char* kOnePortEach = "ports that pass one file at a time";
constexpr const char* kNotAhead = "transfers without \"ahead\"";
constexpr const char* kNoRoom = "transfers without \"room\"";
constexpr const char* kNoOrder = "mappings without an \"order\" of transfers";
constexpr const char* kOneEnd = "one source and one sink";
constexpr const char* kAlikeEnds = "sources that are equal, and sinks that are equal";
constexpr const char* kNoSegments = "platforms without \"segments\"";
constexpr const char* kNoQuotas = "platforms without \"quotas\"";
constexpr const char* kNoPartitions = "stages without \"partitions\"";
constexpr const char* kNoBatches = "mappings without \"batch\"";
constexpr const char* kNoEnds = "pipelines without source and sink";
constexpr const char* kOnce = "mappings with each processor once";
constexpr const char* kEverywhere = "problems whose stages run on every processor";
constexpr const char* kNoRates = "stages with one file per firing";

// What a document has that is not taken.
struct Untaken {
  std::string pointer;
  std::string found;
  const char* expected;
};

bool has_end(const Pipeline& pipeline) {
  return std::ranges::any_of(pipeline.parts, [](const NetPart& part) { return part.role != PartRole::mapped; });
}

bool repeats_processor(const Pipeline& pipeline) {
  std::set<std::size_t> processors;
  for (const NetPart& part : pipeline.parts) {
    for (const std::size_t processor : part.sequence) {
      if (!processors.insert(processor).second) return true;
    }
  }
  return false;
}

std::optional<Untaken> fork_or_join(const Application& application) {
  for (std::size_t i = 0; i < application.stages.size(); ++i) {
    const auto& after = application.stages[i].after;
    const std::vector<std::size_t> before = i == 0 ? std::vector<std::size_t>{} : std::vector<std::size_t>{i - 1};
    if (!after || *after == before) continue;
    return Untaken{fmt::format("/application/stages/{}", i),
                   fmt::format("stage \"{}\", whose files do not come from the stage before it alone",
                               visible(application.stages[i].name)),
                   kChains};
  }
  return std::nullopt;
}

std::optional<Untaken> shared_host(const Platform& platform) {
  std::map<std::string_view, std::string_view> first;  // processor by host
  for (std::size_t u = 0; u < platform.processors.size(); ++u) {
    const Processor& processor = platform.processors[u];
    const auto [at, is_new] = first.emplace(host_name(processor), processor.name);
    if (is_new) continue;
    return Untaken{fmt::format("/platform/processors/{}", entries_of(platform)[u]),
                   fmt::format("\"{}\" and \"{}\", which share the ports of host \"{}\"", visible(at->second),
                               visible(processor.name), visible(host_name(processor))),
                   kUnshared};
  }
  return std::nullopt;
}

// Several ports in one place, or ports without a limit.
std::optional<Untaken> other_ports(const Platform& platform) {
  const auto ports_text = [](PortCount ports) {
    return ports == kUnlimitedPorts ? std::string("unlimited ports") : fmt::format("{} ports", ports);
  };
  const auto untaken = [&](PortCount ports, std::string pointer, const std::string& owner) -> std::optional<Untaken> {
    if (ports == kOnePort) return std::nullopt;
    return Untaken{std::move(pointer), fmt::format("{} of {}", ports_text(ports), owner), kOnePortEach};
  };
  const auto& processors = platform.processors;
  const auto other = std::ranges::find_if(processors, [](const auto& p) { return p.ports != kOnePort; });
  if (other != processors.end()) {
    const std::size_t entry = entries_of(platform)[static_cast<std::size_t>(other - processors.begin())];
    return untaken(other->ports, fmt::format("/platform/processors/{}", entry),
                   fmt::format("\"{}\"", visible(other->name)));
  }
  if (platform.source) {
    if (auto found = untaken(platform.source->ports, "/platform/source", "the source")) return found;
  }
  return platform.sink ? untaken(platform.sink->ports, "/platform/sink", "the sink") : std::nullopt;
}

std::optional<Untaken> transfer_ahead(const Document& document) {
  for (std::size_t i = 0; i < document.transfers.size(); ++i) {
    if (document.transfers[i].ahead == 0) continue;
    return Untaken{fmt::format("/transfers/{}/ahead", i),
                   fmt::format("a transfer that is {} ahead", document.transfers[i].ahead), kNotAhead};
  }
  return std::nullopt;
}

std::optional<Untaken> transfer_with_room(const Document& document) {
  for (std::size_t i = 0; i < document.transfers.size(); ++i) {
    const std::uint64_t room = document.transfers[i].room;
    if (room == 0) continue;
    return Untaken{fmt::format("/transfers/{}/room", i),
                   fmt::format("a transfer with room for {} file{}", room, room == 1 ? "" : "s"), kNoRoom};
  }
  return std::nullopt;
}

std::optional<Untaken> order_of_transfers(const Document& document) {
  if (document.order.empty()) return std::nullopt;
  return Untaken{"/order", "an order of transfers", kNoOrder};
}

std::optional<Untaken> several_ends(const Platform& platform) {
  for (const auto& [end, key] : {std::pair(&platform.source, "source"), std::pair(&platform.sink, "sink")}) {
    if (*end && !(*end)->named.empty())
      return Untaken{fmt::format("/platform/{}s", key),
                     fmt::format("{} {}{} by name", (*end)->named.size(), key, (*end)->named.size() == 1 ? "" : "s"),
                     kOneEnd};
  }
  return std::nullopt;
}

std::optional<Untaken> unlike_end(const Platform& platform) {
  for (const auto& [end, key] : {std::pair(&platform.source, "source"), std::pair(&platform.sink, "sink")}) {
    const Endpoint* const unlike = *end ? first_unlike(**end) : nullptr;
    if (unlike == nullptr) continue;
    const auto named = (*end)->in_turn();
    return Untaken{end_pointer(**end, key, static_cast<std::size_t>(unlike - named.data())),
                   fmt::format("\"{}\", whose links or ports are not those of \"{}\"", visible(unlike->name),
                               visible(named.front().name)),
                   kAlikeEnds};
  }
  return std::nullopt;
}

std::optional<Untaken> segment_of(const Platform& platform) {
  if (platform.segments.empty()) return std::nullopt;
  return Untaken{"/platform/segments/0", fmt::format("the segment \"{}\"", visible(platform.segments.front().name)),
                 kNoSegments};
}

std::optional<Untaken> quota_of(const Platform& platform) {
  if (platform.quotas.empty()) return std::nullopt;
  return Untaken{"/platform/quotas/0", "a quota", kNoQuotas};
}

std::optional<Untaken> partitions_of(const Application& application) {
  for (std::size_t i = 0; i < application.stages.size(); ++i) {
    const Stage& stage = application.stages[i];
    if (stage.partitions == 0) continue;
    return Untaken{fmt::format("/application/stages/{}/partitions", i),
                   fmt::format("{} partitions of stage \"{}\"", stage.partitions, visible(stage.name)), kNoPartitions};
  }
  return std::nullopt;
}

std::optional<Untaken> end_of_world(const Platform& platform) {
  if (platform.source) return Untaken{"/platform/source", "a source", kNoEnds};
  if (platform.sink) return Untaken{"/platform/sink", "a sink", kNoEnds};
  return std::nullopt;
}

std::optional<Untaken> batch_of(const Document& document) {
  if (!document.mapping) return std::nullopt;
  for (std::size_t i = 0; i < document.mapping->size(); ++i) {
    const Part& part = (*document.mapping)[i];
    if (part.batches.empty()) continue;
    const Batch& first = part.batches.front();
    return Untaken{fmt::format("/mapping/{}/processors", i),
                   fmt::format("a batch of {} on \"{}\"", first.size,
                               visible(document.platform.processors[part.processors[first.first]].name)),
                   kNoBatches};
  }
  return std::nullopt;
}

std::optional<Untaken> several_files(const Application& application) {
  for (std::size_t i = 0; i < application.stages.size(); ++i) {
    const Stage& stage = application.stages[i];
    if (stage.consumes == Rational(1) && stage.produces == Rational(1)) continue;
    return Untaken{fmt::format("/application/stages/{}", i),
                   fmt::format("stage \"{}\", which consumes {} and produces {}", visible(stage.name),
                               stage.consumes.to_string(), stage.produces.to_string()),
                   kNoRates};
  }
  return std::nullopt;
}

std::optional<Untaken> absent_time(const Document& document) {
  const auto absent = first_absent_time(document);
  if (!absent) return std::nullopt;
  return Untaken{fmt::format("/application/stages/{}", absent->stage),
                 fmt::format("stage \"{}\", which does not run on \"{}\"",
                             visible(document.application.stages[absent->stage].name),
                             visible(document.platform.processors[absent->processor].name)),
                 kEverywhere};
}

std::optional<Untaken> repeated_processor(const Document& document) {
  std::set<std::size_t> processors;
  if (!document.mapping) return std::nullopt;
  for (std::size_t i = 0; i < document.mapping->size(); ++i) {
    for (const std::size_t processor : (*document.mapping)[i].processors) {
      if (processors.insert(processor).second) continue;
      return Untaken{fmt::format("/mapping/{}", i),
                     fmt::format("\"{}\" once more", visible(document.platform.processors[processor].name)), kOnce};
    }
  }
  return std::nullopt;
}

std::optional<Untaken> untaken(const Capabilities& takes, const Document& document) {
  std::optional<Untaken> found;
  const auto look = [&found](bool is_taken, const auto& find, const auto& where) {
    if (!found && !is_taken) found = find(where);
  };
  look(takes.workflows, fork_or_join, document.application);
  look(takes.shared_resources, shared_host, document.platform);
  look(takes.shared_resources, other_ports, document.platform);
  look(takes.ahead, transfer_ahead, document);
  look(takes.ahead && takes.room, transfer_with_room, document);
  look(takes.ahead, order_of_transfers, document);
  look(takes.several_ends, several_ends, document.platform);
  look(takes.unlike_ends, unlike_end, document.platform);
  look(takes.batches, batch_of, document);
  look(takes.segments, segment_of, document.platform);
  look(takes.quotas, quota_of, document.platform);
  look(takes.partitions, partitions_of, document.application);
  look(takes.ends, end_of_world, document.platform);
  look(takes.rates, several_files, document.application);
  look(takes.absent_times, absent_time, document);
  look(takes.repeated_processors, repeated_processor, document);
  return found;
}

}  // namespace

std::optional<std::string> why_refused(const Capabilities& takes, const FoldedNet& net) {
  const auto has_batches = [](const NetPart& part) { return !part.to_batch_end.empty(); };
  if (!takes.batches && std::ranges::any_of(net.pipeline.parts, has_batches))
    return fmt::format("it takes only {}", kNoBatches);
  if (!takes.ahead && net.pipeline.is_shifted()) return fmt::format("it takes only {}", kNotAhead);
  if (!takes.room && !net.capacity.buffers.empty()) return fmt::format("it takes only {}", kNoRoom);
  if (!takes.segments && !net.pipeline.ports.segments.empty()) return fmt::format("it takes only {}", kNoSegments);
  if (!takes.workflows) {
    if (const auto reason = why_no_chain(net)) return fmt::format("it takes only {}: {}", kChains, *reason);
  }
  if (!takes.shared_resources) {
    if (const auto reason = why_shared(net)) return fmt::format("it takes only {}: {}", kUnshared, *reason);
  }
  if (!takes.ends && has_end(net.pipeline)) return fmt::format("it takes only {}", kNoEnds);
  if (!takes.repeated_processors && repeats_processor(net.pipeline)) return fmt::format("it takes only {}", kOnce);
  if (!takes.rates && net.in_sequence) return fmt::format("it takes only {}", kNoRates);
  return std::nullopt;
}

std::optional<std::string> why_refused(const Capabilities& takes, const Document& document) {
  const auto found = untaken(takes, document);
  if (!found) return std::nullopt;
  return fmt::format("it takes only {}: found {}", found->expected, found->found);
}

void require_taken(const Capabilities& takes, const Document& document) {
  if (auto found = untaken(takes, document))
    throw InvalidInstance(std::move(found->pointer), found->found, found->expected);
}

}  // namespace takt::tpn
