// Seeded random catalogues, and every typed mapping of small ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/plan.hpp"
#include "plan/program.hpp"
#include "tpn/document.hpp"

namespace takt::testing {

/// What a random catalogue may have.
struct CatalogueShape {
  std::size_t most_stages = 4;
  std::size_t most_types = 3;
  bool counts = false;        // of some types, 1 to 3
  bool limits = true;         // memory, stages apart, not replicable, or that do not run on a type
  bool unequal_links = true;  // by pair of types; some missing
  bool fixed_times = true;    // of types
};

/// Times in [0, 12] or fractions of that, prices in [0, 6] or quarters of that; ends, ports, latencies. Same seed, same
/// catalogue, on every machine.
tpn::Document random_catalogue(const CatalogueShape& shape, std::uint64_t seed);

/// A period that a plan of few machines may keep, or just not.
maxplus::Rational random_period(const plan::Catalogue& catalogue, std::uint64_t seed);

/// Every typed plan of at most so many machines whose links are there, whatever its period, memory and `apart`
/// respected, parts that must not be replicated on one machine; `use` says whether to go on.
void for_each_typed_plan(const plan::Catalogue& catalogue, std::uint64_t most_machines,
                         const std::function<bool(const plan::TypedPlan&)>& use);

/// The period of a plan's mapped document, by evaluation of its net.
maxplus::Rational evaluated_period(const tpn::Document& problem, const plan::Catalogue& catalogue,
                                   const tpn::Model& model, const plan::TypedPlan& plan);

}  // namespace takt::testing
