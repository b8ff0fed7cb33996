// takt run --rehearse: a run on the virtual clock, with loads, decisions and processors that die.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/answer_schemas.hpp"
#include "tests/support/temporary_folder.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;

const std::string kExample = source("examples/example-a.json");
const std::string kAdaptive = source("examples/adaptive.json");
const std::string kRehearsedVideo = source("examples/video.json");
const std::string kRehearsedJitter = source("examples/video-jitter.json");
const std::string kCores = source("examples/cores.json");
const std::string kPorts = source("tests/data/run-hosts.json");
constexpr int kRunFailed = 70;

void require_schema(const std::string& name, const std::string& text) {
  std::string why;
  const bool is_accepted = schemas::accepts(source("docs/schemas"), name, nlohmann::json::parse(text), why);
  CAPTURE(why);
  CHECK(is_accepted);
}

Outcome rehearsal_of(const std::vector<std::string>& words) { return takt(appended({"run", "--rehearse"}, words)); }

nlohmann::json rehearsed_answer(const std::vector<std::string>& words) {
  const Outcome outcome = rehearsal_of(appended(words, {"--json"}));
  REQUIRE(outcome.status == tools::kAnswered);
  nlohmann::json found = nlohmann::json::parse(outcome.out);
  require_schema("run", outcome.out);
  return found;
}

TEST_CASE("a rehearsal takes the exact period, says that it is none of a measurement, and leaves a journal alone") {
  const TemporaryFolder folder;
  const std::string journal = folder.path("journal");
  const Outcome outcome =
      rehearsal_of({kExample, "--model", "strict", "--journal", journal, "--tolerance", "0.000001"});
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("rehearsed 10 ms") && Contains("no measurement") && !Contains("measured"));
  CHECK_THAT(outcome.out, Contains(journal + " was not touched."));
  CHECK(folder.names().empty());
  const nlohmann::json found = rehearsed_answer({kExample, "--model", "strict"});
  CHECK(found["rehearsal"] == true);
  CHECK(found["delivered"] == 400);
  CHECK(found["seconds"].get<double>() > 3.99);
}

TEST_CASE("machines whose cores share ports take their exact period, ports as busy as predicted") {
  for (const std::string model : {"overlap", "strict"}) {
    const Outcome outcome = rehearsal_of({kCores, "--model", model, "--tolerance", "0.000001"});
    CHECK(outcome.status == tools::kAnswered);
    CHECK_THAT(outcome.out, Contains("rehearsed 12 ms") && Contains("edge1 out-port "));
    const nlohmann::json found = rehearsed_answer({kPorts, "--model", model, "--tolerance", "0.000001"});
    CHECK(found["delivered"] == 400);
    std::size_t ports = 0;
    for (const nlohmann::json& resource : found["resources"]) {
      CAPTURE(resource.dump());
      CHECK_THAT(resource["measured_utilization_decimal"].get<double>(),
                 Catch::WithinAbs(resource["predicted_utilization_decimal"].get<double>(), 0.01));
      if (resource["processor"] == "front") ++ports;
    }
    CHECK(ports == 2);
  }
}

TEST_CASE("a run of machines goes on without a core that dies, and a workflow with those of each part that are left") {
  const nlohmann::json branches = rehearsed_answer(
      {source("examples/video-analytics.json"), "--model", "strict", "--kill", "G1:1s", "--retries", "1"});
  CHECK(branches["delivered"] == 400);
  REQUIRE(branches["restarts"].size() == 1);
  CHECK(branches["restarts"][0]["processor"] == "G1");
  const nlohmann::json found =
      rehearsed_answer({kCores, "--model", "strict", "--kill", "edge1.2:500ms", "--retries", "1", "--remap", "hedpm"});
  CHECK(found["delivered"] == 400);
  REQUIRE(found["restarts"].size() == 1);
  CHECK(found["restarts"][0]["processor"] == "edge1.2");
}

TEST_CASE("runs whose turns change refuse processors that share ports, and other numbers of ports than one") {
  for (const std::string option : {"--adapt", "--order"}) {
    const Outcome shared = takt({"run", kCores, option, option == "--adapt" ? "calibrate" : "first-free"});
    CHECK(shared.status == tools::kUsage);
    CHECK_THAT(shared.err, Contains(option) && Contains(": it takes only processors that share no resource: found "
                                                        "\"edge1.1\" and \"edge1.2\", which share the ports of host "
                                                        "\"edge1\""));
  }
}

TEST_CASE("loads and decisions of a rehearsal are those of the live engine on the virtual clock") {
  const std::vector<std::string> load = {kAdaptive, "--model",    "strict",   "--data-sets", "128",
                                         "--load",  "p4:5:240ms", "--window", "10"};
  const std::vector<std::string> adaptive = appended(load, {"--adapt", "calibrate"});
  const std::vector<std::string> by_the_paper = appended(adaptive, {"--adapt-rule", "paper"});
  // docs/live-internals.md has these, in brackets.
  CHECK(rehearsed_answer(load)["seconds"].get<double>() == Approx(14.88).margin(0.005));
  CHECK(rehearsed_answer(by_the_paper)["seconds"].get<double>() == Approx(3.60).margin(0.005));
  CHECK_THAT(rehearsal_of(by_the_paper).out,
             Contains("tuning point  mapping, from data set 15 on (roll); predicted 21 ms, as it was 61 ms"));
  const nlohmann::json found = rehearsed_answer(adaptive);
  CHECK(found["seconds"].get<double>() == Approx(4.20).margin(0.005));
  CHECK(found["mappings"] == 2);
  const Outcome words = rehearsal_of(adaptive);
  CHECK_THAT(
      words.out,
      Contains("tuning point  mapping, from data set 21 on (roll): p4 takes 6 times as long (evidence 5971, needed "
               "5000; 3 repeated elsewhere say 6; still computing); predicted 21 ms, as it was 121 ms; would lose "
               "0 % if nothing had changed"));
  CHECK(words.out == rehearsal_of(adaptive).out);
}

TEST_CASE("who dies in a rehearsal is left out, as often as --retries says") {
  const std::vector<std::string> killed = {kAdaptive, "--model", "strict", "--kill", "p1:1s", "--kill", "p4:2s"};
  const Outcome none = rehearsal_of(killed);
  CHECK(none.status == kRunFailed);
  CHECK_THAT(none.err, Contains("p1 died; 40 of 400 data sets are delivered"));
  const std::vector<std::string> twice = appended(killed, {"--retries", "2"});
  const nlohmann::json found = rehearsed_answer(twice);
  CHECK(found["delivered"] == 400);
  REQUIRE(found["restarts"].size() == 2);
  CHECK(found["restarts"][0]["processor"] == "p1");
  CHECK(found["restarts"][0]["data_sets"] == 40);
  CHECK(found["restarts"][1]["processor"] == "p4");
  CHECK(found["measured_period"].is_null());
  const Outcome words = rehearsal_of(twice);
  CHECK_THAT(words.out, Contains("Started again 2 times, without p1, p4.") && Contains("a processor has died"));
}

TEST_CASE("a kill that kills nobody is told, and one that cannot be is refused") {
  CHECK_THAT(rehearsal_of({kAdaptive, "--kill", "p1:1h"}).err, Contains("--kill p1:1h: the run has ended before"));
  CHECK_THAT(rehearsal_of({kAdaptive, "--kill", "p9:1s"}).err,
             Contains("--kill p9:1s: the processor has no process then"));
  for (const char* kill : {"p1", "nobody:1s", "p1:-1s", "p1:soon", "p1:1e30s"}) {
    const Outcome outcome = rehearsal_of({kAdaptive, "--kill", kill});
    CHECK(outcome.status == tools::kUsage);
    CHECK_THAT(outcome.err, Contains("--kill: found") && Contains("expected"));
  }
  const Outcome run = takt({"run", kAdaptive, "--kill", "p1:1s"});
  CHECK(run.status == tools::kUsage);
  CHECK_THAT(run.err, Contains("--kill goes with --rehearse"));
}

TEST_CASE("what a rehearsal has not is refused, and stages of one's own are not run") {
  const TemporaryFolder folder;
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--adapt", "all"},
                                                {"--again", "failed"},
                                                {"--anchor", "logical"},
                                                {"--kill", "P1:1s", "--trace-file", folder.path("run.csv")}}) {
    const Outcome outcome = rehearsal_of(appended({kExample}, words));
    CHECK(outcome.status == tools::kUsage);
    CHECK_THAT(outcome.err, Contains("exclude each other"));
  }
  const std::string touched = folder.path("touched");
  std::vector<std::string> programs = {kExample, "--data-sets", "30"};
  for (const char* stage : {"S0", "S1", "S2", "S3"}) {
    programs.insert(programs.end(), {"--each", std::string(stage) + "=touch " + touched});
  }
  const Outcome outcome = rehearsal_of(programs);
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, Contains("No stage was run."));
  CHECK(folder.names().empty());
}

TEST_CASE("the status of a rehearsal tells its story, in each form") {
  const TemporaryFolder folder;
  const Outcome outcome = rehearsal_of({kAdaptive, "--model", "strict", "--adapt", "calibrate", "--load", "p4:5:2s",
                                        "--kill", "p1:5s", "--retries", "1", "--status", folder.path("s.json"),
                                        "--status", folder.path("s.prom"), "--status", folder.path("s.html")});
  REQUIRE(outcome.status == tools::kAnswered);
  CHECK(folder.names() == std::vector<std::string>{"s.html", "s.json", "s.prom"});
  const std::string text = text_of(folder.path("s.json"));
  require_schema("run-status", text);
  const nlohmann::json status = nlohmann::json::parse(text);
  CHECK(status["phase"] == "ended");
  CHECK(status["rehearsal"] == true);
  CHECK(status["begun"].is_null());
  CHECK(status["delivered"] == 400);
  CHECK(status["restarts"].size() == 1);
  const auto is_told = [&](const std::string& words) {
    for (const nlohmann::json& event : status["events"]) {
      if (event["words"].get<std::string>().find(words) != std::string::npos) return true;
    }
    return false;
  };
  CHECK(is_told("the run begins"));
  CHECK(is_told("a load comes to p4, which from now on takes 6 times as long"));
  CHECK(is_told("another mapping from data set"));
  CHECK(is_told("p1 died; "));
  CHECK(is_told("the run has come to its end"));
  double last = 0;
  for (const nlohmann::json& event : status["events"]) {
    CHECK(event["at"].get<double>() >= last);
    last = event["at"].get<double>();
  }
  const nlohmann::json& p1 = status["processor_states"][1];
  CHECK(p1["name"] == "p1");
  CHECK(p1["left_out"] == true);
  CHECK_THAT(text_of(folder.path("s.html")), Contains("nothing was measured") && Contains("p1 died"));
  CHECK_THAT(text_of(folder.path("s.html")), !Contains("location.reload"));
  CHECK_THAT(text_of(folder.path("s.prom")), Contains("takt_run_delivered_total 400"));
}

// What a run with these options is refused with.
std::string refusal_of(const std::vector<std::string>& words) {
  const Outcome outcome = takt(appended({"run"}, words));
  CHECK(outcome.status == tools::kUsage);
  CHECK(outcome.out.empty());
  return outcome.err;
}

TEST_CASE("by takt's rule a pair says how slow a processor is, and nothing of a run without a load is taken for one") {
  const TemporaryFolder folder;
  const std::string normal = folder.path("normal.csv");
  const std::vector<std::string> words = {kAdaptive, "--model", "strict", "--data-sets", "60", "--window", "10"};
  const auto with = [&](const std::vector<std::string>& more) { return appended(words, more); };
  CHECK(rehearsed_answer(with({"--adapt", "calibrate", "--trace-file", normal}))["mappings"] == 1);
  const double alone = rehearsed_answer(with({"--load", "p4:3:240ms"}))["seconds"];
  const auto adapted = with({"--load", "p4:3:240ms", "--adapt", "calibrate", "--normal", normal});
  const nlohmann::json found = rehearsed_answer(adapted);
  CHECK(found["delivered"] == 60);
  CHECK(found["mappings"] == 2);
  CHECK(found["seconds"].get<double>() < 0.7 * alone);
  CHECK_THAT(rehearsal_of(adapted).out,
             Contains("tuning point  mapping, from data set 18 on (roll): p4 takes 2.67 times as long (evidence 25005, "
                      "needed 5000; 2 repeated elsewhere say 4; still computing); predicted 21 ms") &&
                 Contains("would lose 0 % if nothing had changed, 6.54 periods left for losses: s0 on p0; s1 on p1; "
                          "s2 on p2; s3 on p3; s4 on p5;"));
}

TEST_CASE("traces of rehearsals that change their mapping have all of it, or say what they lack") {
  // The first mapping has one column, the other three: processors of the second are not linked with the first.
  const TemporaryFolder folder;
  const std::string changing = folder.write("changing.json", R"({
    "application": {"stages": [{"name": "a", "work": 1, "output": 1}, {"name": "b", "work": 1}]},
    "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}, {"name": "R", "speed": 1}],
                 "links": [{"from": "Q", "to": "R", "bandwidth": 100}]},
    "mapping": [{"stages": ["a", "b"], "processors": ["P"]}]})");
  const auto traced = [&](const std::string& name) {
    const Outcome outcome =
        rehearsal_of({changing, "--unit", "2ms", "--data-sets", "60", "--adapt", "calibrate", "--adapt-rule", "paper",
                      "--load", "P:9:20ms", "--trace-file", folder.path(name)});
    CHECK_THAT(outcome.out, Contains("No period was rehearsed: the mapping has changed."));
    return std::pair(text_of(folder.path(name)), outcome.err);
  };
  std::map<std::string, std::set<std::string>> stages;
  for (const std::string& line : lines_of(traced("run.csv").first)) {
    std::istringstream fields(line);
    std::vector<std::string> field(5);
    for (std::string& each : field) std::getline(fields, each, ',');
    if (field[2] == "compute") stages[field[4]].insert(field[1]);
  }
  REQUIRE(stages.size() == 3);
  CHECK(stages["a"] == stages["b"]);
  CHECK(stages["a"].size() + stages["a;b"].size() == 60);
  CHECK(nlohmann::json::parse(traced("run.json").first).size() == 2);
  const auto [picture, said] = traced("run.trace.json");
  CHECK(nlohmann::json::accept(picture));
  CHECK_THAT(said, Contains("run.trace.json: data sets from ") && Contains("have other mappings and are not shown"));
}

TEST_CASE("names of processors have colons, and what no plan can hold is refused") {
  const TemporaryFolder folder;
  const std::string pair = folder.write("pair.json", R"({
    "application": {"stages": [{"name": "a"}, {"name": "b"}]},
    "platform": {"processors": [{"name": "P:1", "time": 1}, {"name": "Q", "time": 1}],
                 "links": [{"from": "P:1", "to": "Q", "time": 1}]},
    "mapping": [{"stages": ["a"], "processors": ["P:1"]}, {"stages": ["b"], "processors": ["Q"]}]})");
  const nlohmann::json loaded = rehearsed_answer({pair, "--model", "overlap", "--unit", "2ms", "--load", "P:1:3:0"});
  CHECK(loaded["measured_period_decimal"].get<double>() == Approx(4));
  CHECK_THAT(refusal_of({pair, "--load", "P:1:3"}), Contains("PROCESSOR:LOAD:FROM"));
  CHECK_THAT(refusal_of({pair, "--load", "P:1:3:0:1ms:2"}), Contains("PROCESSOR:LOAD:FROM"));
  CHECK_THAT(refusal_of({pair, "--load", "P:3:0"}), Contains("the name of a processor"));
  CHECK_THAT(refusal_of({pair, "--journal", folder.path("journal-\xff")}),
             Contains("--journal: found") && Contains("\\xff") && Contains("expected UTF-8"));
  CHECK_THAT(refusal_of({pair, "--program", "a=cat", "--program", "b=tr a \xe9"}), Contains("expected UTF-8"));
  CHECK(folder.names() == std::vector<std::string>{"pair.json"});
  // What was not measured is within no tolerance.
  const std::vector<std::string> few = {pair, "--model", "strict", "--unit", "1ms", "--data-sets", "5"};
  CHECK_THAT(rehearsal_of(few).out, Contains("No period was rehearsed: it takes at least 10 data sets."));
  const Outcome outcome = rehearsal_of(appended(few, {"--tolerance", "100%", "--json"}));
  CHECK(outcome.status == tools::kNo);
  CHECK(nlohmann::json::parse(outcome.out)["holds"] == false);
}

TEST_CASE("a rehearsal whose times vary is the play of its own draws, and lies where such runs lie") {
  for (const std::string arrivals : {"periodic", "poisson"}) {
    for (const std::string law : {"lognormal:0.5", "file"}) {
      const nlohmann::json found =
          rehearsed_answer({kRehearsedJitter, "--model", "overlap", "--jitter", law, "--rate", "80/s", "--arrivals",
                            arrivals, "--seed", "3", "--data-sets", "200"});
      const nlohmann::json& varied = found.at("varied");
      CHECK(varied.at("law") == (law == "file" ? nlohmann::json() : nlohmann::json(law)));
      CHECK(varied.at("arrival_gap").get<double>() == Approx(1.0 / 80));
      CHECK(varied.at("arrivals") == arrivals);
      CHECK(varied.at("seed") == 3);
      CHECK(varied.at("grows") == false);
      REQUIRE(varied.at("run_figures").size() == 4);
      CHECK(varied.at("run_figures")[0].at("quantity") == "mean");
      CHECK(varied.at("run_figures")[2].at("fraction") == 0.95);
      for (const nlohmann::json& figure : varied.at("run_figures")) {
        CAPTURE(figure.dump());
        CHECK(figure.at("observed").get<double>() == Approx(figure.at("same_draws").get<double>()).epsilon(1e-6));
        CHECK(figure.at("such_runs_low") <= figure.at("such_runs_high"));
        // Its own is one of such runs, and the long run in their midst.
        CHECK(figure.at("estimated").get<double>() > 0.9 * figure.at("such_runs_low").get<double>());
        CHECK(figure.at("estimated").get<double>() < 1.1 * figure.at("such_runs_high").get<double>());
      }
    }
  }
}

TEST_CASE("a rehearsal whose data sets are always there has the period of its own draws") {
  const nlohmann::json found = rehearsed_answer({kExample, "--model", "strict", "--jitter", "exponential"});
  const nlohmann::json& varied = found.at("varied");
  CHECK(varied.at("arrival_gap").is_null());
  REQUIRE(varied.at("run_figures").size() == 1);
  const nlohmann::json& period = varied.at("run_figures")[0];
  CHECK(period.at("quantity") == "period");
  CHECK(period.at("observed").get<double>() == Approx(period.at("same_draws").get<double>()).epsilon(1e-6));
  // A window of eight rounds takes a little longer than the net without one, which takes 288.1.
  CHECK(period.at("estimated").get<double>() == Approx(290).epsilon(0.02));
  const Outcome outcome = rehearsal_of({kExample, "--model", "strict", "--jitter", "exponential"});
  CHECK_THAT(outcome.out,
             Contains("Times that vary: time per data set, over 320 data sets; the first 80 do not count\n") &&
                 Contains("same draws") &&
                 Contains("takt vary: exponential, window of 56 data sets, 64 "
                          "copies of 4000 data sets; 256 copies of 400, seed 1."));
}

TEST_CASE("a rehearsal at a rate says what its latencies were, and where the rate is too much") {
  const Outcome constant = rehearsal_of({kRehearsedVideo, "--model", "overlap", "--rate", "100/s"});
  CHECK(constant.status == tools::kAnswered);
  CHECK_THAT(constant.out,
             Contains("No period was rehearsed: --rate sets the pace.") &&
                 Contains("Latency at 100/s from arrival to delivery, of 320 data sets; the first 80 do not count") &&
                 Contains("What was rehearsed lies within where 95 of 100 such runs lie, widened by 2 %.") &&
                 Contains("From the play of the same draws it is off by ") &&
                 Contains("takt vary: constant, window of "));
  const Outcome beyond = rehearsal_of({kRehearsedVideo, "--model", "overlap", "--rate", "150/s"});
  CHECK_THAT(beyond.out, Contains("At this rate latency grows without bound: the most is 133.333/s."));
  // By the clock, where the document has no units: a unit of 1 ms makes 230.667 of them 4.3/s.
  const Outcome clock = rehearsal_of({kExample, "--model", "strict", "--unit", "1ms", "--rate", "4/s"});
  CHECK_THAT(clock.out, Contains("Latency at 4/s"));
  const Outcome unit = rehearsal_of({kExample, "--model", "strict", "--unit", "1ms", "--rate", "0.004"});
  CHECK_THAT(unit.out, Contains("Latency at 4/s"));
}

TEST_CASE("times that vary and rates refuse what they make no sense with") {
  const std::vector<std::string> jitter = {kRehearsedVideo, "--model", "overlap", "--jitter", "exponential"};
  const std::vector<std::string> rate = {kRehearsedVideo, "--model", "overlap", "--rate", "100/s"};
  const auto with = [](const std::vector<std::string>& words, const std::vector<std::string>& more) {
    return refusal_of(appended(words, more));
  };
  CHECK_THAT(with(jitter, {"--adapt", "calibrate"}), Contains("--jitter and --adapt exclude each other"));
  CHECK_THAT(with(jitter, {"--order", "first-free"}), Contains("--jitter and --order first-free exclude each other"));
  CHECK_THAT(with(jitter, {"--links", "real"}), Contains("--jitter goes with --links emulate"));
  CHECK_THAT(with(jitter, {"--tolerance", "1%"}), Contains("--jitter and --tolerance exclude each other"));
  CHECK_THAT(with(rate, {"--load", "P:1:0"}), Contains("--rate and --load exclude each other"));
  CHECK_THAT(with(rate, {"--max-rate", "5"}), Contains("--rate and --max-rate exclude each other"));
  CHECK_THAT(with(rate, {"--anchor", "logical"}), Contains("--rate and --anchor logical exclude each other"));
  CHECK_THAT(with(rate, {"--seed", "2"}), Contains("--seed goes with --jitter or --arrivals poisson"));
  CHECK_THAT(with({kRehearsedVideo}, {"--arrivals", "poisson"}), Contains("--arrivals goes with --rate"));
  CHECK_THAT(with({kRehearsedVideo}, {"--jitter", "file"}),
             Contains("--jitter file: found no law in") && Contains("video.json"));
  CHECK_THAT(with({kRehearsedVideo}, {"--jitter", "lognormal"}),
             Contains("--jitter: found \"lognormal\", expected file, or "));
  CHECK_THAT(with({source("examples/batches.json")}, {"--jitter", "exponential"}),
             Contains("--jitter: found batches, expected none"));
  CHECK_THAT(with({kRehearsedVideo, "--jitter", "exponential"}, {"--program", "x=cat"}), Contains("found \"x\""));
}

}  // namespace
}  // namespace takt::testing
