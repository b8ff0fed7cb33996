// A run of the adaptive pipeline of Gonzalez-Velez and Cole, simulated exactly: a node becomes loaded, the pipeline
// notices, drains, calibrates and goes on elsewhere.
//
// Problem. How long do S data sets take through n stages, one on each of the fittest n nodes, when from a moment on
// another program shares one of these nodes; and how long if the pipeline maps itself anew?
//
// Method. Stage i of data set j begins when the stage before has ended and its node has handed on data set j - 1.
// Sends block: a data set is handed on when the next node takes it. A load of L from a moment on makes what is left of
// the loaded node's work take 1 + L times as long (fair share). The last stage sees the times that all stages took for
// a data set, and by the monitor's rule (heuristics/monitor.hpp) stops the source; what is on its way drains; then all
// nodes calibrate with one stage each, which ends with the slowest, and the pipeline goes on on the fittest.
// Ours: the first calibration is not counted, files take no time, the load stays.
//
// Cost. O(S n) and, for each calibration, O(p log p).
//
// References. [gonzalez2006adaptive, sections 3.2 and 5].
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::experiments {

struct AdaptiveScenario {
  std::vector<maxplus::Rational> times;          // by node: one stage on the idle node, in seconds, > 0; at least n
  std::size_t stages = 1;                        // n, >= 1
  std::uint64_t data_sets = 1;                   // S, >= 1
  maxplus::Rational load;                        // L >= 0
  maxplus::Rational load_from = 60;              // seconds from the beginning
  std::size_t loaded_stage = 0;                  // the node that has this stage at first is loaded
  std::optional<maxplus::Rational> threshold{};  // none: never maps anew
  bool is_buffered = false;                      // sends do not block
};

struct AdaptiveRun {
  maxplus::Rational end;          // of the last data set, in seconds
  std::uint64_t remappings = 0;   // calibrations after the first
  maxplus::Rational calibrating;  // seconds of all those, waiting included
};

AdaptiveRun simulate_adaptive_run(const AdaptiveScenario& scenario);

}  // namespace takt::experiments
