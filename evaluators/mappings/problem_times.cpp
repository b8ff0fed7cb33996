// Lists a mapping of a problem in ticks, and says what is missing where a time is.
#include "evaluators/mappings/problem_times.hpp"

#include <algorithm>
#include <numeric>

#include "maxplus/contract.hpp"
#include "tpn/ends.hpp"

namespace takt::evaluators {

ProblemTimes::ProblemTimes(const tpn::ProblemView& problem, const tpn::TickTimes& times)
    : problem_(problem.document()),
      timing_(problem.timing()),
      times_(times),
      sources_(tpn::count_of(problem_.platform.source)),
      sinks_(tpn::count_of(problem_.platform.sink)) {
  const std::size_t processors = problem_.platform.processors.size();
  std::iota(sources_.begin(), sources_.end(), processors);
  std::iota(sinks_.begin(), sinks_.end(), processors + sources_.size());
  nodes_.reserve(processors + sources_.size() + sinks_.size());
}

void ProblemTimes::list_parts(Mapping mapping, TickLists& lists) {
  lists.clear();
  places_.clear();
  nodes_.begin();
  const std::size_t processors = problem_.platform.processors.size();
  std::size_t stage = 0;
  const std::size_t all = processors + sources_.size() + sinks_.size();
  if (!sources_.empty()) add_part(sources_, all, 0, 0, lists);
  for (const tpn::Part& part : mapping) {
    maxplus::expects(part.first_stage == stage && part.last_stage >= stage, "a mapping has its parts in stage order");
    stage = part.last_stage + 1;
    add_part(part.processors, processors, part.first_stage, part.last_stage, lists);
  }
  maxplus::expects(stage == problem_.application.stages.size(), "a mapping holds every stage");
  if (!sinks_.empty()) add_part(sinks_, all, 0, 0, lists);
}

void ProblemTimes::add_part(std::span<const std::size_t> processors, std::size_t limit, std::size_t first_stage,
                            std::size_t last_stage, TickLists& lists) {
  maxplus::expects(!processors.empty() && processors.size() < (std::size_t{1} << 31),
                   "a part has between 1 and 2^31 entries");
  ListedPart part;
  part.length = static_cast<std::uint32_t>(processors.size());
  part.first_entry = static_cast<std::uint32_t>(lists.entries.size());
  part.first_node = lists.nodes;
  for (const std::size_t processor : processors) {
    maxplus::expects(processor < limit, "a mapping names processors of the platform");
    lists.entries.push_back({nodes_.node_of(processor, lists), 0, 0, 0});
  }
  part.nodes = lists.nodes - part.first_node;
  lists.parts.push_back(part);
  places_.push_back({processors.data(), first_stage, last_stage});
}

void ProblemTimes::list_computations(TickLists& lists) const {
  for (std::size_t i = 0; i < lists.parts.size(); ++i) {
    if (is_source(i) || is_sink(i)) continue;
    ListedPart& part = lists.parts[i];
    const Place& place = places_[i];
    EntryWork* const entries = lists.entries_of(part).data();
    for (std::uint32_t entry = 0; entry < part.length; ++entry) {
      const std::size_t processor = place.processors[entry];
      const std::int64_t ticks = times_.computation(place.first_stage, place.last_stage, processor);
      if (ticks < 0) throw_for_computation(place, processor);
      entries[entry].computation = ticks;
      part.longest = std::max(part.longest, ticks);
    }
  }
}

// Timing says what is missing.
void ProblemTimes::throw_for_computation(const Place& place, std::size_t processor) const {
  timing_.computation(place.first_stage, place.last_stage, processor);
  maxplus::expects(false, "a computation without ticks has no time either");
}

void ProblemTimes::throw_for_transfer(std::size_t part, std::size_t from, std::size_t to) const {
  if (is_source(part)) {
    timing_.from_source(to, from - sources_.front());
  } else if (is_sink(part + 1)) {
    timing_.to_sink(from, to - sinks_.front());
  } else {
    timing_.transfer(places_[part].last_stage, from, to);
  }
  maxplus::expects(false, "a transfer without ticks has no time either");
}

void ProblemTimes::throw_for_message(std::size_t sending_part, std::size_t receiving_part, std::size_t from,
                                     std::size_t to) const {
  if (is_source(sending_part)) timing_.from_source(to, from - sources_.front());
  const Place& place = places_[sending_part];
  // One of its files lacks a size, or the link a time.
  for (std::size_t stage = place.first_stage; stage <= place.last_stage; ++stage) {
    if (is_sink(receiving_part)) {
      timing_.to_sink(std::span(&stage, 1), from, to - sinks_.front());
    } else {
      timing_.transfer(stage, from, to);
    }
  }
  maxplus::expects(false, "a message without ticks has no time either");
}

}  // namespace takt::evaluators
