// A proved interval for the expected period, with no play.
//
// Problem. With times that vary the expected period is at least that of the means, whatever the laws (Theorem 1 of
// docs/vary.md). How much more can it be?
//
// Method. Under OVERLAP, without limits of room, each column waits for earlier ones alone, so the net's expected period
// is that of its slowest column. Where one resource handles each operation, a column's is its busiest resource's cycle
// time, by the law of large numbers, whatever the laws. A transfer between u sending and v receiving ports that take
// turns, neither number a multiple of the other, is g = gcd(u, v) tori; of exponential times of mean d one of them has
// the period d (u + v - g) g / (u v) per data set of its own, and times that are new better than used in expectation
// (N.B.U.E.), with means of at most d, have no longer one.
//
// References. [benoit2014computing] for exponential and N.B.U.E. times; [barlow1975statistical]: sums of N.B.U.E. times
// are.
#pragma once

#include <string>
#include <variant>

#include "tpn/folded_net.hpp"
#include "vary/net_times.hpp"

namespace takt::vary {

/// The expected period is at most this.
struct ExpectedPeriod {
  maxplus::Rational upper;  // time units per data set
};

/// Why no upper bound is known, a clause: "it is known under OVERLAP alone".
struct NoExpectedPeriod {
  std::string reason;
};

/// `period`: an upper bound on the period of the means. The net is the one that the times are of. Cost: linear in the
/// dependences and in the tables of durations.
std::variant<ExpectedPeriod, NoExpectedPeriod> expected_period(const tpn::FoldedNet& net, const NetTimes& times,
                                                               const maxplus::Rational& period);

}  // namespace takt::vary
