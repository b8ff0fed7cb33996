// Cores that are all there, at the place of the first.
#include "tools/words/core_names.hpp"

#include <map>
#include <set>

#include "tpn/hosts.hpp"

namespace takt::tools {

CoreNames::CoreNames(const tpn::Platform& platform) {
  const std::vector<tpn::ProcessorGroup> groups = tpn::processor_groups(platform);
  if (groups.size() == platform.processors.size()) return;
  for (const tpn::ProcessorGroup& group : groups) {
    entry_of_.insert(entry_of_.end(), group.count, entries_.size());
    entries_.push_back({std::string(group.name), group.first, group.count});
  }
}

std::vector<NamedProcessors> CoreNames::together(const std::vector<std::size_t>& processors,
                                                 const std::vector<std::string>& names) const {
  std::map<std::size_t, std::size_t> seen;  // by entry
  for (const std::size_t p : processors)
    if (p < entry_of_.size()) ++seen[entry_of_[p]];
  std::vector<NamedProcessors> result;
  std::set<std::size_t> told;
  for (const std::size_t p : processors) {
    const Cores* const entry = p < entry_of_.size() ? &entries_[entry_of_[p]] : nullptr;
    if (entry == nullptr || entry->count == 1 || seen[entry_of_[p]] < entry->count) {
      result.push_back({names[p], 1, names[p], names[p]});
    } else if (told.insert(entry_of_[p]).second) {
      result.push_back({entry->name, entry->count, names[entry->first], names[entry->first + entry->count - 1]});
    }
  }
  return result;
}

}  // namespace takt::tools
