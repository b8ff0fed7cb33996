// Small platforms of machines with prices, and all of their mappings one by one.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "maxplus/rational.hpp"
#include "tpn/document.hpp"

namespace takt::testing {

/// What is drawn.
struct NamedShape {
  std::size_t stages = 3;
  std::size_t processors = 4;
  std::size_t types = 2;    // that compute alike; as many as processors: all different
  int link_spread = 0;      // percent, of links within a pair of types
  bool with_limits = true;  // stages that are not replicable or apart, memories, ends that are there or not
};

/// A problem without a mapping whose processors have prices. Same seed, same problem.
tpn::Document named_problem(const NamedShape& shape, std::uint64_t seed);

/// Every mapping of plain round robin on distinct processors, whether the problem allows it or not, by permutations:
/// many come several times.
void for_each_dealt(const tpn::Document& problem, const std::function<void(const tpn::Mapping&)>& visit);

/// Those of these that the document's stages, memories and links allow.
void for_each_mapping(const tpn::Document& problem, const std::function<void(const tpn::Mapping&)>& visit);

/// What a mapping costs, and its exact period.
struct WeighedMapping {
  maxplus::Rational cost;
  maxplus::Rational period;
  bool is_typed = false;  // parts of processors that compute alike, cost the same, have the same memory if any counts
};

/// All of them.
std::vector<WeighedMapping> all_weighed(const tpn::Document& problem, const tpn::Model& model);

/// The least cost of those of at most that period.
std::optional<maxplus::Rational> least_cost(const std::vector<WeighedMapping>& mappings,
                                            const maxplus::Rational& period, bool typed_only = false);
/// The least period.
std::optional<maxplus::Rational> least_period(const std::vector<WeighedMapping>& mappings, bool typed_only = false);

}  // namespace takt::testing
