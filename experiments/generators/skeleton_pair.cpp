// skeleton-pair: an application and a platform to be mapped, as in experiments E1 to E4 on pipeline skeletons.
//
// What is drawn. n works, the n + 1 sizes of the files from the source to the sink, p speeds, each uniform in a range;
// one bandwidth for all links and both ends, or one for each pair of processors. The experiments of the paper draw all
// of it anew for each of 100 pairs, n = 1..50, p = 10 and 100, with bandwidth 10 and, as we remember its extended
// version (the conference text has no numbers), speeds 1..20 and
//
//   E1  equal files           works 1..20               sizes 10
//   E2  unequal files         works 1..20               sizes 1..100
//   E3  long computations     works 10..1000            sizes 1..20
//   E4  short computations    works 0.01..10 by 0.01    sizes 1..20
//
// The standard values are the base test of HeDPM's comparison with BSC, n = 30, p = 10..100: works, sizes and speeds
// 1..20. Its "heterogeneous communications" are `links unequal`, which ask for a law of their own: `pair-bandwidth`.
// Ours: the ends keep `bandwidth`, for they are no processors.
//
// Machines. `related`: each processor has a speed; `identical`: all have the first one drawn; `unrelated`: each stage
// has a speed of its own on each processor, and its time there is its work over that speed.
// More processors leave the numbers of the first ones as they are, whatever else is chosen; so do more stages, except
// for unrelated machines.
//
// References. [benoit2007mapping, section 5]; [moreno2017hedpm, section 5.2].
#include <optional>
#include <string>
#include <utility>

#include "experiments/draws/chain_problem.hpp"
#include "experiments/draws/generator.hpp"

namespace takt::experiments {

namespace {

void add_sizes(tpn::Document& problem, const Arguments& arguments, const DrawKey& key) {
  Stream stream(key, Purpose::sizes);
  const Range& sizes = arguments.range("sizes");
  add_ends(problem, arguments.choice("ends"), sizes.draw(stream));
  for (tpn::Stage& stage : problem.application.stages) stage.output = sizes.draw(stream);
  if (!problem.platform.sink) problem.application.stages.back().output.reset();
}

void choose_replicable(tpn::Document& problem, const std::string& replicable, const DrawKey& key) {
  Stream stream(key, Purpose::choice);
  for (tpn::Stage& stage : problem.application.stages) {
    const bool heads = stream.below(2) == 1;
    stage.replicable = replicable == "all" || (replicable == "half" && heads);
  }
}

// In place of works and speeds.
void add_stage_times(tpn::Document& problem, const Range& speeds, const DrawKey& key) {
  Stream stream(key, Purpose::speeds);
  auto& stages = problem.application.stages;
  for (std::size_t u = 0; u < problem.platform.processors.size(); ++u) {
    problem.platform.processors[u].speed.reset();
    for (tpn::Stage& stage : stages) stage.times.push_back({u, *stage.work / speeds.draw(stream)});
  }
  for (tpn::Stage& stage : stages) stage.work.reset();
}

void add_links(tpn::Platform& platform, const Arguments& arguments, const DrawKey& key) {
  const std::string& links = arguments.choice("links");
  if (links == "free") {
    platform.defaults.time = 0;
    return;
  }
  Stream stream(key, Purpose::links);
  platform.defaults.bandwidth = arguments.range("bandwidth").draw(stream);
  if (links == "equal") return;
  const Range& bandwidths = arguments.range("pair-bandwidth");
  for (std::size_t v = 1; v < platform.processors.size(); ++v) {
    for (std::size_t u = 0; u < v; ++u) {
      tpn::Link link{u, v, {}, false};
      link.timing.bandwidth = bandwidths.draw(stream);
      platform.links.push_back(std::move(link));
    }
  }
}

tpn::Document draw_skeleton_pair(const Arguments& arguments, const DrawKey& key) {
  Stream works(key, Purpose::works);
  Stream speeds(key, Purpose::speeds);
  const std::size_t processors = arguments.count("processors");
  std::vector<Rational> drawn = draw_all(arguments.range("speeds"), processors, speeds);
  const std::string& machines = arguments.choice("machines");
  if (machines == "identical") drawn.assign(processors, Rational(drawn.front()));
  tpn::Document problem = chain_problem(draw_all(arguments.range("works"), arguments.count("stages"), works), drawn);
  if (machines == "unrelated") add_stage_times(problem, arguments.range("speeds"), key);
  add_sizes(problem, arguments, key);
  choose_replicable(problem, arguments.choice("replicable"), key);
  add_links(problem.platform, arguments, key);
  return problem;
}

GeneratorParameter range_parameter(std::string_view name, std::string_view help, std::string_view standard,
                                   bool is_positive) {
  return {.name = name,
          .help = help,
          .kind = ParameterKind::range,
          .standard = standard,
          .least = 0,
          .most = 1'000'000'000,
          .is_above_least = is_positive};
}

GeneratorParameter choice_parameter(std::string_view name, std::string_view help,
                                    std::vector<std::string_view> choices) {
  const std::string_view first = choices.front();
  return {.name = name, .help = help, .kind = ParameterKind::choice, .standard = first, .choices = std::move(choices)};
}

}  // namespace

Generator skeleton_pair() {
  return {
      .name = "skeleton-pair",
      .summary = "a pipeline and a platform; you choose what is unequal",
      .source = "benoit2007mapping, section 5",
      .kind = DrawnKind::problem,
      .parameters = {{.name = "stages", .help = "number of stages", .standard = "10", .most = 1000},
                     {.name = "processors", .help = "number of processors", .standard = "10", .most = 1000},
                     range_parameter("works", "range of works", "1..20", false),
                     range_parameter("sizes", "range of file sizes", "1..20", false),
                     range_parameter("speeds", "range of speeds", "1..20", true),
                     range_parameter("bandwidth", "range of the bandwidth of all links and ends", "10", true),
                     range_parameter("pair-bandwidth", "range of the bandwidth of each unequal link", "5..15", true),
                     choice_parameter("machines",
                                      "one speed per processor, one for all, or one per processor and stage",
                                      {"related", "identical", "unrelated"}),
                     choice_parameter("links", "links between processors; free ones take no time",
                                      {"equal", "unequal", "free"}),
                     choice_parameter("ends", "has it a source, a sink?", {"both", "source", "sink", "none"}),
                     choice_parameter("replicable", "which stages are replicable; half: each with probability 1/2",
                                      {"all", "half", "none"})},
      .draw = draw_skeleton_pair};
}

}  // namespace takt::experiments
