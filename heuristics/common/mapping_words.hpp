// How the logs of heuristics show a mapping, what it is made of, and times.
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

/// A time to six digits, as all results tell it: "230.667 ms"; a number where the problem has no units.
std::string time_in_words(const tpn::Document& problem, const tpn::Rational& time);
std::string time_in_words(tpn::TimeUnit unit, const tpn::Rational& time);

}  // namespace takt::heuristics
