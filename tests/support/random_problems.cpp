// Problems are the generators', with what tests need beyond that.
#include "tests/support/random_problems.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "experiments/draws/generator.hpp"
#include "tests/support/draw.hpp"
#include "tpn/validate.hpp"
#include "tpn/workflow.hpp"

namespace takt::support {

using maxplus::Rational;

namespace {

using experiments::Arguments;
using experiments::Range;

void set_ranges(Arguments& arguments, const Range& works, const Range& sizes) {
  arguments.set("works", works);
  arguments.set("sizes", sizes);
}

// Draw 0 of a seed.
tpn::Document drawn(const Arguments& arguments, std::uint64_t seed) {
  return arguments.generator().draw(arguments, experiments::key_of(arguments, seed, 0));
}

// In place of the speeds of two processors in three, and of some works over the speeds of the others.
void add_stage_times(tpn::Document& problem, Draw& draw) {
  std::vector<tpn::Processor>& processors = problem.platform.processors;
  for (std::size_t p = 0; p < processors.size(); ++p) {
    if (p % 3 != 1) processors[p].speed.reset();
  }
  for (tpn::Stage& stage : problem.application.stages) {
    for (std::size_t p = 0; p < processors.size(); ++p) {
      if (processors[p].speed && draw.coin()) continue;
      const Rational time = draw.whole(1, 20);
      stage.times.push_back({p, draw.coin() ? time : time / Rational(4)});
    }
  }
}

}  // namespace

Arguments arguments_of(const Shape& shape) {
  Arguments arguments(*experiments::find_generator("skeleton-pair"));
  arguments.set("stages", std::uint64_t{shape.stages});
  arguments.set("processors", std::uint64_t{shape.processors});
  if (shape.speeds == Speeds::equal) arguments.set("machines", std::string("identical"));
  if (shape.links != Links::equal) {
    arguments.set("links", std::string(shape.links == Links::free ? "free" : "unequal"));
  }
  if (!shape.ends) arguments.set("ends", std::string("none"));
  if (!shape.all_replicable) arguments.set("replicable", std::string("half"));
  return arguments;
}

tpn::Document random_problem(const Shape& shape, std::uint64_t seed) {
  tpn::Document problem = drawn(arguments_of(shape), seed);
  if (shape.speeds == Speeds::none) {
    Draw draw(seed);
    add_stage_times(problem, draw);
  }
  tpn::validate(problem);
  return problem;
}

tpn::Document random_workflow_problem(const Shape& shape, std::uint64_t seed) {
  tpn::Document problem = random_problem(shape, seed);
  Draw draw(seed);
  do {
    for (std::size_t k = 0; k < problem.application.stages.size(); ++k) {
      std::vector<std::size_t> earlier(k);
      std::iota(earlier.begin(), earlier.end(), std::size_t{0});
      draw.shuffle(earlier);
      // Near ones are the likelier: a workflow has depth.
      if (k > 0 && draw.coin()) std::swap(earlier.front(), *std::ranges::find(earlier, k - 1));
      earlier.resize(k == 0 || draw.one_in(8) ? 0 : std::min(k, draw.count(1, 3)));
      problem.application.stages[k].after = std::move(earlier);
    }
  } while (tpn::is_chain(problem.application));
  tpn::validate(problem);
  return problem;
}

tpn::Mapping random_mapping(const tpn::Document& problem, bool of_its_own, Draw& draw) {
  const std::size_t stages = problem.application.stages.size();
  const std::size_t processors = problem.platform.processors.size();
  std::vector<std::size_t> free(processors);
  std::iota(free.begin(), free.end(), std::size_t{0});
  draw.shuffle(free);
  tpn::Mapping mapping;
  const std::size_t most = std::min<std::size_t>({6, stages, of_its_own ? processors : stages});
  for (std::size_t first = 0; first < stages;) {
    const std::size_t left = most - mapping.size();
    const std::size_t last = left == 1 ? stages - 1 : draw.count(first, std::min(stages - 1, first + 2));
    tpn::Part& part = mapping.emplace_back(tpn::Part{first, last, {}});
    // The others want one each.
    const std::size_t entries = draw.count(1, of_its_own ? std::min<std::size_t>(4, free.size() - left + 1) : 4);
    for (std::size_t k = 0; k < entries; ++k) {
      part.processors.push_back(of_its_own ? free.back() : draw.index(processors));
      if (of_its_own) free.pop_back();
    }
    first = last + 1;
  }
  return mapping;
}

tpn::Document skeleton_problem(int experiment, std::size_t stages, std::size_t processors, std::uint64_t seed) {
  Arguments arguments = arguments_of({.stages = stages, .processors = processors});
  const Rational hundredth = Rational::fraction(1, 100);
  if (experiment == 1) set_ranges(arguments, {1, 20}, {10, 10});
  if (experiment == 2) set_ranges(arguments, {1, 20}, {1, 100});
  if (experiment == 3) set_ranges(arguments, {10, 1000}, {1, 20});
  if (experiment == 4) set_ranges(arguments, {hundredth, 10, hundredth}, {1, 20});
  return drawn(arguments, seed);
}

tpn::Document free_problem(const std::vector<Rational>& works, const std::vector<std::size_t>& fixed,
                           const std::vector<Rational>& speeds) {
  tpn::Document problem;
  for (std::size_t k = 0; k < works.size(); ++k) {
    tpn::Stage stage;
    stage.name = "S" + std::to_string(k + 1);
    stage.work = works[k];
    stage.replicable = std::ranges::find(fixed, k) == fixed.end();
    problem.application.stages.push_back(std::move(stage));
  }
  for (std::size_t u = 0; u < speeds.size(); ++u) {
    problem.platform.processors.push_back({.name = "P" + std::to_string(u + 1), .speed = speeds[u], .time = {}});
  }
  problem.platform.defaults.time = 0;
  tpn::validate(problem);
  return problem;
}

}  // namespace takt::support
