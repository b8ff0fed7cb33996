// The status of a run in the text form of Prometheus, for the textfile collector of its node exporter.
#pragma once

#include <string>

#include "tools/status/run_status.hpp"

namespace takt::tools {

/// Each metric with its HELP and TYPE. What is not known is left out.
std::string status_prometheus(const LiveStatus& status);

}  // namespace takt::tools
