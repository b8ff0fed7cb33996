// From a start that rose, backwards along what forces it, to a circuit of classes that forces itself up.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/residue/circuit.hpp"
#include "evaluators/residue/classes.hpp"
#include "evaluators/residue/rises.hpp"
#include "evaluators/residue/system.hpp"

namespace takt::evaluators {

/// Which predecessors a walk backwards tries first: those of its own data set, or the latest of its class.
enum class TraceOrder { own_data_set, latest };

/// What a walk may take: stops at a time, predecessors looked at, time.
struct TraceLimits {
  std::uint64_t steps = 300'000;
  std::uint64_t visits = 2'000'000;
  Deadline deadline;
};

/// Walks from a start backwards along precedences that force it, depth first, to a circuit of classes that forces
/// itself up: a list of steps, first one first. Circuits without any gain are passed by. Nothing if the walk ends
/// without a circuit, or beyond its limits. `classes` are only charged for the visits.
template <typename Number>
std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem& system, Classes<Number>& classes,
                                                 const Rise& rise, TraceOrder order, const TraceLimits& limits = {});

extern template std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem&, Classes<std::int64_t>&,
                                                                 const Rise&, TraceOrder, const TraceLimits&);
extern template std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem&, Classes<Int128>&, const Rise&,
                                                                 TraceOrder, const TraceLimits&);
extern template std::optional<std::vector<ClassStep>> trace_back(const ResidueSystem&, Classes<Integer>&, const Rise&,
                                                                 TraceOrder, const TraceLimits&);

}  // namespace takt::evaluators
