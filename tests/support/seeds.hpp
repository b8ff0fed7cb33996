// How many draws a random test makes: few in the suite, many before a release.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace takt::support {

/// Whether every draw is made: scripts/check sets TAKT_DRAWS=all.
inline bool makes_all_draws() {
  const char* const asked = std::getenv("TAKT_DRAWS");
  return asked != nullptr && std::string_view(asked) == "all";
}

/// Of so many draws those that a test makes: all of them, or a tenth, rounded up.
inline std::uint64_t draws(std::uint64_t all) { return makes_all_draws() ? all : (all + 9) / 10; }

/// From one draw to the next: where what is drawn cycles with the number of the draw, a tenth that meets every kind.
inline std::uint64_t step() { return makes_all_draws() ? 1 : 11; }

}  // namespace takt::support
