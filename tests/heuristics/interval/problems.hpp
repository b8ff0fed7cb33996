// For tests of interval heuristics: random problems with all that an interval mapping can meet, answers as text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "heuristics/heuristic.hpp"
#include "tpn/document.hpp"

namespace takt::testing {

inline constexpr std::string_view kIntervalHeuristics[] = {"bs121",  "spl",    "bsl",           "bsc",
                                                           "random", "greedy", "homogeneous-dp"};

/// The reason of a refusal, a limit's after "limit: "; else "a mapping".
std::string reason_of(const heuristics::Solution& solution);

/// Which links a varied problem has.
enum class Reach {
  complete,  // a link between any two, from the source and to the sink
  gaps,      // links at random
};

/// A problem of 1 to 8 stages and 1 to 8 processors. All that can vary does: equal and unequal speeds and links, both
/// ends, one or none, latencies, rates, processors and links with a fixed time. Same seed, same problem.
tpn::Document varied_problem(std::uint64_t seed, Reach reach = Reach::complete);

}  // namespace takt::testing
