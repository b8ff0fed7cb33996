// The instance that a run would have been: the durations of its operations are those that were measured.
//
// Problem. Where the measured period is not the predicted one, is the theory wrong or what it was given? The instance
// with the measured durations tells: its exact period is what the net makes of them.
//
// Method. Effective durations by class (live/measurement/measurement.hpp) become `time`s: their mean, and where they
// differ all of them as samples, which takt vary draws from. A computation is that of a
// part; its stages share it as they do by the document, equally where that does not say, and have times of their own
// for the processor, whose fixed time goes; that of the stage with the largest share varies, as the part did. Transfers
// become links with one direction and a time.
//
// What an instance cannot say: a pair of processors has one time, so one that meets in several columns gets the mean of
// theirs; source, sink and transfers within a processor take no time; what was never seen keeps the time it had. Times
// below 0, of operations that ended before they could begin, are 0.
#pragma once

#include "live/measurement/measurement.hpp"
#include "tpn/document.hpp"

namespace takt::live {

/// Which statistic of the durations of a class becomes its time. A mean keeps the durations as samples.
enum class MeasuredValue { mean, median };

/// The document of an instance with the times of a run of it; the net is that of the instance, the model its own.
/// Without prediction and heuristic.
tpn::Document measured_document(const tpn::Document& document, const tpn::FoldedNet& net, const RunMeasurement& run,
                                MeasuredValue value);

}  // namespace takt::live
