// What several that are alike are called together.
#pragma once

#include <string>
#include <vector>

namespace takt::tpn {

/// "gpu1, gpu2"; "P1, P2 and 5 more". At least one name.
std::string list_of_alike(const std::vector<std::string>& names);

}  // namespace takt::tpn
