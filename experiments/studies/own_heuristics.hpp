// Heuristics that are none of takt's: what a study asks them, and what it hears.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "experiments/descriptions/description.hpp"
#include "maxplus/deadline.hpp"
#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/problem_view.hpp"

namespace takt::experiments {

/// A problem to be mapped.
struct OwnTask {
  const tpn::ProblemView& problem;
  tpn::Model model;  // whose period is to be small
  std::uint64_t seed;
  maxplus::Deadline deadline;
};

/// A mapping that `tpn::validate_mapping` accepts, and what is predicted of it; or why there is none, a phrase.
struct OwnResult {
  std::optional<tpn::Mapping> mapping;
  std::optional<maxplus::Rational> predicted_period;  // in time units per data set
  std::string failure;                                // if there is no mapping
};

/// Runs heuristics that are not takt's. Serves one thread.
class OwnHeuristics {
 public:
  OwnHeuristics() = default;
  OwnHeuristics(const OwnHeuristics&) = delete;
  OwnHeuristics& operator=(const OwnHeuristics&) = delete;
  virtual ~OwnHeuristics() = default;

  /// `chosen` is one whose form is not OwnForm::none.
  virtual OwnResult ask(const ChosenHeuristic& chosen, const OwnTask& task) = 0;
};

}  // namespace takt::experiments
