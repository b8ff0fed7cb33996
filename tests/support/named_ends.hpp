// Random instances whose sources and sinks have names and take turns.
#pragma once

#include <cstdint>

#include "tpn/document.hpp"

namespace takt::support {

/// The ports of the sources and sinks made: one each, or one to three and unlimited ones.
enum class EndPorts { one, any };

/// The document with one to four sources, or sinks, or both, by name in place of those that it has: with times,
/// bandwidths and links of their own. Same seed, same document, on every machine.
tpn::Document with_named_ends(tpn::Document document, std::uint64_t seed, EndPorts ports);

}  // namespace takt::support
