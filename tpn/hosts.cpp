// Which processors stand together.
#include "tpn/hosts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

namespace takt::tpn {

namespace {

// All but their names and numbers.
bool are_alike(const Processor& a, const Processor& b) {
  return a.speed == b.speed && a.time == b.time && a.type == b.type && a.bandwidth == b.bandwidth &&
         a.memory == b.memory && a.price == b.price && a.inherited == b.inherited && a.host == b.host &&
         a.ports == b.ports && a.memory_bandwidth == b.memory_bandwidth;
}

// What the cores from that one on are named, the first being "name.1"; empty if it is none.
std::string_view name_of_cores(const Processor& first) {
  constexpr std::string_view kEnding = ".1";
  std::string_view name = first.name;
  if (first.core != 1 || !name.ends_with(kEnding)) return {};
  name.remove_suffix(kEnding.size());
  return name;
}

}  // namespace

std::string core_name(std::string_view name, std::size_t core) { return fmt::format("{}.{}", name, core); }

std::vector<ProcessorGroup> processor_groups(const Platform& platform) {
  const auto& processors = platform.processors;
  std::vector<ProcessorGroup> groups;
  for (std::size_t first = 0; first < processors.size(); first += groups.back().count) {
    groups.push_back({processors[first].name, first});
    const std::string_view name = name_of_cores(processors[first]);
    if (name.empty()) continue;
    std::size_t end = first + 1;
    while (end < processors.size() && processors[end].core == end - first + 1 &&
           processors[end].name == core_name(name, end - first + 1)) {
      ++end;
    }
    const bool is_whole = std::all_of(processors.begin() + static_cast<std::ptrdiff_t>(first),
                                      processors.begin() + static_cast<std::ptrdiff_t>(end),
                                      [&](const Processor& core) { return are_alike(core, processors[first]); });
    if (is_whole && end > first + 1) groups.back() = {name, first, end - first};
  }
  return groups;
}

const ProcessorGroup& group_of(std::span<const ProcessorGroup> groups, std::size_t processor) {
  return *std::prev(std::ranges::upper_bound(groups, processor, {}, &ProcessorGroup::first));
}

std::vector<std::string_view> names_of_turns(const Platform& platform, std::span<const ProcessorGroup> groups,
                                             const std::vector<std::size_t>& turns) {
  std::vector<std::string_view> names;
  // Whole groups have their first cores among the first turns.
  std::vector<std::vector<std::size_t>> lists;
  std::size_t named = 0;
  const bool has_cores = groups.size() < platform.processors.size();
  for (const std::size_t processor : turns) {
    if (!has_cores) break;
    const ProcessorGroup& group = group_of(groups, processor);
    if (processor != group.first || named == turns.size()) break;
    lists.push_back(members_of(group));
    names.push_back(group.name);
    named += group.count;
  }
  if (has_cores && named == turns.size() && dealt_in_turn(lists) == turns) return names;
  names.clear();
  for (const std::size_t processor : turns) names.emplace_back(platform.processors.at(processor).name);
  return names;
}

std::vector<std::size_t> members_of(const ProcessorGroup& group) {
  std::vector<std::size_t> members(group.count);
  std::iota(members.begin(), members.end(), group.first);
  return members;
}

std::vector<std::size_t> entries_of(const Platform& platform) {
  std::vector<std::size_t> entries;
  const std::vector<ProcessorGroup> groups = processor_groups(platform);
  for (std::size_t i = 0; i < groups.size(); ++i) entries.insert(entries.end(), groups[i].count, i);
  return entries;
}

std::string_view entry_name(const Processor& processor) {
  std::string_view name = processor.name;
  const std::string ending = core_name({}, processor.core);
  if (processor.core > 0 && name.ends_with(ending)) name.remove_suffix(ending.size());
  return name;
}

void add_cores(const Processor& processor, std::uint64_t cores, std::vector<Processor>& processors) {
  if (cores == 1) return processors.push_back(processor);
  for (std::uint64_t core = 1; core <= cores; ++core) {
    Processor& added = processors.emplace_back(processor);
    added.name = core_name(processor.name, core);
    added.host = host_name(processor);
    added.core = core;
  }
}

HostIndex::HostIndex(const Platform& platform) {
  const auto& processors = platform.processors;
  if (std::ranges::all_of(processors, [](const Processor& processor) { return processor.host.empty(); })) return;
  std::unordered_map<std::string_view, std::size_t> firsts;
  sizes_.assign(processors.size(), 0);
  for (std::size_t p = 0; p < processors.size(); ++p) {
    first_.push_back(firsts.emplace(host_name(processors[p]), p).first->second);
    ++sizes_[first_.back()];
  }
  if (firsts.size() == processors.size()) first_.clear();
}

const std::string& machine_name(const Platform& platform, const HostIndex& hosts, std::size_t processor) {
  const Processor& named = platform.processors[processor];
  return hosts.size_of(processor) > 1 ? host_name(named) : named.name;
}

std::vector<bool> entries_with_card(const Platform& platform, std::span<const ProcessorGroup> groups,
                                    const HostIndex& hosts) {
  if (!hosts.are_shared()) return std::vector<bool>(groups.size(), true);
  std::unordered_set<std::string_view> names;
  for (const ProcessorGroup& group : groups) names.insert(group.name);
  std::vector<bool> has_card;
  for (const ProcessorGroup& group : groups) {
    const std::string& host = host_name(platform.processors[group.first]);
    const bool is_whole_host = hosts.size_of(group.first) == group.count;
    const bool stands_for_host = !names.contains(host) && hosts.first_of(group.first) == group.first;
    has_card.push_back(is_whole_host || group.name == host || stands_for_host);
  }
  return has_card;
}

bool has_other_ports(const Platform& platform) {
  const auto has_one = [](const auto& owner) { return owner.ports == kOnePort; };
  const auto have_one = [&](const std::optional<Endpoint>& end) {
    return !end || std::ranges::all_of(end->in_turn(), has_one);
  };
  return HostIndex(platform).are_shared() || !std::ranges::all_of(platform.processors, has_one) ||
         !have_one(platform.source) || !have_one(platform.sink);
}

bool do_ports_bound(const Platform& platform) {
  const HostIndex hosts(platform);
  for (std::size_t p = 0; p < platform.processors.size(); ++p) {
    const Processor& processor = platform.processors[p];
    if (processor.ports != kOnePort || (processor.memory_bandwidth && hosts.size_of(p) > 1)) return false;
  }
  return true;
}

std::vector<std::size_t> machines_of(const Platform& platform) {
  std::vector<std::size_t> machines;
  for (const ProcessorGroup& group : processor_groups(platform))
    machines.insert(machines.end(), group.count, group.first);
  return machines;
}

std::vector<std::size_t> dealt_in_turn(std::span<const std::vector<std::size_t>> lists) {
  std::size_t longest = 0;
  for (const auto& list : lists) longest = std::max(longest, list.size());
  std::vector<std::size_t> turns;
  for (std::size_t k = 0; k < longest; ++k) {
    for (const auto& list : lists)
      if (k < list.size()) turns.push_back(list[k]);
  }
  return turns;
}

}  // namespace takt::tpn
