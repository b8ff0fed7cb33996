// Tests of what a probe is asked and what it has measured: it survives as text, and pairs are each named once.
#include "live/probing/probe.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "live/files/run_plan.hpp"
#include "maxplus/contract.hpp"
#include "tpn/errors.hpp"

namespace takt::live {

namespace {

tpn::Platform platform_of(std::size_t processors) {
  tpn::Platform platform;
  for (std::size_t p = 0; p < processors; ++p) platform.processors.push_back({"P" + std::to_string(p), 1, {}});
  return platform;
}

RunPlan plan_of(const std::optional<ProbeTerms>& terms) {
  RunPlan plan;
  plan.instance.application.stages.push_back({.name = "a", .work = 1, .output = {}});
  plan.instance.platform = platform_of(2);
  plan.processors = {0, 1};
  plan.probe = terms;
  return plan;
}

}  // namespace

TEST_CASE("a plan says whether it is a probe, and of what terms") {
  const ProbeTerms all{.repeats = 7, .in_turn = true, .one_stage = 0, .sizes = {0, 1024}, .exchanges = 3, .inputs = 9};
  ProbeTerms usual;
  usual.sizes = {1, 2, 3};
  for (const auto& terms : {std::optional<ProbeTerms>(), std::optional(all), std::optional(usual)}) {
    CHECK(read_run_plan(write_run_plan(plan_of(terms)), "plan").probe == terms);
  }
}

TEST_CASE("what was measured survives as text") {
  const ProbeResult result{.times = {{{1, 2, 3}, {}}, {{4, 5, 6}, {1'000'000'000'000'000'000}}},
                           .sizes = {0, 5, 6},
                           .round_trips = {{7, 8}},
                           .round_trip_spreads = {{1, 0}}};
  CHECK(read_probe_result(write_probe_result(result), "result") == result);
  CHECK(read_probe_result(write_probe_result({}), "result") == ProbeResult{});
  CHECK_THROWS_AS(read_probe_result(R"({"times": [], "sizes": [-1], "round_trips": []})", "result"), tpn::ParseError);
  CHECK_THROWS_AS(read_probe_result(R"({"times": [], "sizes": [1e30], "round_trips": []})", "result"), tpn::ParseError);
  CHECK_THROWS_AS(read_probe_result(R"({"times": [], "sizes": []})", "result"), tpn::ParseError);
  CHECK_THROWS_AS(read_probe_result(R"({"times": [], "sizes": [], "round_trips": []})", "result"), tpn::ParseError);
}

TEST_CASE("each pair of processors is probed once, and each end with all") {
  tpn::Platform platform = platform_of(3);
  CHECK(probed_pairs(platform) == std::vector<ProbedPair>{{0, 1}, {0, 2}, {1, 2}});
  platform.source.emplace();
  platform.sink.emplace();
  CHECK(probed_pairs(platform) ==
        std::vector<ProbedPair>{{0, 1}, {0, 2}, {1, 2}, {3, 0}, {3, 1}, {3, 2}, {0, 4}, {1, 4}, {2, 4}});
  CHECK(probed_pairs(platform_of(1)).empty());
  platform.source->named.resize(2);
  platform.sink->named.resize(1);
  CHECK(probed_pairs(platform) ==
        std::vector<ProbedPair>{
            {0, 1}, {0, 2}, {1, 2}, {3, 0}, {3, 1}, {3, 2}, {4, 0}, {4, 1}, {4, 2}, {0, 5}, {1, 5}, {2, 5}});
}

TEST_CASE("the median is the middle one, of two the lower") {
  CHECK(median_of({5}) == 5);
  CHECK(median_of({9, 1}) == 1);
  CHECK(median_of({9, 1, 4}) == 4);
  CHECK(median_of({4, 9, 1, 4, 100, 3}) == 4);
  CHECK_THROWS_AS(median_of({}), maxplus::ContractViolation);
}

}  // namespace takt::live
