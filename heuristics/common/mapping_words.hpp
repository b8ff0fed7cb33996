// How the logs of heuristics show a mapping and what it is made of.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "tpn/document.hpp"

namespace takt::heuristics {

/// Consecutive stages, both ends included: "S2", "S4..S6".
std::string stages_in_words(const tpn::Document& problem, std::size_t first_stage, std::size_t last_stage);
/// A part's stages.
std::string stages_in_words(const tpn::Document& problem, const tpn::Part& part);

const std::string& processor_name(const tpn::Document& problem, std::size_t processor);

/// Parts with their stages and sequences: "S1..S3: P1 P2 | S4: P3".
std::string mapping_in_words(const tpn::Document& problem, std::span<const tpn::Part> mapping);

}  // namespace takt::heuristics
