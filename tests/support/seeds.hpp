// How many seeds a random test tries: few in the suite, more where someone asks for a long run.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

namespace takt::support {

/// The number that an environment variable asks for, else the usual one.
inline std::uint64_t seeds_or(const char* variable, std::uint64_t usual) {
  const char* const asked = std::getenv(variable);
  return asked == nullptr ? usual : std::stoull(asked);
}

}  // namespace takt::support
