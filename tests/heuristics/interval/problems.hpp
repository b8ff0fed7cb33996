// For tests of interval heuristics: random problems with all that an interval mapping can meet.
#pragma once

#include <cstdint>
#include <string_view>

#include "tpn/document.hpp"

namespace takt::testing {

inline constexpr std::string_view kIntervalHeuristics[] = {"bs121",  "spl",    "bsl",           "bsc",
                                                           "random", "greedy", "homogeneous-dp"};

/// Which links a varied problem has.
enum class Reach {
  complete,  // a link between any two, from the source and to the sink
  gaps,      // links at random
};

/// A problem of 1 to 8 stages and 1 to 8 processors. All that can vary does: equal and unequal speeds and links, both
/// ends, one or none, latencies, processors and links with a fixed time. Same seed, same problem.
tpn::Document varied_problem(std::uint64_t seed, Reach reach = Reach::complete);

}  // namespace takt::testing
