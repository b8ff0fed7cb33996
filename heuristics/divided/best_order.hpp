// The order of the processors on which a divided pipeline has the least period, by sets of processors.
//
// Problem. Where all processors are linked, any order of them may be the chain (heuristics/divided/divided.hpp). Which
// has the least period? NP-hard; the paper enumerates p! orders, 241 CPU-years for 16 processors.
//
// Method. f(S) is the furthest position on the axis that the processors S reach within a period T, in whatever order:
//   f(S) = largest, over u in S, of where u gets from f(S - u),
// for starting further on never means ending less far: u takes work up to T x speed, back to the start of a stage where
// that falls inside one that is not divisible. T is possible if f of all processors is the end of the axis. So p!
// orders become 2^p sets; and of processors of equal speed only how many are in a set matters.
//
// The least period. A bisection between work / speeds and the least period of an order that is known, to within 2^-8 of
// the first. Each order found gets its own least period P (heuristics/divided/chain_search.hpp), exactly. Then the test
// is whether any T below P is possible: if so, all those just below P are. Where a processor gets is a stage's start
// plus T times some speeds: just below P it is just short of where it is for P. So the test for P does, but for ends of
// stages, which have to be passed and not only met. Of positions that are equal for P it does not matter which is a
// hair further: none is ever at an end. An order found has a shorter period, with which this begins again; if there is
// none, P is the least of all.
//
// Invariant. Every answer that is not cut short is the least period over all orders; exact, in whole numbers of 64 bits
// where these hold all positions times the denominator of T, else of any size.
//
// Cost. O(2^p p) steps per test, about ten tests for the bisection and a few more; memory 2^p positions. 16 processors
// take a fraction of a second, 20 some seconds.
//
// References. [li2013data], Sections IV and V, for the problem and the pass; the search is our own.
#pragma once

#include <variant>

#include "heuristics/divided/chain_search.hpp"
#include "heuristics/divided/divided.hpp"

namespace takt::heuristics {

/// An order of all processors and its least period.
struct BestOrder {
  Chain chain;
  ChainPeriod least;
  bool cut_short = false;  // the deadline passed before all orders were ruled out
};

/// Adds the periods tried and the improvements to the log. LimitMet: too many sets of processors.
std::variant<BestOrder, LimitMet> best_order(const DividedPipeline& pipeline, const evaluators::Deadline& deadline,
                                             Log& log);

}  // namespace takt::heuristics
