// What a document counts, and other numbers of it.
#include "tpn/counts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "tpn/alike_names.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/json.hpp"
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
    parts.push_back(named_by(groups, names_of_turns(document.platform, groups, turns), turns.processors));
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

class CountList {
 public:
  explicit CountList(const Document& document) : platform_(document.platform), groups_(processor_groups(platform_)) {}

  std::vector<DocumentCount> take() {
    add_ports_of_end(platform_.source, CountOwner::source);
    const HostIndex hosts(platform_);
    for (const auto& [first, entry] : card_entries(platform_, groups_, hosts))
      add(machine_name(platform_, hosts, first), fmt::format("/platform/processors/{}/ports", entry),
          CountQuantity::ports, CountOwner::machine, first, platform_.processors[first].ports);
    add_ports_of_end(platform_.sink, CountOwner::sink);
    for (std::size_t s = 0; s < platform_.segments.size(); ++s)
      add(platform_.segments[s].name, fmt::format("/platform/segments/{}/ports", s), CountQuantity::ports,
          CountOwner::segment, s, platform_.segments[s].ports);
    for (std::size_t g = 0; g < groups_.size(); ++g)
      add(std::string(groups_[g].name), fmt::format("/platform/processors/{}/cores", g), CountQuantity::cores,
          CountOwner::machine, groups_[g].first, groups_[g].count);
    for (std::size_t t = 0; t < platform_.types.size(); ++t) {
      const ProcessorType& type = platform_.types[t];
      const std::string pointer = fmt::format("/platform/types/{}", t);
      add(type.name, pointer + "/ports", CountQuantity::ports, CountOwner::type, t, type.ports);
      add(type.name, pointer + "/cores", CountQuantity::cores, CountOwner::type, t, type.cores);
    }
    return std::move(counts_);
  }

 private:
  void add(std::string name, std::string pointer, CountQuantity quantity, CountOwner owner, std::size_t index,
           std::uint64_t value) {
    counts_.push_back({std::move(name), std::move(pointer), quantity, owner, index, value});
  }

  void add_ports_of_end(const std::optional<Endpoint>& end, CountOwner owner) {
    if (!end) return;
    const char* const key = owner == CountOwner::source ? "source" : "sink";
    const auto in_turn = end->in_turn();
    for (std::size_t k = 0; k < in_turn.size(); ++k)
      add(in_turn[k].name.empty() ? key : in_turn[k].name, end_pointer(*end, key, k) + "/ports", CountQuantity::ports,
          owner, k, in_turn[k].ports);
  }

  const Platform& platform_;
  std::vector<ProcessorGroup> groups_;
  std::vector<DocumentCount> counts_;
};

// A document whose counts change one by one. Indices of processors move with cores.
class Changing {
 public:
  explicit Changing(const Document& document) : document_(document) {}

  void set_ports(const DocumentCount& count) {
    Platform& platform = document_.platform;
    switch (count.owner) {
      case CountOwner::segment:
        platform.segments.at(count.index).ports = count.value;
        return;
      case CountOwner::source:
      case CountOwner::sink: {
        Endpoint& end = *(count.owner == CountOwner::source ? platform.source : platform.sink);
        (end.named.empty() ? end : end.named.at(count.index)).ports = count.value;
        return;
      }
      case CountOwner::machine:
        return set_ports_of_host(HostIndex(platform), count.index, count.value);
      case CountOwner::type:
        return set_ports_of_type(count.index, count.value);
    }
  }

  // Each of machines and types.
  void set_cores(const std::vector<DocumentCount>& counts) {
    if (counts.empty()) return;
    std::vector<ProcessorGroup> groups = processor_groups(document_.platform);
    const std::vector<std::vector<Named>> named = named_by_parts(document_, groups);
    // Names of their own: those of processors move with these.
    std::vector<std::string> names;
    names.reserve(groups.size());
    for (const ProcessorGroup& group : groups) names.emplace_back(group.name);
    for (std::size_t g = 0; g < groups.size(); ++g) groups[g].name = names[g];
    std::map<std::size_t, std::uint64_t> sizes;  // by group
    for (const DocumentCount& count : counts) {
      if (count.owner == CountOwner::machine) sizes[group_number(groups, count.index)] = count.value;
      if (count.owner == CountOwner::type) add_sizes_of_type(groups, count, sizes);
    }
    require_cores_in_all(groups, sizes);
    for (const auto& [g, size] : sizes)
      if (size < groups[g].count) require_unnamed(groups[g], g, size, named);
    // The last of them first: those before keep their indices.
    std::vector<ProcessorGroup> after = groups;
    for (auto change = sizes.rbegin(); change != sizes.rend(); ++change) {
      const auto& [g, size] = *change;
      if (size > groups[g].count) add_cores_to(groups[g], size);
      if (size < groups[g].count) remove_cores_of(groups[g], size);
      after[g].count = size;
    }
    for (std::size_t g = 1; g < after.size(); ++g) after[g].first = after[g - 1].first + after[g - 1].count;
    for (std::size_t i = 0; i < named.size(); ++i) deal(named[i], after, (*document_.mapping)[i]);
  }

  Document take() { return std::move(document_); }

 private:
  void set_ports_of_host(const HostIndex& hosts, std::size_t processor, PortCount ports) {
    for (std::size_t p = 0; p < document_.platform.processors.size(); ++p)
      if (hosts.are_together(p, processor)) document_.platform.processors[p].ports = ports;
  }

  // Of the hosts whose entry is of the type, and says nothing else.
  void set_ports_of_type(std::size_t index, PortCount ports) {
    Platform& platform = document_.platform;
    ProcessorType& type = platform.types.at(index);
    const HostIndex hosts(platform);
    const std::vector<ProcessorGroup> groups = processor_groups(platform);
    for (const auto& [first, entry] : card_entries(platform, groups, hosts)) {
      const Processor& card = platform.processors[groups[entry].first];
      if (card.type == index && card.ports == type.ports) set_ports_of_host(hosts, first, ports);
    }
    type.ports = ports;
  }

  // Of the entries of the type that say nothing else.
  void add_sizes_of_type(const std::vector<ProcessorGroup>& groups, const DocumentCount& count,
                         std::map<std::size_t, std::uint64_t>& sizes) {
    ProcessorType& type = document_.platform.types.at(count.index);
    for (std::size_t g = 0; g < groups.size(); ++g)
      if (document_.platform.processors[groups[g].first].type == count.index && groups[g].count == type.cores)
        sizes[g] = count.value;
    type.cores = count.value;
  }

  static void require_cores_in_all(const std::vector<ProcessorGroup>& groups,
                                   const std::map<std::size_t, std::uint64_t>& sizes) {
    std::uint64_t all = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto size = sizes.find(g);
      const std::uint64_t count = size == sizes.end() ? groups[g].count : size->second;
      all += count == 1 ? 0 : count;
    }
    if (all <= kMostCoresInAll) return;
    throw InvalidInstance("/platform/processors", fmt::format("{} cores in all", all),
                          fmt::format("at most {}", kMostCoresInAll));
  }

  // Of one core none has a name of its own.
  void require_unnamed(const ProcessorGroup& group, std::size_t number, std::uint64_t size,
                       const std::vector<std::vector<Named>>& named) const {
    const std::uint64_t kept = size == 1 ? 0 : size;
    const auto refuse = [&](const std::string& pointer, std::size_t core) {
      throw InvalidInstance(pointer, fmt::format("the core {}", json::quote(core_name(group.name, core + 1))),
                            size == 1 ? fmt::format("{}, which has one core then", json::quote(std::string(group.name)))
                                      : fmt::format("one of the {} that there are then", size));
    };
    for (std::size_t i = 0; i < named.size(); ++i)
      for (const Named& one : named[i])
        if (one.group == number && one.core && *one.core >= kept)
          refuse(fmt::format("/mapping/{}/processors", i), *one.core);
    for (std::size_t s = 0; s < document_.application.stages.size(); ++s) {
      const std::vector<StageTime> own = times_of(document_.application.stages[s], group);
      if (is_one_time(own, group)) continue;
      for (const StageTime& time : own)
        if (time.processor - group.first >= kept)
          refuse(fmt::format("/application/stages/{}/time", s), time.processor - group.first);
    }
  }

  static std::vector<StageTime> times_of(const Stage& stage, const ProcessorGroup& group) {
    std::vector<StageTime> own;
    std::ranges::copy_if(stage.times, std::back_inserter(own), [&](const StageTime& time) {
      return time.processor >= group.first && time.processor < group.first + group.count;
    });
    return own;
  }

  // Whether all cores of the group have one.
  static bool is_one_time(const std::vector<StageTime>& own, const ProcessorGroup& group) {
    return own.size() == group.count && std::ranges::all_of(own, [&](const StageTime& time) {
             return time.time == own.front().time && time.fixed == own.front().fixed &&
                    time.inherited == own.front().inherited && time.law == own.front().law;
           });
  }

  // Each turn takes as many data sets as that of the same name did.
  static void deal(const std::vector<Named>& named, std::span<const ProcessorGroup> groups, Part& part) {
    const PartTurns before = turns_of(part);
    std::vector<std::vector<std::size_t>> lists;
    std::vector<std::vector<std::size_t>> sizes;
    for (std::size_t k = 0; k < named.size(); ++k) {
      const ProcessorGroup& group = groups[named[k].group];
      lists.push_back(named[k].core ? std::vector{group.first + *named[k].core} : members_of(group));
      sizes.emplace_back(lists.back().size(), before.sizes[k]);
    }
    PartTurns turns{dealt_in_turn(lists), {}};
    for (const std::size_t size : dealt_in_turn(sizes)) turns.sizes.push_back(size);
    set_turns(part, turns);
  }

  void add_cores_to(const ProcessorGroup& group, std::uint64_t size) {
    auto& processors = document_.platform.processors;
    const std::size_t behind = group.first + group.count;
    Processor like = processors[group.first];
    std::vector<Processor> cores;
    if (group.is_of_cores()) like.name = std::string(group.name);
    add_cores(like, size, cores);
    if (!group.is_of_cores()) processors[group.first] = cores.front();
    const auto first_new = cores.begin() + static_cast<std::ptrdiff_t>(group.count);
    processors.insert(processors.begin() + static_cast<std::ptrdiff_t>(behind), first_new, cores.end());
    add_times_of_new(group, size);
    move_from(behind, static_cast<std::ptrdiff_t>(size - group.count));
  }

  void remove_cores_of(const ProcessorGroup& group, std::uint64_t size) {
    auto& processors = document_.platform.processors;
    const std::size_t kept = group.first + size;
    const std::size_t behind = group.first + group.count;
    processors.erase(processors.begin() + static_cast<std::ptrdiff_t>(kept),
                     processors.begin() + static_cast<std::ptrdiff_t>(behind));
    if (size == 1) {
      Processor& alone = processors[group.first];
      alone.name = std::string(group.name);
      alone.core = 0;
      if (alone.host == alone.name) alone.host.clear();
    }
    for (Stage& stage : document_.application.stages)
      std::erase_if(stage.times,
                    [&](const StageTime& time) { return time.processor >= kept && time.processor < behind; });
    move_from(behind, -static_cast<std::ptrdiff_t>(group.count - size));
  }

  // What a new core of the group takes for the stage: what all of its cores take, else what its type says, else
  // nothing.
  std::optional<StageTime> time_of_new(const Stage& stage, const ProcessorGroup& group) const {
    const std::vector<StageTime> own = times_of(stage, group);
    if (!own.empty() && is_one_time(own, group)) return own.front();
    const Processor& like = document_.platform.processors[group.first];
    for (const TypeTime& of_type : stage.type_times)
      if (like.type == of_type.type && !like.time)
        return StageTime{group.first, of_type.time, true, of_type.fixed, of_type.law};
    return std::nullopt;
  }

  // They stand where the next entry's times did; those move later.
  void add_times_of_new(const ProcessorGroup& group, std::uint64_t size) {
    for (Stage& stage : document_.application.stages) {
      const std::optional<StageTime> of_new = time_of_new(stage, group);
      if (!of_new) continue;
      // Behind the last of the group's own, that cores which are alike stay one entry.
      std::size_t place = stage.times.size();
      for (std::size_t k = 0; k < stage.times.size(); ++k) {
        const std::size_t of = stage.times[k].processor;
        if (of >= group.first && of < group.first + group.count) place = k + 1;
      }
      std::vector<StageTime> added(size - group.count, *of_new);
      for (std::size_t k = 0; k < added.size(); ++k) added[k].processor = kNew + group.first + group.count + k;
      stage.times.insert(stage.times.begin() + static_cast<std::ptrdiff_t>(place), added.begin(), added.end());
    }
  }

  // Processors that stood there, or behind, stand so much further on now.
  void move_from(std::size_t behind, std::ptrdiff_t by) {
    const auto move = [&](std::size_t& processor) {
      if (processor >= kNew) {
        processor -= kNew;
      } else if (processor >= behind) {
        processor = static_cast<std::size_t>(static_cast<std::ptrdiff_t>(processor) + by);
      }
    };
    for (Stage& stage : document_.application.stages)
      for (StageTime& time : stage.times) move(time.processor);
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

  static constexpr std::size_t kNew = std::size_t{1} << 62;  // marks indices that are right already

  Document document_;
};

}  // namespace

std::string_view name_of(DocumentCount::Quantity quantity) {
  return quantity == CountQuantity::ports ? "port" : "core";
}

std::string name_of(const std::vector<DocumentCount>& counts) {
  std::vector<std::string> names;
  names.reserve(counts.size());
  for (const DocumentCount& count : counts) names.push_back(count.name);
  return fmt::format("{} {}s", list_of_alike(names), name_of(counts.front().quantity));
}

std::vector<DocumentCount> all_counts_of(const Document& document) { return CountList(document).take(); }

std::vector<DocumentCount> counts_of(const Document& document) {
  const std::vector<ProcessorGroup> groups = processor_groups(document.platform);
  const HostIndex hosts(document.platform);
  const auto named = named_by_parts(document, groups);
  std::vector<bool> is_whole(groups.size());
  std::vector<bool> is_used(document.platform.processors.size());  // by the first processor of a host
  for (const auto& part : named) {
    for (const Named& one : part) {
      is_used[hosts.first_of(groups[one.group].first)] = true;
      if (!one.core) is_whole[one.group] = true;
    }
  }
  std::vector<DocumentCount> counts = all_counts_of(document);
  std::erase_if(counts, [&](const DocumentCount& count) {
    if (count.owner == CountOwner::type || count.value >= most_of(count.quantity)) return true;
    if (count.quantity == CountQuantity::cores) return !is_whole[group_number(groups, count.index)];
    return count.value == kUnlimitedPorts || (count.owner == CountOwner::machine && !is_used[count.index]);
  });
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

Document with_counts(const Document& document, const std::vector<DocumentCount>& counts) {
  Changing changing(document);
  std::vector<DocumentCount> cores;
  for (const DocumentCount& count : counts) {
    if (count.quantity == CountQuantity::ports) {
      changing.set_ports(count);
    } else {
      cores.push_back(count);
    }
  }
  changing.set_cores(cores);
  Document changed = changing.take();
  validate(changed);
  return changed;
}

std::optional<Document> with_one_more(const Document& document, const std::vector<DocumentCount>& counts) {
  std::vector<DocumentCount> more = counts;
  for (DocumentCount& count : more) ++count.value;
  try {
    return with_counts(document, more);
  } catch (const InvalidInstance&) {
    return std::nullopt;
  }
}

}  // namespace takt::tpn
