// Laws as users write them: "lognormal:0.5", "exponential".
#pragma once

#include <string>

#include "tools/frame/command_line.hpp"

namespace takt::tools {

/// What tpn::parse_law reads; or `word`, where that is not empty, which stands for something else.
ValueCheck law_text(const std::string& word = "");

}  // namespace takt::tools
