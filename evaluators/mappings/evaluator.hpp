// Periods of many mappings of one problem, for heuristics and parameter sweeps: no allocation once warm.
//
// Problem. A local search asks for the periods of millions of mappings of one application on one
// platform. Building each folded net costs a hundred times what its solution does, and most neighbors
// are no better than the incumbent, which a fraction of the work shows.
//
// Method. All times are 64-bit integers over one scale from the start (tpn/tick_times.hpp), the memory of
// one evaluation serves the next. Cheapest first: the cycle times of computations, then of ports or
// processors; the evaluation ends as soon as one of them is beyond the cutoff. What remains is decided as
// in evaluators/sweep/sweep.hpp (lambda is a circuit's ratio and never falls, A x <= x + lambda proves it): in
// OVERLAP column by column, each from the largest ratio so far and none at all where one port of the
// column takes part in every transfer of its component; in STRICT, and where processors serve several
// parts, over the rows of the net.
// Where times do not fit one scale, times rounded down give a lower bound that may pass the cutoff;
// otherwise, where a search leaves 64 bits, and where a model has more than circuits of resources, tpn::fold and
// evaluators::evaluate answer, with the same result and at their cost.
//
// Invariant. Exact answers equal evaluators::evaluate's. A lower bound is never above the period, an upper
// bound never below, whichever way an evaluation ends.
//
// Cost. Linear in the pairs of processors that meet (OVERLAP), or in the rows times the parts (STRICT), a
// few times over. Memory grows to the largest evaluation so far and stays.
//
// References. [benoit2009throughput], [baccelli1992synchronization], [cherkassky1999negative].
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "evaluators/kernel/period.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::evaluators {

/// Which periods are beyond a cutoff: those above it, or those that reach it as well.
enum class CutoffAt { above, reached };

/// An evaluation may end as soon as the period is certainly beyond this: a hill climber's incumbent, with
/// `reached` where only what is strictly better counts.
struct Cutoff {
  Period period;
  CutoffAt at = CutoffAt::above;
};

/// `cut_off`: the lower bound is beyond the cutoff. `interval`: the net is beyond MappingLimits.
enum class MappingAnswer { exact, cut_off, interval };

/// lower <= period <= upper, in time units per data set; equal if exact. A mapping is certainly better than
/// an incumbent where `upper && *upper < incumbent`, whatever the answer's kind.
struct MappingEvaluation {
  MappingAnswer answer = MappingAnswer::exact;
  Period lower;
  std::optional<Period> upper;  // absent if cut off, or where even listing the transfers was too much
};

struct MappingLimits {
  /// Operations that a pass over a net may visit. Beyond, the answer is the interval from the largest cycle
  /// time to the sequential period; evaluators::evaluate may know better.
  std::uint64_t operations = 4'000'000;
};

/// Holds a problem and the memory to evaluate its mappings, for one thread at a time.
class MappingEvaluator {
 public:
  /// Copies the problem, which `tpn::validate` accepts; a mapping that it has does not count.
  explicit MappingEvaluator(const tpn::Document& problem, const MappingLimits& limits = {});
  /// Keeps a reference to a view that others use as well.
  explicit MappingEvaluator(const tpn::ProblemView& problem, const MappingLimits& limits = {});
  MappingEvaluator(MappingEvaluator&&) noexcept;
  MappingEvaluator& operator=(MappingEvaluator&&) noexcept;
  MappingEvaluator(const MappingEvaluator&) = delete;
  MappingEvaluator& operator=(const MappingEvaluator&) = delete;
  ~MappingEvaluator();

  /// The period of a mapping that `tpn::validate` accepts: parts in stage order that hold every stage once,
  /// each on at least one processor. Throws tpn::InvalidInstance if a time that it needs is absent.
  MappingEvaluation evaluate(std::span<const tpn::Part> mapping, tpn::Model model);
  /// The same, or a lower bound beyond the cutoff; an absent time may then go unnoticed.
  MappingEvaluation evaluate(std::span<const tpn::Part> mapping, tpn::Model model, const Cutoff& cutoff);

  /// M_ct, the largest cycle time: no period is smaller, and it takes no search. Exact, or nothing if
  /// even listing the transfers is too much.
  std::optional<Period> largest_cycle_time(std::span<const tpn::Part> mapping, tpn::Model model);

 private:
  class TwoSolvers;
  std::unique_ptr<TwoSolvers> solvers_;
};

}  // namespace takt::evaluators
