// ferret-like and loaded-cluster: applications that are fixed, on processors that are drawn.
#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "tests/experiments/drawn.hpp"

namespace takt::experiments {

TEST_CASE("a Ferret-like problem has six stages, the ends on one processor each, and speeds of 1 to 10") {
  const Arguments arguments = arguments_of("ferret-like");
  std::set<std::string> speeds;
  for (std::uint64_t draw = 0; draw < 30; ++draw) {
    const tpn::Document problem = drawn(arguments, draw);
    REQUIRE(problem.platform.processors.size() == 14);
    for (const tpn::Processor& processor : problem.platform.processors) speeds.insert(processor.speed->to_string());
    std::string stages;
    for (const tpn::Stage& stage : problem.application.stages) {
      stages += stage.name + " " + stage.work->to_string() + (stage.replicable ? " " : "* ");
    }
    REQUIRE(stages == "Load 1* Seg 36 Ext 4 Ind 162 Ran 796 Out 1* ");
  }
  CHECK(speeds.size() == 10);
}

TEST_CASE("a cluster's nodes are within its BogoMips readings, and a stage takes 5 s on the middle one") {
  const Arguments arguments = arguments_of("loaded-cluster");
  Rational least(10000);
  Rational most;
  Rational sum;
  for (std::uint64_t draw = 0; draw < 50; ++draw) {
    const tpn::Document problem = drawn(arguments, draw);
    REQUIRE(problem.platform.processors.size() == 64);
    REQUIRE(problem.application.stages.size() == 8);
    REQUIRE(problem.application.stages[3].work == Rational::fraction(345292, 100) * 5);
    for (const tpn::Processor& processor : problem.platform.processors) {
      REQUIRE((*processor.speed * 100).is_integer());
      least = std::min(least, *processor.speed);
      most = std::max(most, *processor.speed);
      sum += *processor.speed;
    }
  }
  CHECK(least >= Rational::fraction(335052, 100));
  CHECK(least < Rational(3351));
  CHECK(most <= Rational::fraction(355532, 100));
  CHECK(most > Rational(3555));
  CHECK(*(sum / 3200).to_double() == Approx(3452.92).margin(4.2));  // four deviations
  CHECK(drawn(arguments, 0).platform.defaults.time == Rational(0));
  CHECK(drawn(arguments_of("loaded-cluster", {{"transfer", "0.1"}}), 0).platform.defaults.time ==
        Rational::fraction(1, 10));
}

}  // namespace takt::experiments
