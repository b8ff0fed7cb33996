// Limits in words, and the option that moves each.
#pragma once

#include <string>

#include "tpn/limits.hpp"

namespace takt::tools {

/// "6 rows would be needed, the limit is 5".
std::string too_large_text(const tpn::TooLarge& too_large);

/// The same with the option that moves the limit, where there is one: "... the limit is 5 (--max-rows)".
std::string too_large_hint(const tpn::TooLarge& too_large);

}  // namespace takt::tools
