// The adaptive pipeline: against sums in closed form and against a second simulation by events.
#include "experiments/studies/adaptive_run.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "experiments/draws/stream.hpp"

namespace takt::experiments {

using maxplus::Rational;

namespace {

// The cluster of the paper, all nodes alike: 8 stages of 5 s, 128 data sets, the fourth node loaded from 60 s on.
AdaptiveScenario cluster(int load, std::optional<Rational> threshold) {
  return {.times = std::vector<Rational>(64, 5),
          .stages = 8,
          .data_sets = 128,
          .load = load,
          .load_from = 60,
          .loaded_stage = 3,
          .threshold = std::move(threshold)};
}

const Rational kHalf = Rational::fraction(1, 2);

}  // namespace

TEST_CASE("without load a run takes all times once and the longest for each further data set") {
  AdaptiveScenario scenario = cluster(0, kHalf);
  CHECK(simulate_adaptive_run(scenario).end == Rational(5 * (128 + 7)));
  CHECK(simulate_adaptive_run(scenario).remappings == 0);
  scenario.times = {3, 9, 7, 4};
  scenario.stages = 3;  // on the nodes of 3, 4 and 7 s
  scenario.loaded_stage = 0;
  for (const std::uint64_t sets : {1U, 2U, 50U}) {
    scenario.data_sets = sets;
    CHECK(simulate_adaptive_run(scenario).end == Rational(14) + Rational(7) * Rational(sets - 1));
  }
}

TEST_CASE("a pipeline that does not adapt takes as long as the loaded node for each data set from the load on") {
  for (int load = 0; load <= 10; ++load) {
    const AdaptiveRun run = simulate_adaptive_run(cluster(load, std::nullopt));
    CHECK(run.end == Rational(675 + 595 * load));
    CHECK(run.remappings == 0);
  }
}

// By hand, L = 1: data set 9 is the first that the loaded node takes, from 60 to 70 s, and leaves the last stage at 90.
// By then 15 data sets were let in, each as soon as the blocked first stage was free, and the last of them leaves at
// 140. The loaded node calibrates until 150, and the other 113 data sets take 600 s more.
TEST_CASE("a pipeline that adapts does so once, and its time grows little with the load") {
  std::vector<Rational> ends;
  for (int load = 0; load <= 10; ++load) {
    const AdaptiveRun run = simulate_adaptive_run(cluster(load, kHalf));
    CHECK(run.remappings == (load > 0 ? 1 : 0));
    ends.push_back(run.end);
  }
  CHECK(ends[0] == Rational(675));
  CHECK(ends[1] == Rational(750));
  CHECK(ends[2] == Rational(785));
  for (int load = 3; load <= 10; ++load) {
    CHECK(ends[static_cast<std::size_t>(load)] == Rational(805 + 30 * (load - 3)));
  }
}

TEST_CASE("without room for all that waits a drain is short; with it, it grows with the load") {
  AdaptiveScenario scenario = cluster(10, kHalf);
  const Rational blocked = simulate_adaptive_run(scenario).end;
  scenario.is_buffered = true;
  CHECK(simulate_adaptive_run(scenario).end > blocked + Rational(100));
}

TEST_CASE("a load that begins within a stage slows what is left of it") {
  AdaptiveScenario scenario = {.times = {5, 9}, .stages = 1, .data_sets = 2, .load = 1, .load_from = 8};
  // 0 to 5; 5 to 8 alone, the other 2 s take 4.
  CHECK(simulate_adaptive_run(scenario).end == Rational(12));
}

// Sends that block, by what each node does: receive, compute, hand on. No recurrence.
TEST_CASE("blocking sends agree with a simulation by events") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Stream stream({.seed = seed}, Purpose::works);
    const auto nodes = static_cast<std::size_t>(stream.between(1, 6));
    AdaptiveScenario scenario;
    for (std::size_t u = 0; u < nodes; ++u) scenario.times.emplace_back(stream.between(1, 9));
    scenario.stages = nodes;
    scenario.data_sets = static_cast<std::uint64_t>(stream.between(1, 12));
    std::vector<std::int64_t> times;
    for (const Rational& time : scenario.times) times.push_back(time.numerator().get_si());
    std::ranges::sort(times);
    // By time steps of one second: what each node has, for how long yet; 0: done, waiting to be taken.
    std::vector<std::int64_t> left(nodes, -1);
    std::uint64_t fed = 0;
    std::uint64_t done = 0;
    std::int64_t now = 0;
    for (;; ++now) {
      for (std::size_t i = nodes; i-- > 0;) {
        if (left[i] != 0) continue;
        if (i + 1 == nodes) {
          left[i] = -1;
          ++done;
        } else if (left[i + 1] == -1) {
          left[i] = -1;
          left[i + 1] = times[i + 1];
        }
      }
      if (done == scenario.data_sets) break;
      if (left[0] == -1 && fed < scenario.data_sets) {
        left[0] = times[0];
        ++fed;
      }
      for (auto& seconds : left) seconds -= seconds > 0 ? 1 : 0;
    }
    CHECK(simulate_adaptive_run(scenario).end == Rational(now));
  }
}

}  // namespace takt::experiments
