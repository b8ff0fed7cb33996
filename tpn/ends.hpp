// Where a document has the sources and sinks that take turns.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The JSON pointer of an end's number `which` in turn: "/platform/source", or "/platform/sources/1" of several by
/// name. `key` is "source" or "sink".
inline std::string end_pointer(const Endpoint& end, const char* key, std::size_t which) {
  return end.named.empty() ? fmt::format("/platform/{}", key) : fmt::format("/platform/{}s/{}", key, which);
}

/// How many sources, or sinks, take turns; 0 where there is no such end.
inline std::size_t count_of(const std::optional<Endpoint>& end) { return end ? end->in_turn().size() : 0; }

/// Whether sources, or sinks, have names.
inline bool has_named_ends(const Platform& platform) {
  return (platform.source && !platform.source->named.empty()) || (platform.sink && !platform.sink->named.empty());
}

}  // namespace takt::tpn
