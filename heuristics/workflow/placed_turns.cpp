// Looks at the neighbors' turns.
#include "heuristics/workflow/placed_turns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include "tpn/hosts.hpp"
#include "tpn/workflow.hpp"

namespace takt::heuristics {

using maxplus::Rational;

PlacedTurns::PlacedTurns(const tpn::ProblemView& problem, tpn::Mapping parts)
    : problem_(problem),
      rules_(problem),
      links_(problem.links()),
      mapping_(std::move(parts)),
      neighbors_(mapping_.size()),
      machines_(tpn::machines_of(problem.document().platform)),
      held_(machines_.size()) {
  const tpn::Document& document = problem.document();
  for (const tpn::FileRoute& route :
       tpn::routes_of(document.application, mapping_, tpn::outer_ends(document.platform))) {
    if (route.from && route.to) {
      neighbors_[*route.from].receivers.push_back(*route.to);
      neighbors_[*route.to].senders.push_back(*route.from);
    } else if (route.to) {
      neighbors_[*route.to].takes_input = true;
    } else if (route.from) {
      neighbors_[*route.from].has_results = true;
    }
  }
}

bool PlacedTurns::can_serve(std::size_t part, std::size_t processor) const {
  return rules_.fits(mapping_[part].first_stage, mapping_[part].last_stage, processor);
}

bool PlacedTurns::may_have(std::size_t part, std::size_t processor) const {
  return can_serve(part, processor) && has_memory_for(part, processor) && is_linked(part, processor);
}

void PlacedTurns::give(std::size_t part, std::size_t processor) {
  const std::size_t machine = machines_[processor];
  if (!is_held(part, machine)) held_[machine] += memory_of(part);
  mapping_[part].processors.push_back(processor);
}

bool PlacedTurns::is_linked(std::size_t part, std::size_t processor) const {
  const Neighbors& neighbors = neighbors_[part];
  const std::span<const std::size_t> alone(&processor, 1);
  if (neighbors.takes_input && !links_.from_sources(alone)) return false;
  if (neighbors.has_results && !links_.to_sinks(alone)) return false;
  const auto all_of = [&](const std::vector<std::size_t>& parts, const auto& is_link) {
    return std::ranges::all_of(
        parts, [&](std::size_t other) { return std::ranges::all_of(mapping_[other].processors, is_link); });
  };
  return all_of(neighbors.senders, [&](std::size_t sender) { return links_.between(sender, processor); }) &&
         all_of(neighbors.receivers, [&](std::size_t receiver) { return links_.between(processor, receiver); });
}

bool PlacedTurns::has_memory_for(std::size_t part, std::size_t processor) const {
  const auto& memory = problem_.document().platform.processors[processor].memory;
  const std::size_t machine = machines_[processor];
  return !memory || is_held(part, machine) || held_[machine] + memory_of(part) <= *memory;
}

bool PlacedTurns::is_held(std::size_t part, std::size_t machine) const {
  return std::ranges::any_of(mapping_[part].processors,
                             [&](std::size_t processor) { return machines_[processor] == machine; });
}

Rational PlacedTurns::memory_of(std::size_t part) const {
  Rational sum;
  for (std::size_t k = mapping_[part].first_stage; k <= mapping_[part].last_stage; ++k) {
    sum += problem_.document().application.stages[k].memory.value_or(0);
  }
  return sum;
}

std::string nobody_left_for(const std::string& stages) {
  return fmt::format(
      "it has no processor left for {} that runs it, has memory for it and has links with all processors that exchange "
      "files with it",
      stages);
}

}  // namespace takt::heuristics
