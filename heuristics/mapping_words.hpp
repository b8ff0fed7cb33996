// How the logs of heuristics show a mapping.
#pragma once

#include <span>
#include <string>

#include "tpn/document.hpp"

namespace takt::heuristics {

/// Parts with their stages and sequences: "S1..S3: P1 P2 | S4: P3".
std::string mapping_in_words(const tpn::Document& problem, std::span<const tpn::Part> mapping);

}  // namespace takt::heuristics
