// loaded-cluster: equal stages on the nearly equal nodes of the cluster of the adaptive pipeline's experiments.
//
// What is drawn. The speeds, uniform in hundredths between the least and the largest BogoMips reading of the 64 nodes
// (ours: the paper gives no more than the two); all else is fixed. A stage takes 5 s "on an empty node", ours one of
// the middle speed; times are in seconds. The paper looks at computations alone, so links are free unless `transfer` is
// said. What makes a node slow, and when, belongs to a run and not to the problem.
//
// References. [gonzalez2006adaptive, section 4].
#include "experiments/draws/chain_problem.hpp"
#include "experiments/draws/generator.hpp"

namespace takt::experiments {

namespace {

tpn::Document draw_loaded_cluster(const Arguments& arguments, const DrawKey& key) {
  Stream stream(key, Purpose::speeds);
  const Range& speeds = arguments.range("speeds");
  const Rational work = arguments.number("time") * (speeds.low + speeds.high) / 2;
  tpn::Document problem = chain_problem(std::vector<Rational>(arguments.count("stages"), work),
                                        draw_all(speeds, arguments.count("processors"), stream));
  problem.platform.defaults.time = arguments.number("transfer");
  return problem;
}

}  // namespace

Generator loaded_cluster() {
  return {.name = "loaded-cluster",
          .summary = "equal stages on a cluster of nearly equal nodes",
          .source = "gonzalez2006adaptive, section 4",
          .kind = DrawnKind::problem,
          .parameters = {{.name = "stages", .help = "number of stages", .standard = "8", .most = 1000},
                         {.name = "processors", .help = "number of processors", .standard = "64", .most = 1000},
                         {.name = "speeds",
                          .help = "range of speeds",
                          .kind = ParameterKind::range,
                          .standard = "3350.52..3555.32 by 0.01",
                          .least = 0,
                          .most = 1'000'000'000,
                          .is_above_least = true},
                         {.name = "time",
                          .help = "time of a stage on a node of middle speed, in seconds",
                          .kind = ParameterKind::number,
                          .standard = "5",
                          .least = 0,
                          .most = 1'000'000},
                         {.name = "transfer",
                          .help = "time of each transfer, in seconds",
                          .kind = ParameterKind::number,
                          .standard = "0",
                          .least = 0,
                          .most = 1'000'000}},
          .draw = draw_loaded_cluster};
}

}  // namespace takt::experiments
