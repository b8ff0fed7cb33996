// Local search over the mappings of a workflow and the orders of its stages.
//
// Problem. Parts are intervals of the list of stages, and ports serve transfers in the order of the parts. A workflow's
// list may be in any topological order: which groupings there are, and which transfer comes first, depends on it.
//
// Method. Local search (heuristics/search/local_search.hpp) in the order of the best start, for half of the moves or a
// third of the time; then in rounds: the stages of the best mapping are listed anew, part after part in some order in
// which each part is behind those whose files it takes, the stages of each part likewise. The mapping groups them as
// before; its period may have changed with the order in which ports serve, and the search goes on from there, in a
// small share of what is left. What comes out takes its place unless its period is longer. Other starts' orders come
// first.
//
// Invariant. The period in hand is exact, and never longer than any start's.
//
// Cost. That of the local searches.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "heuristics/search/local_search.hpp"
#include "heuristics/search/start.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/stage_order.hpp"

namespace takt::heuristics {

class StageOrderSearch {
 public:
  /// Starts, best first, and at least one. Keeps references.
  StageOrderSearch(const tpn::ProblemView& problem, const Settings& settings, std::span<const SearchStart> starts,
                   const Rational& lower_bound);

  void run();

  const EvaluatedMapping& best() const { return best_; }
  /// Of whose list the best mapping's parts are intervals; nothing: the problem's.
  const std::optional<tpn::StageOrder>& order() const { return order_; }
  bool cannot_improve() const { return best_.period <= lower_bound_; }
  bool has_tried_all_it_may() const { return !uses_all_time_ && tried_ >= most_moves_; }
  bool cut_short() const { return cut_short_; }
  std::uint64_t tried() const { return tried_; }
  std::uint64_t evaluated() const { return evaluated_; }
  std::uint64_t rounds() const { return rounds_; }
  const LogTable& improvements() const { return improvements_; }
  const std::vector<Improvement>& progress() const { return progress_; }

 private:
  /// From mappings in one order.
  void search(const std::optional<tpn::StageOrder>& order, std::span<const SearchStart> starts, std::uint64_t moves,
              const evaluators::Deadline& deadline, bool is_first);
  bool is_over() const;
  void round();

  const tpn::ProblemView& problem_;
  const Settings& settings_;
  std::span<const SearchStart> starts_;
  const Rational& lower_bound_;
  bool uses_all_time_;
  std::uint64_t most_moves_;
  boost::random::mt19937_64 engine_;
  EvaluatedMapping best_;
  std::optional<tpn::StageOrder> order_;
  std::uint64_t tried_ = 0;
  std::uint64_t evaluated_ = 0;
  std::uint64_t rounds_ = 0;
  bool cut_short_ = false;
  LogTable improvements_;
  std::vector<Improvement> progress_;
};

}  // namespace takt::heuristics
