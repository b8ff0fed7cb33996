// Random questions with counts and latencies, held against all plans there are: for the tests and the long check.
#pragma once

#include <cstdint>
#include <string>

#include "tpn/document.hpp"

namespace takt::plan {

/// What a case turned out to be.
struct CountedCase {
  std::string trouble;  // empty if all is well
  bool is_feasible = false;
  bool is_bound = false;  // limits made it dearer, or impossible
  bool is_searched = false;
  std::uint64_t judged = 0;  // plans
};

/// How a seed is made a case.
using TryCounted = CountedCase(const tpn::Model& model, std::uint64_t seed);

/// What the cases of several seeds came to.
struct CountedSums {
  std::string trouble;  // of the first seed that has one, behind the seed; no other is tried then
  std::uint64_t feasible = 0;
  std::uint64_t bound = 0;
  std::uint64_t searched = 0;
  std::uint64_t bound_and_searched = 0;
  std::uint64_t judged = 0;
};

/// Of the seeds from `first` to `last`, each `step` behind the one before.
CountedSums try_seeds(TryCounted* try_one, const tpn::Model& model, std::uint64_t first, std::uint64_t last,
                      std::uint64_t step = 1);

/// Draws a problem and a question, answers it, and judges all cheaper plans within the limits by their nets.
CountedCase try_counted(const tpn::Model& model, std::uint64_t seed);

/// A larger problem, held against plain labels: all beginnings of plans that no other beats in all respects.
CountedCase try_against_labels(const tpn::Model& model, std::uint64_t seed);

/// The fastest plan on given machines, held against the periods of all nets.
CountedCase try_fastest(const tpn::Model& model, std::uint64_t seed);

}  // namespace takt::plan
