// A lower bound of all periods by prices: what a data set costs at least, where it may choose its way freely.
//
// Problem. Bounds of single resources know nothing of how work, receptions and sendings compete for processors.
//
// Method. In a period P each resource is busy for at most P per data set. Let every resource r have a price y_r >= 0
// per time, all of them together 1: then P is at least the sum of y_r times the busy times, which is what data sets
// cost on average, and no data set costs less than the cheapest way through the stages: computations, receptions and
// sendings of whatever processors, each operation at the prices of the resources that handle it. The cheapest way is a
// shortest path over (stage, processor). This is a dual solution of a linear program in which data sets are divided
// among all ways. Every choice of prices gives a bound; they are raised, round by round, for the resources that the
// cheapest way keeps busy (multiplicative weights), from two beginnings: prices in proportion to speeds; and to the
// rates at which processors could handle whole data sets on their own, which often are the best ones.
//
// Of a workflow the cheapest way is that of each stage alone, without transfers: there are mappings that share
// processors so that nothing is sent.
//
// A stage that is not replicable is on one processor for all data sets: the bound is the least over that processor of
// what the ways through it cost, with prices of their own; one such stage is looked at at a time.
//
// Invariant. Prices are integers, costs are exact for the times in ticks, and those are never longer than they are. A
// round that the deadline cuts short counts for nothing: the bound is that of the rounds before, 0 without any.
//
// Cost. O(n p^2) per round.
//
// References. [plotkin1995fast] for the rounds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "maxplus/deadline.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

class PricedPaths {
 public:
  /// Keeps references into the view; `times` are its ticks.
  PricedPaths(const tpn::ProblemView& problem, const tpn::TickTimes& times, const tpn::Model& model,
              const maxplus::Deadline& deadline = {});

  /// The best bound found until the deadline, in time units per data set.
  maxplus::Rational bound();

 private:
  using Int128 = evaluators::Int128;
  // A stage that stays on one processor.
  struct Fixed {
    std::size_t stage = 0;
    std::size_t processor = 0;
  };
  struct Cost {
    Int128 cost = 0;
    std::int64_t prices = 1;  // of all resources together
    bool is_less_than(const Cost& other) const { return cost * other.prices < other.cost * prices; }
  };

  std::size_t source() const { return computing_.size() * kinds_; }
  std::size_t sink() const { return source() + 1; }
  void price_operations();
  void set_prices(const std::vector<std::int64_t>& times);
  std::vector<std::int64_t> times_of_work() const;
  std::vector<std::int64_t> times_alone() const;
  Cost climb(const std::optional<Fixed>& fixed, int first_round, int rounds);
  std::optional<Cost> with_fixed(std::size_t stage, const std::vector<std::int64_t>& prices, int rounds);
  std::uint64_t count_fixed() const;
  void begin_paths();
  std::optional<Int128> cheapest(const std::optional<Fixed>& fixed);
  std::optional<Int128> cheapest_apart(const std::optional<Fixed>& fixed);
  std::int64_t further(std::size_t stage, std::size_t processor) const;
  void keep_only(std::size_t processor);
  void go_on(std::size_t stage);
  void trace_back(std::size_t processor);
  void keep_busy(std::size_t processor, bool (*handles)(tpn::ConstraintKind), std::int64_t ticks);
  void raise_prices(int round);

  const tpn::Document& problem_;
  const tpn::LinkTable& links_;
  const tpn::TickTimes& times_;
  tpn::Model model_;
  // Others are no resources that handle one file at a time.
  bool has_one_source_port_;
  bool has_one_sink_port_;
  bool are_exact_;
  bool is_workflow_;
  maxplus::DeadlineWatch watch_;
  std::size_t kinds_;
  std::vector<std::int64_t> prices_;   // by kind and processor, then of the source and of the sink
  std::vector<std::int64_t> dearest_;  // those of the best bound of the last climb
  std::vector<std::int64_t> busy_;     // by the same, on the cheapest way
  // By processor, what a tick of such an operation costs.
  std::vector<std::int64_t> receiving_;
  std::vector<std::int64_t> computing_;
  std::vector<std::int64_t> sending_;
  std::vector<std::optional<Int128>> costs_;         // by processor, of the stages so far
  std::vector<std::vector<std::size_t>> came_from_;  // by stage and processor
};

}  // namespace takt::heuristics
