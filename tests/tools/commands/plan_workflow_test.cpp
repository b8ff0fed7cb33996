// takt plan on workflows that fork and join: what it says is evaluated anew, sentence by sentence.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "maxplus/rational.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;
using maxplus::Rational;
using nlohmann::ordered_json;

const std::string kVideo = source("examples/video-catalogue.json");

Rational number(const std::string& text) { return std::get<Rational>(maxplus::parse_number(text)); }

Rational exact(const ordered_json& value) { return number(value.get<std::string>()); }

// Two types; stages that take the files of some earlier ones, and are no chain.
ordered_json random_workflow(std::uint64_t seed) {
  support::Draw draw(seed);
  ordered_json document;
  document["platform"]["types"] = {{{"name", "a"}, {"price", draw.count(1, 4)}},
                                   {{"name", "b"}, {"price", draw.count(1, 9)}, {"ports", draw.count(1, 2)}}};
  if (draw.one_in(3)) document["platform"]["types"][0]["count"] = draw.count(3, 12);
  if (draw.one_in(3)) document["platform"]["types"][1]["cores"] = 2;
  document["platform"]["bandwidth"] = draw.count(1, 3);
  if (draw.coin()) document["platform"]["source"] = ordered_json::object();
  if (draw.coin()) document["platform"]["sink"] = ordered_json::object();
  document["application"]["input"] = draw.count(1, 6);
  const std::size_t stages = draw.count(3, 6);
  for (std::size_t k = 0; k < stages; ++k) {
    ordered_json stage = {{"name", "S" + std::to_string(k)}, {"output", draw.count(1, 12)}};
    stage["time"] = {{"a", draw.count(1, 30)}, {"b", draw.count(1, 12)}};
    if (draw.one_in(6)) stage["replicable"] = false;
    std::vector<std::string> after;
    for (std::size_t before = 0; before < k; ++before)
      if (draw.coin()) after.push_back("S" + std::to_string(before));
    if (k == 2) after = {"S0"};  // so that it is no chain
    stage["after"] = after;
    document["application"]["stages"].push_back(stage);
  }
  return document;
}

// The exact period of a mapped document.
Rational period_of(const std::string& file, const std::string& model) {
  const Outcome outcome = takt({"evaluate", file, "--model", model, "--json"});
  REQUIRE(outcome.status == tools::kAnswered);
  return exact(ordered_json::parse(outcome.out)["period"]);
}

Rational price_of(const ordered_json& mapped) {
  std::map<std::string, Rational> prices;
  for (const auto& type : mapped["platform"]["types"])
    prices[type["name"].get<std::string>()] = type.contains("price") ? number(type["price"].dump()) : Rational(1);
  Rational sum;
  for (const auto& machine : mapped["platform"]["processors"]) sum += prices.at(machine["type"].get<std::string>());
  return sum;
}

// Each is the last of its part.
void remove_added(ordered_json& mapped, const ordered_json& added) {
  for (const auto& more : added) {
    auto& processors = mapped["mapping"][more["part"].get<std::size_t>()]["processors"];
    for (long k = 0; k < more["machine_count"].get<long>(); ++k) processors.erase(processors.size() - 1);
  }
}

// What was seen of plans.
struct Seen {
  int found = 0;
  int ahead = 0;
  int more = 0;
};

void check_plan(const ordered_json& problem, const std::string& model, const std::string& period, bool is_apart,
                Seen& seen) {
  const TemporaryFolder folder;
  const std::string file = folder.write("problem.json", problem.dump());
  const std::string mapped = folder.path("mapped.json");
  std::vector<std::string> arguments = {"plan", file, "--period", period, "--model", model, "-o", mapped};
  if (is_apart) arguments.emplace_back("--apart");
  const Outcome said = takt(arguments);
  arguments.emplace_back("--json");
  const Outcome outcome = takt(arguments);
  CAPTURE(model, period, said.out, said.err, problem.dump());
  CHECK(outcome.status == said.status);
  const ordered_json plan = ordered_json::parse(outcome.out);
  if (!plan["found"]) {
    CHECK((outcome.status == tools::kNo || outcome.status == tools::kLimit));
    return;
  }
  REQUIRE(outcome.status == tools::kAnswered);
  ++seen.found;
  const Rational wanted = exact(plan["target"]["period"]);
  const ordered_json written = ordered_json::parse(text_of(mapped));
  CHECK(period_of(mapped, model) == exact(plan["period"]));
  CHECK(exact(plan["period"]) <= wanted);
  CHECK(price_of(written) == exact(plan["cost"]));
  for (const auto& bound : plan["bounds"]) CHECK(exact(bound["cost_lower_bound"]) <= exact(plan["cost"]));
  const bool is_cheapest = said.out.find(" is cheaper: proved.") != std::string::npos ||
                           said.out.find(" needs fewer machines: proved.") != std::string::npos;
  CHECK((!is_cheapest || plan["optimal_in"] == "any"));
  ordered_json changed = written;
  changed.erase("transfers");
  changed.erase("predicted_period");
  CHECK(plan.contains("ahead") == written.contains("transfers"));
  if (plan.contains("ahead")) {
    ++seen.ahead;
    const Rational without = exact(plan["ahead"]["period_without"]);
    CHECK(period_of(folder.write("changed.json", changed.dump()), model) == without);
    CHECK(without > wanted);
    CHECK_THAT(said.out, Contains(" ahead") && Contains("; otherwise it would reach "));
  }
  if (!plan.contains("without_more")) return;
  ++seen.more;
  remove_added(changed, plan["without_more"]["added"]);
  const Rational before = exact(plan["without_more"]["period"]);
  const std::string fewer = folder.write("changed.json", changed.dump());
  CHECK(period_of(fewer, model) == before);
  CHECK(before > wanted);
  CHECK_THAT(said.out, Contains(" fewer "));
  const Outcome evaluated = takt({"evaluate", fewer, "--model", model, "--json"});
  const bool is_busy = exact(ordered_json::parse(evaluated.out)["max_cycle_time"]) == before;
  CHECK(is_busy == (said.out.find("though no resource would be busy all the time") == std::string::npos));
}

TEST_CASE("plans of random workflows keep the period, cost what they say, and miss it without what was done") {
  Seen seen;
  for (std::uint64_t seed = 0; seed < support::draws(300); ++seed) {
    support::Draw draw(seed + 500);
    CAPTURE(seed);
    const std::string model = draw.coin() ? "overlap" : "strict";
    check_plan(random_workflow(seed), model, std::to_string(draw.count(6, 40)), draw.one_in(3), seen);
  }
  CHECK(seen.found > 20);
  CHECK(seen.ahead > 0);
}

TEST_CASE("plans of the example keep the period, with more machines where nothing that is ahead does") {
  Seen seen;
  const ordered_json video = ordered_json::parse(text_of(kVideo));
  for (const std::string model : {"overlap", "strict"})
    for (const std::string period : {"2 ms", "5 ms", "7 ms", "10 ms"}) check_plan(video, model, period, true, seen);
  CHECK(seen.found == 8);
  CHECK(seen.ahead > 0);
  CHECK(seen.more > 0);
}

TEST_CASE("parts of a workflow are found, and their stages listed anew where they are not next to each other") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  // The two that run on b alone are cheapest in one part, and neither is next to the other.
  const std::string file = folder.write("problem.json", R"({"application": {"stages": [
      {"name": "s", "output": 1, "time": {"a": 4}}, {"name": "x", "output": 1, "time": {"b": 2}, "after": ["s"]},
      {"name": "y", "output": 1, "time": {"a": 4}, "after": ["s"]},
      {"name": "z", "output": 1, "time": {"b": 2}, "after": ["s"]},
      {"name": "t", "time": {"a": 4}, "after": ["x", "y", "z"]}]},
    "platform": {"types": [{"name": "a", "price": 1}, {"name": "b", "price": 9}], "bandwidth": 100}})");
  const Outcome outcome = takt({"plan", file, "--period", "5", "-o", mapped});
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out,
             Contains("for 12, with 4 machines") && Contains("x + z") && Contains("No mapping of any kind "));
  const ordered_json written = ordered_json::parse(text_of(mapped));
  std::vector<std::string> names;
  for (const auto& stage : written["application"]["stages"]) names.push_back(stage["name"]);
  CHECK(names == std::vector<std::string>{"s", "x", "z", "y", "t"});
  CHECK(period_of(mapped, "overlap") <= Rational(5));
}

TEST_CASE("what no mapping of a workflow does is told with the reason, what no plan does without one") {
  const TemporaryFolder folder;
  ordered_json problem = ordered_json::parse(text_of(kVideo));
  problem["application"]["stages"][3]["replicable"] = false;
  const std::string file = folder.write("problem.json", problem.dump());
  const Outcome slow = takt({"plan", file, "--rate", "1000/s"});
  CHECK(slow.status == tools::kNo);
  CHECK_THAT(slow.out, Contains("No under OVERLAP ONE-PORT") && Contains("overlay"));
  const Outcome few = takt({"plan", kVideo, "--rate", "100/s", "--machines", "small=3"});
  CHECK(few.status == tools::kNo);
  CHECK_THAT(few.out, Contains("No under OVERLAP ONE-PORT"));
  const Outcome one = takt({"plan", kVideo, "--rate", "50/s", "--machines", "small=9", "--apart"});
  CHECK(one.status == tools::kNo);
  CHECK_THAT(
      one.out,
      Contains("no plan with these parts, one type each, each machine whole in one part, in round robin, reaches 50 "
               "frames/s: proved"));
}

TEST_CASE("questions that only chains have closed forms for are refused by name") {
  const auto refusal = [](const std::vector<std::string>& options, const std::string& file = kVideo) {
    const Outcome outcome = takt(appended({"plan", file}, options));
    CHECK(outcome.status == tools::kUsage);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK_THAT(refusal({"--rate", "9/s", "--latency", "1 s"}),
             Contains("--latency does not go with a workflow that forks or joins"));
  CHECK_THAT(refusal({"--rate", "9/s", "--frontier"}), Contains("--frontier does not go with a workflow"));
  CHECK_THAT(refusal({"--budget", "9"}), Contains("--budget does not go with a workflow"));
  CHECK_THAT(refusal({"--rate", "9/s", "--survive", "1"}), Contains("--survive does not go with workflows"));
  CHECK_THAT(refusal({"--rate", "9/s", "--among", "mixed"}), Contains("--among mixed does not go with a workflow"));
  CHECK_THAT(refusal({"--rate", "9/s", "--model", "bounded"}),
             Contains("--model bounded: workflows that fork or join are planned under overlap and strict"));
  const Outcome named = takt({"plan", source("examples/video-analytics.json"), "--period", "30"});
  CHECK(named.status == tools::kBadInput);
  CHECK_THAT(named.err, Contains("/application/stages: found a workflow that forks or joins, expected a chain, or a "
                                 "platform of types: takt map --heuristic polish"));
}

}  // namespace
}  // namespace takt::testing
