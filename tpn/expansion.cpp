// Processors from types.
#include "tpn/expansion.hpp"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "maxplus/contract.hpp"

namespace takt::tpn {

namespace {

// Whether some type is named as a processor with that prefix would be: "a-1" for "a".
bool is_taken(const std::vector<ProcessorType>& types, const std::string& prefix) {
  return std::ranges::any_of(types, [&](const ProcessorType& type) {
    return type.name.size() > prefix.size() && type.name.starts_with(prefix) &&
           std::all_of(type.name.begin() + static_cast<std::ptrdiff_t>(prefix.size()), type.name.end(),
                       [](char c) { return '0' <= c && c <= '9'; });
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
  if (!processor.time) {
    if (!processor.speed) processor.time = type.time;
    if (!processor.speed && !type.time) processor.speed = type.speed;
  }
  if (!processor.bandwidth) processor.bandwidth = type.bandwidth;
  if (!processor.memory) processor.memory = type.memory;
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
  std::vector<const Rational*> by_type(of_type.size());
  std::vector<bool> has_own(processors.size());
  for (Stage& stage : document.application.stages) {
    if (stage.type_times.empty()) continue;
    for (const TypeTime& own : stage.type_times) by_type[own.type] = &own.time;
    std::erase_if(stage.times, [&](const StageTime& own) {
      const auto type = processors[own.processor].type;
      return type && !processors[own.processor].time && by_type[*type] != nullptr && *by_type[*type] == own.time;
    });
    for (const StageTime& own : stage.times) has_own[own.processor] = true;
    for (const TypeTime& own : stage.type_times)
      for (const std::size_t p : of_type[own.type])
        if (!has_own[p]) stage.times.push_back({p, own.time});
    for (const StageTime& own : stage.times) has_own[own.processor] = false;
    for (const TypeTime& own : stage.type_times) by_type[own.type] = nullptr;
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
      Processor& added = processors.emplace_back(Processor{prefixes[t] + std::to_string(k), {}, {}, t});
      added.price = types[t].price;
      inherit(added, types[t]);
    }
  }
  for (Stage& stage : result.application.stages) stage.times.clear();
  inherit_times(result);
  return result;
}

}  // namespace takt::tpn
