// One attempt of the search: starts are raised at a candidate period until they keep every precedence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "evaluators/residue/classes.hpp"
#include "evaluators/residue/findings.hpp"
#include "evaluators/residue/rises.hpp"
#include "evaluators/residue/system.hpp"
#include "evaluators/residue/trace.hpp"

namespace takt::evaluators {

/// The states of an attempt, drawn in `residue.hpp`; the last three end it.
enum class RaisingState { rolling, closing, proved, stopped, too_wide };

/// What an attempt may take.
struct RaisingLimits {
  double visits = std::numeric_limits<double>::infinity();  // to classes, those before the attempt among them
  double visits_once_split = std::numeric_limits<double>::infinity();  // the same, once classes were split
  double visits_before = 0;
  double classes = std::numeric_limits<double>::infinity();
  std::uint64_t max_memory = kDefaultMemory;  // bytes
  Deadline deadline;

  /// The limit that is met after `visits_since` visits in the attempt, in which classes were split or were not, or
  /// none.
  Limit met_after(double visits_since, bool has_split) const;
  /// The share of the visits, or 0 if they have no limit.
  double share_after(double visits_since) const { return (visits_before + visits_since) / visits; }
  /// The limit that this number of classes would meet, or none.
  Limit met_by(double total_classes, double bytes_per_start, double other_bytes) const;
  /// The most that a single walk may take of them.
  TraceLimits trace() const;
};

/// What an attempt leaves to the next.
struct RaisingProgress {
  Findings findings;
  Rises rises;
  std::uint64_t aimless_rolls = 0;  // over all rows, after which starts still rose and no circuit said why
};

/// Raises the starts at a candidate period above the best lower bound by 1 / margin of it, by nothing for margin 0,
/// until they keep every precedence; then they are proved to the findings. A better lower bound moves the candidate
/// period on the way. Ends as `proved`, as `stopped` with the limit among the findings, or as `too_wide` for Number,
/// when the classes' moduli are what they were refined to and their starts mean nothing.
template <typename Number>
RaisingState raise_starts(const ResidueSystem& system, const RaisingLimits& limits, unsigned margin,
                          Classes<Number>& classes, RaisingProgress& progress);

extern template RaisingState raise_starts(const ResidueSystem&, const RaisingLimits&, unsigned, Classes<std::int64_t>&,
                                          RaisingProgress&);
extern template RaisingState raise_starts(const ResidueSystem&, const RaisingLimits&, unsigned, Classes<Int128>&,
                                          RaisingProgress&);
extern template RaisingState raise_starts(const ResidueSystem&, const RaisingLimits&, unsigned, Classes<Integer>&,
                                          RaisingProgress&);

}  // namespace takt::evaluators
