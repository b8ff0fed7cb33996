// Nets that no document can say yet, made by hand: parts that fork and join, processors that share a port.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "tests/support/draw.hpp"
#include "tpn/folded_net.hpp"

namespace takt::support {

/// Lengths of the parts' sequences, and who sends to whom.
struct Workflow {
  std::vector<std::size_t> lengths;
  std::vector<std::pair<std::size_t, std::size_t>> edges;  // from a part to a later one, sorted, each once
};

inline const Workflow kTriangle{{3, 4, 5}, {{0, 1}, {0, 2}, {1, 2}}};

/// 3 to 5 parts of 1 to 5 processors.
Workflow random_workflow(Draw& draw);

/// Whether it is a chain.
bool is_path(const Workflow& workflow);

/// Its net under OVERLAP or STRICT, times drawn from 20 to 80: a part's computation, then its sendings by receiver.
tpn::FoldedNet workflow_net(const Workflow& workflow, const tpn::Model& model, Draw& draw);

/// A chain's net of at least three parts, the first processors of two of them, not the first part, behind one resource:
/// their receptions, one after the other by data set and column.
tpn::FoldedNet with_shared_port(tpn::FoldedNet net, std::size_t one, std::size_t other, tpn::ConstraintKind kind);

}  // namespace takt::support
