// Seeded random nets of every kind, for the fuzzer.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "tests/evaluators/fuzz/fuzz_net.hpp"

namespace takt::support {

/// The names of the kinds of nets, by number.
std::span<const std::string_view> fuzz_kinds();

/// A small random net of a kind: under any model, mostly without limits to what is under way; its times as the kind has
/// them, or all alike, mostly zero, huge and tiny side by side, of long denominators, or stretched. Nets at an edge are
/// stretched such that some sum of their durations, in ticks, comes near a power of two where some method changes the
/// width of its numbers. Same kind and seed, same net, on every machine.
FuzzNet draw_fuzz_net(std::size_t kind, std::uint64_t seed);

}  // namespace takt::support
