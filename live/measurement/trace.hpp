// What ranks recorded, as one trace: every operation of every data set, in time units.
#pragma once

#include <span>
#include <vector>

#include "evaluators/play/play.hpp"
#include "live/engine/messages.hpp"

namespace takt::live {

/// The operations by data set, then column, from the records of all processors. A transfer has a record of each side,
/// but for those within a processor: it starts when both were ready and ends with the later of them. `begin` is time 0.
std::vector<evaluators::Firing> trace_of(std::span<const std::vector<Record>> records, const Rational& ticks_per_unit,
                                         Ticks begin = 0);

}  // namespace takt::live
