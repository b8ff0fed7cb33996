// Iterated local search over mappings: descents from several starts, disturbances, and the best of all.
//
// Problem. A mapping of small exact period, from some starts, in the time or the number of moves given.
//
// Method. A descent takes random changes, each as soon as it is found good: if the exact period falls, or stays and the
// pressure on the resources falls (heuristics/search/loads.hpp): most mappings have several parts that set the period
// at once, each to be relieved by a move of its own. Changes after which some cycle time is beyond the period are never
// evaluated; the others are, up to the period that they must beat (evaluators/mappings/evaluator.hpp), and one whose
// evaluation would take too many operations counts as no better. There are three neighborhoods, in this order:
// moves of entries with every processor at most once in a sequence (heuristics/search/moves.hpp); rebuilds
// (heuristics/search/rebuilds.hpp); and all of both, with repetitions, which give unequal processors unequal shares and
// large nets. Every start descends through all three. Then, in rounds, the best result is disturbed by some random
// changes and descends; what comes out takes its place unless its period is longer, until several descents in a row
// have found nothing better. If there is all the time until a deadline, the same goes on from all results, the
// better ones more often, with larger disturbances. [lourenco2003iterated]
//
// Invariant. The period in hand is exact, and never longer than any start's.
//
// Cost. A mapping of p processors has O(p^2) changes, each O(p) to judge by cycle times; of those tried, one in ten to
// three in four is evaluated.
#pragma once

#include <boost/random/mersenne_twister.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/common/placement.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/moves.hpp"
#include "heuristics/search/price_goal.hpp"
#include "heuristics/search/rebuilds.hpp"
#include "heuristics/search/start.hpp"
#include "tpn/problem_view.hpp"

namespace takt::heuristics {

/// A mapping and its exact period.
struct EvaluatedMapping {
  tpn::Mapping mapping;
  evaluators::Period period;
  evaluators::Int128 pressure = 0;  // under that period
  Integer cost{};                   // as the goal counts, if there is one
};

/// Which changes of a mapping a descent looks at.
enum class Neighborhood : std::uint8_t { single_turns, rebuilds, all };

class LocalSearch {
 public:
  /// Starts, best first, and at least one; `lower_bound`: of the period of any mapping. Keeps references.
  LocalSearch(const tpn::ProblemView& problem, const Settings& settings, std::span<const SearchStart> starts,
              const Rational& lower_bound, std::optional<PriceGoal> goal = {});

  void run();

  const EvaluatedMapping& best() const { return best_; }
  bool cannot_improve() const {
    return goal_ ? goal_->is_within(best_.period) && goal_->is_least(best_.cost) : best_.period <= lower_bound_;
  }
  bool has_tried_all_it_may() const { return most_moves_ && tried_ >= *most_moves_; }
  bool cut_short() const { return cut_short_; }
  std::uint64_t tried() const { return tried_; }
  std::uint64_t evaluated() const { return evaluated_; }
  const LogTable& improvements() const { return improvements_; }
  /// The same by moves tried, the best start first.
  const std::vector<Improvement>& progress() const { return progress_; }

 private:
  struct Elite {
    EvaluatedMapping point;
    std::vector<Neighborhood> searched{};  // those in which no change is good
  };

  // What makes a change a good one.
  struct Aim {
    evaluators::Period period;  // at most this
    bool is_cheaper = false;    // then this is enough
  };

  void add_start(const SearchStart& start);
  evaluators::Deadline share(int divisor) const;
  void settle_all(Neighborhood neighborhood, int part);
  void settle(Elite& elite, Neighborhood neighborhood);
  void round(Neighborhood neighborhood, int part);
  void go_on(Elite& elite);
  bool is_over();
  bool is_phase_over() const;
  std::size_t below(std::size_t bound);
  void list(const tpn::Mapping& mapping);
  void descend(EvaluatedMapping& point);
  void set_pressure(EvaluatedMapping& point);
  void make(std::uint32_t change, const EvaluatedMapping& point);
  std::optional<evaluators::Period> try_change(std::uint32_t change, const EvaluatedMapping& point);
  std::optional<Aim> aim_of(const EvaluatedMapping& point);
  void disturb(EvaluatedMapping& point, std::size_t most);
  void cheapen(EvaluatedMapping& point);
  void accept(std::uint32_t change, EvaluatedMapping& point, const evaluators::Period& period);
  bool is_better(const evaluators::Period& period, const Integer& cost, const EvaluatedMapping& than) const;
  bool is_better(const EvaluatedMapping& point, const EvaluatedMapping& than) const;
  bool is_valid(const tpn::Mapping& mapping);
  void record(std::string change, const tpn::Mapping& mapping, const evaluators::Period& period);
  std::string in_words(std::uint32_t change, const tpn::Mapping& mapping) const;

  const tpn::Document& problem_;
  tpn::LinkCheck links_;
  tpn::Model model_;
  evaluators::Deadline deadline_;             // of all
  evaluators::Deadline until_;                // of what is done now
  std::optional<std::uint64_t> moves_until_;  // likewise, by moves
  bool uses_all_time_;
  bool may_repeat_;
  std::uint64_t restarts_;
  std::optional<PriceGoal> goal_;
  PlacementRules placement_;
  std::optional<std::uint64_t> most_moves_;
  evaluators::Period lower_bound_;  // of any mapping
  std::optional<Loads> loads_;      // none: only changes that shorten the period are good, and there are no rebuilds
  std::optional<TurnDealer> dealer_;
  evaluators::MappingEvaluator evaluator_;
  boost::random::mt19937_64 engine_;
  std::vector<Neighborhood> order_;  // from cheap to dear
  Neighborhood neighborhood_ = Neighborhood::single_turns;
  EvaluatedMapping best_;
  std::vector<Elite> elites_;
  std::vector<Move> moves_;
  std::vector<Rebuild> rebuilds_;
  std::vector<std::uint32_t> changes_;  // numbers of moves, then of rebuilds
  tpn::Mapping candidate_;
  Integer candidate_cost_;
  std::uint64_t tried_ = 0;
  std::uint64_t evaluated_ = 0;
  bool cut_short_ = false;
  LogTable improvements_{"Improvements", {"last move", "period before", "period after"}, {}};
  std::vector<Improvement> progress_;
};

}  // namespace takt::heuristics
