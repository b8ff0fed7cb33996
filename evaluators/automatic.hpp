// auto: the method that is likely to be the fastest, by an estimate of what each would cost.
#pragma once

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// Chooses and evaluates; Evaluation::why says what was chosen for which reason.
///
/// Where no circuit leaves its column `pattern` visits fewer operations than any other method. Of the rest, `sweep`'s
/// cost is known before it starts: distinct rows times columns. `residue`'s is not, but where one resource is tight it
/// is far smaller, so on nets of some size it is tried for a part of what a sweep would cost, and in earnest where the
/// rows are beyond a sweep. Where none of them ends, the nearest bounds are the answer.
Evaluation automatic(const tpn::FoldedNet& net, const Options& options);

}  // namespace takt::evaluators
