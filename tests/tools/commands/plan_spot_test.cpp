// takt plan --on-demand: what machines at spot prices save, what is left without them, certificates, refusals.
#include <algorithm>
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

ordered_json images_at_spot_prices() {
  return ordered_json::parse(R"({
    "application": {"item": "image", "stages": [
      {"name": "decode", "time": {"c4": "8 ms", "gpu": "4 ms"}, "output": "1 MB"},
      {"name": "detect", "time": {"c4": "150 ms", "gpu": "9 ms"}}]},
    "platform": {"bandwidth": "10 Gbit/s", "currency": "USD/h", "types": [
      {"name": "c4", "cores": 2, "price": 0.17, "spot price": 0.06},
      {"name": "gpu", "price": 1.2, "spot price": 0.4}]}})");
}

Outcome asked_at_spot(const ordered_json& problem, const std::vector<std::string>& options) {
  return takt(appended({"plan", "-"}, options), problem.dump());
}

ordered_json spot_answer(const ordered_json& problem, const std::vector<std::string>& options) {
  const Outcome outcome = asked_at_spot(problem, appended(options, {"--json"}));
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  return ordered_json::parse(outcome.out);
}

}  // namespace

TEST_CASE("machines on demand keep their rate by the net of the mapping without the others") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  for (const char* const rate : {"50/s", "120/s", "240/s", "400/s"}) {
    INFO(rate);
    const ordered_json answer =
        spot_answer(images_at_spot_prices(), {"--rate", "400/s", "--on-demand", rate, "-o", mapped});
    ordered_json document = ordered_json::parse(text_of(mapped));
    // The prices of the machines in the document are what the plan costs.
    double cost = 0;
    for (const ordered_json& machine : document["platform"]["processors"])
      cost += machine.contains("price") ? machine["price"].get<double>() : machine["type"] == "c4" ? 0.17 : 1.2;
    CHECK(cost == Approx(answer["cost_decimal"].get<double>()));
    std::vector<std::string> taken_away;
    for (const ordered_json& machine : document["platform"]["processors"]) {
      if (machine.contains("price")) taken_away.push_back(machine["name"]);
    }
    for (ordered_json& part : document["mapping"]) {
      ordered_json left = ordered_json::array();
      for (const ordered_json& name : part["processors"]) {
        const std::string machine = name.get<std::string>();
        const std::string host = machine.substr(0, machine.find('.'));
        if (std::find(taken_away.begin(), taken_away.end(), host) == taken_away.end()) left.push_back(name);
      }
      part["processors"] = left;
    }
    document.erase("predicted_period");
    const Outcome left = takt({"evaluate", "-", "--json", "--model", "overlap"}, document.dump());
    INFO(left.err);
    REQUIRE(left.status == tools::kAnswered);
    CHECK(ordered_json::parse(left.out)["period"] == answer["on_demand_period"]);
  }
}

TEST_CASE("the rate on demand decides what a plan costs, from all at spot prices to none") {
  const ordered_json problem = images_at_spot_prices();
  const ordered_json none = spot_answer(problem, {"--rate", "400/s", "--on-demand", "0"});
  const ordered_json some = spot_answer(problem, {"--rate", "400/s", "--on-demand", "100/s"});
  const ordered_json all = spot_answer(problem, {"--rate", "400/s", "--on-demand", "400/s"});
  const ordered_json plain = spot_answer(problem, {"--rate", "400/s"});
  CHECK(all["cost"] == plain["cost"]);
  CHECK(none["cost_decimal"] < some["cost_decimal"]);
  CHECK(some["cost_decimal"] < all["cost_decimal"]);
  CHECK(none["on_demand_period"].is_null());
  CHECK(none["target"]["on_demand"] == "0");
  CHECK(some["target"]["on_demand"] == "100");
  CHECK(some["optimal"] == true);
  for (const ordered_json& part : none["parts"]) CHECK(part["on_demand_count"] == 0);
  for (const ordered_json& part : all["parts"]) CHECK(part["on_demand_count"] == part["machine_count"]);
  CHECK_FALSE(plain["parts"][0].contains("on_demand_count"));
  const Outcome told = asked_at_spot(problem, {"--rate", "200/s", "--on-demand", "50/s"});
  CHECK_THAT(told.out, Contains("are at spot prices, which saves") && Contains("without them the plan does"));
  CHECK_THAT(asked_at_spot(problem, {"--rate", "200/s", "--on-demand", "0/s"}).out,
             Contains("without them the plan stops."));
  // With headroom the same share is kept for them.
  const ordered_json wide = spot_answer(problem, {"--rate", "200/s", "--on-demand", "100/s", "--headroom", "20%"});
  CHECK(wide["on_demand_period_decimal"].get<double>() <= 0.008);
}

TEST_CASE("certificates prove plans at spot prices, and refuse what they do not prove") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const std::string proof = folder.path("proof.json");
  const std::string problem = folder.path("problem.json");
  folder.write("problem.json", images_at_spot_prices().dump());
  REQUIRE(
      takt({"plan", problem, "--rate", "400/s", "--on-demand", "100/s", "-o", mapped, "--certificate", proof}).status ==
      tools::kAnswered);
  const Outcome checked = takt({"check", mapped, proof});
  CHECK(checked.status == tools::kAnswered);
  CHECK_THAT(checked.out, Contains(", and of at most 10 ms on the machines on demand alone,") &&
                              Contains("it is such a plan: no such plan is cheaper."));
  const ordered_json json = ordered_json::parse(takt({"check", problem, proof, "--json"}).out);
  CHECK(json["plan_check"]["target"]["spot"] == true);
  CHECK(json["plan_check"]["target"]["on_demand_period"] == "1/100");
  // Cheaper spot machines than the certificate is about.
  ordered_json cheaper = images_at_spot_prices();
  cheaper["platform"]["types"][1]["spot price"] = 0.2;
  folder.write("cheaper.json", cheaper.dump());
  CHECK_THAT(takt({"check", folder.path("cheaper.json"), proof}).out, Contains("Refused"));
  // One machine on demand less.
  ordered_json fewer = ordered_json::parse(text_of(mapped));
  for (ordered_json& machine : fewer["platform"]["processors"]) {
    if (machine["type"] == "gpu") machine["price"] = 0.4;
  }
  folder.write("fewer.json", fewer.dump());
  CHECK_THAT(takt({"check", folder.path("fewer.json"), proof}).out, Contains("has 0 machines on demand and needs"));
  // Without "spot" nothing says what "on_demand" is beside.
  ordered_json forged = ordered_json::parse(text_of(proof));
  forged["plan"].erase("spot");
  folder.write("forged.json", forged.dump());
  CHECK_THAT(takt({"check", problem, folder.path("forged.json")}).err, Contains("\"on_demand\" without \"spot\""));
}

TEST_CASE("what --on-demand and spot prices cannot be is said in place") {
  const ordered_json problem = images_at_spot_prices();
  const auto refused = [&](std::vector<std::string> options) {
    const Outcome outcome = asked_at_spot(problem, std::move(options));
    CHECK(outcome.status == tools::kUsage);
    return outcome.err;
  };
  CHECK_THAT(refused({"--rate", "100/s", "--on-demand", "200/s"}), Contains("found a higher rate"));
  CHECK_THAT(refused({"--budget", "3", "--on-demand", "20/s"}), Contains("--on-demand goes with --rate or --period"));
  CHECK_THAT(refused({"--rate", "100/s", "--on-demand", "20/s", "--survive", "1"}),
             Contains("--on-demand does not go with --survive"));
  CHECK_THAT(refused({"--rate", "100/s", "--on-demand", "fast"}), Contains("found \"fast\""));
  CHECK_THAT(refused({"--rate", "100/s", "--on-demand", "0.5"}), Contains("0.5"));
  ordered_json dear = problem;
  dear["platform"]["types"][0]["spot price"] = 0.2;
  const Outcome wrong = asked_at_spot(dear, {"--rate", "100/s"});
  CHECK(wrong.status == tools::kBadInput);
  CHECK_THAT(wrong.err, Contains("/platform/types/0/spot price") && Contains("at most the price"));
  ordered_json none = problem;
  for (ordered_json& type : none["platform"]["types"]) type.erase("spot price");
  CHECK_THAT(asked_at_spot(none, {"--rate", "100/s", "--on-demand", "20/s"}).err, Contains("found no \"spot price\""));
  ordered_json parted = problem;
  parted["application"]["stages"][1]["partitions"] = 8;
  CHECK_THAT(asked_at_spot(parted, {"--rate", "100/s", "--on-demand", "20/s"}).err,
             Contains("if a machine is taken away, its partitions would move"));
}

}  // namespace takt::testing
