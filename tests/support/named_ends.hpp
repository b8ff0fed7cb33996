// Random instances whose sources and sinks have names and take turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tpn/document.hpp"

namespace takt::support {

/// The ports of the sources and sinks made: one each, or one to three and unlimited ones.
enum class EndPorts { one, any };

/// The document with one to four sources, or sinks, or both, by name in place of those that it has: with times,
/// bandwidths and links of their own. Same seed, same document, on every machine.
tpn::Document with_named_ends(tpn::Document document, std::uint64_t seed, EndPorts ports);

/// So many that are all like this one, which has no name, in turn: name0, name1, ...
tpn::Endpoint alike_ends(const tpn::Endpoint& end, const std::string& name, std::size_t count);

}  // namespace takt::support
