// How a sweep is played: for its tests, as users have nothing to choose.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/evaluation.hpp"
#include "evaluators/sweep/lanes.hpp"

namespace takt::evaluators {

/// The kinds of passes, from the fastest to the one that takes any net.
enum class PassKind { lanes, rows_64, rows_128, rows_unbounded };

struct SweepShape {
  PassKind first = PassKind::lanes;  // kinds before it are not tried
  std::optional<LaneShape> lanes;    // shape_of(layout) where absent
  std::vector<std::int64_t> clocks;  // to start from instead of the guess, where as many as the net has
  std::uint64_t* passes = nullptr;   // counts passes where not null
  PassKind* used = nullptr;          // the kind that answered, where not null
};

/// The sweep of a net whose rows are few enough.
Evaluation sweep_as(const tpn::FoldedNet& net, const Options& options, const SweepShape& shape);

}  // namespace takt::evaluators
