// Where a critical circuit leads over the fixed order in which one processor serves several parts, or takes the files
// of one part.
#pragma once

#include <optional>

#include "evaluators/evaluation.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// A processor of several parts does `later` only after `earlier`, which is of another of its parts: it takes the parts
/// in turn, data set by data set. Or it takes files of several parts for one of its own: `later` brings another one
/// than `earlier`. The critical circuit leads from one to the other, in one step.
struct OrderWait {
  std::size_t processor = 0;  // index into Pipeline::processors
  tpn::Operation earlier;
  tpn::Operation later;
  std::optional<tpn::PartIndex> join{};  // the part that takes both files
};

/// The first such wait on the circuit of an exact evaluation of this net, files of one data set after those of another
/// before files of the same; nothing if there is none. Looks at a
/// million steps at most. Cost: linear in the dependences and in the steps looked at.
std::optional<OrderWait> order_wait(const tpn::FoldedNet& net, const CriticalCircuit& circuit);

}  // namespace takt::evaluators
