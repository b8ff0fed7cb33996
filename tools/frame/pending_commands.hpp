// The commands that the program's first stage lacks (target takt_first).
#pragma once

#include <span>
#include <string_view>

namespace takt::tools {

/// Their names, with "_" where users type "-".
std::span<const std::string_view> pending_commands();

}  // namespace takt::tools
