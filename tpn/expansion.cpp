// Processors from types.
#include "tpn/expansion.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"
#include "tpn/hosts.hpp"

namespace takt::tpn {

namespace {

// Whether some type is named as a processor with that prefix would be: "a-1" for "a".
bool is_taken(const std::vector<ProcessorType>& types, const std::string& prefix) {
  return std::ranges::any_of(types, [&](const ProcessorType& type) {
    return type.name.size() > prefix.size() && type.name.starts_with(prefix) &&
           std::all_of(type.name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), type.name.end(),
                       maxplus::is_digit);
  });
}

// Of the names of each type's processors: "small-", with further dashes where names would not be unique.
std::vector<std::string> prefixes_of(const std::vector<ProcessorType>& types) {
  std::set<std::string> seen;
  std::vector<std::string> prefixes;
  for (const ProcessorType& type : types) {
    std::string prefix = type.name + '-';
    while (is_taken(types, prefix) || !seen.insert(prefix).second) prefix += '-';
    prefixes.push_back(std::move(prefix));
  }
  return prefixes;
}

}  // namespace

void inherit(Processor& processor, const ProcessorType& type) {
  const auto take = [](std::optional<Rational>& number, const std::optional<Rational>& of_type, bool& inherited) {
    if (number || !of_type) return;
    number = of_type;
    inherited = true;
  };
  InheritedValues& inherited = processor.inherited;
  if (!processor.speed && !processor.time) processor.time_law = type.time_law;
  if (!processor.speed) take(processor.time, type.time, inherited.computation);
  if (!processor.time) take(processor.speed, type.speed, inherited.computation);
  take(processor.bandwidth, type.bandwidth, inherited.bandwidth);
  take(processor.memory, type.memory, inherited.memory);
  if (!processor.memory_bandwidth) processor.memory_bandwidth = type.memory_bandwidth;
}

void inherit_price(Processor& processor, const ProcessorType& type) {
  processor.price = type.price;
  processor.inherited.price = true;
}

InheritedValues inherited_values(const Processor& processor, const ProcessorType* type) {
  if (type == nullptr) return {};
  InheritedValues result = processor.inherited;
  result.computation = result.computation && processor.speed == type->speed && processor.time == type->time &&
                       processor.time_law == type->time_law;
  result.bandwidth = result.bandwidth && processor.bandwidth == type->bandwidth;
  result.memory = result.memory && processor.memory == type->memory;
  result.price = result.price && processor.price == type->price;
  return result;
}

const ProcessorType* type_of(const Platform& platform, const Processor& processor) {
  return processor.type ? &platform.types.at(*processor.type) : nullptr;
}

std::uint64_t inherited_times(const Application& application, std::span<const std::uint64_t> sizes) {
  std::uint64_t sum = 0;
  for (const Stage& stage : application.stages) {
    for (const TypeTime& own : stage.type_times) {
      sum = sizes[own.type] > UINT64_MAX - sum ? UINT64_MAX : sum + sizes[own.type];
    }
  }
  return sum;
}

void inherit_times(Document& document) {
  const std::vector<Processor>& processors = document.platform.processors;
  std::vector<std::vector<std::size_t>> of_type(document.platform.types.size());
  for (std::size_t p = 0; p < processors.size(); ++p)
    if (processors[p].type && !processors[p].time) of_type[*processors[p].type].push_back(p);
  std::vector<bool> has_own(processors.size());
  for (Stage& stage : document.application.stages) {
    if (stage.type_times.empty()) continue;
    std::erase_if(stage.times, [](const StageTime& own) { return own.inherited; });
    for (const StageTime& own : stage.times) has_own[own.processor] = true;
    for (const TypeTime& own : stage.type_times)
      for (const std::size_t p : of_type[own.type])
        if (!has_own[p]) stage.times.push_back({p, own.time, true, own.fixed, own.law});
    for (const StageTime& own : stage.times) has_own[own.processor] = false;
  }
}

Document expanded(const Document& catalogue, std::span<const std::uint64_t> counts) {
  const auto& types = catalogue.platform.types;
  maxplus::expects(counts.size() == types.size(), "a count for each type");
  Document result = catalogue;
  result.mapping.reset();
  auto& processors = result.platform.processors;
  processors.clear();
  const std::vector<std::string> prefixes = prefixes_of(types);
  for (std::size_t t = 0; t < types.size(); ++t) {
    for (std::uint64_t k = 1; k <= counts[t]; ++k) {
      Processor added{prefixes[t] + std::to_string(k), {}, {}, t};
      inherit_price(added, types[t]);
      inherit(added, types[t]);
      added.ports = types[t].ports;
      add_cores(added, types[t].cores, processors);
    }
  }
  for (Stage& stage : result.application.stages) stage.times.clear();
  inherit_times(result);
  return result;
}

}  // namespace takt::tpn
