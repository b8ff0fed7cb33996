// The average transfers at the two ends of a sub-pipeline, added so that its circuit is long where the whole's is.
#pragma once

#include <optional>

#include "evaluators/evaluation.hpp"

namespace takt::evaluators {

/// The sub-pipeline of these parts where each computation of its first part takes the average reception before it as
/// well, and of its last part the average sending behind it; all in finer ticks, averages rounded down. Under a model
/// whose processors do one thing at a time, its circuits then take about what they take once they are embedded; its
/// period is no bound. Nothing if the model is another, the sub-pipeline has all parts, or numbers would leave 64
/// bits. Cost: that of the fold, and the pairs of entries that meet at both ends.
std::optional<tpn::FoldedNet> sub_pipeline_with_edges(const tpn::FoldedNet& net, const tpn::FoldedNet& sub_pipeline,
                                                      tpn::PartIndex first_part, const Deadline& deadline);

}  // namespace takt::evaluators
