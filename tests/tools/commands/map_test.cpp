// takt map and takt heuristics: documents, tables, traces, statuses.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "heuristics/registry.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/reader.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

const std::string kProblem = source("examples/hedpm-problem.json");

// Two stages, the second of which keeps state, on processors whose links take no time.
std::string problem(const std::string& processors, const std::string& links = R"("time": 0)") {
  return R"({"application": {"stages": [{"name": "a", "work": 6, "output": 1},
                                        {"name": "b", "work": 2, "replicable": false}]},
             "platform": {"processors": [)" +
         processors + "]" + (links.empty() ? "" : ", " + links) + "}}";
}

const std::string kTwo = R"({"name": "P", "speed": 1}, {"name": "Q", "speed": 2})";

TEST_CASE("without -o the mapped document has standard output to itself") {
  const Outcome outcome = takt({"map", kProblem, "--heuristic", "bsc"});
  REQUIRE(outcome.status == tools::kAnswered);
  const tpn::Document document = tpn::read_document(outcome.out, "standard output");
  REQUIRE(document.mapping.has_value());
  REQUIRE(document.predicted_period.has_value());
  REQUIRE(document.heuristic->name == "bsc");
  REQUIRE(document.heuristic->seed == maxplus::Rational(1));
  REQUIRE(document.model == tpn::Model::kStrict);
  REQUIRE_THAT(outcome.err, Contains("bsc predicts "));
  REQUIRE(takt({"verify", "-"}, outcome.out).status == tools::kAnswered);
}

TEST_CASE("with -o the document goes to the file and the words to standard output") {
  const TemporaryFolder folder;
  const std::string file = folder.path("mapped.json");
  const Outcome outcome = takt({"map", "-", "--heuristic", "greedy", "-o", file}, problem(kTwo));
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  REQUIRE_THAT(outcome.out, Contains("greedy predicts ") && Contains("Mapping\n"));
  REQUIRE(text_of(file) == takt({"map", "-", "--heuristic", "greedy"}, problem(kTwo)).out);
  const ordered_json json =
      ordered_json::parse(takt({"map", "-", "--heuristic", "greedy", "-o", file, "--json"}, problem(kTwo)).out);
  REQUIRE(json["heuristic"] == "greedy");
  REQUIRE(json["relation"] == "equal");
  REQUIRE(json["gap_percent"] == 0.0);
  REQUIRE(json["periods"][1]["period"] == json["predicted_period"]);
  REQUIRE(json["mapping"].size() >= 1);
}

TEST_CASE("every heuristic writes a mapped document that verify reads, or says why there is none") {
  for (const auto& heuristic : heuristics::heuristics()) {
    const std::string name(heuristic.name);
    INFO(name);
    const Outcome outcome = takt({"map", "-", "--heuristic", name}, problem(kTwo));
    if (outcome.status == tools::kAnswered) {
      REQUIRE(takt({"verify", "-", "--tolerance", "10000%"}, outcome.out).status == tools::kAnswered);
      REQUIRE(takt({"map", "-", "--heuristic", name}, problem(kTwo)).out == outcome.out);
    } else {
      REQUIRE(outcome.status == tools::kNo);
      REQUIRE(outcome.out.empty());
      REQUIRE_THAT(outcome.err, Contains("takt: " + name + " finds no mapping: "));
    }
  }
}

TEST_CASE("where there is no mapping, the status is 1 and the reason is told") {
  const std::vector<std::string> lines = {
      takt({"map", "-", "--heuristic", "homogeneous-dp"}, problem(kTwo)).err,
      takt({"map", "-", "--heuristic", "exhaustive", "--class", "one-to-one"}, problem(kTwo, "")).err,
      takt({"map", "-", "--heuristic", "bs121"}, problem(kTwo, "")).err,
  };
  for (const std::string& line : lines) REQUIRE_THAT(line, Contains(" finds no mapping: "));
  REQUIRE(takt({"map", "-", "--heuristic", "homogeneous-dp"}, problem(kTwo)).status == tools::kNo);
}

TEST_CASE("option --model is what the heuristic makes small and what the document says") {
  const Outcome outcome = takt({"map", kProblem, "--heuristic", "exhaustive", "--model", "overlap"});
  REQUIRE(outcome.status == tools::kAnswered);
  const tpn::Document overlap = tpn::read_document(outcome.out, "standard output");
  REQUIRE(overlap.model == tpn::Model::kOverlap);
  const tpn::Document strict =
      tpn::read_document(takt({"map", kProblem, "--heuristic", "exhaustive"}).out, "standard output");
  REQUIRE(*overlap.predicted_period < *strict.predicted_period);
  REQUIRE(takt({"verify", "-"}, outcome.out).status == tools::kAnswered);
}

TEST_CASE("a seed decides what random draws") {
  const auto mapped = [](const std::string& seed) {
    return takt({"map", kProblem, "--heuristic", "random", "--seed", seed}).out;
  };
  REQUIRE(mapped("7") == mapped("7"));
  REQUIRE(mapped("7") != mapped("8"));
}

TEST_CASE("all heuristics together are a table, best first, and the best document") {
  const TemporaryFolder folder;
  const std::string file = folder.path("best.json");
  const Outcome outcome = takt({"map", "-", "--heuristic", "all", "-o", file, "--json"}, problem(kTwo));
  REQUIRE(outcome.status == tools::kAnswered);
  const ordered_json array = ordered_json::parse(outcome.out);
  REQUIRE(array.size() == heuristics::heuristics().size());
  bool skipped = false;
  maxplus::Rational last = 0;
  for (const ordered_json& run : array) {
    INFO(run.dump());
    skipped = skipped || run.contains("skipped");
    REQUIRE(run.contains("skipped") == skipped);
    if (skipped) continue;
    const auto period =
        std::get<maxplus::Rational>(maxplus::parse_fraction(run["periods"][0]["period"].get<std::string>()));
    REQUIRE(last <= period);
    last = period;
  }
  const tpn::Document best = tpn::read_document(text_of(file), file);
  REQUIRE(best.heuristic->name == array[0]["heuristic"]);

  const Outcome table = takt({"map", "-", "--heuristic", "all"}, problem(kTwo));
  REQUIRE(table.status == tools::kAnswered);
  REQUIRE_THAT(
      table.out,
      Contains("Best first, by the exact period under OVERLAP ONE-PORT (default; --model strict for the other)\n"));
  for (const auto& heuristic : heuristics::heuristics()) {
    REQUIRE_THAT(table.out, Contains("  " + std::string(heuristic.name) + "  "));
  }
}

TEST_CASE("without the name of a heuristic the answer is the best mapping of all") {
  const TemporaryFolder folder;
  const std::string file = folder.path("best.json");
  const Outcome table = takt({"map", kProblem, "--heuristic", "all", "--json"});
  const ordered_json first = ordered_json::parse(table.out)[0];
  const Outcome outcome = takt({"map", kProblem, "-o", file});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, StartsWith("The best of 21 mappings by its exact period under OVERLAP ONE-PORT (default; "
                                       "--model strict for the other) is that of " +
                                       first["heuristic"].get<std::string>() + "; "));
  const tpn::Document best = tpn::read_document(text_of(file), file);
  REQUIRE(best.heuristic->name == first["heuristic"]);
  REQUIRE(ordered_json::parse(takt({"evaluate", file, "--model", "overlap", "--json"}).out)["period"] ==
          first["periods"][0]["period"]);

  const Outcome strict = takt({"map", kProblem, "--model", "strict"});
  REQUIRE(strict.status == tools::kAnswered);
  REQUIRE_THAT(strict.err, Contains(" under STRICT ONE-PORT is that of polish; "));
  REQUIRE(tpn::read_document(strict.out, "standard output").mapping.has_value());
}

TEST_CASE("where stages run on some machines only they are mapped there, and who cannot is skipped with the reason") {
  const TemporaryFolder folder;
  const std::string file = folder.path("cameras.json");
  const auto table = [](const std::string& name) { return source("tests/data/measured/cameras-" + name + ".csv"); };
  REQUIRE(takt({"import", "--times", table("times"), "--sizes", table("sizes"), "--links", table("links"), "-o", file})
              .status == tools::kAnswered);
  REQUIRE(takt({"map", file}).status == tools::kAnswered);
  const Outcome all = takt({"map", file, "--heuristic", "all"});
  REQUIRE(all.status == tools::kAnswered);
  const std::size_t skipped = all.out.find("\nSkipped\n");
  REQUIRE(skipped != std::string::npos);
  for (const char* name : {"polish", "typed-dp", "greedy", "random", "bsl", "exhaustive"}) {
    INFO(name);
    CHECK(all.out.find(std::string("\n  ") + name + " ") < skipped);
  }
  CHECK_THAT(all.out,
             Contains("hedpm                   it takes only problems whose stages run on every processor: found "
                      "stage \"ingest\", which does not run on \"gpu1\""));
  const Outcome plan = takt({"plan", file, "--rate", "100/s", "--model", "overlap"});
  CHECK(plan.status == tools::kAnswered);
  CHECK_THAT(plan.out, Contains("100/s was asked for"));
  CHECK(takt({"compare", file}).status == tools::kAnswered);
}

TEST_CASE("several sources by name are mapped, compared, and told as the reason of those who take one") {
  const std::string cameras = R"({"application": {"input": 4, "stages": [{"name": "decode", "work": 6, "output": 2},
    {"name": "detect", "work": 9}]},
    "platform": {"processors": [{"name": "a", "speed": 1}, {"name": "b", "speed": 2}, {"name": "c", "speed": 3}],
    "bandwidth": 4, "sources": [{"name": "door"}, {"name": "yard", "bandwidth": 1}]}})";
  const TemporaryFolder folder;
  const std::string file = folder.write("cameras.json", cameras);
  const std::string mapped = folder.path("mapped.json");
  const Outcome best = takt({"map", file, "-o", mapped});
  REQUIRE(best.status == tools::kAnswered);
  CHECK(takt({"verify", mapped}).status == tools::kAnswered);
  const Outcome all = takt({"map", file, "--heuristic", "all"});
  REQUIRE(all.status == tools::kAnswered);
  const std::size_t skipped = all.out.find("\nSkipped\n");
  REQUIRE(skipped != std::string::npos);
  for (const char* name : {"polish", "typed-dp", "greedy", "random", "exhaustive", "hill-climbing"}) {
    INFO(name);
    CHECK(all.out.find(std::string("\n  ") + name + " ") < skipped);
  }
  CHECK_THAT(all.out, Contains("it takes only one source and one sink: found 2 sources by name"));
  CHECK(takt({"compare", file}).status == tools::kAnswered);
  CHECK(takt({"plan", file, "--period", "6"}).status == tools::kAnswered);
  CHECK_THAT(takt({"run", mapped, "--rehearse", "--data-sets", "5"}).out, Contains("5 data sets delivered in order"));
  const Outcome run = takt({"run", mapped, "--rehearse", "--data-sets", "5", "--order", "first-free"});
  CHECK(run.status == tools::kUsage);
  CHECK_THAT(run.err, Contains("it takes only one source and one sink: found 2 sources by name"));
}

TEST_CASE("stages that leave each other too few machines are named") {
  const std::string crowded = R"({"application": {"stages": [{"name": "in", "time": {"cpu": 3}, "output": 1},
    {"name": "net", "time": {"gpu": 2, "gpu2": 3}, "output": 1}, {"name": "out", "time": {"cpu": 1}}]},
    "platform": {"processors": [{"name": "cpu"}, {"name": "gpu"}, {"name": "gpu2"}], "time": 0}})";
  const Outcome greedy = takt({"map", "-", "--heuristic", "greedy"}, crowded);
  CHECK(greedy.status == tools::kNo);
  CHECK_THAT(greedy.err,
             Contains("it has each processor in one part, and stages \"in\" and \"out\" run on \"cpu\" only, "
                      "which does not have two of them in one part"));
  const Outcome polish = takt({"map", "-", "--heuristic", "polish"}, crowded);
  // A machine that serves two parts does.
  CHECK(polish.status == tools::kAnswered);
  const Outcome plan = takt({"plan", "-", "--period", "10"}, crowded);
  CHECK(plan.status == tools::kAnswered);
  CHECK_THAT(plan.out, Contains("in    cpu") && Contains("out   cpu"));
  const Outcome nowhere =
      takt({"map", "-", "--heuristic", "polish"},
           R"({"application": {"stages": [{"name": "a", "time": {"P": 1}, "runs on": ["Q"], "output": 1}, {"name": "b",
           "time": {"Q": 1}}]}, "platform": {"processors": [{"name": "P"}, {"name": "Q"}], "time": 0}})");
  CHECK(nowhere.status == tools::kBadInput);
  CHECK_THAT(nowhere.err, Contains("/application/stages/0: found stage \"a\", which no processor runs, expected a "
                                   "\"time\" in the stage for some processor that its \"runs on\" does not rule out"));
}

TEST_CASE("no heuristic maps onto processors that do not reach each other and the world") {
  const std::string unreachable = R"({"application": {"input": 1, "stages": [{"name": "a", "work": 1, "output": 1}]},
    "platform": {"processors": [{"name": "P", "speed": 1}], "source": {}}})";
  const Outcome outcome = takt({"map", "-", "--heuristic", "all"}, unreachable);
  REQUIRE(outcome.status == tools::kNo);
  REQUIRE_THAT(outcome.err, Contains("takt: no heuristic finds a mapping\n"));
}

TEST_CASE("a problem that is no document, or lacks a work, is bad input") {
  REQUIRE(takt({"map", "-", "--heuristic", "bsc"}, "{").status == tools::kBadInput);
  const std::string workless = R"({"application": {"stages": [{"name": "a"}]},
    "platform": {"processors": [{"name": "P", "speed": 1}]}})";
  const Outcome outcome = takt({"map", "-", "--heuristic", "bsc"}, workless);
  REQUIRE(outcome.status == tools::kBadInput);
  REQUIRE_THAT(outcome.err, Contains("/application/stages/0"));
}

TEST_CASE("with --json the trace is tables of text") {
  const TemporaryFolder folder;
  const Outcome outcome =
      takt({"map", kProblem, "--heuristic", "hedpm", "--trace", "--json", "-o", folder.path("mapped.json")});
  REQUIRE(outcome.status == tools::kAnswered);
  const ordered_json trace = ordered_json::parse(outcome.out)["trace"];
  REQUIRE(trace.size() == 2);
  REQUIRE(trace[0]["title"] == "Algorithm 4.1");
  REQUIRE(trace[0]["columns"][0] == "Iter");
  REQUIRE(trace[0]["table_rows"][0][0] == "1");
}

TEST_CASE("with --json the trace of a search has its improvements as exact numbers") {
  const TemporaryFolder folder;
  const auto trace_of = [&](const std::string& heuristic) {
    const Outcome outcome =
        takt({"map", kProblem, "--heuristic", heuristic, "--trace", "--json", "-o", folder.path("mapped.json")});
    REQUIRE(outcome.status == tools::kAnswered);
    return ordered_json::parse(outcome.out);
  };
  const ordered_json search = trace_of("polish");
  REQUIRE(search["improvements"].size() > 1);
  REQUIRE(search["improvements"].front()["iteration"] == 0);
  REQUIRE(search["improvements"].back()["period"] == search["predicted_period"]);
  REQUIRE(search["improvements"].back()["period_decimal"] == search["predicted_period_decimal"]);
  REQUIRE_FALSE(trace_of("hedpm").contains("improvements"));
}

TEST_CASE("a work that a heuristic needs and does not find has its place") {
  const std::string workless = R"({"application": {"stages": [{"name": "a"}, {"name": "b"}]},
    "platform": {"processors": [{"name": "P", "time": 1}, {"name": "Q", "speed": 1}], "time": 0}})";
  const Outcome alone = takt({"map", "-", "--heuristic", "bs121"}, workless);
  REQUIRE(alone.status == tools::kBadInput);
  REQUIRE_THAT(alone.err, StartsWith("takt: standard input: /application/stages/0/work: found "));
  const Outcome all = takt({"map", "-", "--heuristic", "all"}, workless);
  REQUIRE(all.status == tools::kBadInput);
  REQUIRE_THAT(all.err, StartsWith("takt: standard input: /application/stages/0/work: found "));
}

TEST_CASE("a file that cannot be written is told before the search") {
  const TemporaryFolder folder;
  for (const std::string& path : {folder.path("none/mapped.json"), folder.path("")}) {
    const Outcome outcome = takt({"map", kProblem, "--heuristic", "hedpm", "-o", path});
    REQUIRE(outcome.status == tools::kBadInput);
    REQUIRE(outcome.out.empty());
    REQUIRE(lines_of(outcome.err).size() == 1);
    REQUIRE_THAT(outcome.err, Contains("cannot be written"));
  }
}

TEST_CASE("an output file keeps its links and its mode, and a file beside it is left alone") {
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  const auto map_to = [](const std::string& path) {
    return takt({"map", kProblem, "--heuristic", "bsc", "-o", path}).status;
  };
  const std::string kept = folder.write("kept.json", "old");
  fs::permissions(kept, fs::perms::owner_read | fs::perms::owner_write);
  folder.write("kept.json.part", "not ours");
  REQUIRE(map_to(kept) == tools::kAnswered);
  REQUIRE(text_of(kept) == takt({"map", kProblem, "--heuristic", "bsc"}).out);
  REQUIRE(fs::status(kept).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
  REQUIRE(text_of(folder.path("kept.json.part")) == "not ours");

  fs::create_symlink("behind.json", folder.path("dangling.json"));
  REQUIRE(map_to(folder.path("dangling.json")) == tools::kAnswered);
  REQUIRE(fs::is_symlink(folder.path("dangling.json")));
  REQUIRE(text_of(folder.path("behind.json")) == text_of(kept));

  fs::create_symlink("loop.json", folder.path("loop.json"));
  REQUIRE(map_to(folder.path("loop.json")) == tools::kBadInput);
  REQUIRE(map_to(folder.path(std::string(254, 'n'))) == tools::kBadInput);
  REQUIRE(map_to("/dev/null") == tools::kAnswered);
  REQUIRE(folder.names() ==
          std::vector<std::string>{"behind.json", "dangling.json", "kept.json", "kept.json.part", "loop.json"});
}

TEST_CASE("where only limits were reached, the status of all is that of a limit") {
  // A period of 2000 digits, more than a document can hold.
  const std::string ones(999, '1');
  const std::string large = R"({"application": {"stages": [{"name": "a", "work": )" + ones + R"(}]},
    "platform": {"processors": [{"name": "P", "speed": "1/)" +
                            ones + R"("}]}})";
  const Outcome outcome = takt({"map", "-", "--heuristic", "all"}, large);
  REQUIRE(outcome.status == tools::kLimit);
  REQUIRE_THAT(outcome.out, Contains("its predicted period takes more than the 1000 digits of a document's number"));
}

TEST_CASE("an option that is yes or no is either, and nothing else") {
  const auto mapped = [](const std::string& value) {
    return takt({"map", "-", "--heuristic", "polish", "--weighted", value}, problem(kTwo));
  };
  const auto weighted = [&](const std::string& value) {
    return ordered_json::parse(mapped(value).out)["heuristic"]["options"]["weighted"];
  };
  REQUIRE(weighted("yes") == true);
  REQUIRE(weighted("no") == false);
  const Outcome other = mapped("maybe");
  REQUIRE(other.status == tools::kUsage);
  REQUIRE_THAT(other.err, Contains("--weighted: found \"maybe\", expected yes or no"));
}

TEST_CASE("polish and exhaustive say a lower bound of all periods, and how far they are above it") {
  const TemporaryFolder folder;
  const auto mapped = [&](const std::string& heuristic) {
    const Outcome outcome =
        takt({"map", kProblem, "--heuristic", heuristic, "--model", "strict", "--json", "-o", folder.path("m.json")});
    REQUIRE(outcome.status == tools::kAnswered);
    REQUIRE_THAT(outcome.err, Contains("a lower bound of all") || Contains("Proved: no mapping has a period below"));
    return ordered_json::parse(outcome.out);
  };
  const ordered_json polish = mapped("polish");
  const double bound = polish["any_mapping_period_lower_bound_decimal"];
  const double period = polish["predicted_period_decimal"];
  REQUIRE(bound > 0);
  REQUIRE(polish["above_bound_percent"].get<double>() == Approx(100 * (period / bound - 1)).margin(1e-9));
  const ordered_json exhaustive = mapped("exhaustive");
  REQUIRE(exhaustive["any_mapping_period_lower_bound"] == polish["any_mapping_period_lower_bound"]);
  REQUIRE(exhaustive["notes"].front() == "No interval mapping has a shorter period: all were tried or ruled out.");
  const Outcome hedpm = takt({"map", kProblem, "--heuristic", "hedpm", "--json", "-o", folder.path("m.json")});
  REQUIRE_FALSE(ordered_json::parse(hedpm.out).contains("any_mapping_period_lower_bound"));
}

TEST_CASE("with a time limit for all, polish is first, with short sequences where others are as good") {
  const std::string path = source("tests/data/problems/p9204.json");
  for (const char* model : {"overlap", "strict"}) {
    const support::CountedClock clock(std::chrono::milliseconds(1));
    const Outcome outcome = takt({"map", path, "--heuristic", "all", "--model", model, "--time-limit", "5", "--json"});
    REQUIRE(outcome.status == tools::kAnswered);
    const ordered_json runs = ordered_json::parse(outcome.out);
    const auto polish = std::ranges::find_if(runs, [](const auto& run) { return run["heuristic"] == "polish"; });
    const std::size_t at = model == std::string("overlap") ? 0 : 1;
    REQUIRE((*polish)["periods"][at]["model"] == model);
    REQUIRE((*polish)["periods"][at] == runs.front()["periods"][at]);
    REQUIRE((*polish)["periods"][at]["period"] == "15/11");
  }
}

TEST_CASE("takt heuristics lists every heuristic, with its source, as a table and as JSON") {
  const Outcome table = takt({"heuristics"});
  REQUIRE(table.status == tools::kAnswered);
  const ordered_json array = ordered_json::parse(takt({"heuristics", "--json"}).out);
  REQUIRE(array.size() == heuristics::heuristics().size());
  for (const ordered_json& entry : array) {
    REQUIRE_THAT(table.out, Contains("  " + entry["name"].get<std::string>() + "  "));
    for (const char* key :
         {"name", "summary", "mapping_class", "model", "communication", "optimality", "complexity", "source"}) {
      INFO(key);
      REQUIRE_FALSE(entry[key].get<std::string>().empty());
    }
    for (const ordered_json& option : entry["options"]) REQUIRE_FALSE(option["default"].get<std::string>().empty());
  }
}

// Types without processors; `count` stands behind the first one's speed.
std::string catalogue(const std::string& count) {
  return R"({"application": {"stages": [{"name": "a", "work": 6, "output": 1}, {"name": "b", "work": 2}]},
             "platform": {"time": 0, "types": [{"name": "small", "speed": 1)" +
         count + R"(}, {"name": "big", "speed": 4, "count": 1}]}})";
}

TEST_CASE("a catalogue is mapped on as many processors of each type as it counts") {
  const Outcome outcome = takt({"map", "-", "--heuristic", "polish"}, catalogue(R"(, "count": 3)"));
  REQUIRE(outcome.status == tools::kAnswered);
  const tpn::Document document = tpn::read_document(outcome.out, "standard output");
  REQUIRE(document.platform.processors.size() == 4);
  CHECK(document.platform.processors[2].name == "small-3");
  CHECK(document.platform.processors[2].type == 0U);
  CHECK(document.platform.types.size() == 2);
  CHECK_THAT(outcome.out, Contains(R"({"name": "small-3", "type": "small"})"));
  CHECK(takt({"verify", "-"}, outcome.out).status == tools::kAnswered);
}

TEST_CASE("a catalogue without all counts, or with too many, is refused with what to do") {
  const auto refusal = [](const std::string& count) {
    const Outcome outcome = takt({"map", "-", "--heuristic", "greedy"}, catalogue(count));
    CHECK(outcome.status == tools::kBadInput);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  CHECK(refusal("") ==
        "takt: standard input: /platform/types/0: found type \"small\" without a \"count\", expected the number of "
        "machines to map on; \"takt plan\" chooses the number itself\n");
  CHECK(refusal(R"(, "count": 1e300)") ==
        "takt: standard input: /platform/types/0/count: found more processors than can be mapped on, expected at most "
        "100000 of all types\n");
  CHECK_THAT(refusal(R"(, "count": 100000)"), Contains("/platform/types/1/count: found more processors than"));
  CHECK(takt({"map", "-", "--heuristic", "greedy"}, catalogue(R"(, "count": 0)")).status == tools::kAnswered);
}

TEST_CASE("commands that need processors refuse a catalogue") {
  const TemporaryFolder folder;
  for (const char* command : {"evaluate", "verify", "simulate", "rooms", "report", "sensitivity"}) {
    std::vector<std::string> arguments = {command, "-"};
    if (arguments.front() == "report") arguments.insert(arguments.end(), {"-o", folder.path("page.html")});
    const Outcome outcome = takt(arguments, catalogue(R"(, "count": 3)"));
    INFO(command << ": " << outcome.err);
    CHECK(outcome.status == tools::kBadInput);
    CHECK_THAT(outcome.err, Contains("/platform: found types without \"processors\"") && Contains("takt plan"));
  }
}

}  // namespace
}  // namespace takt::testing
