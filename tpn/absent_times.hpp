// Stages that run on some processors only: the times that a problem does not give, and the problem in which they are
// given, but prohibitive.
//
// Problem. A stage with times of its own for some processors runs there and, by its work, on processors with a speed.
// Searches want a time for every pair.
//
// Method. A pair without a time gets one that is longer than every period of a mapping that needs none of these pairs,
// times the entries of the longest sequence: a processor that computes one data set of that many is busy for longer per
// data set than any such mapping takes. So where there is a mapping without them, none with them is as good; and a
// lower bound of all periods of the larger problem is one of the smaller.
//
// Invariant. Mappings without such pairs have the same periods in both problems.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/timing.hpp"

namespace takt::tpn {

/// A stage and a processor on which it does not run.
struct AbsentTime {
  std::size_t stage = 0;
  std::size_t processor = 0;
};

/// The first pair without a time, by stage, then processor; nothing where all have one, or where no stage has times of
/// its own: then a time that is missing is an error. Cost: linear in the document where no time is absent.
std::optional<AbsentTime> first_absent_time(const Document& problem);

/// Which stages run on which processors, where not all do.
class AbsentTimes {
 public:
  /// Throws InvalidInstance where a stage runs on no processor, or a processor runs no stage.
  AbsentTimes(const Document& problem, const Timing& timing);

  /// Whether the processor runs all of these stages.
  bool can_run(std::size_t first_stage, std::size_t last_stage, std::size_t processor) const {
    return missing(last_stage + 1, processor) == missing(first_stage, processor);
  }
  /// The stage behind the last of those, from `first_stage` on, that the processor runs in a row.
  std::size_t end_of_run(std::size_t first_stage, std::size_t processor) const;

 private:
  std::size_t& missing(std::size_t stages, std::size_t processor) { return missing_[stages * processors_ + processor]; }
  std::size_t missing(std::size_t stages, std::size_t processor) const {
    return missing_[stages * processors_ + processor];
  }

  std::size_t processors_;
  std::size_t stages_;
  std::vector<std::size_t> missing_;  // of the stages before one, on a processor: how many it does not run
};

/// The problem with a prohibitive time for every pair that has none. Cost: linear in stages times processors, and in
/// the links.
Document with_prohibitive_times(const Document& problem, const Timing& timing, const AbsentTimes& absent);

}  // namespace takt::tpn
