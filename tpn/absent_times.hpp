// Stages that run on some processors only: the times that a problem does not give, and the problem in which they are
// given, but prohibitive.
//
// Problem. A stage with times of its own for some processors runs there and, by its work, on processors with a speed.
// Searches want a time for every pair.
//
// Method. A pair without a time gets one that is longer than every period of a mapping that needs none of these pairs,
// times four entries of a sequence for each processor: a processor that computes one data set of that many is busy for
// longer per data set than any such mapping takes. So if there is a mapping without them, none with them is as good
// whose sequences are no longer; and a lower bound of all periods of the larger problem is one of the smaller.
//
// Trap. Searches that deal turns finely make longer sequences: they ask ProblemView::can_run.
//
// Invariant. Mappings without such pairs have the same periods in both problems.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tpn/document.hpp"
#include "tpn/timing.hpp"

namespace takt::tpn {

/// Whether the stage's "runs on" lets it run on the processor.
bool is_let_run(const Stage& stage, const Platform& platform, std::size_t processor);

/// Names of processors on which the stage runs: "\"a\" or \"b\"", the first four and how many more; empty if there
/// are none.
std::string runner_words(const Document& problem, std::size_t stage);

/// A stage and a processor on which it does not run.
struct AbsentTime {
  std::size_t stage = 0;
  std::size_t processor = 0;
};

/// The first pair without a time, or that "runs on" rules out, by stage, then processor; nothing if there is none.
/// If no stage has times of its own a time that is missing is an error, and no such pair. Cost: linear in the
/// document if nothing is absent.
std::optional<AbsentTime> first_absent_time(const Document& problem);

/// Which stages run on which processors, where not all do.
class AbsentTimes {
 public:
  /// Throws InvalidInstance if a stage runs on no processor, or of a processor neither a speed nor any time is known.
  AbsentTimes(const Document& problem, const Timing& timing);
  /// Of the same stages in another order: by place, the stage.
  AbsentTimes(const AbsentTimes& other, std::span<const std::size_t> order);

  /// Whether the processor runs all of these stages.
  bool can_run(std::size_t first_stage, std::size_t last_stage, std::size_t processor) const {
    return missing(last_stage + 1, processor) == missing(first_stage, processor);
  }
  std::size_t stages() const { return stages_; }
  std::size_t processors() const { return processors_; }
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

/// Stages no two of which one processor has together, as it would have to run all between them, and all processors that
/// run any of them.
struct CrowdedStages {
  std::vector<std::size_t> stages;
  std::vector<std::size_t> processors;  // fewer than stages
};

/// The fewest such stages: then no mapping has every stage on a processor of its own part. Nothing if there are
/// none, or where sets of stages are too many to be looked through. Cost: at most 20 million pairs of a set and a
/// processor.
std::optional<CrowdedStages> crowded_stages(const AbsentTimes& absent);

/// "stages \"a\" and \"c\" run on \"cpu\" alone, which does not have two of them in one part".
std::string crowded_words(const Document& problem, const CrowdedStages& crowded);

/// Every mapping that has each stage only on processors that run it has at most this period, in time units: that of one
/// data set after the other.
Rational longest_period(const Document& problem, const Timing& timing, const AbsentTimes& absent);

/// The problem with a prohibitive time for every pair that has none. Cost: linear in stages times processors, and in
/// the links.
Document with_prohibitive_times(const Document& problem, const Timing& timing, const AbsentTimes& absent);

}  // namespace takt::tpn
