// takt vary --rooms, --windows, --beside and --arrivals TABLE.
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/vary/vary_words.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::Matches;
using Json = nlohmann::json;

const std::string kCamera = "examples/video.json";

Outcome asked_of(const std::vector<std::string>& words, const std::string& file = source(kCamera)) {
  return takt(appended({"vary", file}, words));
}

Json compared_json(const std::vector<std::string>& words, const std::string& file = source(kCamera)) {
  const Outcome outcome = asked_of(appended(words, {"--json"}), file);
  CAPTURE(outcome.err);
  REQUIRE_FALSE(outcome.out.empty());
  return Json::parse(outcome.out);
}

// video.json with a first processor that is faster, or whatever text is replaced.
std::string with_text(const TemporaryFolder& folder, const std::string& name, const std::string& from,
                      const std::string& to) {
  std::string text = text_of(source(kCamera));
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  folder.write(name, text);
  return folder.path(name);
}

std::string refusal_of(const Outcome& outcome, int status) {
  CHECK(outcome.status == status);
  CHECK(outcome.out.empty());
  return outcome.err;
}

}  // namespace

TEST_CASE("rooms are compared with each other and with none, on the same luck") {
  const std::string file = source("examples/example-a.json");
  const Json found = compared_json({"--law", "exponential", "--rooms", "1,2,4"}, file);
  REQUIRE(found["compared"].size() == 4);
  const std::vector<int> rooms = {1, 2, 4};
  for (std::size_t n = 0; n < 4; ++n) {
    const Json& net = found["compared"][n];
    CHECK(net["model"] == (n < 3 ? "bounded" : "overlap"));
    if (n < 3) CHECK(net["rooms"] == rooms[n]);
    CHECK(net["at_rates"].size() == 3);
    CHECK(net["bound_share"].get<double>() ==
          Approx(net["period_decimal"].get<double>() / net["expected_period"]["estimated"].get<double>()));
    if (n == 0) {
      CHECK(net["throughput_change"].is_null());
      continue;
    }
    const Json& before = found["compared"][n - 1];
    // More room is never slower on the same draws.
    CHECK(net["throughput_change"]["estimated"].get<double>() >= 0);
    CHECK(net["throughput_change"]["estimated"].get<double>() ==
          Approx(1 / net["expected_period"]["estimated"].get<double>() -
                 1 / before["expected_period"]["estimated"].get<double>()));
    for (std::size_t r = 0; r < 3; ++r) {
      const Json& rate = net["at_rates"][r];
      CHECK(rate["arrival_gap"] == before["at_rates"][r]["arrival_gap"]);
      CHECK(rate["latency_change"]["estimated"].get<double>() <= 0);
      for (std::size_t i = 0; i < 3; ++i) {
        const Json& percentile = rate["percentiles"][i];
        CHECK(percentile["latency_change"]["estimated"].get<double>() ==
              Approx(percentile["estimated"].get<double>() -
                     before["at_rates"][r]["percentiles"][i]["estimated"].get<double>()));
        CHECK(percentile["latency_change"]["estimated"].get<double>() <= 0);
      }
    }
  }
  CHECK(found["compared"][0]["period"] == "211");
  CHECK(found["compared"][1]["period"] == "189");
  const Outcome table = asked_of({"--law", "exponential", "--rooms", "1,2"}, file);
  CHECK(table.status == tools::kAnswered);
  CHECK_THAT(table.out, Contains("BOUNDED ONE-PORT, times vary: exponential"));
  CHECK_THAT(table.out, Matches("[^]*room for 1 file [^]*room for 2 files [^]*  difference [^]*no limit[^]*"));
  CHECK_THAT(table.out, Contains("Differences are to the row above, on the same random times."));
}

TEST_CASE("a net among others has the figures that it has alone") {
  const std::string file = source("examples/example-a.json");
  const Json together = compared_json({"--law", "erlang:2", "--rooms", "1,3", "--rate", "1/400"}, file)["compared"][1];
  const Json alone =
      compared_json({"--law", "erlang:2", "--model", "bounded", "--rooms", "3", "--rate", "1/400"}, file);
  CHECK(together["expected_period"] == alone["expected_period"]);
  CHECK(together["at_rates"][0]["latency_mean"] == alone["at_rates"][0]["latency_mean"]);
  CHECK(together["at_rates"][0]["percentiles"][2]["margin"] == alone["at_rates"][0]["percentiles"][2]["margin"]);
}

TEST_CASE("windows are compared under each model, a rate beyond a window's limit is shown") {
  const std::string file = source("examples/example-b.json");
  const Json found = compared_json({"--law", "uniform:50%", "--windows", "1,3", "--rate", "1/500"}, file);
  REQUIRE(found.size() == 2);
  const Json& overlap = found[0]["compared"];
  REQUIRE(overlap.size() == 3);
  CHECK(overlap[0]["window"] == 1);
  CHECK(overlap[1]["period"] == "350");
  CHECK_FALSE(overlap[2].contains("window"));
  CHECK(overlap[2]["period"] == "875/3");
  CHECK(overlap[0]["at_rates"][0]["grows"] == true);
  CHECK(overlap[1]["at_rates"][0]["grows"] == false);
  CHECK(overlap[1]["at_rates"][0]["latency_change"].is_null());
  const Outcome table = asked_of({"--law", "uniform:50%", "--windows", "1,3", "--rate", "1/500"}, file);
  CHECK(table.status == tools::kAnswered);
  CHECK_THAT(table.out, Contains("grows without bound"));
  const Outcome none = asked_of({"--law", "uniform:50%", "--windows", "1", "--rate", "1/100"}, file);
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.err, Contains("latency grows without bound with all of them"));
}

TEST_CASE("a mapping beside itself does not differ, beside a slower one it does, beside another seed's luck neither") {
  const Outcome same = asked_of({"--model", "overlap", "--law", "lognormal:0.5", "--beside", source(kCamera)});
  CHECK(same.status == tools::kAnswered);
  CHECK_THAT(same.out, Contains("video.json beside"));
  CHECK_THAT(same.out, Matches("[^]*  difference +none[^]*"));
  CHECK_THAT(same.out, !Contains("?"));
  const TemporaryFolder folder;
  const std::string slower = with_text(folder, "slower.json", R"("12 ms")", R"("13 ms")");
  const Json found =
      compared_json({"--model", "strict", "--law", "lognormal:0.5", "--rate", "50/s", "--beside", slower});
  const Json& second = found["compared"][1];
  CHECK(second["file"] == slower);
  CHECK(second["at_rates"][0]["latency_change"]["estimated"].get<double>() > 0);
  CHECK(second["at_rates"][0]["latency_change"]["told"] == true);
  // Paired: narrower than both intervals together by far.
  CHECK(second["at_rates"][0]["latency_change"]["margin"].get<double>() <
        0.5 * second["at_rates"][0]["latency_mean"]["margin"].get<double>());
}

TEST_CASE("what is not of the same application is not compared") {
  const TemporaryFolder folder;
  const auto beside = [&](const std::string& other, std::vector<std::string> more = {}) {
    return refusal_of(asked_of(appended({"--law", "exponential", "--beside", other}, more)), tools::kUsage);
  };
  CHECK_THAT(beside(source("examples/example-a.json")), Contains("--beside: found \"S0\" as stage 1 of"));
  CHECK_THAT(beside(source(kCamera), {"--windows", "2"}), Contains("--beside does not go with --windows"));
  CHECK_THAT(beside(source(kCamera), {"--rooms", "2,3"}), Contains("--beside does not go with several --rooms"));
  CHECK_THAT(beside(source(kCamera), {"--within", "99% 70ms"}), Contains("--within does not go with --beside"));
  CHECK_THAT(beside(source(kCamera), {"-o", "a.svg"}), Contains("-o does not go with --beside"));
  const auto refused = [&](const std::vector<std::string>& words) {
    return refusal_of(asked_of(appended({"--law", "exponential"}, words)), tools::kUsage);
  };
  CHECK_THAT(refused({"--rooms", "2,1"}), Contains("each larger than the one before, as in 1,2,4"));
  CHECK_THAT(refused({"--rooms", "0,1"}), Contains("--rooms"));
  CHECK_THAT(refused({"--rooms", "1,2,"}), Contains("--rooms"));
  CHECK_THAT(refused({"--rooms", "1,1001"}), Contains("--rooms: found 1001, expected at most 1000"));
  CHECK_THAT(refused({"--rooms", "1,2", "--model", "strict"}), Contains("--rooms goes with --model bounded"));
  CHECK_THAT(refused({"--rooms", "2"}), Contains("--rooms goes with --model bounded"));
  CHECK_THAT(refused({"--windows", "100001"}), Contains("--windows: found 100001, expected at most 100000"));
}

TEST_CASE("arrivals come from a table, stretched to a rate where one is asked for") {
  const TemporaryFolder folder;
  // Bursts of four, 100 ms apart: a mean gap of 300 / 15 = 20 ms.
  std::string text = "frame,arrival\n";
  for (int burst = 0; burst < 4; ++burst) {
    for (int k = 0; k < 4; ++k) text += std::to_string(4 * burst + k) + "," + std::to_string(5 + 100 * burst) + " ms\n";
  }
  folder.write("bursts.csv", text);
  const std::vector<std::string> common = {"--model",  "overlap",    "--law",
                                           "constant", "--arrivals", folder.path("bursts.csv")};
  const auto with = [&](const std::vector<std::string>& more) { return compared_json(appended(common, more)); };
  const Json own = with({});
  CHECK(own["arrivals"] == folder.path("bursts.csv"));
  CHECK(own["arriving_data_sets"] == 16);
  REQUIRE(own["at_rates"].size() == 1);
  CHECK(own["at_rates"][0]["arrival_gap"].get<double>() == Approx(0.02));
  const auto longest = [](const Json& found) {
    return found["at_rates"][0]["percentiles"][2]["estimated"].get<double>();
  };
  // Bursts wait as long at any rate at which they do not meet each other.
  CHECK(longest(with({"--rate", "20/s"})) == Approx(longest(own)));
  const Json even = compared_json({"--model", "overlap", "--law", "constant", "--rate", "50/s"});
  CHECK(longest(own) > longest(even));
  // More data sets than rows: again and again; fewer: the first ones.
  CHECK(with({"--data-sets", "64"})["arriving_data_sets"] == 64);
  // Behind the end the first burst comes a mean gap after the last one, and waits for it.
  CHECK(longest(with({"--data-sets", "64"})) == Approx(longest(own) + 0.01));
  CHECK(with({"--data-sets", "12"})["at_rates"][0]["arrival_gap"].get<double>() == Approx(0.2 / 11));
  std::vector<std::string> words = appended({"vary", source(kCamera)}, common);
  const Outcome table = takt(words);
  CHECK(table.status == tools::kAnswered);
  CHECK_THAT(table.out, Contains("Arrivals are those of "));
  CHECK_THAT(table.out, Contains("latency is from arrival to delivery, of all 16 data sets."));
  // A table has an end: beyond the limit latencies are long, not without bound.
  words.insert(words.end(), {"--rate", "500/s"});
  const Outcome fast = takt(words);
  CHECK(fast.status == tools::kAnswered);
  CHECK_THAT(fast.out, Contains("At 500/s data sets arrive faster than they are delivered"));
  words.insert(words.end(), {"--beside", source(kCamera)});
  CHECK(takt(words).status == tools::kAnswered);
}

TEST_CASE("a table of arrivals is told its first mistake, with its line") {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& text, const std::string& file = source(kCamera)) {
    folder.write("a.csv", text);
    return refusal_of(asked_of({"--law", "erlang:4", "--arrivals", folder.path("a.csv")}, file), tools::kBadInput);
  };
  CHECK_THAT(error(""), Contains("a.csv:1: found 0 times of arrival, expected two at least"));
  CHECK_THAT(error("arrival\n"), Contains("a.csv:1: found 0 times of arrival"));
  CHECK_THAT(error("arrival\n1 ms\n"), Contains("a.csv:2: found 1 time of arrival"));
  CHECK_THAT(error("arrival\n3 ms\n1 ms\n"),
             Contains("a.csv:3: found \"1 ms\", before the \"3 ms\" above it, expected times that do not go back"));
  CHECK_THAT(error("arrival\n3 ms\n4\n"), Contains("a.csv:3: found \"4\", expected a time with a unit"));
  CHECK_THAT(error("arrival\n3 ms\n4 kB\n"), Contains("a.csv:3: found \"4 kB\", expected a time with a unit"));
  CHECK_THAT(error("3 ms\n4 mss\n"), Contains("a.csv:2: found \"4 mss\", expected a time"));
  CHECK_THAT(error("3 mss\n4 ms\n"), Contains("a.csv:1: found \"3 mss\", expected a time"));
  CHECK_THAT(error("arrival\n3 ms\n3 ms\n"), Contains("a.csv:3: found all data sets at one time"));
  CHECK_THAT(error("a,b\n1 ms,2\n"), Contains("a.csv:1: found no column \"arrival\", expected it among columns a,b"));
  CHECK_THAT(error("arrival,Arrival\n1 ms,2\n"), Contains("a.csv:1: found the column \"arrival\" a second time"));
  CHECK_THAT(error("a,arrival\n1,1 ms\n2\n"), Contains("a.csv:3: found 1 field, expected 2"));
  CHECK_THAT(error("arrival\n1 ms\n\"2 ms\n"), Contains("a.csv:3: found"));
  CHECK_THAT(error("arrival\n1\n2 ms\n", source("examples/example-a.json")),
             Contains("a.csv:3: found \"2 ms\", expected a time without a unit"));
  std::string many = "arrival\n";
  for (int i = 0; i <= 1'000'000; ++i) many += "1 s\n";
  CHECK_THAT(error(many),
             Contains("a.csv:1000002: found more than 1000000 times of arrival, expected at most that many; "
                      "--data-sets 1000000 takes the first ones"));
  CHECK_THAT(refusal_of(asked_of({"--law", "erlang:4", "--arrivals", folder.path("none.csv")}), tools::kBadInput),
             Contains("none.csv"));
  CHECK_THAT(refusal_of(asked_of({"--law", "erlang:4", "--arrivals", "poison"}), tools::kUsage),
             Contains("found \"poison\" (did you mean \"poisson\"?), expected periodic, poisson or a table"));
  // Without a heading, and one whose name is another.
  for (const std::string text : {"1 ms\n2 ms\n9 ms\n", "when\n1 ms\n2 ms\n9 ms\n"}) {
    folder.write("a.csv", text);
    CHECK(compared_json({"--law", "erlang:4", "--model", "overlap", "--arrivals",
                         folder.path("a.csv")})["at_rates"][0]["arrival_gap"]
              .get<double>() == Approx(0.004));
  }
}

TEST_CASE("latencies that would not fit are refused before they are played") {
  const std::string error = refusal_of(
      asked_of({"--model", "overlap", "--law", "exponential", "--copies", "1000000", "--data-sets", "1000000"}),
      tools::kLimit);
  CHECK_THAT(error, Contains("4000000000000 latencies would be kept, of 1000000 copies at 5 rates, the limit is "
                             "268435456: fewer --copies or --data-sets take less"));
}

TEST_CASE("a precision that takes more than there may be is told") {
  tools::VaryQuestion question;
  tools::PlayedAmount amount;
  amount.copies = 96;
  CHECK(tools::end_words(question, amount).empty());
  amount.is_full = true;
  CHECK(tools::end_words(question, amount) ==
        "--precision was not met: 96 copies were played; there are at most 1000000, with 268435456 latencies");
}

TEST_CASE("where no operation takes time data sets are delivered as they arrive") {
  const TemporaryFolder folder;
  folder.write("free.json", R"({"application":{"stages":[{"name":"a","work":0}]},
    "platform":{"processors":[{"name":"p","speed":1}],"bandwidth":1},
    "mapping":[{"stages":["a"],"processors":["p"]}]})");
  const std::string file = folder.path("free.json");
  const Outcome outcome = asked_of({"--model", "overlap", "--law", "exponential"}, file);
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("No operation takes time: data sets are delivered as they arrive, at any rate."));
  const Json found = compared_json({"--model", "overlap", "--law", "exponential", "--rate", "5"}, file);
  CHECK(found["expected_period"]["estimated"] == 0.0);
  CHECK(found["at_rates"][0]["percentiles"][2]["estimated"] == 0.0);
  CHECK_THAT(asked_of({"--model", "overlap", "--law", "exponential", "--within", "99% 5"}, file).out,
             Contains("Any rate keeps 99 % of all data sets within 5."));
  CHECK(asked_of({"--law", "exponential", "--rooms", "1,2"}, file).status == tools::kAnswered);
}

}  // namespace takt::testing
