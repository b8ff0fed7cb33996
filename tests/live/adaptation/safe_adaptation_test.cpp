// A sample of the bars of safe adaptation; safe_adaptation_check has all of them.
#include "live/adaptation/safe_adaptation.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "tests/live/adaptation/adaptation_bars.hpp"
#include "tests/support/seeds.hpp"

namespace takt::live {

namespace {

class Decisions : public RunLog {
 public:
  void write(const RunLogEntry& entry) override {
    if (const auto* decision = std::get_if<SafeDecision>(&entry.what)) all.push_back(*decision);
  }
  bool has(SafeOutcome outcome) const {
    return std::ranges::any_of(all, [&](const SafeDecision& one) { return one.outcome == outcome; });
  }

  std::vector<SafeDecision> all;
};

BarProblem problem_named(const std::string& name) {
  for (BarProblem& problem : bar_problems())
    if (problem.name == name) return std::move(problem);
  FAIL("no such problem: " << name);
  return {};
}

}  // namespace

TEST_CASE("without a load adapting loses no more than the bar allows, whatever the law") {
  const std::uint64_t seeds = support::draws(2);
  for (const char* name : {"8on10", "5on5"}) {
    const BarProblem problem = problem_named(name);
    for (const Law law : kLaws)
      for (const std::size_t earlier : {0U, 60U})
        for (std::uint64_t seed = 0; seed < seeds; ++seed) {
          const BarCase one{.law = law, .earlier = earlier, .seed = seed};
          CAPTURE(name, name_of(law), earlier, seed);
          const BarPair pair = run_case(problem, one);
          CHECK(pair.safe.total <= most_allowed(problem, one, pair));
        }
  }
}

TEST_CASE("data sets that are long one after another are told from slow processors, where one is idle") {
  const BarProblem problem = problem_named("8on10");
  for (const Law law : {Law::constant, Law::uniform, Law::exponential}) {
    const BarCase one{.law = law, .is_autocorrelated = true, .earlier = 60, .seed = 3};
    CAPTURE(name_of(law));
    Decisions log;
    const BarPair pair = run_case(problem, one, &log);
    CHECK(pair.safe.switches == 0);
    // No shadow is on the way of the pipeline: not a tick is lost.
    CHECK(pair.safe.total == pair.off.total);
  }
}

TEST_CASE("constant times without a load stay as they are to the tick, replicated or not") {
  for (const BarProblem& problem : bar_problems()) {
    CAPTURE(problem.name);
    const BarCase one{.law = Law::constant, .data_sets = 60, .earlier = 60};
    const BarPair pair = run_case(problem, one);
    CHECK(pair.safe.total == pair.off.total);
    CHECK(pair.safe.switches == 0);
  }
}

TEST_CASE("a load for ever is found soon with the times of a probe, and pays") {
  for (const char* name : {"8on8", "8on10", "5on7"}) {
    const BarProblem problem = problem_named(name);
    for (const auto& [law, bar] : {std::pair(Law::constant, 10), std::pair(Law::exponential, 30)}) {
      CAPTURE(name, name_of(law));
      const BarCase one{.law = law, .earlier = 60, .load = BarLoad::lasting, .load_after = 12, .seed = 1};
      Decisions log;
      const BarPair pair = run_case(problem, one, &log);
      REQUIRE(pair.safe.found_after.has_value());
      CHECK(*pair.safe.found_after <= static_cast<std::uint64_t>(bar));
      CHECK(pair.safe.total < 0.8 * pair.off.total);
      CHECK(log.has(SafeOutcome::mapped));
    }
  }
}

TEST_CASE("decisions say the stake, the belief, the gain and the loss, and a pair comes before them") {
  const BarProblem problem = problem_named("8on10");
  const BarCase one{.law = Law::constant, .earlier = 60, .load = BarLoad::lasting, .load_after = 12};
  Decisions log;
  run_case(problem, one, &log);
  REQUIRE(!log.all.empty());
  const SafeDecision& first = log.all.front();
  CHECK(first.outcome == SafeOutcome::mapped);
  CHECK(first.processor == 4);
  CHECK(first.stake >= first.need);
  CHECK(first.pairs >= 1);
  REQUIRE(first.paired.has_value());
  CHECK(std::abs(*first.paired - 6) < 0.01);
  CHECK(*first.predicted < *first.as_it_was);
  CHECK(first.loss == 0);
  const std::string text = text_of({0, first}, problem.instance, {Rational(1000), "ms"});
  for (const char* words : {"p4 takes ", " times as long (evidence ", ", needed 5000; ", "repeated elsewhere say 6",
                            "predicted 21 ms, as it was ", "would lose 0 % if nothing had changed"})
    CHECK(text.find(words) != std::string::npos);
}

TEST_CASE("a load that ends is noticed, and the first mapping returns where that is better") {
  const BarProblem problem = problem_named("8on8");
  const BarCase one{.law = Law::constant, .data_sets = 300, .earlier = 60, .load = BarLoad::longer};
  Decisions log;
  const BarPair pair = run_case(problem, one, &log);
  REQUIRE(log.has(SafeOutcome::mapped));
  REQUIRE(log.has(SafeOutcome::returned));
  CHECK(log.all.back().mapping == *problem.instance.mapping);
  CHECK(pair.safe.total <= most_allowed(problem, one, pair));
}

}  // namespace takt::live
