// How often each machine of a part takes a turn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "maxplus/rational.hpp"

namespace takt::plan {

/// Whether machines of these demands keep the period, or, where `strictly`, are below it, in plain turns.
bool keeps_pace(const std::vector<maxplus::Rational>& demands, const maxplus::Rational& period, bool strictly);

/// For each machine of a part, its turns in a sequence of that length: at least one, and no more than its demand allows
/// in `length` periods, or, where `strictly`, fewer than would take all of that time. The turns beyond what the length
/// needs are taken from the machine that they keep busy longest. Nothing if there are no such turns.
std::optional<std::vector<std::uint64_t>> turns_of(const std::vector<maxplus::Rational>& demands,
                                                   const maxplus::Rational& period, bool strictly,
                                                   std::uint64_t length);

}  // namespace takt::plan
