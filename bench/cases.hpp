// The cases of the benchmark and the participants of each.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/participants.hpp"

namespace takt::bench {

/// A problem, built when it is first needed, and its participants. The first one is one of takt's methods, which brings
/// evidence for its answers: all others are held against them.
struct Case {
  std::string name;
  std::function<Problem()> build;
  std::vector<const Participant*> participants;
};

/// All cases, in the order of the tables.
std::vector<Case> all_cases();

}  // namespace takt::bench
