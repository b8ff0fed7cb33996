// Several pipelines on one stock of machines, as one.
//
// Problem. Several pipelines, each with its rate, take machines of the same types, whose numbers are limited. Together
// the plans must not take more than there are. Which plans cost the least in all?
//
// Method. One behind the other they are one chain. Between the last stage of one and the first of the next stand two
// stages that stand for the world, the sink of the one and the source of the other, apart from all others, each on a
// type of its own that costs nothing and takes no time, with the ends' transfers, as far as the ends keep up. A
// pipeline of period P_i is one of period P_1 whose times are multiplied by P_1 / P_i. So whatever finds and proves
// plans of one chain within counts and quotas does so for several.
#pragma once

#include <cstddef>
#include <vector>

#include "plan/catalogue.hpp"
#include "plan/plan.hpp"

namespace takt::plan {

/// Pipelines on one stock.
struct SharedStock {
  /// The chain of all. Its types are those of the pipelines, then those of the worlds between.
  Catalogue catalogue;
  Rational period;                        // of the chain: that of the first pipeline
  std::vector<std::size_t> first_stages;  // of each pipeline
  std::vector<std::size_t> stages;        // of each pipeline, how many
};

/// Of catalogues that have the same types in the same order, counts and quotas those of the first, with the period of
/// each, > 0.
SharedStock share_stock(const std::vector<Catalogue>& pipelines, const std::vector<Rational>& periods);

/// The plan of each pipeline, of the stock's.
std::vector<TypedPlan> plans_of_each(const SharedStock& stock, const TypedPlan& plan);

/// The catalogue with types that it lacks, by name, on which nothing runs; in the order of `types`, which has all of
/// its own.
Catalogue with_all_types(const Catalogue& catalogue, const std::vector<MachineType>& types);

}  // namespace takt::plan
