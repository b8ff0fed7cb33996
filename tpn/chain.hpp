// Whether a net is that of a chain: what may count on "part i sends to part i + 1".
#pragma once

#include <optional>
#include <string>

#include "tpn/folded_net.hpp"

namespace takt::tpn {

/// Why the net is not that of a chain; nothing where it is one: column 2i computes part i for each entry of its
/// sequence, column 2i + 1 sends from part i to part i + 1, a file leads from each column to the next on the same data
/// set, and no file leads elsewhere. Read off the net itself, whoever made it.
/// Cost: linear in the columns and the dependences.
std::optional<std::string> why_no_chain(const FoldedNet& net);

}  // namespace takt::tpn
