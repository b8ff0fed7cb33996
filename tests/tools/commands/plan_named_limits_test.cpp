// takt plan on machines with names: latencies, failures, classes, plots; each by the nets of what is found.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/draw.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

// Seven machines of unequal speeds and prices, three stages, the last of which is not replicable at times.
ordered_json drawn_room(std::uint64_t seed) {
  support::Draw draw(seed);
  ordered_json problem;
  for (int k = 0; k < 3; ++k) {
    problem["application"]["stages"].push_back(
        {{"name", "s" + std::to_string(k)}, {"work", draw.between(4, 12)}, {"output", draw.between(1, 4)}});
  }
  if (draw.coin()) problem["application"]["stages"][2]["replicable"] = false;
  for (int p = 0; p < 7; ++p) {
    const auto speed = draw.between(1, 4);
    problem["platform"]["processors"].push_back(
        {{"name", "p" + std::to_string(p)}, {"speed", speed}, {"price", speed + draw.between(0, 2)}});
  }
  problem["platform"]["bandwidth"] = 4;
  return problem;
}

ordered_json evaluated_room(const ordered_json& mapped, const std::vector<std::string>& options = {}) {
  ordered_json document = mapped;
  document.erase("predicted_period");
  const Outcome outcome = takt(appended({"evaluate", "-", "--json", "--model", "overlap"}, options), document.dump());
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  return ordered_json::parse(outcome.out);
}

double period_of_room(const ordered_json& mapped) { return evaluated_room(mapped)["period_decimal"].get<double>(); }

// Every machine of the plan fails in turn; whoever stands by for a part takes it over.
std::size_t count_failures_kept(const ordered_json& plan, const ordered_json& mapped, double period) {
  std::set<std::string> used;
  for (const ordered_json& part : mapped["mapping"])
    for (const ordered_json& name : part["processors"]) used.insert(name);
  std::size_t tried = 0;
  for (const std::string& failed : used) {
    std::vector<ordered_json> worlds = {mapped};
    for (std::size_t i = 0; i < mapped["mapping"].size(); ++i) {
      const ordered_json& turns = mapped["mapping"][i]["processors"];
      if (std::find(turns.begin(), turns.end(), failed) == turns.end()) continue;
      const ordered_json& idle = plan["parts"][i]["standing_by"];
      std::vector<ordered_json> next;
      for (ordered_json world : worlds) {
        ordered_json left = ordered_json::array();
        for (const ordered_json& name : turns)
          if (name != failed) left.push_back(name);
        world["mapping"][i]["processors"] = left;
        if (idle.empty()) next.push_back(world);
        for (const ordered_json& name : idle) {
          world["mapping"][i]["processors"] = ordered_json::array({name});
          next.push_back(world);
        }
      }
      worlds = std::move(next);
    }
    for (const ordered_json& world : worlds) {
      CHECK(period_of_room(world) <= period + 1e-9);
      ++tried;
    }
  }
  return tried;
}

}  // namespace

TEST_CASE("named machines that survive a failure keep the rate by the nets of what is left") {
  const TemporaryFolder folder;
  std::size_t found = 0;
  std::size_t standing_by = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO(seed);
    const std::string path = folder.path("mapped.json");
    const std::string problem = drawn_room(seed).dump();
    const Outcome outcome = takt({"plan", "-", "--period", "6", "--survive", "1", "--json", "-o", path}, problem);
    if (outcome.status == tools::kNo) continue;
    const ordered_json plan = ordered_json::parse(outcome.out);
    if (!plan["found"].get<bool>()) continue;
    ++found;
    const ordered_json mapped = ordered_json::parse(text_of(path));
    CHECK(plan["kept_period_decimal"].get<double>() <= 6);
    CHECK(count_failures_kept(plan, mapped, 6) > 0);
    // Those that stand by are paid for, and serve nothing.
    std::map<std::string, double> prices;
    for (const ordered_json& machine : mapped["platform"]["processors"])
      prices[machine["name"]] = machine.value("price", 1.0);
    std::set<std::string> used;
    for (const ordered_json& part : plan["parts"])
      for (const ordered_json& name : part["processors"]) used.insert(name);
    for (const ordered_json& part : plan["parts"]) {
      for (const ordered_json& name : part["standing_by"]) {
        CHECK(used.insert(name).second);
        ++standing_by;
      }
    }
    double cost = 0;
    for (const std::string& name : used) cost += prices[name];
    CHECK(cost == Approx(plan["cost_decimal"].get<double>()));
    CHECK(plan["machine_count"] == used.size());
    const Outcome plain = takt({"plan", "-", "--period", "6", "--json"}, problem);
    CHECK(ordered_json::parse(plain.out)["cost_decimal"].get<double>() <= cost + 1e-9);
  }
  CHECK(found >= 4);
  CHECK(standing_by > 0);
}

TEST_CASE("named machines within a latency keep it in some schedule of the period") {
  const TemporaryFolder folder;
  std::size_t found = 0;
  std::size_t dearer = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    INFO(seed);
    const std::string path = folder.path("mapped.json");
    const std::string problem = drawn_room(seed).dump();
    const Outcome plain = takt({"plan", "-", "--period", "6", "--json", "-o", path}, problem);
    if (plain.status == tools::kNo) continue;
    const ordered_json before = ordered_json::parse(plain.out);
    const double alone =
        evaluated_room(ordered_json::parse(text_of(path)), {"--latency"})["latencies"]["latency_alone_decimal"]
            .get<double>();
    const std::string limit = std::to_string(static_cast<int>(alone * 0.8));
    const Outcome outcome = takt({"plan", "-", "--period", "6", "--latency", limit, "--json", "-o", path}, problem);
    const ordered_json plan = ordered_json::parse(outcome.out);
    if (!plan["found"].get<bool>()) continue;
    ++found;
    const ordered_json mapped = ordered_json::parse(text_of(path));
    const ordered_json judged = evaluated_room(mapped, {"--latency"})["latencies"];
    const double stays = plan["latency_decimal"].get<double>();
    CHECK(stays <= std::stod(limit));
    CHECK(judged["latency_alone_decimal"].get<double>() <= stays + 1e-9);
    CHECK(stays <= judged["least_latency_decimal"].get<double>() + 1e-9);
    CHECK(before["cost_decimal"].get<double>() <= plan["cost_decimal"].get<double>());
    if (before["cost"] != plan["cost"]) ++dearer;
  }
  CHECK(found >= 4);
  CHECK(dearer > 0);
}

TEST_CASE("a class of mappings of named machines holds for what is found in it") {
  const TemporaryFolder folder;
  std::size_t narrower = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    INFO(seed);
    const std::string problem = drawn_room(seed).dump();
    std::map<std::string, double> costs;
    for (const char* const among : {"typed", "mixed", "weighted"}) {
      INFO(among);
      const Outcome outcome = takt({"plan", "-", "--period", "7", "--among", among, "--json"}, problem);
      const ordered_json plan = ordered_json::parse(outcome.out);
      CHECK(plan["class"] == among);
      if (!plan["found"].get<bool>()) continue;
      costs[among] = plan["cost_decimal"].get<double>();
      std::map<std::string, std::size_t> part_of;
      for (std::size_t i = 0; i < plan["parts"].size(); ++i) {
        std::set<std::string> seen;
        for (const ordered_json& name : plan["parts"][i]["processors"]) {
          if (std::string(among) != "weighted") CHECK(seen.insert(name).second);
          CHECK(part_of.try_emplace(name, i).first->second == i);
        }
      }
    }
    const Outcome all = takt({"plan", "-", "--period", "7", "--json"}, problem);
    const ordered_json any = ordered_json::parse(all.out);
    for (const auto& [among, cost] : costs) {
      if (any["optimal"].get<bool>()) CHECK(any["cost_decimal"].get<double>() <= cost + 1e-9);
      if (any["found"].get<bool>() && any["cost_decimal"].get<double>() < cost) ++narrower;
    }
  }
  CHECK(narrower > 0);
}

TEST_CASE("within a latency plans are found where stages run on few machines, or types") {
  ordered_json named = ordered_json::parse(R"({
    "application": {"stages": [{"name": "s0", "time": {"a": 10, "c": 8}, "output": 1}, {"name": "s1", "time": {"b": 3}}]},
    "platform": {"bandwidth": 1,
      "processors": [{"name": "a"}, {"name": "b"}, {"name": "c", "price": 9}]}})");
  const Outcome found = takt({"plan", "-", "--period", "10", "--latency", "13", "--json"}, named.dump());
  INFO(found.err);
  REQUIRE(found.status == tools::kAnswered);
  CHECK(ordered_json::parse(found.out)["latency"] == "12");
  CHECK(takt({"plan", "-", "--period", "10", "--latency", "5"}, named.dump()).status == tools::kNo);
  ordered_json types = named;
  types["platform"].erase("processors");
  types["platform"]["types"] =
      ordered_json::parse(R"([{"name": "a", "price": 1}, {"name": "b", "price": 1}, {"name": "c", "price": 9}])");
  const ordered_json typed =
      ordered_json::parse(takt({"plan", "-", "--period", "5", "--latency", "13", "--json"}, types.dump()).out);
  for (const char* const among : {"mixed", "weighted"}) {
    INFO(among);
    const Outcome wider =
        takt({"plan", "-", "--period", "5", "--latency", "13", "--among", among, "--json"}, types.dump());
    INFO(wider.err);
    REQUIRE(wider.status != tools::kBadInput);
    const ordered_json answer = ordered_json::parse(wider.out);
    REQUIRE(answer["found"] == true);
    CHECK(answer["cost_decimal"].get<double>() <= typed["cost_decimal"].get<double>());
    CHECK(answer["latency_decimal"].get<double>() <= 13);
  }
}

TEST_CASE("within a latency a plan of several types in a part may be cheaper than any of one type") {
  const std::string types = R"({"application": {"stages": [{"name": "a", "time": {"old": 4, "new": 4}}]},
    "platform": {"types": [{"name": "old", "count": 1, "price": 0}, {"name": "new", "price": 1}]}})";
  for (const char* const among : {"mixed", "weighted"}) {
    INFO(among);
    const Outcome outcome = takt({"plan", "-", "--period", "2", "--latency", "9", "--among", among, "--json"}, types);
    REQUIRE(outcome.status == tools::kAnswered);
    const ordered_json plan = ordered_json::parse(outcome.out);
    CHECK(plan["cost"] == "1");
    CHECK(plan["latency"] == "4");
    CHECK(plan["optimal"] == true);
    CHECK(plan["machines"] == ordered_json::parse(R"({"old": 1, "new": 1})"));
  }
  const Outcome none = takt({"plan", "-", "--period", "2", "--latency", "3", "--among", "mixed"}, types);
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.out, Contains("stays at least 4, in any mapping"));
}

TEST_CASE("plans without closed forms are drawn by the rates that were found") {
  const TemporaryFolder folder;
  const std::string picture = folder.path("costs.svg");
  const Outcome outcome = takt({"plan", "-", "--period", "6", "--plot", picture}, drawn_room(2).dump());
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, !Contains("What other rates cost"));
  CHECK_THAT(text_of(picture),
             Contains("<svg") && Contains("the plan: ") && Contains("dashed: no mapping of any kind"));
}

TEST_CASE("a report shows plans without closed forms, with what is left once a machine fails") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const std::string page = folder.path("page.html");
  REQUIRE(takt({"plan", "-", "--period", "6", "-o", mapped}, drawn_room(2).dump()).status == tools::kAnswered);
  REQUIRE(takt({"report", mapped, "-o", page, "--model", "overlap"}).status == tools::kAnswered);
  CHECK_THAT(text_of(page),
             Contains("<h2>The plan</h2>") && Contains("if one fails") && !Contains("nothing is cheaper"));
  const std::string types =
      R"({"application": {"stages": [{"name": "work", "work": 40}]}, "platform": {"types": [)"
      R"({"name": "slow", "speed": 1, "price": 1}, {"name": "fast", "speed": 3, "price": 2.6}]}})";
  REQUIRE(takt({"plan", "-", "--period", "10", "--among", "weighted", "-o", mapped}, types).status == tools::kAnswered);
  REQUIRE(takt({"report", mapped, "-o", page, "--model", "overlap"}).status == tools::kAnswered);
  CHECK_THAT(text_of(page),
             Contains("0.1 per time unit for 3.60, with 2 machines. No mapping of any kind is cheaper: proved.") &&
                 Contains("1 slow, 1 fast"));
  // Under another model it is another plan.
  REQUIRE(takt({"report", mapped, "-o", page, "--model", "strict"}).status == tools::kAnswered);
  CHECK_THAT(text_of(page), !Contains("<h2>The plan</h2>"));
}

TEST_CASE("what no plan on named machines keeps is said, with what it is") {
  const std::string problem = drawn_room(2).dump();
  const Outcome outcome = takt({"plan", "-", "--period", "6", "--latency", "8", "--survive", "2"}, problem);
  CHECK(outcome.status == tools::kLimit);
  CHECK_THAT(outcome.out, Contains("none found also keeps a latency of 8 and the rate after any 2 failures."));
  // What no mapping keeps is proved.
  const Outcome short_stay = takt({"plan", "-", "--period", "6", "--latency", "1"}, problem);
  CHECK(short_stay.status == tools::kNo);
  CHECK_THAT(short_stay.out, Contains("stays at least") && Contains("in any mapping."));
  const Outcome all_fail = takt({"plan", "-", "--period", "6", "--survive", "7"}, problem);
  CHECK(all_fail.status == tools::kNo);
  CHECK_THAT(all_fail.out, Contains("after any 7 failures no machine may be left."));
  const ordered_json no =
      ordered_json::parse(takt({"plan", "-", "--period", "6", "--latency", "1", "--json"}, problem).out);
  CHECK(no["reasons"][0]["because"] == "latency");
  CHECK_THAT(takt({"plan", "-", "--budget", "20", "--latency", "9"}, problem).err,
             Contains("--latency together with --budget does not go with a platform of processors"));
}

}  // namespace takt::testing
