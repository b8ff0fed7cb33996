// takt plan at its limits: the fastest at its price, rates kept after failures, and what there is where the answer is
// no.
#include <catch2/catch.hpp>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using nlohmann::ordered_json;

const std::string kNoOfReach = "No under OVERLAP ONE-PORT (default; --model strict for the other): ";

// Of tests/data/plans.
std::string plan_problem(const std::string& name) { return source("tests/data/plans/" + name + ".json"); }

Outcome planned(const std::string& name, const std::vector<std::string>& options) {
  return takt(appended({"plan", plan_problem(name)}, options));
}

ordered_json json_of(const std::string& name, const std::vector<std::string>& options) {
  return ordered_json::parse(planned(name, appended(options, {"--json"})).out);
}

std::string text_behind_name(const Outcome& outcome) { return outcome.out.substr(outcome.out.find(": ") + 2); }

TEST_CASE("a plan, and the last row of a frontier that is cut, are the fastest at their price") {
  const Outcome cut = planned("plateau", {"--rate", "80/117", "--frontier", "--up-to", "80/117", "--upgrade"});
  CHECK(cut.status == tools::kAnswered);
  CHECK_THAT(text_behind_name(cut), StartsWith("0.7273 per time unit for 13.00, with 6 machines. 0.6838 per time unit "
                                               "was asked for.\n"));
  CHECK_THAT(cut.out, Contains("\n  0.7273 per time unit    13.00         6  1 T1, 3 T0, 2 T1  <- the plan\n") &&
                          Contains("Next faster: 0.8333 per time unit for 19.6667.") && !Contains("0.6857"));
  CHECK(json_of("plateau", {"--budget", "13"})["period"] == "11/8");
  const ordered_json row = json_of("plateau", {"--up-to", "80/117", "--frontier"});
  CHECK(row["frontier"].back()["period"] == "11/8");
  CHECK(row["frontier_is_whole"] == false);
  CHECK(row["frontier_last_is_fastest"] == true);
}

TEST_CASE("with failures to survive both rates are said, and what is proved is about the one that is kept") {
  const Outcome given = planned("two-types", {"--machines", "small=28,big=3", "--survive", "1"});
  CHECK_THAT(text_behind_name(given),
             StartsWith("28 per time unit for 29.40, with 28 machines; 27 per time unit after any one failure.\n"
                        "No mapping of any kind on these machines keeps more than 48"));
  CHECK_THAT(text_behind_name(planned("two-types", {"--budget", "30", "--survive", "1"})),
             Contains("No mapping of any kind for at most 30.00 keeps more than 32.0000 per time unit: proved; "));
  const Outcome video = planned("video-platform", {"--rate", "240/s", "--survive", "1", "--upgrade", "--frontier"});
  CHECK_THAT(text_behind_name(video), StartsWith("285.7/s for 2.292 USD/h, with 17 machines; 257.1/s after any one "
                                                 "failure. 240/s was asked for.\n"));
  CHECK_THAT(video.out, Contains("busy at 240/s\n") && Contains("  3.5 ms to compute         84.0 %\n") &&
                            Contains("Next faster, by the rate kept: 277.8/s for 2.388 USD/h.") &&
                            Contains("\n  257.1/s  285.7/s         2.292        17  "));
  const ordered_json json = json_of("video-platform", {"--rate", "240/s", "--survive", "1"});
  CHECK(json["parts"][1]["utilization"] == "21/25");
  CHECK(json["kept_period"] == "7/1800");
  CHECK(json["period"] == "7/2000");
}

TEST_CASE("the bound of a budget is as good as that of its work") {
  const ordered_json json = json_of("two-types", {"--budget", "30"});
  // Shares of machines say 3/100. Whole ones: 28 small ones and a big one less do 32, to the bisection's last digits.
  const double bound = json["any_mapping_period_lower_bound_decimal"].get<double>();
  CHECK(bound <= 1.0 / 32);
  CHECK(bound == Approx(1.0 / 32).epsilon(1e-6));
}

TEST_CASE("where machines are short, wider classes and the least to add are named") {
  const ordered_json json = json_of("few-machines", {"--rate", "450/s"});
  CHECK(json["reasons"][0]["because"] == "counts");
  CHECK(json["reachable"]["throughput"] == "300");
  CHECK(json["reachable_is_fastest"] == true);
  CHECK(json["wider"]["class"] == "weighted");
  CHECK(json["wider"]["throughput"] == "500");
  CHECK(json["to_add"]["machines"].dump() == R"({"x":2})");
  CHECK(json["to_add"]["is_least"] == true);
  // The rates that are named are answered, and what lies above them is not.
  CHECK(planned("few-machines", {"--rate", "300/s"}).status == tools::kAnswered);
  CHECK(planned("few-machines", {"--rate", "301/s"}).status == tools::kNo);
  CHECK(planned("few-machines", {"--rate", "500/s", "--among", "weighted"}).status == tools::kAnswered);
  CHECK(planned("few-machines", {"--rate", "500/s", "--machines", "x=5,y=1"}).status == tools::kAnswered);
  CHECK(planned("few-machines", {"--rate", "450/s", "--machines", "x=4,y=2"}).status == tools::kNo);
}

// Of a no: the rate of "fastest_found" is answered by a plan of the class, and one beyond its bound is not.
void hold_reach(const std::string& name, const std::string& among, const std::string& rate,
                const std::vector<std::string>& more = {}) {
  INFO(name << " " << among << " " << rate);
  const std::vector<std::string> options = appended({"--among", among}, more);
  const auto with = [&](const std::string& asked, const std::string& value) {
    return appended({asked, value}, options);
  };
  CHECK(planned(name, with("--rate", rate)).status == tools::kNo);
  const ordered_json json = json_of(name, with("--rate", rate));
  const ordered_json& fastest = json.at("fastest_found");
  CHECK(planned(name, with("--period", fastest.at("period").get<std::string>() + " s")).status == tools::kAnswered);
  const double period = fastest.at("period_decimal");
  const double bound = fastest.at("period_lower_bound_decimal");
  CHECK(bound <= period);
  CHECK(period <= 1.0011 * bound);
  CHECK(planned(name, with("--period", std::to_string(0.99 * bound) + " s")).status == tools::kNo);
}

TEST_CASE("wider classes name the fastest of them, what binds, and what to add") {
  CHECK(planned("few-machines", {"--rate", "900/s", "--among", "weighted"}).out ==
        kNoOfReach +
            "3 x and 1 y reach 500/s at most, whatever the mapping: more work is not done in that time.\n"
            "The fastest plan with any machines and turns in a part, each machine whole in one part, without transfers "
            "ahead, that was found does 500/s with 4 machines; none is faster: proved.\n"
            "The least to add that was found: 6 x, for 6; then 900/s for 9, with 9 x.\n");
  const ordered_json json = json_of("few-machines", {"--rate", "900/s", "--among", "weighted"});
  CHECK(json["reasons"][0]["because"] == "work");
  CHECK(json["fastest_found"]["throughput"] == "500");
  CHECK(json["to_add"]["machines"].dump() == R"({"x":6})");
  hold_reach("few-machines", "mixed", "450/s");
  hold_reach("few-machines", "mixed", "1000/s", {"--model", "strict"});
  hold_reach("few-machines", "weighted", "900/s");
  hold_reach("few-machines", "mixed", "450/s", {"--survive", "1"});
}

TEST_CASE("on machines with names the fastest mapping that was found is told, and what none exceeds") {
  const TemporaryFolder folder;
  ordered_json document = ordered_json::parse(text_of(source("examples/video.json")));
  document.erase("mapping");
  const auto without = [&](const char* of, const char* list, std::size_t k) {
    ordered_json smaller = document;
    smaller[of][list].erase(k);
    return folder.write("problem.json", smaller.dump());
  };
  const std::string problem = without("platform", "processors", 2);
  const Outcome none = takt({"plan", problem, "--rate", "300/s"});
  CHECK(none.status == tools::kNo);
  CHECK(none.err.empty());
  CHECK_THAT(none.out, StartsWith(kNoOfReach + "no mapping of any kind reaches 300/s, whatever it costs: proved.\n"
                                               "The fastest mapping that was found does ") &&
                           EndsWith(" %: proved.\n"));
  const auto json = ordered_json::parse(takt({"plan", problem, "--rate", "300/s", "--json"}).out);
  const ordered_json& fastest = json.at("fastest_found");
  CHECK(takt({"plan", problem, "--period", fastest.at("period").get<std::string>() + " s"}).status != tools::kNo);
  CHECK(takt({"plan", problem, "--period",
              std::to_string(0.99 * fastest.at("period_lower_bound_decimal").get<double>()) + " s"})
            .status == tools::kNo);
  const Outcome open = takt({"plan", problem, "--rate", "140/s"});
  CHECK(open.status == tools::kLimit);
  CHECK_THAT(open.out,
             StartsWith("Undecided under OVERLAP ONE-PORT") && Contains("; whether another mapping does is not known.\n"
                                                                        "The fastest mapping"));
  CHECK_THAT(open.err, Contains("whether another mapping does is not known"));
  // Searches with more machines do not end by themselves.
  const Outcome own = takt({"plan", without("application", "stages", 2), "--rate", "200/s"});
  CHECK(own.status == tools::kLimit);
  CHECK_THAT(own.err, Contains("the search met its own limit; --time-limit TIME lets it run longer"));
  const support::CountedClock clock(std::chrono::milliseconds(1));
  const Outcome timed = takt({"plan", source("examples/video.json"), "--rate", "200/s", "--time-limit", "100ms"});
  CHECK(timed.status == tools::kLimit);
  CHECK_THAT(timed.out, StartsWith("Undecided under OVERLAP ONE-PORT"));
  CHECK_THAT(timed.err, Contains("the search ran out of time or memory"));
}

TEST_CASE("a rate that no plan reaches names the files that bind, and how far plans go") {
  const Outcome none = planned("cameras", {"--rate", "200/s"});
  CHECK(none.status == tools::kNo);
  CHECK(none.out ==
        kNoOfReach +
            "no plan with one type per part, each machine whole in one part, in round robin, reaches 200/s. track "
            "is not replicable and receives 6.3 MB in 5.04 ms on gpu, at best; at most 198.4/s.\n"
            "The fastest that was found: 198.4/s for 2810 EUR, with 2 edge and 25 cpu.\n");
  const ordered_json json = json_of("cameras", {"--rate", "200/s"});
  CHECK(json["reasons"][0]["because"] == "part");
  CHECK(json["reasons"][0]["stage"] == "track");
  CHECK(json["reasons"][0]["period"] == "63/12500");
  CHECK(json["reachable"]["period"] == "63/12500");
  CHECK(planned("cameras-with-source", {"--rate", "200/s"}).out ==
        kNoOfReach +
            "no mapping reaches 200/s. The source sends 900 kB in 7.2 ms, at best (to edge); at most 138.9/s.\n"
            "The fastest that was found: 138.9/s for 2040 EUR, with 2 edge and 18 cpu.\n");
}

TEST_CASE("a frontier goes as far as plans go, and ends without being told where") {
  const Outcome beyond = planned("cameras", {"--frontier", "--up-to", "300/s"});
  CHECK(beyond.status == tools::kAnswered);
  CHECK_THAT(beyond.out,
             !StartsWith("No") && Contains("no mapping reaches 300/s. track is not replicable") &&
                 Contains("\n  198.4/s        2810        27  2 edge, 21 cpu, 1 cpu, 3 cpu\n"
                          "No plan with one type per part, each machine whole in one part, in round robin, is "
                          "faster, whatever it costs: proved.\n"));
  const Outcome asked = planned("cameras", {"--rate", "300/s", "--frontier"});
  CHECK(asked.status == tools::kNo);
  CHECK_THAT(asked.out, StartsWith(kNoOfReach) && Contains("\n  198.4/s        2810 "));
  const Outcome open = planned("two-types", {"--frontier"});
  CHECK(open.status == tools::kAnswered);
  CHECK_THAT(text_behind_name(open), StartsWith("what every rate costs\n"));
  CHECK_THAT(open.out, Contains("60 rows; --up-to "));
  const ordered_json json = json_of("two-types", {"--frontier"});
  CHECK(json["frontier"].size() == 60);
  CHECK(json["frontier_is_whole"] == false);
}

TEST_CASE("the whole claim of a certificate is repeated, counts among it") {
  const TemporaryFolder folder;
  const std::string certificate = folder.path("plan.certificate.json");
  const std::string catalogue = source("examples/catalogue.json");
  CHECK(takt({"plan", catalogue, "--rate", "200/s", "--machines", "gpu=8", "--certificate", certificate}).status ==
        tools::kAnswered);
  const auto checked = ordered_json::parse(takt({"check", catalogue, certificate, "--json"}).out);
  CHECK(checked["plan_check"]["verdict"] == "proved");
  CHECK(checked["plan_check"]["counts"].dump() == R"({"gpu":8,"large":0,"small":0})");
}

}  // namespace
}  // namespace takt::testing
