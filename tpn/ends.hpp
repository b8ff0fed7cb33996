// Where a document has the sources and sinks that take turns.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The JSON pointer of an end's number `which` in turn: "/platform/source", or "/platform/sources/1" of several by
/// name. `key` is "source" or "sink".
inline std::string end_pointer(const Endpoint& end, const char* key, std::size_t which) {
  return end.named.empty() ? fmt::format("/platform/{}", key) : fmt::format("/platform/{}s/{}", key, which);
}

}  // namespace takt::tpn
