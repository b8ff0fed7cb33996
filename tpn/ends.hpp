// Where a document has the sources and sinks that take turns.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "tpn/document.hpp"

namespace takt::tpn {

/// The JSON pointer of an end's number `which` in turn: "/platform/source", or "/platform/sources/1" of several by
/// name. `key` is "source" or "sink".
inline std::string end_pointer(const Endpoint& end, const char* key, std::size_t which) {
  return end.named.empty() ? fmt::format("/platform/{}", key) : fmt::format("/platform/{}s/{}", key, which);
}

/// How many sources, or sinks, take turns; 0 if there is no such end.
inline std::size_t count_of(const std::optional<Endpoint>& end) { return end ? end->in_turn().size() : 0; }

/// The numbers of sources and sinks behind those of the processors, as in Pipeline::processors: the sources in turn,
/// then the sinks.
class EndNumbers {
 public:
  explicit EndNumbers(const Platform& platform)
      : first_source_(platform.processors.size()),
        first_sink_(first_source_ + count_of(platform.source)),
        end_(first_sink_ + count_of(platform.sink)) {}

  bool is_processor(std::size_t number) const { return number < first_source_; }
  bool is_source(std::size_t number) const { return !is_processor(number) && number < first_sink_; }
  bool is_sink(std::size_t number) const { return number >= first_sink_ && number < end_; }
  /// Of the sources, or sinks, which one in turn it is.
  std::size_t which(std::size_t number) const { return number - (is_sink(number) ? first_sink_ : first_source_); }
  std::size_t source(std::size_t which) const { return first_source_ + which; }
  std::size_t sink(std::size_t which) const { return first_sink_ + which; }
  /// One past the last.
  std::size_t end() const { return end_; }

 private:
  std::size_t first_source_;
  std::size_t first_sink_;
  std::size_t end_;
};

/// Those that take turns: the end itself, or the named ones.
inline std::span<Endpoint> in_turn(Endpoint& end) {
  return end.named.empty() ? std::span<Endpoint>(&end, 1) : std::span<Endpoint>(end.named);
}

/// The ports of all that take turns, where these are alike. Data set j + S waits for data set j at a port of one of S,
/// as it does where one end has the ports of all.
inline PortCount ports_of_all(const Endpoint& end) {
  const Endpoint& first = end.in_turn().front();
  return first.ports == kUnlimitedPorts ? kUnlimitedPorts : first.ports * end.in_turn().size();
}

/// The first that has other times or ports than those before it; null if all are alike.
inline const Endpoint* first_unlike(const Endpoint& end) {
  for (const Endpoint& one : end.in_turn()) {
    const Endpoint& first = end.in_turn().front();
    if (!(one.timing == first.timing && one.links == first.links && one.ports == first.ports)) return &one;
  }
  return nullptr;
}

/// The source or sink of that number.
inline const Endpoint& end_at(const Platform& platform, std::size_t number) {
  const EndNumbers ends(platform);
  return (ends.is_source(number) ? *platform.source : *platform.sink).in_turn()[ends.which(number)];
}

/// Whether sources, or sinks, have names.
inline bool has_named_ends(const Platform& platform) {
  return (platform.source && !platform.source->named.empty()) || (platform.sink && !platform.sink->named.empty());
}

}  // namespace takt::tpn
