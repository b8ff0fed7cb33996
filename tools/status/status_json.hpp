// The status of a run as JSON; docs/json.md has the keys.
#pragma once

#include <string>

#include "tools/status/run_status.hpp"

namespace takt::tools {

/// One object, with a line feed at its end.
std::string status_json(const LiveStatus& status);

}  // namespace takt::tools
