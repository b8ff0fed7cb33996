// What the stages ask of the machines' resources, whatever mapping there is.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "plan/catalogue.hpp"

namespace takt::plan {

/// What stages ask of one kind of resource, all cores or ports of a machine sharing it, in time units per data set: by
/// stage * T + type, nothing if the stage does not run on the type.
using Demands = std::vector<std::optional<Rational>>;

/// Of every kind of resource that a machine has under the model: cores, and ports where they are several. In each, a
/// mapping keeps no machine of a type busy for longer than its period.
std::vector<Demands> all_demands(const Catalogue& catalogue, const tpn::Model& model);

/// Of a type's stage, as a part of a larger part at best.
Rational least_time(const Catalogue& catalogue, std::size_t stage, std::size_t type);

}  // namespace takt::plan
