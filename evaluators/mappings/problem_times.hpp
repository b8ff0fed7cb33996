// A solver's source of times: mappings of one problem, whose times are looked up in ticks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "evaluators/mappings/tick_lists.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::evaluators {

class ProblemTimes {
 public:
  using Mapping = std::span<const tpn::Part>;

  /// Keeps references into the problem, whose timing throws for times that are absent, and to the times.
  ProblemTimes(const tpn::ProblemView& problem, const tpn::TickTimes& times);

  const tpn::TickTimes& ticks() const { return times_; }

  /// Lists the mapping's parts; the last one listed is the one that times are asked for.
  void list_parts(Mapping mapping, TickLists& lists);
  void list_computations(TickLists& lists) const;
  /// The transfer behind a part from an entry of its sequence to one of the next part's.
  std::int64_t transfer(std::size_t part, std::uint32_t sender, std::uint32_t receiver) const {
    const std::size_t from = places_[part].processors[sender];
    const std::size_t to = places_[part + 1].processors[receiver];
    if (from == to) return 0;
    const std::int64_t ticks = is_source(part)     ? times_.from_source(to, from - sources_.front())
                               : is_sink(part + 1) ? times_.to_sink(from, to - sinks_.front())
                                                   : times_.transfer(places_[part].last_stage, from, to);
    if (ticks < 0) throw_for_transfer(part, from, to);
    return ticks;
  }
  /// A message of so much (TickTimes::amount_of) between entries of any two parts of a workflow.
  std::int64_t message(std::size_t sending_part, std::size_t receiving_part, std::int64_t amount, std::uint32_t sender,
                       std::uint32_t receiver) const {
    const std::size_t from = places_[sending_part].processors[sender];
    const std::size_t to = places_[receiving_part].processors[receiver];
    if (from == to) return 0;
    const std::int64_t ticks = is_source(sending_part)   ? times_.from_source(to, from - sources_.front())
                               : is_sink(receiving_part) ? times_.to_sink_of(amount, from, to - sinks_.front())
                                                         : times_.transfer_of(amount, from, to);
    if (ticks < 0) throw_for_message(sending_part, receiving_part, from, to);
    return ticks;
  }

 private:
  // Of a listed part; the stages of a mapped one.
  struct Place {
    const std::size_t* processors = nullptr;
    std::size_t first_stage = 0;
    std::size_t last_stage = 0;
  };

  /// Its processors' numbers are below `limit`.
  void add_part(std::span<const std::size_t> processors, std::size_t limit, std::size_t first_stage,
                std::size_t last_stage, TickLists& lists);
  bool is_source(std::size_t part) const { return !sources_.empty() && part == 0; }
  bool is_sink(std::size_t part) const { return !sinks_.empty() && part + 1 == places_.size(); }
  void throw_for_computation(const Place& place, std::size_t processor) const;
  void throw_for_transfer(std::size_t part, std::size_t from, std::size_t to) const;
  void throw_for_message(std::size_t sending_part, std::size_t receiving_part, std::size_t from, std::size_t to) const;

  const tpn::Document& problem_;
  const tpn::Timing& timing_;
  const tpn::TickTimes& times_;
  // The sequences of those that take turns, numbered behind the platform's processors; empty if there is none.
  std::vector<std::size_t> sources_;
  std::vector<std::size_t> sinks_;
  std::vector<Place> places_;  // by listed part
  NodeNumbers nodes_;
};

}  // namespace takt::evaluators
