// Workflows: which stages take whose files, and which files parts of a mapping send each other.
//
// Problem. A stage takes the files of the stages that its `after` names, by default that of the stage before it. Parts
// of a mapping are intervals of the list of stages, so files go from earlier parts to later ones.
//
// Method. One transfer for each two parts of which one takes files of the other: a message with each of these files
// once. Stages that take no file take the application's input, those whose file nobody takes deliver theirs.
//
// Cost. Linear in the stages and in what they take, but for sorting.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tpn/document.hpp"

namespace takt::tpn {

/// Earlier stages whose files the stage takes, in ascending order.
std::vector<std::size_t> stages_before(const Application& application, std::size_t stage);

/// Whether each stage takes the file of the one before it, and no other.
bool is_chain(const Application& application);

/// By stage, whether nobody takes its file.
std::vector<bool> exit_stages(const Application& application);

/// What a part of a mapping sends to another, or the outside world to a part, or a part to the outside world.
struct FileRoute {
  std::optional<std::size_t> from;  // an index into the mapping; nothing: the source
  std::optional<std::size_t> to;    // nothing: the sink
  // Stages whose files the message has, in ascending order; none if it has the application's input.
  std::vector<std::size_t> files;
};

/// The ends of the outside world that a platform has.
struct WorldEnds {
  bool has_source = false;
  bool has_sink = false;
};
WorldEnds outer_ends(const Platform& platform);

/// All of a mapping, by sender, the source first; then by receiver, the sink last.
std::vector<FileRoute> routes_of(const Application& application, std::span<const Part> mapping, WorldEnds ends);

}  // namespace takt::tpn
