// Answers for named platforms held against all mappings.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "tests/heuristics/typed/named_problems.hpp"
#include "tpn/models.hpp"

namespace takt::testing {

/// What was asked, and how it went.
struct NamedCounts {
  std::uint64_t problems = 0;
  std::uint64_t targets = 0;
  std::uint64_t feasible = 0;
  std::uint64_t met = 0;             // typed bound and plan cost the same
  std::uint64_t search_optimal = 0;  // of the feasible ones, by the search alone
  std::uint64_t search_found = 0;    // a plan, by the search alone
  std::uint64_t dp_meets = 0;        // typed-dp's period is the least
};

/// Asks for plans of some periods of a problem, and for the mapping of least period. What is wrong with an answer;
/// nothing if all is right.
std::optional<std::string> named_violation(const NamedShape& shape, const tpn::Model& model, std::uint64_t seed,
                                           NamedCounts& counts);

}  // namespace takt::testing
