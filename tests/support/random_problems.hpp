// Seeded random problems for heuristics: an application and a platform, no mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "experiments/draws/generator.hpp"
#include "tests/support/draw.hpp"
#include "tpn/document.hpp"

namespace takt::support {

/// What is unequal in a random problem.
enum class Links { free, equal, unequal };
enum class Speeds { equal, unequal, none };  // none: stages have times of their own in place of most

struct Shape {
  std::size_t stages = 1;
  std::size_t processors = 1;
  Speeds speeds = Speeds::unequal;
  Links links = Links::equal;
  bool ends = true;            // source and sink
  bool all_replicable = true;  // or about half of the stages
};

/// What skeleton-pair draws problems of that shape from; stages' own times come on top.
experiments::Arguments arguments_of(const Shape& shape);

/// Works in [1, 20] and stages' own times in [1, 20] or quarters of that, files in [1, 20], speeds in [1, 20],
/// bandwidths 10 or in [5, 15], whole numbers; free links take time 0. Same seed, same problem, on every machine.
tpn::Document random_problem(const Shape& shape, std::uint64_t seed);

/// The same as a workflow: stages take the files of one to three earlier ones, one in eight of none; it is no chain. At
/// least three stages.
tpn::Document random_workflow_problem(const Shape& shape, std::uint64_t seed);

/// One to six parts in the order of the stages, each on one to four processors: of its own, or anybody's.
tpn::Mapping random_mapping(const tpn::Document& problem, bool of_its_own, Draw& draw);

/// An application and platform pair of one of the experiments 1 to 4 of [benoit2007mapping], section 5, as they are
/// commonly read: bandwidths 10, speeds in [1, 20]; files 10, [1, 100], [1, 20], [1, 20]; works [1, 20], [1, 20],
/// [10, 1000] and hundredths in [0.01, 10]. Source and sink, with files of the same kind.
tpn::Document skeleton_problem(int experiment, std::size_t stages, std::size_t processors, std::uint64_t seed);

/// Stages of these works on processors of these speeds whose links take no time; those in `fixed` are not replicable.
tpn::Document free_problem(const std::vector<maxplus::Rational>& works, const std::vector<std::size_t>& fixed,
                           const std::vector<maxplus::Rational>& speeds);

}  // namespace takt::support
