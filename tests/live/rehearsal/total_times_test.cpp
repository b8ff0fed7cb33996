// Tests of the comparison of ways to meet a load: the paper's figure, on a virtual clock.
#include "live/rehearsal/total_times.hpp"

#include <catch2/catch.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace takt::live {

TEST_CASE("the ways to meet a load: in all, what is not adaptive grows with the load and what is hardly does") {
  const TotalTimeSetting setting = figure_setting();
  const std::vector<Rational> loads = {0, 1, 5};
  std::map<std::pair<std::string, Rational>, TotalTime> totals;
  for (const TotalTimeCase& one : total_time_cases(loads, run_ways())) {
    const auto total = rehearse_case(setting, one, 1000);
    INFO(one.way.name << ", load " << one.load.to_string());
    REQUIRE(total.has_value());
    totals[{one.way.name, one.load}] = *total;
  }
  CHECK(totals.size() == 18);
  const auto time = [&](const char* way, int load) { return totals.at({way, load}).time; };
  // 127 periods of 21 behind the first data set, which takes 8 computations and 7 transfers.
  CHECK(time("not adaptive", 0) == 127 * 21 + 8 * 20 + Rational::fraction(7, 2));
  for (const char* way : {"drain, window 24", "drain, window 10", "roll, window 10"}) {
    CHECK(time(way, 0) == time("not adaptive", 0));
    CHECK(totals.at({way, 0}).mappings == 1);
    CHECK(totals.at({way, 5}).mappings == 2);
  }
  CHECK(time("not adaptive", 5) > 5 * time("not adaptive", 0));
  CHECK(time("drain, window 24", 5) < 2 * time("not adaptive", 0));
  for (const int load : {1, 5}) {
    CHECK(time("drain, window 24", load) < time("not adaptive", load));
    CHECK(time("drain, window 10", load) < time("drain, window 24", load));
    CHECK(time("roll, window 10", load) < time("drain, window 10", load));
    CHECK(time("hedpm, window 10", load) < time("not adaptive", load));
    CHECK(time("polish, window 10", load) < time("roll, window 10", load));
  }
}

TEST_CASE("a case without a mapping has no total time") {
  TotalTimeSetting setting = figure_setting();
  setting.problem.platform.defaults = {};
  setting.problem.platform.processors.resize(3);
  CHECK(!rehearse_case(setting, {1, {"", "bs121", {}, 10, SwitchKind::roll}}, 1000).has_value());
}

}  // namespace takt::live
