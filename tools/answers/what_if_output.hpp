// What changes of an instance do to its period, in words and as JSON.
#pragma once

#include <string>

#include "tools/answers/result.hpp"
#include "tpn/json_writer.hpp"

namespace takt::tools {

/// "With detect on gpu2 at 20 ms in place of 30 ms, the period is 13.5 ms in place of 15 ms: +11.1 % throughput." The
/// result is that of the changed instance.
std::string what_if_sentence(const WhatIf& what_if, const EvaluatedInstance& result);

/// The members "changed" and "period_before" of an object that is open.
void write_what_if(tpn::JsonWriter& json, const WhatIf& what_if);

}  // namespace takt::tools
