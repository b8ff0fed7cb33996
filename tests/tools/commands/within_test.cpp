// What chooses by a percentile of the latency: takt map and takt plan; and what takt evaluate says of laws.
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Json = nlohmann::json;

// What takt vary says of a mapped document at a rate: the 99th percentile with its margin.
std::pair<double, double> percentile_at(const std::string& file, const std::string& law, const std::string& rate) {
  const Outcome outcome = takt({"vary", file, "--model", "overlap", "--law", law, "--rate", rate, "--json"});
  const Json percentile = Json::parse(outcome.out)["at_rates"][0]["percentiles"][2];
  return {percentile["estimated"].get<double>(), percentile["margin"].get<double>()};
}

}  // namespace

TEST_CASE("a plan gets machines until the percentile is kept, and takt vary finds the same") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const Outcome outcome = takt({"plan", source("examples/catalogue.json"), "--rate", "200/s", "--within", "99% 80ms",
                                "--law", "lognormal:0.5", "--json", "-o", mapped});
  REQUIRE(outcome.status == tools::kAnswered);
  const Json plan = Json::parse(outcome.out);
  const Json& latency = plan["latency_plan"];
  CHECK(latency["kept"] == true);
  // The cheapest machines would be too slow for a lone data set.
  CHECK(latency["percentile_alone"]["estimated"].get<double>() < 0.08);
  const Json& last = latency["percentile_after"].is_null() ? latency["percentile_before"] : latency["percentile_after"];
  const double estimated = last["estimated"].get<double>();
  const double margin = last["margin"].get<double>();
  CHECK(estimated + margin <= 0.08);
  const auto [value, width] = percentile_at(mapped, "lognormal:0.5", "200/s");
  CHECK(value == Approx(estimated).epsilon(1e-9));
  CHECK(width == Approx(margin).epsilon(1e-9));
  // The rate is exact.
  const Json exact = Json::parse(takt({"evaluate", mapped, "--model", "overlap", "--json"}).out);
  CHECK(exact["period_decimal"].get<double>() <= 0.005);
}

TEST_CASE("a plan for a percentile says which limits takt chose, for the proofs hold within them only") {
  const auto printed = [](const std::string& within) {
    return takt({"plan", source("examples/catalogue.json"), "--rate", "200/s", "--within", within, "--law",
                 "lognormal:0.5"})
        .out;
  };
  const std::string chosen = " % more. takt chose ";
  CHECK(printed("99% 100ms").find(chosen) != std::string::npos);
  CHECK(printed("99% 10s").find("takt chose") == std::string::npos);
  CHECK(printed("99% 10s").find("No mapping of any kind costs less than ") != std::string::npos);
}

TEST_CASE("fewer machines than the plan has do not keep the percentile") {
  const TemporaryFolder folder;
  const Json plan = Json::parse(takt({"plan", source("examples/catalogue.json"), "--rate", "200/s", "--within",
                                      "99% 80ms", "--law", "erlang:2", "--json"})
                                    .out);
  const Json& latency = plan["latency_plan"];
  if (!latency["plan"].is_null()) {
    CHECK(latency["percentile_before"]["estimated"].get<double>() +
              latency["percentile_before"]["margin"].get<double>() >
          0.08);
    CHECK(latency["plan"]["cost_decimal"].get<double>() > plan["cost_decimal"].get<double>());
  }
  CHECK(latency["kept"] == true);
}

TEST_CASE("no plan where even a lone data set is too slow, and the document is not written") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const Outcome outcome = takt({"plan", source("examples/catalogue.json"), "--rate", "200/s", "--within", "99% 5ms",
                                "--law", "lognormal:0.5", "-o", mapped});
  CHECK(outcome.status == tools::kNo);
  CHECK_THAT(outcome.out, Contains("even alone in the pipeline, 99 % are within"));
  CHECK_FALSE(std::ifstream(mapped).good());
}

TEST_CASE("options of laws and limits go together, and are said") {
  const std::string catalogue = source("examples/catalogue.json");
  const auto message = [&](std::vector<std::string> words) {
    const Outcome outcome = takt(words);
    CHECK(outcome.status == tools::kUsage);
    return outcome.err;
  };
  CHECK_THAT(message({"plan", catalogue, "--rate", "200/s", "--law", "exponential"}),
             Contains("--law goes with --within"));
  CHECK_THAT(message({"plan", catalogue, "--rate", "200/s", "--within", "99% 80ms"}),
             Contains("--law: found neither the option nor a law in"));
  CHECK_THAT(message({"plan", catalogue, "--budget", "2", "--within", "99% 80ms", "--law", "exponential"}),
             Contains("--within goes with --rate or --period"));
  CHECK_THAT(message({"plan", catalogue, "--rate", "200/s", "--within", "80ms", "--law", "exponential"}),
             Contains("expected a share below 100 % and a time"));
  CHECK_THAT(message({"map", source("examples/hedpm-problem.json"), "--law", "exponential"}),
             Contains("--law goes with --within"));
  CHECK_THAT(message({"map", source("examples/hedpm-problem.json"), "--within", "99% 40"}),
             Contains("--law: found neither the option nor a law in"));
}

TEST_CASE("mappings are ranked by the largest rate that keeps a limit, and takt vary agrees on it") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const std::vector<std::string> words = {"map",        source("examples/hedpm-problem.json"),
                                          "--model",    "overlap",
                                          "--within",   "99% 30",
                                          "--law",      "erlang:4",
                                          "--heuristic"};
  const auto with = [&](const std::vector<std::string>& more) { return appended(words, more); };
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Json all = Json::parse(takt(with({"all", "--json", "-o", mapped, "--time-limit", "60"})).out);
  double before = 0;
  bool is_kept_before = true;
  int ranked = 0;
  for (const Json& run : all) {
    if (!run.contains("within") || run["within"].contains("not_varied")) continue;
    ++ranked;
    const bool is_kept = !run["within"]["arrival_gap"].is_null();
    CHECK((is_kept_before || !is_kept));
    const double gap = is_kept ? run["within"]["arrival_gap"].get<double>() : 0;
    if (is_kept) CHECK(gap >= before);
    before = gap;
    is_kept_before = is_kept;
  }
  REQUIRE(ranked >= 2);
  REQUIRE_FALSE(all[0]["within"]["arrival_gap"].is_null());
  const double gap = all[0]["within"]["arrival_gap"].get<double>();
  const Json found = Json::parse(takt({"vary", mapped, "--model", "overlap", "--law", "erlang:4", "--copies", "16",
                                       "--within", "99% 30", "--json"})
                                     .out);
  CHECK(found["within"]["arrival_gap"].get<double>() == Approx(gap).epsilon(3e-3));
}

TEST_CASE("documents with laws say what is proved of the expected period") {
  const std::string file = source("examples/video-jitter.json");
  CHECK_THAT(takt({"evaluate", file, "--model", "overlap"}).out,
             Contains("expected period     7.5 ms per frame: these laws do not change it"));
  CHECK_THAT(takt({"evaluate", file, "--model", "strict"}).out,
             Contains("expected period     at least 13.9 ms per frame, whatever the laws; more: takt vary"));
  CHECK_THAT(takt({"evaluate", source("examples/video.json"), "--model", "overlap"}).out, !Contains("expected period"));
}

TEST_CASE("reports of documents with laws have the curve of latencies over rates") {
  const TemporaryFolder folder;
  const std::string page = folder.path("page.html");
  REQUIRE(takt({"report", source("examples/video-jitter.json"), "--model", "overlap", "-o", page}).status ==
          tools::kAnswered);
  const std::string html = text_of(page);
  CHECK_THAT(html, Contains("<h2>When times vary</h2>"));
  CHECK_THAT(html, Contains("At most 133.333 frames/s, exactly 400/3, whatever the times (exact)."));
  REQUIRE(takt({"report", source("examples/video.json"), "--model", "overlap", "-o", page}).status == tools::kAnswered);
  CHECK_THAT(text_of(page), !Contains("When times vary"));
}

}  // namespace takt::testing
