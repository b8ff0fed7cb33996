// The status of a run as files, each of the form that its name asks for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/status/run_status.hpp"

namespace takt::tools {

/// The ends of names that say the form, for messages.
inline constexpr std::string_view kStatusEnds = ".json, .prom or .html";

/// Whether a name ends in one of them.
bool is_status_name(std::string_view path);

/// Replaces each file at once: readers see the old one or the new one. Throws FileError.
void write_status(const std::vector<std::string>& paths, const LiveStatus& status);

}  // namespace takt::tools
