// Limits in words, and the option that moves each.
#pragma once

#include <string>

#include "tools/command.hpp"
#include "tpn/limits.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

/// "6 rows would be needed, the limit is 5".
std::string too_large_text(const tpn::TooLarge& too_large);

/// The same with the option that moves the limit, if there is one: "... the limit is 5 (--max-rows)".
std::string too_large_hint(const tpn::TooLarge& too_large);

/// Tells why a file has no answer, or not the whole of it, under a model: "takt: a.json, STRICT: 6 rows would be
/// needed, the limit is 5". Returns the status of that.
int tell_limit(Streams& streams, const std::string& file, const tpn::Model& model, const std::string& why);

}  // namespace takt::tools
