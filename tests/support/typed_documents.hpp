// Documents with types of processors, and the same ones written out without types.
#pragma once

#include <cstdint>

#include "tpn/document.hpp"

namespace takt::support {

/// The document with most of its processors of types drawn at random, some with values of their own: types' speeds or
/// times, ports, memory and prices, times of stages, links between types. All stages have a work or a time wherever
/// they had one, all files a size. One that has types stays as it is. Same seed, same document, on every machine.
tpn::Document with_random_types(const tpn::Document& document, std::uint64_t seed);

/// The document without types and ports: for each pair of processors, and each processor and end, a link of its own
/// that says what those came to, where they came to anything. Memory, prices and what stages say of them stay.
tpn::Document without_types(const tpn::Document& document);

}  // namespace takt::support
