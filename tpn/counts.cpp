// One more of what a document counts.
#include "tpn/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/turns.hpp"
#include "tpn/validate.hpp"

namespace takt::tpn {

namespace {

using CountOwner = DocumentCount::Owner;
using CountQuantity = DocumentCount::Quantity;

// What a part names in turn: a group by all its processors, or one of its cores.
struct Named {
  std::size_t group = 0;
  std::optional<std::size_t> core;  // from 0
};

std::size_t group_number(std::span<const ProcessorGroup> groups, std::size_t processor) {
  return static_cast<std::size_t>(&group_of(groups, processor) - groups.data());
}

std::vector<Named> named_by(std::span<const ProcessorGroup> groups, const std::vector<std::string_view>& names,
                            const std::vector<std::size_t>& turns) {
  std::vector<Named> named;
  // Where the names are those of several cores each, their first cores have the first turns.
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::size_t g = group_number(groups, turns[k]);
    const bool is_whole = names[k] == groups[g].name;
    named.push_back({g, is_whole ? std::nullopt : std::optional(turns[k] - groups[g].first)});
  }
  return named;
}

// By part of the mapping.
std::vector<std::vector<Named>> named_by_parts(const Document& document, std::span<const ProcessorGroup> groups) {
  std::vector<std::vector<Named>> parts;
  for (const Part& part : *document.mapping) {
    const PartTurns turns = turns_of(part);
    if (turns.are_even()) {
      parts.push_back(named_by(groups, names_of_turns(document.platform, groups, turns.processors), turns.processors));
      continue;
    }
    std::vector<Named>& named = parts.emplace_back();
    for (const std::size_t processor : turns.processors) {
      const std::size_t g = group_number(groups, processor);
      const bool is_alone = !groups[g].is_of_cores();
      named.push_back({g, is_alone ? std::nullopt : std::optional(processor - groups[g].first)});
    }
  }
  return parts;
}

// Of the entry that has what the host has, by the first processor of each host.
std::map<std::size_t, std::size_t> card_entries(const Platform& platform, std::span<const ProcessorGroup> groups,
                                                const HostIndex& hosts) {
  std::map<std::size_t, std::size_t> entries;
  const std::vector<bool> has_card = entries_with_card(platform, groups, hosts);
  for (std::size_t g = 0; g < groups.size(); ++g)
    if (has_card[g]) entries.try_emplace(hosts.first_of(groups[g].first), g);
  return entries;
}

void add_ports_of_end(const std::optional<Endpoint>& end, CountOwner owner, std::vector<DocumentCount>& counts) {
  if (!end) return;
  const char* const key = owner == CountOwner::source ? "source" : "sink";
  const auto in_turn = end->in_turn();
  for (std::size_t k = 0; k < in_turn.size(); ++k) {
    const Endpoint& one = in_turn[k];
    if (one.ports == kUnlimitedPorts || one.ports >= kMostPorts) continue;
    counts.push_back({one.name.empty() ? key : one.name, end_pointer(*end, key, k) + "/ports", CountQuantity::ports,
                      owner, k, one.ports});
  }
}

// A document whose counts grow one by one. Indices of processors move with each core.
class Growing {
 public:
  explicit Growing(const Document& document) : document_(document) {}

  void add_port(const DocumentCount& count) {
    if (count.owner == CountOwner::segment) {
      ++document_.platform.segments.at(count.index).ports;
      return;
    }
    if (count.owner != CountOwner::machine) {
      Endpoint& end = *(count.owner == CountOwner::source ? document_.platform.source : document_.platform.sink);
      ++(end.named.empty() ? end : end.named.at(count.index)).ports;
      return;
    }
    const HostIndex hosts(document_.platform);
    for (std::size_t p = 0; p < document_.platform.processors.size(); ++p)
      if (hosts.are_together(p, count.index)) ++document_.platform.processors[p].ports;
  }

  // The last of them first: those before keep their indices.
  void add_cores_of(std::vector<std::size_t> firsts) {
    if (firsts.empty()) return;
    std::vector<ProcessorGroup> groups = processor_groups(document_.platform);
    const std::vector<std::vector<Named>> named = named_by_parts(document_, groups);
    std::ranges::sort(firsts, std::greater{});
    std::vector<bool> grows(groups.size());
    for (const std::size_t first : firsts) {
      const std::size_t g = group_number(groups, first);
      grows[g] = true;
      add_core(groups[g]);
    }
    std::size_t more = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      groups[g].first += more;
      if (!grows[g]) continue;
      ++groups[g].count;
      ++more;
    }
    for (std::size_t i = 0; i < named.size(); ++i) deal(named[i], groups, (*document_.mapping)[i]);
  }

  Document take() { return std::move(document_); }

 private:
  // Each turn takes as many data sets as that of the same name did.
  static void deal(const std::vector<Named>& named, std::span<const ProcessorGroup> groups, Part& part) {
    const PartTurns before = turns_of(part);
    std::vector<std::vector<std::size_t>> lists;
    std::vector<std::vector<std::size_t>> sizes;
    for (std::size_t k = 0; k < named.size(); ++k) {
      const ProcessorGroup& group = groups[named[k].group];
      lists.push_back(named[k].core ? std::vector{group.first + *named[k].core} : members_of(group));
      const std::uint64_t size = before.are_even() ? before.sizes.front() : before.sizes[k];
      sizes.emplace_back(lists.back().size(), size);
    }
    PartTurns turns{dealt_in_turn(lists), {}};
    for (const std::size_t size : dealt_in_turn(sizes)) turns.sizes.push_back(size);
    set_turns(part, turns);
  }

  void add_core(const ProcessorGroup& group) {
    auto& processors = document_.platform.processors;
    const std::size_t added = group.first + group.count;
    const auto place = processors.begin() + static_cast<std::ptrdiff_t>(added);
    if (group.count == 1) {
      std::vector<Processor> cores;
      add_cores(processors[group.first], 2, cores);
      processors[group.first] = cores[0];
      processors.insert(place, cores[1]);
    } else {
      Processor core = processors[added - 1];
      core.name = core_name(std::string(entry_name(core)), group.count + 1);
      core.core = group.count + 1;
      processors.insert(place, std::move(core));
    }
    move_behind(group, added);
  }

  // What a new core of the group takes for the stage: what all of its cores take, else what its type says, else
  // nothing.
  std::optional<StageTime> time_of_new(const Stage& stage, const ProcessorGroup& group, std::size_t added) const {
    std::vector<const StageTime*> own;
    for (const StageTime& time : stage.times)
      if (time.processor >= group.first && time.processor < group.first + group.count) own.push_back(&time);
    const auto is_like_first = [&](const StageTime* time) {
      return time->time == own.front()->time && time->fixed == own.front()->fixed &&
             time->inherited == own.front()->inherited;
    };
    if (!own.empty() && own.size() == group.count && std::ranges::all_of(own, is_like_first)) {
      StageTime time = *own.front();
      time.processor = added;
      return time;
    }
    const Processor& like = document_.platform.processors[group.first];
    for (const TypeTime& of_type : stage.type_times)
      if (like.type == of_type.type && !like.time) return StageTime{added, of_type.time, true, of_type.fixed};
    return std::nullopt;
  }

  // One stands at `added` now.
  void move_behind(const ProcessorGroup& group, std::size_t added) {
    const auto move = [added](std::size_t& processor) {
      if (processor >= added) ++processor;
    };
    for (Stage& stage : document_.application.stages) {
      const std::optional<StageTime> of_new = time_of_new(stage, group, added);
      // Behind the last of the group's own, that cores which are alike stay one entry.
      std::size_t place = stage.times.size();
      for (std::size_t k = 0; k < stage.times.size(); ++k) {
        const std::size_t of = stage.times[k].processor;
        if (of >= group.first && of < group.first + group.count) place = k + 1;
        move(stage.times[k].processor);
      }
      if (of_new) stage.times.insert(stage.times.begin() + static_cast<std::ptrdiff_t>(place), *of_new);
    }
    for (Link& link : document_.platform.links) {
      move(link.from);
      move(link.to);
    }
    for (auto* const end : {&document_.platform.source, &document_.platform.sink}) {
      if (!*end) continue;
      for (EndpointLink& link : (*end)->links) move(link.processor);
      for (Endpoint& one : (*end)->named)
        for (EndpointLink& link : one.links) move(link.processor);
    }
  }

  Document document_;
};

}  // namespace

std::string_view name_of(DocumentCount::Quantity quantity) {
  return quantity == CountQuantity::ports ? "port" : "core";
}

std::vector<DocumentCount> counts_of(const Document& document) {
  const Platform& platform = document.platform;
  const std::vector<ProcessorGroup> groups = processor_groups(platform);
  const HostIndex hosts(platform);
  const auto named = named_by_parts(document, groups);
  std::vector<bool> is_whole(groups.size());
  std::vector<bool> is_used(platform.processors.size());  // by the first processor of a host
  for (const auto& part : named) {
    for (const Named& one : part) {
      is_used[hosts.first_of(groups[one.group].first)] = true;
      if (!one.core) is_whole[one.group] = true;
    }
  }
  std::vector<DocumentCount> counts;
  add_ports_of_end(platform.source, CountOwner::source, counts);
  for (const auto& [first, entry] : card_entries(platform, groups, hosts)) {
    const PortCount ports = platform.processors[first].ports;
    if (!is_used[first] || ports == kUnlimitedPorts || ports >= kMostPorts) continue;
    counts.push_back({machine_name(platform, hosts, first), fmt::format("/platform/processors/{}/ports", entry),
                      CountQuantity::ports, CountOwner::machine, first, ports});
  }
  add_ports_of_end(platform.sink, CountOwner::sink, counts);
  for (std::size_t s = 0; s < platform.segments.size(); ++s) {
    const NetworkSegment& segment = platform.segments[s];
    if (segment.ports == kUnlimitedPorts || segment.ports >= kMostPorts) continue;
    counts.push_back({segment.name, fmt::format("/platform/segments/{}/ports", s), CountQuantity::ports,
                      CountOwner::segment, s, segment.ports});
  }
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (!is_whole[g] || groups[g].count >= kMostCores) continue;
    counts.push_back({std::string(groups[g].name), fmt::format("/platform/processors/{}/cores", g),
                      CountQuantity::cores, CountOwner::machine, groups[g].first, groups[g].count});
  }
  return counts;
}

std::vector<std::vector<std::size_t>> alike_counts(const Document& document, const std::vector<DocumentCount>& counts) {
  const HostIndex hosts(document.platform);
  const std::vector<ProcessorGroup> groups = processor_groups(document.platform);
  using Entries = std::map<std::size_t, std::size_t>;  // by part
  std::map<std::size_t, Entries> of_hosts;
  std::map<std::size_t, Entries> of_groups;
  for (std::size_t i = 0; i < document.mapping->size(); ++i) {
    for (const std::size_t p : (*document.mapping)[i].processors) {
      ++of_hosts[hosts.first_of(p)][i];
      ++of_groups[group_of(groups, p).first][i];
    }
  }
  std::map<std::tuple<CountQuantity, CountOwner, std::uint64_t, Entries>, std::vector<std::size_t>> lists;
  for (std::size_t c = 0; c < counts.size(); ++c) {
    const DocumentCount& count = counts[c];
    const Entries entries = count.owner != CountOwner::machine       ? Entries{}
                            : count.quantity == CountQuantity::ports ? of_hosts[count.index]
                                                                     : of_groups[count.index];
    lists[{count.quantity, count.owner, count.value, entries}].push_back(c);
  }
  std::vector<std::vector<std::size_t>> alike;
  for (auto& [key, list] : lists)
    if (list.size() > 1) alike.push_back(std::move(list));
  std::ranges::sort(alike);
  return alike;
}

std::optional<Document> with_one_more(const Document& document, const std::vector<DocumentCount>& counts) {
  Growing growing(document);
  std::vector<std::size_t> with_cores;
  for (const DocumentCount& count : counts) {
    if (count.quantity == CountQuantity::ports) {
      growing.add_port(count);
    } else {
      with_cores.push_back(count.index);
    }
  }
  growing.add_cores_of(std::move(with_cores));
  Document changed = growing.take();
  try {
    validate(changed);
  } catch (const InvalidInstance&) {
    return std::nullopt;
  }
  return changed;
}

}  // namespace takt::tpn
