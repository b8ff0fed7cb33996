// Boost's Howard on the unfolded net, with several tries in case it is not right.
//
// boost::maximum_cycle_ratio works in doubles, with an absolute tolerance, and gives up after 100 rounds. The tolerance
// is negative, as Boost's own -0.005 is: with a positive one, arcs that gain nothing count as gains, and all 100 rounds
// are spent. Boost's answer here is the exact ratio of the circuit that it returns, and the benchmark counts a try only
// where that ratio is right.
#pragma once

#include <array>

#include "tpn/folded_net.hpp"

namespace takt::bench {

enum class Numbering { by_row, by_column };

struct BoostTry {
  double epsilon;
  Numbering numbering;
};

/// In this order, until one is right.
inline constexpr std::array kBoostTries = {
    BoostTry{-5e-3, Numbering::by_column}, BoostTry{-5e-3, Numbering::by_row},    BoostTry{-1e-6, Numbering::by_column},
    BoostTry{-1e-6, Numbering::by_row},    BoostTry{-1e-9, Numbering::by_column}, BoostTry{-1e-9, Numbering::by_row},
};

/// The largest ratio that Boost finds in the unfolded net, as a period; never above the real one. The net must be
/// plain (bench/contraction.hpp). STRICT: all rows, or, where every part's length has a common factor, one smaller net
/// for each residue. OVERLAP: each column over its own pattern, as theorem 1 of [benoit2009throughput] allows.
maxplus::Rational boost_period(const tpn::FoldedNet& net, const BoostTry& how);

}  // namespace takt::bench
