// ferret-like: a problem like PARSEC's image search Ferret on 14 unequal processors.
//
// What is drawn. The speeds, uniform; all else is fixed: six stages, of which Load and Out are not replicable, and fast
// links. The paper gives the stages, the 14 processors, and what it measured (12.243 s with stage i on processor i,
// 1.330 s as HeDPM maps); the speeds, the times of stages, the sizes and the network are lost with its figures. Ours:
// works in the ratio 1 : 36 : 4 : 162 : 796 : 1 (ranking dominates), speeds 1..10, files of size 1, bandwidth 1000.
// Nothing exact can be rebuilt from that; hence "like".
//
// References. [moreno2017hedpm, section 5.3].
#include <array>
#include <string>

#include "experiments/draws/chain_problem.hpp"
#include "experiments/draws/generator.hpp"

namespace takt::experiments {

namespace {

constexpr std::array<const char*, 6> kStages = {"Load", "Seg", "Ext", "Ind", "Ran", "Out"};

tpn::Document draw_ferret_like(const Arguments& arguments, const DrawKey& key) {
  Stream stream(key, Purpose::speeds);
  tpn::Document problem = chain_problem({1, 36, 4, 162, 796, 1},
                                        draw_all(arguments.range("speeds"), arguments.count("processors"), stream));
  auto& stages = problem.application.stages;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    stages[k].name = kStages[k];
    if (k + 1 < stages.size()) stages[k].output = 1;
  }
  stages.front().replicable = false;
  stages.back().replicable = false;
  problem.platform.defaults.bandwidth = arguments.number("bandwidth");
  return problem;
}

}  // namespace

Generator ferret_like() {
  return {.name = "ferret-like",
          .summary = "an image search of six stages, one of which does most of the work",
          .source = "moreno2017hedpm, section 5.3",
          .kind = DrawnKind::problem,
          .parameters = {{.name = "processors", .help = "number of processors", .standard = "14", .most = 1000},
                         {.name = "speeds",
                          .help = "range of speeds",
                          .kind = ParameterKind::range,
                          .standard = "1..10",
                          .least = 0,
                          .most = 1'000'000'000,
                          .is_above_least = true},
                         {.name = "bandwidth",
                          .help = "bandwidth of all links, for files of size 1",
                          .kind = ParameterKind::number,
                          .standard = "1000",
                          .least = 0,
                          .most = 1'000'000'000,
                          .is_above_least = true}},
          .draw = draw_ferret_like};
}

}  // namespace takt::experiments
