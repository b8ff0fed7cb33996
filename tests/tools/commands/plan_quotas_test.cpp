// takt plan within quotas and with partitions: claims, words, certificates, and what is refused.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

ordered_json images_on_types() {
  return ordered_json::parse(R"({
    "application": {"item": "image", "stages": [
      {"name": "decode", "time": {"c4": "8 ms", "c16": "7 ms"}, "output": "2 MB"},
      {"name": "detect", "time": {"c4": "60 ms", "c16": "42 ms"}}]},
    "platform": {"bandwidth": "10 Gbit/s", "types": [
      {"name": "c4", "cores": 4, "memory": "16 GiB", "price": 0.17},
      {"name": "c16", "cores": 16, "memory": "64 GiB", "price": 1.2}]}})");
}

ordered_json with_quotas(const char* quotas) {
  ordered_json problem = images_on_types();
  problem["platform"]["quotas"] = ordered_json::parse(quotas);
  return problem;
}

Outcome asked_within(const ordered_json& problem, const std::vector<std::string>& options) {
  return takt(appended({"plan", "-"}, options), problem.dump());
}

ordered_json machines_chosen(const ordered_json& problem, const char* rate, int status = tools::kAnswered) {
  const Outcome outcome = asked_within(problem, {"--rate", rate, "--json"});
  INFO(outcome.err);
  REQUIRE(outcome.status == status);
  return ordered_json::parse(outcome.out)["machines"];
}

}  // namespace

TEST_CASE("each kind of quota decides which machines are cheapest") {
  CHECK(machines_chosen(images_on_types(), "600/s") == ordered_json::parse(R"({"c4": 11})"));
  for (const char* const quotas : {R"([{"cores": 43}])", R"([{"machines": 10}])", R"([{"memory": "175 GiB"}])",
                                   R"([{"types": ["c4"], "cores": 7}])", R"([{"types": ["c4"], "price": 0.3}])",
                                   R"([{"machines": 20}, {"types": ["c4"], "machines": 1}])"}) {
    INFO(quotas);
    CHECK(machines_chosen(with_quotas(quotas), "600/s") == ordered_json::parse(R"({"c16": 2})"));
  }
  for (const char* const ample :
       {R"([{"cores": 44}])", R"([{"machines": 11}])", R"([{"memory": "176 GiB"}])", R"([{"price": 1.87}])"}) {
    INFO(ample);
    CHECK(machines_chosen(with_quotas(ample), "600/s") == ordered_json::parse(R"({"c4": 11})"));
  }
  // Two of four cores, two of sixteen: what neither type does alone.
  CHECK(machines_chosen(with_quotas(R"([{"cores": 40}])"), "700/s") == ordered_json::parse(R"({"c4": 2, "c16": 2})"));
}

TEST_CASE("the text says what the plan takes of each quota, and JSON the same in exact numbers") {
  const ordered_json problem =
      with_quotas(R"([{"cores": 40}, {"types": ["c4", "c16"], "memory": "1 TiB"}, {"types": ["c4"], "price": 5}])");
  const Outcome outcome = asked_within(problem, {"--rate", "700/s"});
  CHECK_THAT(outcome.out,
             Contains("  Quotas: 40 of 40 cores in all; 160 GiB of 1 TiB of c4 and c16; 0.34 of 5.00 of c4.\n"));
  const ordered_json json = ordered_json::parse(asked_within(problem, {"--rate", "700/s", "--json"}).out);
  REQUIRE(json["quotas"].size() == 3);
  CHECK(json["quotas"][0]["quota_of"] == "cores");
  CHECK(json["quotas"][0]["counted_types"] == ordered_json::parse(R"(["c4", "c16"])"));
  CHECK(json["quotas"][2]["counted_types"] == ordered_json::parse(R"(["c4"])"));
  CHECK(json["quotas"][2]["quota"] == "5");
  CHECK(json["quotas"][2]["quota_used"] == "17/50");
}

TEST_CASE("where no plan keeps the quotas, the answer names the one that is too small, and the fastest within") {
  const Outcome outcome = asked_within(with_quotas(R"([{"cores": 40}])"), {"--rate", "900/s"});
  CHECK(outcome.status == tools::kNo);
  CHECK_THAT(
      outcome.out,
      Contains("reaches 900 images/s within the quotas: proved. The cheapest without limits, for 2.72, takes 64 of "
               "40 cores in all.\nThe fastest that was found within the quotas: 761.9 images/s for 2.74, with 2 c4 "
               "(8 cores) and 2 c16 (32 cores).\n"));
  const Outcome none = asked_within(with_quotas(R"([{"cores": 3}])"), {"--rate", "1/s"});
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.out, Contains("takes 4 of 3 cores in all."));
  const ordered_json json =
      ordered_json::parse(asked_within(with_quotas(R"([{"cores": 40}])"), {"--rate", "900/s", "--json"}).out);
  CHECK(json["reasons"][0]["because"] == "quotas");
}

TEST_CASE("budgets, frontiers, latencies and mixed plans keep to quotas") {
  const ordered_json problem = with_quotas(R"([{"cores": 40}])");
  const ordered_json all = ordered_json::parse(asked_within(problem, {"--frontier", "--json"}).out);
  REQUIRE(all["frontier"].size() > 3);
  CHECK(all["frontier_is_whole"] == true);
  for (const ordered_json& row : all["frontier"]) CHECK(row["machine_cores"].get<int>() <= 40);
  const ordered_json rich = ordered_json::parse(asked_within(problem, {"--budget", "100", "--json"}).out);
  CHECK(rich["period"] == all["frontier"].back()["period"]);
  CHECK(rich["machine_cores"] == 40);
  for (const char* const among : {"mixed", "weighted"}) {
    INFO(among);
    const Outcome outcome = asked_within(problem, {"--rate", "600/s", "--among", among});
    CHECK(outcome.status != tools::kNo);
    CHECK_THAT(outcome.out, Contains("for 2.40, with 2 machines (32 cores)"));
  }
}

TEST_CASE("a certificate proves a plan within quotas, and another quota does not take it") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("plan.certificate");
  const std::string mapped = folder.path("mapped.json");
  ordered_json problem = with_quotas(R"([{"types": ["c4"], "machines": 1}])");
  const Outcome outcome = asked_within(problem, {"--rate", "600/s", "--certificate", certificate, "-o", mapped});
  INFO(outcome.err);
  const Outcome checked = takt({"check", mapped, certificate});
  CHECK(checked.status == tools::kAnswered);
  CHECK_THAT(checked.out, Contains("within the quotas"));
  problem["platform"]["quotas"][0]["machines"] = 50;
  CHECK_THAT(text_of(certificate), Contains("\"quota_multipliers\""));
  const Outcome other = takt({"check", folder.write("other.json", problem.dump()), certificate});
  CHECK(other.status != tools::kAnswered);
  CHECK_THAT(other.out, Contains("expected at most"));
}

TEST_CASE("a part of a stage with partitions has a number of cores that divides them") {
  ordered_json problem = images_on_types();
  problem["application"]["stages"][1]["partitions"] = 64;
  // 11 of four cores are 44; 16 are 64.
  CHECK(machines_chosen(problem, "600/s") == ordered_json::parse(R"({"c16": 2})"));
  problem["application"]["stages"][1]["partitions"] = 44;
  CHECK(machines_chosen(problem, "600/s") == ordered_json::parse(R"({"c4": 11})"));
  problem["application"]["stages"][1]["partitions"] = 12;
  const Outcome outcome = asked_within(problem, {"--rate", "600/s"});
  CHECK(outcome.status == tools::kNo);
  CHECK_THAT(outcome.out,
             Contains("In the fastest detect, of 12 partitions, takes 60 ms to compute on each of 3 c4 (12 "
                      "cores)."));
  CHECK_THAT(asked_within(problem, {"--rate", "100/s", "--survive", "1"}).err,
             Contains("--survive does not go with the 12 partitions of detect"));
  const Outcome phases = asked_within(problem, {"--schedule", "8h 100/s, 16h 50/s", "--survive", "1"});
  CHECK(phases.status == tools::kUsage);
  CHECK_THAT(phases.err, Contains("--survive does not go with the 12 partitions of detect"));
  CHECK_THAT(asked_within(problem, {"--rate", "100/s", "--losses"}).out, Contains("stops: its partitions"));
  CHECK_THAT(asked_within(problem, {"--rate", "100/s", "--among", "mixed"}).err, Contains("partitions"));
}

TEST_CASE("a mapping whose turns move a partition is refused with the two processors that would have it") {
  const auto evaluated = [](int partitions) {
    ordered_json instance = ordered_json::parse(R"({
      "application": {"stages": [{"name": "sum", "work": 1}]},
      "platform": {"processors": [{"name": "p", "speed": 1}, {"name": "q", "speed": 2}, {"name": "r", "speed": 1}],
                   "bandwidth": 1},
      "mapping": [{"stages": ["sum"], "processors": ["p", "q", "r", "q"]}]})");
    instance["application"]["stages"][0]["partitions"] = partitions;
    return takt({"evaluate", "-"}, instance.dump());
  };
  CHECK(evaluated(64).status == tools::kAnswered);
  CHECK(evaluated(4).status == tools::kAnswered);
  const Outcome outcome = evaluated(6);
  CHECK(outcome.status != tools::kAnswered);
  CHECK_THAT(outcome.err,
             Contains("/mapping/0/processors: found 4 turns for stage \"sum\", which has 6 partitions: one of them "
                      "would go to \"p\" and to \"r\""));
}

TEST_CASE("quotas that cannot be are refused where they stand") {
  const auto refusal = [](const char* quotas) {
    const Outcome outcome = asked_within(with_quotas(quotas), {"--rate", "1/s"});
    CHECK(outcome.status != tools::kAnswered);
    return outcome.err;
  };
  CHECK_THAT(refusal(R"([{"types": ["c4"]}])"), Contains("a quota without a limit"));
  CHECK_THAT(refusal(R"([{"cores": 4, "price": 1}])"), Contains("one limit in each quota"));
  CHECK_THAT(refusal(R"([{"types": ["c5"], "cores": 4}])"), Contains("\"c5\""));
  CHECK_THAT(refusal(R"([{"types": ["c4", "c4"], "cores": 4}])"), Contains("once more"));
  CHECK_THAT(refusal(R"([{"cores": 1.5}])"), Contains("/platform/quotas/0/cores"));
  CHECK_THAT(refusal(R"([{"cores": -1}])"), Contains("/platform/quotas/0/cores"));
  CHECK_THAT(refusal(R"([])"), Contains("/platform/quotas"));
  ordered_json bare = with_quotas(R"([{"memory": "1 GiB"}])");
  bare["platform"]["types"][1].erase("memory");
  CHECK_THAT(asked_within(bare, {"--rate", "1/s"}).err, Contains("counts type \"c16\", which has no \"memory\""));
  CHECK_THAT(asked_within(with_quotas(R"([{"price": 5}])"), {"--rate", "1/s", "--have", "c4=1"}).err,
             Contains("--have does not go with a quota of price"));
}

TEST_CASE("a document with quotas and partitions is written as it was read") {
  ordered_json problem = with_quotas(R"([{"types": ["c16"], "memory": "128 GiB"}, {"price": 12.5}, {"machines": 7}])");
  problem["application"]["stages"][1]["partitions"] = 64;
  const TemporaryFolder folder;
  const std::string path = folder.path("mapped.json");
  const Outcome outcome = asked_within(problem, {"--rate", "100/s", "-o", path});
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  const ordered_json mapped = ordered_json::parse(text_of(path));
  CHECK(mapped["platform"]["quotas"] == problem["platform"]["quotas"]);
  CHECK(mapped["application"]["stages"][1]["partitions"] == 64);
}

}  // namespace takt::testing
