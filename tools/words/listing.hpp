// Several names in one sentence.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace takt::tools {

/// "P0", "P0 and P1", "P0, P1 and P2"; of more than `most` names the others are counted: "P0, P1 and 5 more".
std::string listing(const std::vector<std::string>& names, std::size_t most = std::numeric_limits<std::size_t>::max());

}  // namespace takt::tools
