// Seeded random transfer columns that are too large for a document, built directly.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "tpn/folded_net.hpp"

namespace takt::support {

/// Numbers uniform in [low, high]. Same seed, same numbers, on every machine.
std::vector<std::int64_t> uniform_durations(std::size_t count, std::int64_t low, std::int64_t high, std::uint64_t seed);

/// Two parts of that many processors each, computations that take no time, and one transfer from part to part whose
/// times are uniform in [low, high].
tpn::Pipeline column_pipeline(std::size_t senders, std::size_t receivers, std::int64_t low, std::int64_t high,
                              std::uint64_t seed);

}  // namespace takt::support
