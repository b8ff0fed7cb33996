// Where a critical circuit leads over the fixed order in which one processor serves several parts.
#pragma once

#include <optional>

#include "evaluators/evaluation.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// A processor of several parts does `later` only after `earlier`, which is of another of its parts: it takes the parts
/// in turn, data set by data set. Both follow each other on the critical circuit.
struct OrderWait {
  std::size_t processor = 0;  // index into Pipeline::processors
  tpn::Operation earlier;
  tpn::Operation later;
};

/// The first such wait on the circuit of an exact evaluation of this net; nothing where there is none. Looks at a
/// million steps at most. Cost: linear in the dependences and in the steps looked at.
std::optional<OrderWait> order_wait(const tpn::FoldedNet& net, const CriticalCircuit& circuit);

}  // namespace takt::evaluators
