// A run goes on without processors that have died.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "heuristics/heuristic.hpp"
#include "tools/live/run_setup.hpp"
#include "tpn/document.hpp"

namespace takt::tools {

/// Gives the run the mapping of this document; the processors that are gone have no process. False, and the run is as
/// it was, where it is too large.
bool take_mapping(PreparedRun& run, tpn::Document document, const std::set<std::size_t>& gone);

/// Maps the run's problem anew without the processors that are gone, by the heuristic, or keeps what is left of its
/// mapping where the heuristic has none. Why there is no mapping, if there is none: a phrase.
std::optional<std::string> map_without(PreparedRun& run, const std::set<std::size_t>& gone,
                                       const heuristics::Heuristic& heuristic,
                                       std::optional<std::chrono::milliseconds> time_limit);

}  // namespace takt::tools
