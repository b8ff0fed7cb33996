// Counts what the test program takes from the heap, by operator new and by GMP.
#pragma once

#include <cstdint>

namespace takt::support {

/// Allocations of the program so far; GMP's from the first call on.
std::uint64_t allocations();

}  // namespace takt::support
