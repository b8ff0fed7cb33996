// Documents with units, through every command: what people read and what programs get.
#include <catch2/catch.hpp>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/support/random_documents.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

constexpr const char* kVideo = "examples/video.json";

// A third of a millisecond, and three files between two data sets.
const std::string kThirds = R"({
  "application": {"stages": [{"name": "a", "work": 1, "output": "1 MB"}, {"name": "b", "work": 1}]},
  "platform": {"processors": [{"name": "P", "speed": "3/ms"}, {"name": "Q", "speed": "5e3/s"}],
               "bandwidth": "8 Gbit/s", "latency": "0.25 us"},
  "mapping": [{"stages": ["a"], "processors": ["P"]}, {"stages": ["b"], "processors": ["Q"]}]
})";

TEST_CASE("the table of a document with units tells times and rates in units") {
  const Outcome outcome = takt({"evaluate", "-", "--model", "strict"}, kThirds);
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK(outcome.out == R"(standard input, STRICT ONE-PORT
The bottleneck is P, busy all the time.

  period              1.33358 ms per data set, exactly 16003/12000
  throughput          749.859 data sets/s, exactly 12000000/16003
  largest cycle time  1.33358 ms per data set (exactly 16003/12000), of P
  latency             1.53358 ms (exactly 18403/12000), alone or in an even stream
  method              sweep, for 1 row x 3 columns

Critical circuit: 2 operations, together 1.33358 ms (exactly 16003/12000) for 1 data set
  data set  operation                 processor     duration  exactly
         0  compute a                 P          0.333333 ms   1/3 ms
         0  transfer the output of a  P -> Q      1.00025 ms

Resources, the busiest first
  resource  utilization  cycle time         exactly
  P             100.0 %  1.33358 ms  16003/12000 ms
  Q              90.0 %  1.20025 ms
)");
}

TEST_CASE("results for programs are in seconds, and say so") {
  const Outcome outcome = takt({"evaluate", source(kVideo), "--json"});
  REQUIRE(outcome.status == tools::kAnswered);
  const auto results = ordered_json::parse(outcome.out);
  REQUIRE(results.size() == 2);
  for (const auto& result : results) CHECK(result.at("time_unit") == "s");
  CHECK(results[0].at("period") == "3/400");
  CHECK(results[0].at("throughput") == "400/3");
  CHECK(results[1].at("period") == "139/10000");
  CHECK(results[1].at("critical_circuit").at("steps")[0].at("duration") == "81/20000");
  CHECK_FALSE(ordered_json::parse(takt({"evaluate", source("examples/example-a.json"), "--json"}).out)[0].contains(
      "time_unit"));
}

TEST_CASE("predictions with units are verified in units") {
  const Outcome table = takt({"verify", source(kVideo), "--model", "strict"});
  CHECK(table.status == tools::kNo);
  CHECK_THAT(table.out, Contains("  7.5 ms         7.5 ms       13.9 ms  strict  optimistic  -46.0 %  32.566 ms ") &&
                            Contains("STRICT ONE-PORT: predicted 7.5 ms, but the period is 13.9 ms\n"));
  const Outcome json = takt({"verify", source(kVideo), "--model", "overlap", "--json"});
  CHECK(json.status == tools::kAnswered);
  CHECK(ordered_json::parse(json.out).at("time_unit") == "s");
  CHECK(ordered_json::parse(json.out).at("predicted_period") == "3/400");
}

TEST_CASE("a mapping of a problem with units is written with units, and what was said of an earlier mapping is gone") {
  const TemporaryFolder folder;
  auto problem = ordered_json::parse(text_of(source(kVideo)));
  problem["mapping"][0]["//"] = "an old part";
  const std::string file = folder.write("problem.json", problem.dump());
  const std::string mapped = folder.path("mapped.json");
  const Outcome outcome = takt({"map", file, "--heuristic", "bsl", "-o", mapped});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("bsl predicts 16.116 ms per data set under STRICT ONE-PORT.\n") &&
                              Contains("\n  overlap         15 ms"));
  const auto document = ordered_json::parse(text_of(mapped));
  CHECK(document.at("predicted_period") == "16.116 ms");
  CHECK(document.at("platform").at("source") == ordered_json::parse(R"({"//": "the camera", "bandwidth": "1 GB/s"})"));
  CHECK(document.at("platform").at("processors")[0].at("speed") == "4e9/s");
  CHECK(document.at("//") == problem.at("//"));
  CHECK_FALSE(document.at("mapping")[0].contains("//"));
  CHECK(takt({"verify", mapped}).status == tools::kAnswered);

  const Outcome json = takt({"map", file, "--heuristic", "bsl", "--json", "-o", mapped});
  CHECK(ordered_json::parse(json.out).at("time_unit") == "s");
  CHECK(ordered_json::parse(json.out).at("predicted_period") == "4029/250000");
}

TEST_CASE("a certificate of a document with units is in seconds, and told in units") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("c.json");
  REQUIRE(takt({"evaluate", source(kVideo), "--model", "strict", "--certificate", certificate}).status ==
          tools::kAnswered);
  CHECK(ordered_json::parse(text_of(certificate)).at("period") == "139/10000");
  const Outcome check = takt({"check", source(kVideo), certificate});
  CHECK(check.out == "Proved: the period is 13.9 ms under STRICT ONE-PORT.\n");
  const auto json = ordered_json::parse(takt({"check", source(kVideo), certificate, "--json"}).out);
  CHECK(json.at("time_unit") == "s");
  CHECK(json.at("period") == "139/10000");
}

TEST_CASE("times of first data sets are in seconds, drawings in units") {
  const Outcome csv = takt({"simulate", source(kVideo), "--model", "strict", "--data-sets", "1"});
  CHECK_THAT(csv.out, Contains("strict,0,transfer,source,,source,cpu-1,0,81/20000,0,0.00405\n"));
  const Outcome json = takt({"simulate", source(kVideo), "--model", "strict", "--data-sets", "1", "--format", "json"});
  CHECK(ordered_json::parse(json.out).at("time_unit") == "s");
  const Outcome dot = takt({"dot", source(kVideo), "--model", "strict"});
  CHECK_THAT(dot.out, Contains("— period 13.9 ms") && Contains("data set 0: 4.05 ms") && Contains("data set 0: 66 us"));
  CHECK_THAT(takt({"dot", source(kVideo), "--model", "strict", "--collapse"}).out, Contains("takes 12 ms to 15 ms"));
}

TEST_CASE("values of parameters are told, and may be given, in units where the document has some") {
  const TemporaryFolder folder;
  const std::string changed = folder.path("changed.json");
  const Outcome table = takt({"sensitivity", source(kVideo), "--model", "strict", "--target", "12 ms"});
  REQUIRE(table.status == tools::kAnswered);
  CHECK_THAT(table.out, Contains("value for 12 ms\n") && Contains("  cpu-1 speed                         4e9/s ") &&
                            Contains("6.45161e+09/s\n") && Contains("3.625 MB\n") && Contains("2.06897 GB/s\n"));
  REQUIRE(takt({"sensitivity", source(kVideo), "--apply", "cpu-1 speed=8e6/ms", "--apply", "decode output=1 MiB", "-o",
                changed})
              .status == tools::kAnswered);
  const auto document = ordered_json::parse(text_of(changed));
  CHECK(document.at("platform").at("processors")[0].at("speed") == "8e9/s");
  CHECK(document.at("application").at("stages")[0].at("output") == "1 MiB");

  const Outcome mixed = takt({"sensitivity", source("examples/example-a.json"), "--target", "12 ms"});
  CHECK(mixed.status == tools::kUsage);
  CHECK_THAT(mixed.err,
             Contains("--target: found \"12 ms\", expected a number alone: the numbers of the file have no units"));
  const auto refused = [&](const char* file, const std::string& change) {
    const Outcome outcome = takt({"sensitivity", source(file), "--apply", change, "-o", changed});
    CHECK(outcome.status == tools::kUsage);
    return outcome.err;
  };
  CHECK_THAT(refused(kExampleA, "P0 -> P2=1 ms"),
             Contains("P0 -> P2: found \"1 ms\", expected a number alone: the numbers of the file have no units"));
  CHECK_THAT(refused(kExampleA, "P0 -> P2=1 MB"), Contains("expected a number alone: the numbers of the file"));
  CHECK_THAT(refused(kVideo, "cpu-1 speed=8 GB/s"),
             Contains("--apply: cpu-1 speed: found \"8 GB/s\", expected a speed, as in \"2e9/s\""));
  CHECK_THAT(refused(kVideo, "cpu-1 speed=8"), Contains("expected a unit, as in \"8/s\": the file has units"));
  CHECK_THAT(refused(kVideo, "decode output=6"), Contains("expected a unit, as in \"6 MB\": the file has units"));
  CHECK_THAT(refused(kVideo, "decode work=6 ms"), Contains("expected a number alone: works have no unit"));
  CHECK(takt({"sensitivity", source(kVideo), "--apply", "decode output=0", "-o", changed}).status == tools::kAnswered);
  CHECK_THAT(takt({"sensitivity", source(kVideo), "--target", "12"}).err,
             Contains("--target: found \"12\", expected a unit, as in \"12 ms\": the file has units"));
  CHECK(takt({"sensitivity", source(kVideo), "--target", "12 MB"}).status == tools::kUsage);
}

TEST_CASE("a problem without a mapping is told what makes one") {
  const Outcome outcome = takt({"evaluate", source("examples/hedpm-problem.json")});
  CHECK(outcome.status == tools::kBadInput);
  CHECK_THAT(outcome.err, Contains("; for a mapping: takt map "));
}

TEST_CASE("units change nothing but words: random documents have the results of those without") {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    for (const support::Kind kind : support::kKinds) {
      CAPTURE(seed, static_cast<int>(kind));
      tpn::Document document = support::random_document(kind, seed);
      const Outcome plain = takt({"evaluate", "-", "--json"}, tpn::write_document(document));
      document.time_unit = tpn::TimeUnit::second;
      const std::string text = tpn::write_document(document);
      REQUIRE_THAT(text, Contains("s\""));
      const Outcome with_units = takt({"evaluate", "-", "--json"}, text);
      REQUIRE(with_units.status == tools::kAnswered);
      auto results = ordered_json::parse(with_units.out);
      for (auto& result : results) REQUIRE(result.erase("time_unit") == 1);
      CHECK(results == ordered_json::parse(plain.out));
    }
  }
}

}  // namespace
}  // namespace takt::testing
