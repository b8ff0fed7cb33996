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

Document expanded(const Document& catalogue, std::span<const std::uint64_t> counts) {
  const auto& types = catalogue.platform.types;
  maxplus::expects(counts.size() == types.size(), "a count for each type");
  Document result = catalogue;
  result.mapping.reset();
  auto& processors = result.platform.processors;
  processors.clear();
  const std::vector<std::string> prefixes = prefixes_of(types);
  std::vector<std::size_t> first(types.size() + 1);
  for (std::size_t t = 0; t < types.size(); ++t) {
    first[t] = processors.size();
    for (std::uint64_t k = 1; k <= counts[t]; ++k) {
      Processor& added = processors.emplace_back(Processor{prefixes[t] + std::to_string(k), {}, {}, t});
      added.price = types[t].price;
      inherit(added, types[t]);
    }
  }
  first.back() = processors.size();
  for (Stage& stage : result.application.stages) {
    stage.times.clear();
    for (const TypeTime& own : stage.type_times)
      for (std::size_t p = first[own.type]; p < first[own.type + 1]; ++p) stage.times.push_back({p, own.time});
  }
  return result;
}

}  // namespace takt::tpn
