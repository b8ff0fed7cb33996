// What the planner answers where all plans are few: the fastest at its price, rows of frontiers, how far plans go.
#pragma once

#include <span>

#include "tests/plan/oracles.hpp"

namespace takt::plan {

/// Claims about whole answers, on problems whose machines are all counted, so that every plan is judged by its net.
std::span<const Oracle> answer_oracles();

}  // namespace takt::plan
