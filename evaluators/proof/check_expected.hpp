// A proved upper bound of the expected period where times vary: the one rule, by which takt evaluate and takt vary make
// the bound and takt check accepts it.
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

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"
#include "tpn/folded_net.hpp"

namespace takt::evaluators {

/// The expected period is at most this, in time units per data set; or why no bound is known, a clause. `period`: an
/// upper bound on the period of the means; `of_all`: a law of all times in place of the document's. Cost: linear in the
/// dependences and in the pairs of processors that meet.
std::variant<maxplus::Rational, std::string> expected_upper(const tpn::Document& document, const tpn::FoldedNet& net,
                                                            const maxplus::Rational& period,
                                                            const tpn::Law* of_all = nullptr);

}  // namespace takt::evaluators
