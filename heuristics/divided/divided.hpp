// Divided pipelines: works on a continuous axis, intervals of it on a chain of processors.
//
// The stages lie one behind the other on an axis, each as long as its normalized work, gain x work. A chain of
// processors divides the axis into intervals, one per processor in the order of the chain. A boundary may fall between
// stages and inside a replicable (divisible) stage, whose data sets the processors then share in proportion, but not
// inside one that is not. The period is the largest ratio of an interval's length to its processor's speed: computation
// only, with communication free or hidden behind it.
//
// Consecutive divisible stages are merged into one segment, as the paper assumes without loss of generality: a boundary
// at a share x of the segment's work gives the processors on its left the share x of every data set's work, so every
// stage of the segment runs on the same cyclic sequence and no file leaves a processor inside the segment.
//
// Numbers. Works and speeds are scaled to whole numbers of any size, so that positions are short rationals.
//
// References. [li2013data], Sections II and VI.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "heuristics/heuristic.hpp"

namespace takt::heuristics {

/// An interval of the axis that holds one stage, or consecutive divisible ones.
struct Segment {
  std::size_t first_stage = 0;
  std::size_t last_stage = 0;
  Integer start;  // positions on the axis
  Integer end;
  bool divisible = false;  // never where it is of no work

  Integer work() const { return end - start; }
};

struct DividedPipeline {
  std::vector<Segment> segments;
  Integer work;                 // of all segments
  std::vector<Integer> speeds;  // by processor
  Rational unit;                // the time that a work of 1 takes at a speed of 1, in the problem's time units
  tpn::TimeUnit time_unit = tpn::TimeUnit::own;  // the problem's
};

/// Processors in the order of their intervals; those outside do nothing.
using Chain = std::vector<std::size_t>;

/// What a processor takes of a segment's data sets.
struct WorkShare {
  std::size_t processor = 0;
  Rational fraction;  // positive
};

/// By segment, the processors and their shares, in the order of the chain: the shares sum to 1; an indivisible segment
/// has one.
using Division = std::vector<std::vector<WorkShare>>;

/// The pipeline of a problem, or why its processors are not of the kind that can share work. Throws
/// tpn::InvalidInstance where a work is absent. Notes in the log where communication is not free.
std::variant<DividedPipeline, Infeasible> pipeline_of(const tpn::ProblemView& problem, Log& log);

/// All processors in the order of the document.
Chain document_chain(const DividedPipeline& pipeline);

/// The sum of the speeds of a chain's processors.
Integer speed_of(const DividedPipeline& pipeline, std::span<const std::size_t> chain);

/// The division whose k-th interval ends at ends[k]: none decreases, the last is the pipeline's work, none falls inside
/// a segment that is not divisible.
Division divide(const DividedPipeline& pipeline, const Chain& chain, std::span<const Rational> ends);

/// The largest time for its share among the processors, in the problem's time units.
Rational period_of(const DividedPipeline& pipeline, const Division& division);

/// The segments that a boundary must respect, without those of no work; divisible neighbors joined. Stage numbers
/// are meaningless in them.
std::vector<Segment> compact_segments(const DividedPipeline& pipeline);

}  // namespace takt::heuristics
