// takt plan on types with several cores and ports: claims, words, mapped documents, and what is refused.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

// A stage of 85 ms on machines of eight cores.
const std::string kEight = R"({"application": {"stages": [{"name": "detect", "time": {"eight": "85 ms"}}]},)"
                           R"( "platform": {"types": [{"name": "eight", "cores": 8, "price": 1.5}]}})";

// Two stages, the second of which is not replicable, and a file of 100 ms between them.
ordered_json file_bound() {
  return ordered_json::parse(R"({
    "application": {"input": 1, "stages": [
      {"name": "a", "time": {"x": 40}, "output": 100},
      {"name": "b", "time": {"y": 2}, "replicable": false}]},
    "platform": {"bandwidth": 1, "types": [{"name": "x", "cores": 4}, {"name": "y", "cores": 2, "ports": "unlimited"}],
                 "source": {"time": 30, "ports": 3}}})");
}

ordered_json plan_of(const ordered_json& problem, const std::vector<std::string>& options,
                     int status = tools::kAnswered) {
  const Outcome outcome = takt(appended({"plan", "-", "--json"}, options), problem.dump());
  INFO(outcome.err);
  REQUIRE(outcome.status == status);
  return ordered_json::parse(outcome.out);
}

}  // namespace

TEST_CASE("a machine of eight cores does eight times as much, each data set as long as on one") {
  const Outcome outcome = takt({"plan", "-", "--rate", "94/s"}, kEight);
  INFO(outcome.err);
  CHECK(outcome.out ==
        "standard input, OVERLAP ONE-PORT (default; --model strict for the other): 94.12/s for 1.50, with 1 machine (8 "
        "cores). 94/s was asked for.\n"
        "No mapping of any kind is cheaper: proved.\n\n"
        "  part    machines           a data set takes  busy at 94/s\n"
        "  detect  1 eight (8 cores)  85 ms to compute        99.9 %\n\n"
        "  A data set stays 85 ms; 8 are under way; room for two files before and behind each core is enough.\n");
  const ordered_json plan = plan_of(ordered_json::parse(kEight), {"--rate", "95/s"});
  CHECK(plan["machine_count"] == 2);
  CHECK(plan["machine_cores"] == 16);
  CHECK(plan["parts"][0]["machine_cores"] == 16);
  CHECK(plan["latency"] == "17/200");
  CHECK(plan["period"] == "17/3200");
}

TEST_CASE("ports of a type, and of the source, share the transfers of its machines") {
  ordered_json problem = file_bound();
  for (const auto& [ports, machines, bound] :
       {std::tuple<ordered_json, int, const char*>{1, 5, "send"}, {2, 3, "send"}, {"unlimited", 1, "compute"}}) {
    CAPTURE(ports);
    problem["platform"]["types"][0]["ports"] = ports;
    const ordered_json plan = plan_of(problem, {"--period", "20"});
    CHECK(plan["parts"][0]["machine_count"] == machines);
    CHECK(plan["parts"][0]["bound_by"] == ordered_json::array({bound}));
    CHECK(plan["parts"][1]["machine_count"] == 1);
    CHECK(plan["latency"] == "172");
  }
  CHECK_THAT(takt({"plan", "-", "--period", "20"}, problem.dump()).out,
             Contains("  b     1 y (1 of 2 cores)  ") &&
                 Contains("A data set stays 172; 18 are under way; room for 11 files before and behind each core is "
                          "enough.\n"));
  const ordered_json none = plan_of(problem, {"--period", "9"}, tools::kNo);
  CHECK(none["reasons"][0]["because"] == "source");
  CHECK(none["reasons"][0]["period"] == "10");
  CHECK_THAT(none["reasons"][0]["text"].get<std::string>(), Contains("in 30 on each of its 3 ports, at best"));
  problem["platform"]["source"]["ports"] = "unlimited";
  CHECK(plan_of(problem, {"--period", "9"})["found"] == true);
}

TEST_CASE("the mapped document of a plan names machines, and is of its kind only if dealt machine by machine") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const std::string proof = folder.path("proof.json");
  const ordered_json problem = file_bound();
  // On one core b receives and computes.
  CHECK(takt({"plan", "-", "--period", "101", "--model", "strict"}, problem.dump()).status == tools::kNo);
  CHECK(takt({"plan", "-", "--period", "102", "--model", "strict"}, problem.dump()).status == tools::kAnswered);
  REQUIRE(takt({"plan", "-", "--period", "20", "-o", mapped, "--certificate", proof}, problem.dump()).status ==
          tools::kAnswered);
  ordered_json document = ordered_json::parse(text_of(mapped));
  CHECK(document["mapping"][0]["processors"] == ordered_json::array({"x-1", "x-2", "x-3", "x-4", "x-5"}));
  CHECK(document["mapping"][1]["processors"] == ordered_json::array({"y-1.1"}));
  CHECK(takt({"verify", mapped, "--model", "overlap"}).status == tools::kAnswered);
  const Outcome checked = takt({"check", mapped, proof});
  CHECK(checked.status == tools::kAnswered);
  CHECK_THAT(checked.out,
             Contains("This mapping's 6 machines cost 6, and it is such a plan: no such plan is cheaper.\n"));
  const std::string page = folder.path("page.html");
  REQUIRE(takt({"report", mapped, "-o", page}).status == tools::kAnswered);
  CHECK_THAT(text_of(page), Contains("<h2>The plan</h2>") && Contains("(20 cores)"));

  ordered_json turns;
  for (int machine = 1; machine <= 5; ++machine) {
    for (int core = 1; core <= 4; ++core) turns.push_back("x-" + std::to_string(machine) + "." + std::to_string(core));
  }
  document["mapping"][0]["processors"] = turns;
  const std::string bunched = folder.write("bunched.json", document.dump());
  CHECK_THAT(
      takt({"check", bunched, proof}).out,
      Contains("it is no such plan: the part a has its machines' cores in another order than machine by machine"));
}

TEST_CASE("several types in a part, with unequal and with equal numbers of cores") {
  const ordered_json unequal = file_bound();
  const Outcome mixed = takt({"plan", "-", "--period", "20", "--among", "mixed"}, unequal.dump());
  CHECK(mixed.status == tools::kAnswered);
  const Outcome typed = takt({"plan", "-", "--period", "20"}, unequal.dump());
  CHECK_THAT(mixed.out, StartsWith(typed.out.substr(0, typed.out.find('\n') + 1)));
  const std::string equal =
      R"({"application": {"stages": [{"name": "work", "work": 40}]}, "platform": {"types": [)"
      R"({"name": "slow", "speed": 1, "price": 1, "cores": 2}, {"name": "fast", "speed": 3, "price": 2.6, "cores": 2}]}})";
  const Outcome weighted = takt({"plan", "-", "--period", "5", "--among", "weighted"}, equal);
  INFO(weighted.err);
  CHECK(weighted.status == tools::kAnswered);
  CHECK_THAT(weighted.out,
             Contains("for 3.60, with 2 machines (4 cores).\nNo mapping of any kind is cheaper: proved.") &&
                 Contains("  work  1 slow, 1 fast  "));
}

TEST_CASE("named machines have their price once, and parts say which of their cores they use") {
  const std::string named = R"({"application": {"stages": [
      {"name": "decode", "time": {"big": 8}, "output": 1}, {"name": "detect", "time": {"card": 4}}]},
    "platform": {"processors": [{"name": "big", "cores": 4, "price": 3},
      {"name": "card", "host": "big", "price": 2}], "bandwidth": 1}})";
  const Outcome found = takt({"plan", "-", "--period", "5"}, named);
  INFO(found.err);
  REQUIRE(found.status == tools::kAnswered);
  CHECK_THAT(
      found.out,
      Contains("for 5, with 2 machines. 0.2 per time unit was asked for.\nNo mapping of any kind is cheaper: proved."));
  CHECK_THAT(found.out, Contains("  decode  big"));
  CHECK_THAT(found.out, Contains("  detect  card\n"));
  // A machine in two parts gives each some of its cores.
  const std::string again = R"({"application": {"stages": [
      {"name": "decode", "time": {"big": 8}, "output": 1}, {"name": "detect", "time": {"card": 4}, "output": 1},
      {"name": "store", "time": {"big": 8}}]},
    "platform": {"processors": [{"name": "big", "cores": 4, "price": 3},
      {"name": "card", "host": "big", "price": 2}], "bandwidth": 1}})";
  const Outcome parts = takt({"plan", "-", "--period", "4"}, again);
  CHECK_THAT(parts.out, Contains("for 5, with 2 machines.\n") && Contains("  decode  big (2 of 4 cores)\n") &&
                            Contains("  store   big (2 of 4 cores)\n"));
  const auto answer = ordered_json::parse(takt({"plan", "-", "--period", "5", "--json"}, named).out);
  CHECK(answer["machine_count"] == 2);
  CHECK(answer["cost"] == "5");
  const Outcome none = takt({"plan", "-", "--period", "3"}, named);
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.out, Contains("no mapping of any kind reaches 0.3333 per time unit"));
}

}  // namespace takt::testing
