// What is claimed of plans, held against nets: one random case each, for the tests and the long check.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tpn/document.hpp"

namespace takt::plan {

/// What a case turned out to be.
struct OracleCase {
  std::string trouble;       // empty if all is well
  bool is_telling = false;   // the claim could have failed
  std::uint64_t judged = 0;  // mappings, by their nets
};

/// A claim, and how a seed is made a case of it.
struct Oracle {
  std::string_view claim;
  OracleCase (*try_case)(const tpn::Model& model, std::uint64_t seed);
  /// At least one case in `telling` must be telling.
  std::uint64_t telling = 2;
};

std::span<const Oracle> oracles();

}  // namespace takt::plan
