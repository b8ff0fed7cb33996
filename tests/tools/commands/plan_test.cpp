// takt plan: which machines for which rate, on catalogues whose answers are known.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;
using nlohmann::ordered_json;

const std::string kCatalogue = source("examples/catalogue.json");

const std::string kNoUnderOverlap = "No under OVERLAP ONE-PORT (default; --model strict for the other): ";

std::vector<std::string> asking(const std::string& file, const std::vector<std::string>& options) {
  return appended({"plan", file}, options);
}

std::string answer(const std::vector<std::string>& options, const std::string& file = kCatalogue) {
  const Outcome outcome = takt(asking(file, options));
  INFO(outcome.err);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  return outcome.out;
}

ordered_json json_answer(const std::vector<std::string>& options, const std::string& file = kCatalogue) {
  return ordered_json::parse(answer(appended(options, {"--json"}), file));
}

// "1.76, 16 machines, 3/40": what it costs, how many there are and how long a data set stays.
std::string in_short(const ordered_json& plan) {
  long machines = 0;
  for (const auto& count : plan["machines"]) machines += count.get<long>();
  return plan["cost"].get<std::string>() + ", " + std::to_string(machines) + " machines, " +
         plan["latency"].get<std::string>();
}

std::string parts_of(const ordered_json& plan) {
  std::string text;
  for (const auto& part : plan["parts"]) {
    text += (text.empty() ? "" : ", ") + std::to_string(part["machine_count"].get<long>()) + " " +
            part["type"].get<std::string>();
  }
  return text;
}

ordered_json catalogue() { return ordered_json::parse(text_of(kCatalogue)); }

// All of one type that is quick at detecting.
ordered_json of_one_type() {
  ordered_json document = catalogue();
  for (auto& stage : document["application"]["stages"]) {
    stage["time"].erase("large");
    stage["time"].erase("gpu");
    stage.erase("replicable");
  }
  document["platform"]["types"].erase(1);
  document["platform"]["types"].erase(1);
  document["platform"].erase("source");
  document["platform"].erase("sink");
  document["application"]["stages"][1]["time"]["small"] = "27.6 ms";
  return document;
}

TEST_CASE("what else may be wished for changes the plan as published") {
  CHECK(in_short(json_answer({"--rate", "200/s"})) == "157/100, 29 machines, 37/250");
  CHECK(in_short(json_answer({"--period", "5ms", "--latency", "80ms"})) == "44/25, 16 machines, 3751/50000");
  CHECK(in_short(json_answer({"--rate", "12000/min", "--latency", "40 ms"})) == "207/100, 5 machines, 33/1250");
  CHECK_THAT(in_short(json_answer({"--rate", "200/s", "--apart"})), StartsWith("17/10, 16 machines, "));
  CHECK_THAT(in_short(json_answer({"--rate", "200/s", "--survive", "1"})), StartsWith("89/50, 32 machines, "));
  const ordered_json strict = json_answer({"--rate", "200/s", "--model", "strict"});
  CHECK_THAT(in_short(strict), StartsWith("42/25, 30 machines, "));
  CHECK(strict["throughput_decimal"] == Approx(202.1).epsilon(1e-3));
  CHECK(parts_of(json_answer({"--rate", "200/s", "--latency", "80ms"})) == "13 large, 1 large, 2 large");
  CHECK(parts_of(json_answer({"--rate", "200/s", "--latency", "40ms"})) == "2 gpu, 1 small, 2 large");
  CHECK(parts_of(json_answer({"--rate", "200/s", "--headroom", "30%"})) == "2 large, 2 gpu, 1 large, 2 large");
}

TEST_CASE("the text says what was asked for beyond the rate, and what keeping stages apart costs") {
  CHECK_THAT(answer({"--rate", "200/s", "--survive", "1", "--losses"}),
             Contains(": 200/s for 1.78, with 32 machines; 200/s after any one failure.\n") &&
                 Contains("  1 small + 1 standing by  ") && !Contains("stops"));
  CHECK_THAT(answer({"--rate", "200/s", "--model", "strict"}),
             Contains(", STRICT ONE-PORT: 202.1/s for 1.68, with 30 machines. 200/s was asked for.\n") &&
                 Contains("133.6 ms to receive, compute and send") && !Contains("room for two"));
  CHECK_THAT(answer({"--rate", "200/s", "--apart"}),
             Contains("\n"
                      "Keeping stages apart costs more: 1.70, against 1.57 if they might share parts.\n"));
  CHECK_THAT(answer({"--rate", "12000/min"}), Contains(": 12000/min for 1.57, with 29 machines.\n"));
  ordered_json priced = catalogue();
  priced["platform"]["currency"] = "EUR/h";
  CHECK_THAT(takt({"plan", "-", "--rate", "200/s"}, priced.dump()).out,
             StartsWith("standard input, OVERLAP ONE-PORT (default; --model strict for the other): 200/s for 1.57 "
                        "EUR/h, with 29 machines.\n") &&
                 Contains("No mapping of any kind costs less than 1.40 EUR/h: proved; this is 12.2 % more."));
}

TEST_CASE("a budget, and machines that are there, are made the most of") {
  CHECK_THAT(answer({"--budget", "1.55"}),
             Contains(": 195.3/s for 1.52, with 28 machines.\nNo mapping of any kind for at most 1.55 is above "
                      "217.7/s: proved; that is 11.5 % faster.\n"));
  CHECK_THAT(answer({"--machines", "small=27,large=2"}), Contains(": 200/s for 1.57, with 29 machines.\n"));
  CHECK(json_answer({"--budget", "2", "--machines", "small=27,large=3"})["cost"] == "42/25");
}

TEST_CASE("the frontier is shown, cut, drawn and written") {
  const std::string text = answer({"--rate", "200/s", "--frontier", "--up-to", "450/s"});
  CHECK_THAT(text, Contains("\n     rate  price  machines  parts\n  6.803/s   0.05         1  1 small\n") &&
                       Contains("\n    200/s   1.57        29  26 small, 1 small, 2 large        <- the plan\n") &&
                       Contains("in round robin, is faster, whatever it costs: proved.\n"));
  CHECK_THAT(answer({"--rate", "50/s", "--frontier"}), Contains("\n  101.6/s ") && !Contains("\n  105.3/s "));
  CHECK(answer({"--frontier", "--up-to", "60/s"}) == answer({"--rate", "60/s", "--frontier", "--up-to", "60/s"}));
  const ordered_json plan = json_answer({"--rate", "200/s", "--frontier", "--up-to", "450/s"});
  REQUIRE(plan["frontier"].size() == 48);
  CHECK(plan["frontier_is_whole"] == true);
  CHECK(plan["frontier"][30]["cost"] == "38/25");
  CHECK(plan["frontier"][30]["period"] == "16/3125");
  CHECK(plan["frontier"][30]["parts"][0]["type"] == "small");
  CHECK(plan["frontier"][30]["parts"][0]["machine_count"] == 25);
  CHECK(plan["frontier"][30]["parts"][0]["utilization"] == "1");
  const TemporaryFolder folder;
  const std::string plot = folder.path("costs.svg");
  CHECK(answer({"--rate", "200/s", "--plot", plot}) == answer({"--rate", "200/s"}));
  CHECK_THAT(text_of(plot), Contains("Cost by rate, OVERLAP ONE-PORT") && Contains("decode on large, detect on gpu") &&
                                Contains("<title>200/s for 1.57: 26 small, 1 small, 2 large</title>"));
}

TEST_CASE("machines that are there cost nothing, and what is to be added costs least") {
  CHECK_THAT(
      answer({"--rate", "200/s", "--have", "small=26,large=3"}),
      Contains(": 203.1/s with what you have; 29 machines serve. 200/s was asked for.\nNo plan asks for less.\n"));
  // With GPUs that are there others are wanted, though they are dear.
  const ordered_json gpus = ordered_json::parse(answer({"--rate", "200/s", "--have", "gpu=2", "--json"}));
  CHECK(gpus["have"] == ordered_json::parse(R"({"gpu": 2})"));
  CHECK(gpus["to_add"]["machines"] == ordered_json::parse(R"({"small": 1, "large": 2})"));
  CHECK(gpus["to_add"]["cost"] == "27/100");
  CHECK(gpus["to_add"]["is_least"] == true);
  CHECK(gpus["to_add"]["any_mapping_cost_lower_bound"] == "1/5");
  CHECK(gpus["machines"] == ordered_json::parse(R"({"small": 1, "large": 2, "gpu": 2})"));
  CHECK_FALSE(gpus.contains("cost_lower_bound"));
  // Nothing that is there: as without.
  const ordered_json nothing = ordered_json::parse(answer({"--rate", "200/s", "--have", "small=0", "--json"}));
  CHECK(nothing["to_add"]["cost"] == "157/100");
  CHECK(nothing["to_add"]["any_mapping_cost_lower_bound"] == "7/5");
  const auto refused = [](const std::vector<std::string>& words) {
    const Outcome outcome = takt(appended({"plan", kCatalogue}, words));
    CHECK(outcome.status == tools::kUsage);
    return outcome.err;
  };
  CHECK_THAT(refused({"--rate", "200/s", "--have", "smal=2"}),
             Contains("--have: found \"smal\" (did you mean \"small\"?), expected a type of the file"));
  CHECK_THAT(refused({"--rate", "200/s", "--have", "small"}), Contains("--have: found \"small\", expected TYPE=N"));
  CHECK_THAT(refused({"--rate", "200/s", "--have", "small=1,small=2"}), Contains("--have names small twice"));
  CHECK_THAT(refused({"--budget", "2", "--have", "small=2"}), Contains("--have goes with --rate or --period"));
  CHECK_THAT(refused({"--rate", "200/s", "--have", "small=2", "--frontier"}),
             Contains("--have does not go with --frontier"));
  const Outcome named = takt({"plan", source("examples/machine-room.json"), "--rate", "50/s", "--have", "a=1"});
  CHECK(named.status == tools::kUsage);
  CHECK_THAT(named.err, Contains("--have needs a platform of types; give processors that you own \"price\": 0"));
  // More than the file has of a type.
  const Outcome many = takt({"plan", kCatalogue, "--rate", "3000/s", "--have", "gpu=1", "--latency", "40ms"});
  CHECK(many.status != tools::kUsage);
}

TEST_CASE("JSON has all of it, exactly") {
  const ordered_json plan = json_answer({"--rate", "200/s", "--upgrade"});
  CHECK(plan["target"].dump() ==
        R"({"period":"1/200","period_decimal":0.005,"throughput":"200","throughput_decimal":200.0})");
  CHECK(plan["counts"].dump() == R"({"gpu":8})");
  CHECK(plan["time_unit"] == "s");
  CHECK(plan["class"] == "typed");
  CHECK(plan["optimal"] == true);
  CHECK(plan["cost_lower_bound"] == "157/100");
  CHECK(plan["any_mapping_cost_lower_bound"] == "7/5");
  CHECK(plan["proof"] == "potentials");
  CHECK(plan["window"] == 30);
  CHECK(plan["machines"].dump() == R"({"small":27,"large":2})");
  CHECK(
      plan["parts"][0].dump() ==
      R"({"stages":["decode","detect"],"type":"small","machine_count":26,"demand":"16/125","demand_decimal":0.128,)"
      R"("utilization":"64/65","utilization_decimal":0.9846153846153847,"bound_by":["compute"],"period_after_loss":"16/3125","period_after_loss_decimal":0.00512})");
  CHECK(plan["parts"][1]["period_after_loss"].is_null());
  CHECK(plan["next_cheaper"]["cost"] == "38/25");
  CHECK(plan["next_faster"]["throughput"] == "1625/8");
  REQUIRE(plan["upgrade"].size() == 3);
  CHECK(plan["upgrade"][0]["plan"].is_null());
  CHECK(plan["upgrade"][1]["plan"]["period"] == "16/3375");
  const ordered_json spare = json_answer({"--rate", "200/s", "--survive", "1"});
  CHECK(spare["target"]["survive"] == 1);
  CHECK(spare["kept_period"] == "1/200");
  CHECK(spare["parts"][1]["standby_count"] == 1);
}

TEST_CASE("the plan is an instance that other commands take") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  answer({"--rate", "200/s", "--survive", "1", "-o", mapped});
  const ordered_json document = ordered_json::parse(text_of(mapped));
  CHECK(document["heuristic"].dump() ==
        R"({"name":"plan","options":{"period":0.005,"cost":1.78,"among":"typed","survive":1}})");
  CHECK(document["platform"]["processors"].size() == 32);
  CHECK(takt({"verify", mapped, "--model", "overlap"}).status == tools::kAnswered);
  const ordered_json evaluated = ordered_json::parse(takt({"evaluate", mapped, "--json"}).out);
  CHECK(evaluated["period"] == "1/200");
  CHECK(evaluated["has_critical_resource"] == true);
  const std::string page = folder.path("page.html");
  REQUIRE(takt({"report", mapped, "-o", page}).status == tools::kAnswered);
  CHECK_THAT(text_of(page), Contains("<h2>The plan</h2>") && Contains("200/s after any one failure.") &&
                                Contains("data:image/svg+xml;base64,"));
}

// A stage of work 40 on types of speeds 1 and 3.
const std::string kSlowAndFast =
    R"({"application": {"stages": [{"name": "work", "work": 40}]}, "platform": {"types": [)"
    R"({"name": "slow", "speed": 1, "price": 1}, {"name": "fast", "speed": 3, "price": 2.6}]}})";

TEST_CASE("plans of wider classes are cheaper where turns are unequal, and say what is proved of which class") {
  const ordered_json plan =
      ordered_json::parse(takt({"plan", "-", "--period", "10", "--among", "weighted", "--json"}, kSlowAndFast).out);
  CHECK(plan["class"] == "weighted");
  CHECK(plan["optimal"] == true);
  CHECK(plan["optimal_in"] == "any");
  CHECK(plan["cost"] == "18/5");
  CHECK(plan["parts"][0]["processors"].size() == 4);
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  CHECK(takt({"plan", "-", "--period", "10", "--among", "mixed", "-o", mapped}, kSlowAndFast).status ==
        tools::kAnswered);
  CHECK(takt({"verify", mapped, "--model", "overlap"}).status == tools::kAnswered);
  // Links of two bandwidths.
  const Outcome unequal = takt({"plan", kCatalogue, "--rate", "200/s", "--among", "weighted"});
  CHECK(unequal.status == tools::kAnswered);
  CHECK_THAT(unequal.out,
             Contains(": 200/s for 1.57, with 29 machines.\nNo mapping of any kind costs less than 1.40: proved; this "
                      "is 12.2 % more. No plan with any machines and turns in a part, each machine whole in one part, "
                      "without transfers ahead, costs less than 1.41: proved.\n"));
  CHECK(takt({"plan", "-", "--budget", "3", "--among", "mixed", "--upgrade"}, kSlowAndFast).status == tools::kUsage);
  CHECK_THAT(takt({"plan", "-", "--budget", "3", "--among", "mixd"}, kSlowAndFast).err,
             Contains("did you mean \"mixed\"?"));
}

TEST_CASE("no mapping on a platform of processors is faster than the one that a no names") {
  const std::string problem = source("examples/hedpm-problem.json");
  const Outcome none = takt({"plan", problem, "--period", "1/100000"});
  CHECK(none.status == tools::kNo);
  CHECK_THAT(none.out, StartsWith(kNoUnderOverlap + "no mapping of any kind reaches 100000 per time unit, whatever it "
                                                    "costs: proved.\nThe fastest mapping that was found does ") &&
                           EndsWith(" machines; none is faster: proved.\n"));
  CHECK_THAT(takt({"plan", problem, "--period", "3", "--apart"}).err,
             Contains("--apart does not go with a platform of processors"));
}

TEST_CASE("the certificate proves the period, and that nothing of the kind is better") {
  const TemporaryFolder folder;
  const std::string mapped = folder.path("mapped.json");
  const std::string certificate = folder.path("certificate.json");
  answer({"--rate", "200/s", "-o", mapped, "--certificate", certificate});
  CHECK_THAT(takt({"check", kCatalogue, certificate}).out,
             Contains("Proved: no plan with one type per part, each machine whole in one part, in round robin, costs "
                      "less than 1.57 "));
  const Outcome both = takt({"check", mapped, certificate});
  CHECK(both.status == tools::kAnswered);
  CHECK_THAT(both.out, Contains("Proved") && Contains("29 machines"));
  for (const std::vector<std::string>& options : {std::vector<std::string>{"--budget", "1.55"},
                                                  {"--machines", "small=27,large=2"},
                                                  {"--rate", "200/s", "--survive", "1", "--model", "strict"},
                                                  {"--rate", "200/s", "--machines", "small=27,large=9"}}) {
    answer(appended(options, {"-o", mapped, "--certificate", certificate}));
    CHECK_THAT(takt({"check", kCatalogue, certificate}).out, Contains("Proved: "));
    CHECK(takt({"check", mapped, certificate}).status == tools::kAnswered);
  }
  // That there is none can be proved as well.
  CHECK(takt({"plan", kCatalogue, "--rate", "500/s", "--certificate", certificate}).status == tools::kNo);
  CHECK_THAT(takt({"check", kCatalogue, certificate}).out, Contains("Proved: "));
  // Of another problem it proves nothing.
  ordered_json cheaper = catalogue();
  cheaper["platform"]["types"][0]["price"] = 0.01;
  answer({"--rate", "200/s", "--certificate", certificate});
  CHECK(takt({"check", folder.write("cheaper.json", cheaper.dump()), certificate}).status == tools::kNo);
}

TEST_CASE("no is said with the reason that decides") {
  const auto refused = [](const std::vector<std::string>& options, const std::string& input) {
    const std::vector<std::string> arguments = asking("-", options);
    const Outcome outcome = takt(arguments, input);
    CHECK(outcome.status == tools::kNo);
    CHECK(outcome.err.empty());
    const Outcome json = takt(appended(arguments, {"--json"}), input);
    CHECK(json.status == tools::kNo);
    const ordered_json plan = ordered_json::parse(json.out);
    CHECK(plan["found"] == false);
    CHECK(plan["optimal"] == false);
    CHECK_THAT(outcome.out, StartsWith(kNoUnderOverlap + plan["reasons"][0]["text"].get<std::string>() + "\n"));
    return plan["reasons"][0]["because"].get<std::string>() + ": No: " + outcome.out.substr(kNoUnderOverlap.size());
  };
  const std::string video = catalogue().dump();
  CHECK(refused({"--rate", "500/s"}, video) ==
        "not_replicable: No: no mapping reaches 500/s. track is not replicable and takes 2.5 ms on its fastest type "
        "(large); at most 400/s.\nThe fastest that was found on the machines there are: 400/s for 3.30, with 30 "
        "large.\n");
  CHECK(
      refused({"--machines", "small=27", "--rate", "500/s"}, of_one_type().dump()) ==
      "work: No: 27 small reach 494.5/s at most: each data set needs 54.6 ms of work, on 27 machines 2.02222 ms each.\n"
      "The fastest that was found on the machines there are: 494.5/s for 1.35, with 27 small.\n"
      "The least to add that was found: 1 small, for 0.05; then 500/s for 1.40, with 28 small.\n");
  CHECK(refused({"--budget", "0.01"}, video) ==
        "budget: No: no plan with one type per part, each machine whole in one part, in round robin, "
        "costs less than 0.05, which reaches 6.803/s.\n");
  CHECK_THAT(refused({"--rate", "200/s", "--latency", "1ms"}, video),
             StartsWith("latency: No: each data set stays at least "));
  ordered_json slow = catalogue();
  slow["platform"]["source"]["bandwidth"] = "10 MB/s";
  CHECK(refused({"--rate", "100/s"}, slow.dump()) ==
        "source: No: no mapping reaches 100/s. The source sends 500 kB in 50 ms, at best (to small); at most "
        "20/s.\nThe fastest that was found on the machines there are: 20/s for 0.20, with 4 small.\n");
  ordered_json large = catalogue();
  large["application"]["stages"][1]["memory"] = "10 GB";
  for (auto& type : large["platform"]["types"]) type["memory"] = "1 GB";
  ordered_json unlinked = catalogue();
  for (auto& type : unlinked["platform"]["types"]) type.erase("bandwidth");
  unlinked["application"]["stages"][0]["time"] = {{"small", "8 ms"}};
  unlinked["application"]["stages"][1]["time"] = {{"large", "8 ms"}};
  unlinked["platform"].erase("source");
  unlinked["platform"].erase("sink");
  CHECK_THAT(refused({"--rate", "1/s"}, unlinked.dump()),
             StartsWith("class: ") && Contains("whatever it costs: proved. No link leads from small to small: the file "
                                               "gives no bandwidth there.\n"));
  CHECK(refused({"--rate", "1/s"}, large.dump()) ==
        "stage: No: detect runs on none of the types: no time for it, or too little memory.\n");
}

TEST_CASE("wrong command lines of takt plan are told what was expected") {
  const auto message = [](const std::vector<std::string>& options, const std::string& file = kCatalogue) {
    const Outcome outcome = takt(asking(file, options));
    CHECK(outcome.status == tools::kUsage);
    CHECK(outcome.out.empty());
    return lines_of(outcome.err).front();
  };
  CHECK(
      message({}) ==
      "takt plan: say what to plan for: --rate 200/s, --period 5ms, --budget 2.50, --machines TYPE=N,... or --schedule "
      "\"8h 300/s, 16h 50/s\"");
  CHECK(message({"--rate", "200/s", "--budget", "2"}) ==
        "takt plan: --rate, --period and --budget exclude one another");
  CHECK(message({"--rate", "200"}) ==
        "takt plan: --rate: found \"200\", expected a unit, as in 200/s: the file has units");
  CHECK(message({"--rate", "fast"}) ==
        "takt plan: --rate: found \"fast\", expected a rate above 0, such as 200/s, 50k/s, 200 Hz, 12000/min or, "
        "without units, 3/2");
  CHECK_THAT(message({"--rate", "0/s"}), Contains("expected a rate above 0"));
  CHECK_THAT(message({"--rate", "200/week"}), Contains("expected a rate above 0"));
  CHECK(message({"--period", "5"}) ==
        "takt plan: --period: found \"5\", expected a unit, as in \"5 ms\": the file has units");
  CHECK(message({"--rate", "200/s", "--latency", "5"}) ==
        "takt plan: --latency: found \"5\", expected a unit, as in \"5 ms\": the file has units");
  CHECK_THAT(message({"--budget", "-1"}), Contains("expected a price, at least 0, such as 2.50"));
  CHECK(message({"--rate", "200/s", "--headroom", "100%"}) ==
        "takt plan: --headroom takes a share below 1, such as 30%");
  CHECK(message({"--budget", "2", "--headroom", "30%"}) ==
        "takt plan: --headroom goes with --rate, --period or --schedule");
  CHECK_THAT(message({"--rate", "200/s", "--survive", "-1"}), Contains("whole number"));
  CHECK(message({"--rate", "200/s", "--up-to", "300/s"}) == "takt plan: --up-to goes with --frontier or --plot");
  CHECK(message({"--machines", "small"}) ==
        "takt plan: --machines: found \"small\", expected TYPE=N, N a whole number, as in small=20,large=4");
  CHECK(message({"--machines", "smal=3"}) ==
        "takt plan: --machines: found \"smal\" (did you mean \"small\"?), expected a type of the file, small, large or "
        "gpu");
  CHECK(message({"--machines", "small=3,small=4"}) == "takt plan: --machines names small twice");
  CHECK(message({"--rate", "200/s", "-o", "-"}) == "takt plan: -o takes a file; standard output holds the result");
  const TemporaryFolder folder;
  ordered_json plain = ordered_json::parse(
      R"({"application": {"stages": [{"name": "a", "work": 4}]}, "platform": {"types": [{"name": "x", "speed": 2}]}})");
  const std::string file = folder.write("plain.json", plain.dump());
  CHECK(message({"--rate", "2/s"}, file) ==
        "takt plan: --rate: found \"2/s\", expected a number alone: the numbers of the file have no units");
  CHECK_THAT(answer({"--rate", "3/2"}, file), Contains(": 1.5 per time unit with 3 machines.\n"));
}

TEST_CASE("wrong documents of takt plan name the place") {
  const auto message = [](const ordered_json& document, const std::vector<std::string>& options) {
    const Outcome outcome = takt(asking("-", options), document.dump());
    CHECK(outcome.status == tools::kBadInput);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  ordered_json document = catalogue();
  document["application"]["stages"][0]["time"]["smal"] = "3 ms";
  CHECK_THAT(message(document, {"--rate", "1/s"}), Contains("/application/stages/0/time"));
  document = catalogue();
  document["platform"]["types"][0]["price"] = -1;
  CHECK_THAT(message(document, {"--rate", "1/s"}), Contains("/platform/types/0/price"));
  document = catalogue();
  document["application"]["stages"][1].erase("output");
  CHECK_THAT(message(document, {"--rate", "1/s"}), Contains("/application/stages/1"));
}

TEST_CASE("limits of takt plan leave what is proved") {
  const Outcome late = takt({"plan", kCatalogue, "--rate", "200/s", "--upgrade", "--time-limit", "1e-9"});
  CHECK(late.status == tools::kLimit);
  CHECK_THAT(late.out,
             Contains(": 200/s for 1.57, with 29 machines.\n") && !Contains("Next cheaper") && !Contains("nothing\n"));
  CHECK_THAT(late.err, Contains("the search ran out of time"));
  ordered_json plain = ordered_json::parse(
      R"({"application": {"stages": [{"name": "a", "work": 4}]}, "platform": {"types": [{"name": "x", "speed": 2}]}})");
  // Too many machines to be made and evaluated; the plan stands.
  const Outcome many = takt({"plan", "-", "--rate", "1000000"}, plain.dump());
  CHECK(many.status == tools::kLimit);
  CHECK_THAT(many.out, Contains("with 2000000 machines.\n"));
  const Outcome countless = takt({"plan", "-", "--rate", "1e30"}, plain.dump());
  CHECK(countless.status == tools::kLimit);
  CHECK_THAT(countless.err, Contains("more than 1125899906842624 machines"));
  CHECK_THAT(many.err, Contains("2000000 machines are more than the 100000 that a mapped document may have"));
}

TEST_CASE("a plan calls data sets what the document calls them, and names the option for the other model") {
  auto document = nlohmann::ordered_json::parse(text_of(source("examples/catalogue.json")));
  document["application"]["item"] = "image";
  const Outcome outcome = takt({"plan", "-", "--rate", "200/s"}, document.dump());
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK_THAT(
      outcome.out,
      StartsWith("standard input, OVERLAP ONE-PORT (default; --model strict for the other): 200 images/s for ") &&
          Contains("  an image takes  ") && Contains("\n  An image stays "));
  CHECK_THAT(outcome.out, !Contains("data set"));
  document["model"] = "strict";
  CHECK_THAT(takt({"plan", "-", "--rate", "200/s"}, document.dump()).out,
             StartsWith("standard input, STRICT ONE-PORT: 202.1 images/s for "));
}

}  // namespace
}  // namespace takt::testing
