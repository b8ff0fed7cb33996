// takt vary: its sentences, its refusals, its statuses.
#include <catch2/catch.hpp>
#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/vary/estimate_words.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::Matches;
using Json = nlohmann::json;

Outcome varied(const std::vector<std::string>& words) {
  return takt(appended({"vary", source("examples/video.json"), "--model", "overlap"}, words));
}

}  // namespace

TEST_CASE("estimates have no more digits than their intervals support") {
  using tools::with_margin;
  CHECK(with_margin({17.93, 0.1}) == "17.93 +- 0.10");
  CHECK(with_margin({17.93, 0.26}) == "17.9 +- 0.3");
  CHECK(with_margin({1234.6, 12}) == "1235 +- 12");
  CHECK(with_margin({1234.5, 23}) == "1230 +- 30");
  CHECK(with_margin({1234.5, 0.999}) == "1234.5 +- 1.0");
  CHECK(with_margin({0.0052910, 0.0000013}) == "0.0052910 +- 0.0000013");
  CHECK(with_margin({150, 0}) == "150");
  CHECK(with_margin({0, 0}) == "0");
  const tools::TimeWords seconds = tools::TimeWords::of_seconds();
  const tools::EstimateWords words(seconds);
  CHECK(words.longer_by({0.0024, 0.0003}, {0.03, 0}) == "+2.4 +- 0.3 ms");
  CHECK(words.longer_by({-0.0001, 0.0003}, {0.03, 0}) == "-0.1 +- 0.3 ms ?");
  CHECK(words.longer_by({0, 0.0003}, {0.03, 0}) == "0.0 +- 0.3 ms ?");
  CHECK(words.longer_by({0, 0}, {0.03, 0}) == "none");
  CHECK(words.higher_by({-14.2, 0.3}, {130, 0}) == "-14.2 +- 0.3/s");
}

TEST_CASE("the exact bound is marked, estimates stand with interval, count and seed") {
  const Outcome outcome = varied({"--law", "lognormal:0.5", "--seed", "7", "--copies", "32", "--data-sets", "1000"});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("times vary: lognormal, coefficient of variation 0.5"));
  CHECK_THAT(outcome.out, Contains("At most 133.333 data sets/s, exactly 400/3, whatever the times (exact)."));
  CHECK_THAT(outcome.out, Contains("(95 %, 32 copies of 1000 data sets, seed 7)"));
  CHECK(varied({"--law", "lognormal:0.5", "--seed", "7", "--copies", "32", "--data-sets", "1000"}).out == outcome.out);
  CHECK(varied({"--law", "lognormal:0.5", "--seed", "8", "--copies", "32", "--data-sets", "1000"}).out != outcome.out);
}

TEST_CASE("what is proved of the rate with these times stands beside the estimate") {
  const std::vector<std::string> few = {"--law", "exponential", "--copies", "16", "--data-sets", "200"};
  CHECK_THAT(varied(few).out, Contains("In the long run these times cost no throughput (exact).\n"));
  // Example A's STRICT period has no upper bound; three receivers that take turns with two senders have one.
  const std::vector<std::string> words =
      appended({"vary", source("examples/example-a.json"), "--model", "strict"}, few);
  const Outcome strict = takt(words);
  CHECK_THAT(strict.out, !Contains("In the long run"));
  CHECK(Json::parse(takt(appended(words, {"--json"})).out)["expected_period_upper_bound"].is_null());
  const std::string torus = R"({"application":{"stages":[{"name":"S0","work":0,"output":1},{"name":"S1","work":0}]},
    "platform":{"processors":[{"name":"P0","speed":1},{"name":"P1","speed":1},{"name":"Q0","speed":1},
    {"name":"Q1","speed":1},{"name":"Q2","speed":1}],"bandwidth":1},
    "mapping":[{"stages":["S0"],"processors":["P0","P1"]},{"stages":["S1"],"processors":["Q0","Q1","Q2"]}]})";
  // (u + v - 1) / (u v) = 2/3 for exponential transfers, 1/2 for constant ones.
  const Outcome outcome = takt(appended({"vary", "-", "--model", "overlap"}, few), torus);
  CHECK_THAT(outcome.out, Contains("At most 2 data sets per time unit, whatever the times (exact).\n"
                                   "In the long run at least 1.5 data sets per time unit with these times "
                                   "(exact).\n"));
}

TEST_CASE("with a precision copies grow longer, but for a number of data sets that is asked for") {
  const std::string server = R"({"application":{"stages":[{"name":"S","work":1}]},
    "platform":{"processors":[{"name":"P","speed":1}]},"mapping":[{"stages":["S"],"processors":["P"]}]})";
  const std::vector<std::string> words = {"vary",   "-",    "--model", "overlap", "--law",       "exponential",
                                          "--rate", "0.97", "--rate",  "0.5",     "--precision", "8%"};
  const Outcome longer = takt(words, server);
  CHECK_THAT(longer.out, Matches("[^]* copies of 4000 to [0-9]+ data sets, seed 1[^]*"));
  CHECK_THAT(longer.out, !Contains("had not settled"));
  const Json answer = Json::parse(takt(appended(words, {"--data-sets", "400", "--json"}), server).out);
  for (const Json& rate : answer["at_rates"]) {
    CHECK(rate["data_sets"] == 400);
    CHECK(rate["copies"].get<int>() >= 64);
  }
}

TEST_CASE("constant times have the exact throughput and one latency at every rate") {
  const Json found = Json::parse(varied({"--law", "constant", "--json"}).out);
  CHECK(found["expected_period"]["estimated"].get<double>() == Approx(0.0075).epsilon(1e-3));
  CHECK(found["period"] == "3/400");
  for (const Json& rate : found["at_rates"]) {
    CHECK(rate["settled"] == true);
    // The longer of the two cards' latencies, whatever the rate.
    CHECK(rate["percentiles"][2]["estimated"].get<double>() ==
          Approx(found["at_rates"][0]["percentiles"][2]["estimated"].get<double>()).epsilon(1e-9));
  }
}

TEST_CASE("a data set of the last part is delivered with its batch") {
  const Outcome outcome = takt({"vary", "-", "--model", "overlap", "--law", "constant", "--rate", "1/4"}, R"({
    "application": {"stages": [{"name": "S", "time": {"P": {"fixed": 2, "each": 1}}}]},
    "platform": {"processors": [{"name": "P"}]},
    "mapping": [{"stages": ["S"], "processors": [{"processor": "P", "batch": 2}]}]
  })");
  CHECK_THAT(outcome.out,
             Contains("  0.25 per time unit       50.0 %              6            4            8            8\n"));
}

// Behind two stages that are as slow, data sets are delivered slower at first than in the long run.
TEST_CASE("estimates of the limit are not above what is proved, and rates below that do not grow") {
  const Outcome outcome = takt({"vary", "-", "--model", "overlap", "--law", "exponential", "--rate", "0.99"}, R"({
    "application": {"stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1}]},
    "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}], "time": 0},
    "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}]
  })");
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("With these times 1 per time unit (95 %") && !Contains("grows without bound"));
}

TEST_CASE("estimates of the period are not below the exact one") {
  std::size_t at_bound = 0;
  for (int seed = 1; seed <= 6; ++seed) {
    const Outcome outcome =
        takt({"vary", source("examples/example-a.json"), "--model", "overlap", "--law", "lognormal:0.5", "--copies",
              "16", "--data-sets", "400", "--seed", std::to_string(seed), "--json"});
    const Json found = Json::parse(outcome.out);
    CHECK(found["expected_period"]["estimated"].get<double>() >= 189);
    at_bound += found["expected_period"]["estimated"] == 189.0 ? 1 : 0;
  }
  CHECK(at_bound > 0);
  CHECK(at_bound < 6);
}

TEST_CASE("a rate beyond the limit is refused with the most, and the others are answered") {
  const Outcome outcome = varied({"--law", "erlang:4", "--rate", "100/s", "--rate", "200/s"});
  CHECK(outcome.status == tools::kNo);
  CHECK_THAT(outcome.err, Contains("at 200/s latency grows without bound: the most is 133"));
  CHECK_THAT(outcome.out, Contains("grows without bound"));
  CHECK_THAT(outcome.out, Matches("[^]*\n +100/s +75.. % [^]*"));
}

TEST_CASE("the largest rate within a latency keeps it, and a little more does not") {
  const std::vector<std::string> common = {"--law", "lognormal:0.5", "--copies", "16", "--json"};
  const auto with = [&](const std::vector<std::string>& more) { return varied(appended(common, more)); };
  const Json within = Json::parse(with({"--within", "99% 70ms"}).out)["within"];
  const double gap = within["arrival_gap"];
  CHECK(within["arrival_gap_low"].get<double>() <= gap);
  CHECK(gap <= within["arrival_gap_high"].get<double>());
  CHECK(within["latency_limit"] == "7/100");
  const auto latency_at = [&](double rate) {
    const Json found = Json::parse(with({"--rate", std::to_string(rate) + "/s"}).out);
    return found["at_rates"][0]["percentiles"][2]["estimated"].get<double>();
  };
  CHECK(latency_at(1 / gap * 0.9999) <= 0.07);
  CHECK(latency_at(1 / gap * 1.001) > 0.07);
  const Outcome never = varied({"--law", "lognormal:0.5", "--within", "99% 30ms"});
  CHECK(never.status == tools::kNo);
  CHECK_THAT(never.out,
             Contains("No rate keeps 99 % of all data sets within 30 ms: even alone, 1 % take longer than 56."));
}

TEST_CASE("a precision that is asked for is kept, or the limit is told") {
  const Json found = Json::parse(varied({"--law", "exponential", "--rate", "60/s", "--precision", "1%", "--json"}).out);
  CHECK(found["copies"].get<int>() >= 64);
  for (const Json& percentile : found["at_rates"][0]["percentiles"]) {
    CHECK(percentile["margin"].get<double>() <= 0.01 * percentile["estimated"].get<double>());
  }
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Outcome ended = varied({"--law", "exponential", "--precision", "0.001%", "--time-limit", "100ms"});
  CHECK(ended.status == tools::kLimit);
  CHECK_THAT(ended.err, Contains("the time limit was reached"));
  CHECK_THAT(ended.out, Contains("With these times"));
}

TEST_CASE("heavy tails have no mean latency, and that is said") {
  const Outcome outcome = varied({"--law", "pareto:1.8", "--rate", "60/s"});
  CHECK_THAT(outcome.out, Contains("No mean: latencies of times with so heavy a tail have none."));
  CHECK(Json::parse(varied({"--law", "pareto:1.8", "--rate", "60/s", "--json"}).out)["at_rates"][0]["latency_mean"]
            .is_null());
  CHECK_THAT(varied({"--law", "pareto:2.5", "--rate", "60/s"}).out, !Contains("No mean"));
}

TEST_CASE("what cannot be varied is refused in one message") {
  const auto error_of = [](const std::vector<std::string>& words, int status = tools::kUsage) {
    const Outcome outcome = varied(words);
    CHECK(outcome.status == status);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK_THAT(error_of({}), Contains("--law"));
  CHECK_THAT(error_of({"--law", "pareto:1"}), Contains("expected an exponent above 1"));
  CHECK_THAT(error_of({"--law", "uniform:120%"}), Contains("at most 100 %"));
  CHECK_THAT(error_of({"--law", "normal:0.9"}), Contains("below 0.75"));
  CHECK_THAT(error_of({"--law", "exponential", "--rate", "60"}), Contains("--rate"));
  CHECK_THAT(error_of({"--law", "exponential", "--within", "99%"}), Contains("as in \"99% 150ms\""));
  CHECK_THAT(error_of({"--law", "exponential", "--within", "100% 1s"}), Contains("a share below 100 %"));
  CHECK_THAT(error_of({"--law", "exponential", "--copies", "1"}), Contains("--copies: found 1, expected 2 to"));
  CHECK_THAT(error_of({"--law", "exponential", "--data-sets", "5"}), Contains("--data-sets: found 5"));
  CHECK_THAT(error_of({"--law", "exponential", "--precision", "0%"}), Contains("--precision: found 0%"));
  CHECK_THAT(error_of({"--law", "exponential", "-o", "x.txt"}), Contains("a name that ends in .svg"));
  const Outcome batches =
      takt({"vary", source("examples/batches.json"), "--model", "overlap", "--law", "erlang:4", "--within", "99% 1s"});
  CHECK(batches.status == tools::kUsage);
  CHECK_THAT(batches.err, Contains("transfers that are ahead or batches"));
}

}  // namespace takt::testing
