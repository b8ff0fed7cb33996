// A net that fails, made as small as it can be while it still fails.
#pragma once

#include <cstddef>
#include <functional>

#include "tests/evaluators/fuzz/fuzz_net.hpp"

namespace takt::support {

/// Greedily drops limits, ends, types, parts, stages, turns, processors, links and times of stages, makes the model
/// plainer, and takes numbers towards 0, 1 and whole ones, for as long as the net stays valid, written and read the
/// same, and `still_fails`; until no such step is left, or `most_tries` were made. The net itself must fail. What is
/// left of names is renumbered.
FuzzNet shrink(FuzzNet net, const std::function<bool(const FuzzNet&)>& still_fails, std::size_t most_tries = 20'000);

}  // namespace takt::support
