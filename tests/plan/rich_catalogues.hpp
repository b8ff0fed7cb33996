// Seeded random catalogues with all that a document may say of types.
#pragma once

#include <cstddef>
#include <cstdint>

#include "plan/catalogue.hpp"
#include "tpn/document.hpp"

namespace takt::plan {

/// What a random catalogue may have.
struct RichShape {
  std::size_t most_stages = 4;
  std::size_t most_types = 3;
  bool counts = false;        // of some types, 1 to 3
  bool limits = true;         // memory, stages apart, not replicable, or that do not run on a type
  bool unequal_links = true;  // by pair of types; some missing
  bool fixed_times = true;    // of types
  bool equal_cores = false;
};

/// Times in [0, 12] or fractions of that, prices in [0, 6] or quarters of that; ends, ports, cores, latencies. Same
/// seed, same catalogue, on every machine.
tpn::Document rich_catalogue(const RichShape& shape, std::uint64_t seed);

/// A period that a plan of few machines may keep, or just not.
Rational telling_period(const Catalogue& catalogue, std::uint64_t seed);

}  // namespace takt::plan
