// Names of machines, and the sets that they are in.
#include "tpn/segments.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "tpn/ends.hpp"
#include "tpn/hosts.hpp"

namespace takt::tpn {

namespace {

// What a name stands for: all machines that have it.
class MachineNames {
 public:
  explicit MachineNames(const Platform& platform) {
    for (const ProcessorType& type : platform.types) machines_[type.name];
    for (std::size_t p = 0; p < platform.processors.size(); ++p) {
      const Processor& processor = platform.processors[p];
      add(processor.name, p);
      if (entry_name(processor) != processor.name) add(entry_name(processor), p);
      if (!processor.host.empty() && processor.host != processor.name && processor.host != entry_name(processor))
        add(processor.host, p);
      if (processor.type) add(platform.types[*processor.type].name, p);
    }
    std::size_t next = platform.processors.size();
    for (const auto& [end, key] : {std::pair(&platform.source, "source"), std::pair(&platform.sink, "sink")}) {
      if (!*end) continue;
      for (const Endpoint& one : (*end)->in_turn()) add(one.name.empty() ? std::string_view(key) : one.name, next++);
    }
    count_ = next;
  }

  std::size_t count() const { return count_; }

  // Null if it stands for nothing.
  const std::vector<std::size_t>* find(std::string_view name) const {
    const auto found = machines_.find(name);
    return found == machines_.end() ? nullptr : &found->second;
  }

 private:
  void add(std::string_view name, std::size_t machine) { machines_[name].push_back(machine); }

  std::map<std::string_view, std::vector<std::size_t>> machines_;  // refers to the platform
  std::size_t count_ = 0;
};

// A host speaks for all of its processors. False if one of the machines is on another side already.
bool put_on_side(const std::vector<std::size_t>& machines, const HostIndex& hosts, std::size_t processors,
                 std::size_t segment, SegmentSide side, std::vector<std::vector<SegmentSide>>& sides) {
  bool is_fit = true;
  for (const std::size_t machine : machines) {
    SegmentSide& here = sides[machine < processors ? hosts.first_of(machine) : machine][segment];
    is_fit = is_fit && (here == SegmentSide::none || here == side);
    here = side;
  }
  return is_fit;
}

}  // namespace

SegmentIndex::SegmentIndex(const Platform& platform)
    : sources_(platform.processors.size()), sinks_(sources_ + count_of(platform.source)) {
  if (platform.segments.empty()) return;
  const MachineNames names(platform);
  const HostIndex hosts(platform);
  const std::size_t processors = platform.processors.size();
  sides_.assign(names.count(), std::vector<SegmentSide>(platform.segments.size(), SegmentSide::none));
  for (std::size_t s = 0; s < platform.segments.size(); ++s) {
    const auto& sets = platform.segments[s].between;
    for (std::size_t set = 0; set < sets.size(); ++set) {
      const SegmentSide side = set == 0 ? SegmentSide::first : SegmentSide::second;
      for (std::size_t k = 0; k < sets[set].size(); ++k) {
        const auto* const machines = names.find(sets[set][k]);
        const bool is_fit = machines != nullptr && put_on_side(*machines, hosts, processors, s, side, sides_);
        if (!is_fit && !refused_) refused_ = RefusedName{s, set, k, machines == nullptr};
      }
    }
    for (std::size_t p = 0; p < processors; ++p) sides_[p][s] = sides_[hosts.first_of(p)][s];
  }
}

const Rational* segment_bandwidth(const Platform& platform, const std::vector<SegmentSide>& from,
                                  const std::vector<SegmentSide>& to) {
  const Rational* least = nullptr;
  for (std::size_t s = 0; s < std::min(from.size(), to.size()); ++s) {
    const std::optional<Rational>& bandwidth = platform.segments[s].bandwidth;
    const bool is_between = from[s] != SegmentSide::none && to[s] != SegmentSide::none && from[s] != to[s];
    if (is_between && bandwidth && (least == nullptr || *bandwidth < *least)) least = &*bandwidth;
  }
  return least;
}

std::vector<std::string> names_of_ways(const NetworkSegment& segment) {
  if (!segment.duplex) return {segment.name};
  return {segment.name + " forward", segment.name + " reverse"};
}

}  // namespace takt::tpn
