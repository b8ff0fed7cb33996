// Sums over the stages before each.
#include "heuristics/common/placement.hpp"

#include <algorithm>

#include "tpn/hosts.hpp"

namespace takt::heuristics {

using tpn::Rational;

PlacementRules::PlacementRules(const tpn::ProblemView& problem) : view_(problem), problem_(problem.document()) {
  bool needs_memory = false;
  for (const tpn::Stage& stage : problem_.application.stages) {
    fixed_before_.push_back(fixed_before_.back() + (stage.replicable ? 0 : 1));
    apart_before_.push_back(apart_before_.back() + (stage.apart ? 1 : 0));
    memory_before_.push_back(memory_before_.back() + stage.memory.value_or(0));
    needs_memory = needs_memory || memory_before_.back().sign() > 0;
  }
  has_memory_ = needs_memory && std::ranges::any_of(problem_.platform.processors, [](const tpn::Processor& processor) {
                  return processor.memory.has_value();
                });
  if (has_memory_) machines_ = tpn::machines_of(problem_.platform);
}

bool PlacementRules::fits(std::size_t first_stage, std::size_t last_stage, std::size_t processor) const {
  if (!view_.can_run(first_stage, last_stage, processor)) return false;
  const auto& memory = problem_.platform.processors[processor].memory;
  return !memory || memory_before_[last_stage + 1] - memory_before_[first_stage] <= *memory;
}

bool PlacementRules::allow_but_for_runs(std::span<const tpn::Part> mapping) const {
  for (const tpn::Part& part : mapping) {
    if (!may_share(part.first_stage, part.last_stage)) return false;
    if (is_replicable(part.first_stage, part.last_stage)) continue;
    for (const std::size_t p : part.processors)
      if (p != part.processors.front()) return false;
  }
  return memory_holds(mapping);
}

bool PlacementRules::memory_holds(std::span<const tpn::Part> mapping) const {
  if (!has_memory_) return true;
  std::vector<Rational> held(machines_.size());
  std::vector<bool> is_new(held.size());
  for (const tpn::Part& part : mapping) {
    for (const std::size_t p : part.processors) is_new[machines_[p]] = true;
    for (const std::size_t p : part.processors) {
      const std::size_t machine = machines_[p];
      if (is_new[machine]) held[machine] += memory_before_[part.last_stage + 1] - memory_before_[part.first_stage];
      is_new[machine] = false;
    }
  }
  for (std::size_t p = 0; p < held.size(); ++p) {
    const auto& memory = problem_.platform.processors[p].memory;
    if (memory && *memory < held[p]) return false;
  }
  return true;
}

}  // namespace takt::heuristics
