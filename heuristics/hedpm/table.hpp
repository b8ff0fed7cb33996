// The steps of HeDPM and DPM in the columns of the paper's Table 2.
#pragma once

#include <string>

#include "heuristics/hedpm/match.hpp"
#include "heuristics/heuristic.hpp"

namespace takt::heuristics::dynamic_mapping {

/// A time in four decimals as in the paper, six significant digits where these would show too little; of a problem with
/// units as all results tell it.
std::string told_time(const tpn::Document& problem, const Rational& value);

/// A match as the paper writes it, "p1 p2 p5s4", where processors are named p1, p2, ... and stages s1, s2, ... in their
/// order; "P0 P1: load, rank" with other names.
std::string match_in_words(const tpn::Document& problem, const tpn::Part& part);

/// One row per match, with what those before left of the order. Lists show indices where the names are the paper's, the
/// first sixteen of long ones.
LogTable table_of(const tpn::Document& problem, Order order, const StageMatching& matching, std::string title);

}  // namespace takt::heuristics::dynamic_mapping
