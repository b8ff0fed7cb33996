// Random problems with everything an interval mapping can meet: latencies, rates, fixed times, missing links.
#pragma once

#include <cstdint>

#include "tpn/document.hpp"

namespace takt::testing {

/// Which links a varied problem has.
enum class Reach {
  complete,  // a link between any two, from the source and to the sink
  gaps,      // links at random
};

/// A problem of 1 to 8 stages and 1 to 8 processors. All that can vary does: equal and unequal speeds and links, both
/// ends, one or none, latencies, rates, processors and links with a fixed time. Same seed, same problem.
tpn::Document varied_problem(std::uint64_t seed, Reach reach = Reach::complete);

}  // namespace takt::testing
