// takt compare: heuristics of one's own, good and bad, beside takt's.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/support/counted_clock.hpp"
#include "tests/support/process_events.hpp"
#include "tests/tools/process.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tools/words/csv.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;

// P is twice as fast as Q: both stages on P take 6 a data set, dealt to both in turn 6 as well, and so on.
std::string problem(int work) {
  return R"({"application":{"stages":[{"name":"a","work":)" + std::to_string(work) +
         R"(,"output":2},{"name":"b","work":6}]},"platform":{"processors":[{"name":"P","speed":2},)"
         R"({"name":"Q","speed":1}],"bandwidth":1}})";
}

const std::string kAllOnP = R"(mine=echo '{"mapping":[{"stages":["a","b"],"processors":["P"]}]}')";

std::string three_problems() { return problem(6) + "\n\n" + problem(8) + "\n" + problem(10) + "\n"; }

ordered_json compared(const std::vector<std::string>& arguments, int status) {
  const Outcome outcome = takt(appended({"compare", "--json"}, arguments), three_problems());
  INFO(outcome.err);
  REQUIRE(outcome.status == status);
  return ordered_json::parse(outcome.out);
}

const ordered_json& standing_of(const ordered_json& json, const std::string& name) {
  for (const ordered_json& standing : json["heuristics"]) {
    if (standing["heuristic"] == name) return standing;
  }
  throw std::runtime_error("no " + name);
}

TEST_CASE("an own heuristic stands beside takt's, by exact periods") {
  const ordered_json json =
      compared({"-", "--lines", "--mine", kAllOnP, "--heuristics", "bs121,exhaustive", "--model", "strict"}, 0);
  REQUIRE(json["problems"] == 3);
  REQUIRE(json["model"] == "strict");
  REQUIRE(compared({"-", "--lines", "--mine", kAllOnP, "--heuristics", "bs121"}, 0)["model"] == "overlap");
  const ordered_json& mine = standing_of(json, "mine");
  REQUIRE(mine["solved"] == 3);
  REQUIRE_THAT(mine["command"].get<std::string>(), Contains("echo"));
  // 6, 7 and 8 on P; exhaustive knows the least.
  const ordered_json& best = standing_of(json, "exhaustive");
  REQUIRE(best["best"] == 3);
  REQUIRE(best["ratio_to_best"]["worst"] == "1");
  for (const ordered_json& standing : json["heuristics"]) {
    REQUIRE(standing["ratio_to_bound"]["problems"] == 3);
    REQUIRE(standing["ratio_to_bound"]["ratio_mean"] >= standing["ratio_to_best"]["ratio_mean"]);
  }
  REQUIRE(json["heuristics"][0]["heuristic"] == (mine["best"] == 3 ? "mine" : "exhaustive"));

  const Outcome each_way = takt(
      {"compare", "-", "--lines", "--mine", kAllOnP, "--heuristics", "none", "--model", "overlap"}, three_problems());
  REQUIRE(each_way.status == tools::kAnswered);
  REQUIRE_THAT(each_way.out, Contains("3 problems, exact periods under OVERLAP ONE-PORT"));
}

TEST_CASE("an own heuristic that stays answers as one that is run anew") {
  const std::string server =
      R"(stays=while read l; do echo '{"mapping":[{"stages":["a","b"],"processors":["P"]}]}'; done)";
  const ordered_json json =
      compared({"-", "--lines", "--mine", kAllOnP, "--serve", server, "--heuristics", "none", "--jobs", "2"}, 0);
  REQUIRE(standing_of(json, "stays")["ratio_to_bound"] == standing_of(json, "mine")["ratio_to_bound"]);
  REQUIRE_FALSE(json["heuristics"][0].contains("median_seconds"));
  const Outcome twice = takt({"compare", "-", "--lines", "--mine", kAllOnP, "--serve", "mine=x"}, three_problems());
  REQUIRE(twice.status == tools::kUsage);
  REQUIRE_THAT(twice.err, Contains("--serve NAME=COMMAND"));
}

TEST_CASE("run times stand in every form of a comparison where they are asked for") {
  const TemporaryFolder folder;
  // A tenth of a millisecond passes with each question.
  const support::CountedClock clock(std::chrono::microseconds(100));
  const ordered_json json = compared({"-", "--lines", "--mine", "slow=exit 1", "--mine", kAllOnP, "--heuristics", "bsc",
                                      "--times", "--each", folder.path("each.csv")},
                                     1);
  REQUIRE(standing_of(json, "slow")["median_seconds"].is_null());
  for (const std::string name : {"mine", "bsc"}) {
    const ordered_json& standing = standing_of(json, name);
    REQUIRE(standing["median_seconds"] >= 1e-4);
    REQUIRE(standing["longest_seconds"] >= standing["median_seconds"]);
  }
  const std::string each = text_of(folder.path("each.csv"));
  REQUIRE_THAT(each, Contains(",failure,seconds\n"));
  const std::size_t slow = each.find(",slow,");
  const std::string line = each.substr(slow, each.find('\n', slow) - slow);
  REQUIRE(std::stod(line.substr(line.rfind(',') + 1)) >= 2e-4);
  const std::vector<std::string> common = {"compare",      "-",   "--lines", "--mine", kAllOnP,
                                           "--heuristics", "bsc", "--times"};
  const auto with = [&](const std::string& option) {
    auto arguments = common;
    if (!option.empty()) arguments.push_back(option);
    return takt(arguments, three_problems()).out;
  };
  REQUIRE_THAT(with(""), Contains("median time  longest"));
  REQUIRE_THAT(with("--csv"), Contains(",median_seconds,longest_seconds\n"));
  REQUIRE_THAT(with("--latex"), Contains("median time & longest"));
}

TEST_CASE("each way to fail is told once, by its first problem, and is the status") {
  const ordered_json json = compared(
      {"-", "--lines", "--heuristics", "none", "--mine", kAllOnP, "--mine", "crash=echo why >&2; exit 3", "--mine",
       "rubbish=echo rubbish", "--mine", R"(part=echo '{"mapping":[{"stages":["a"],"processors":["P"]}]}')", "--mine",
       R"x(some=grep -q '"work": 8' {} && exit 1; echo '{"mapping":[{"stages":["a","b"],"processors":["P"]}]}')x"},
      tools::kNo);
  REQUIRE(json["heuristics"][0]["heuristic"] == "mine");
  REQUIRE(json["heuristics"][1]["heuristic"] == "some");
  REQUIRE(standing_of(json, "some")["solved"] == 2);
  REQUIRE(standing_of(json, "some")["failures"].dump() ==
          R"([{"reason":"exit status 1","problems":1,"first":"standard input:3"}])");
  const auto only_reason = [](const ordered_json& all, const std::string& name) {
    const ordered_json& failures = standing_of(all, name)["failures"];
    REQUIRE(failures.size() == 1);
    REQUIRE(failures[0]["problems"] == 3);
    REQUIRE(failures[0]["first"] == "standard input:1");
    return failures[0]["reason"].get<std::string>();
  };
  REQUIRE(only_reason(json, "crash") == "exit status 3: why");
  REQUIRE(only_reason(json, "rubbish") == "its output:1:1: found 'rubbish', expected a JSON value");
  REQUIRE(only_reason(json, "part") ==
          "its output: /mapping: found no part for stage \"b\", expected every stage in exactly one part");
  const support::CountedClock clock(std::chrono::hours(1));
  REQUIRE(
      only_reason(compared({"-", "--lines", "--heuristics", "none", "--mine", "hang=sleep 1000", "--time-limit", "1s"},
                           tools::kNo),
                  "hang") == "the time limit was reached");
}

TEST_CASE("commands are given the problem alone, the seed, the model and the time") {
  const TemporaryFolder folder;
  const support::StoppedClock clock;
  std::string instance = problem(6);
  instance.insert(instance.size() - 1,
                  R"(,"mapping":[{"stages":["a","b"],"processors":["Q"]}],"predicted_period":12,"model":"overlap")");
  folder.write("a b.json", instance);
  const std::string seen = folder.path("seen");
  const std::string command = "mine=(cat {}; echo $TAKT_SEED $TAKT_MODEL $TAKT_TIME_LIMIT) > '" + seen +
                              R"('; echo '{"mapping":[{"stages":["a","b"],"processors":["P"]}]}')";
  const Outcome outcome = takt({"compare", folder.path("a b.json"), "--heuristics", "none", "--mine", command, "--seed",
                                "42", "--time-limit", "20s"});
  REQUIRE(outcome.status == tools::kAnswered);
  const std::string text = text_of(seen);
  REQUIRE_THAT(
      text, Contains("\"a\"") && !Contains("mapping") && !Contains("predicted") && Catch::EndsWith("42 overlap 20\n"));
}

TEST_CASE("tables, CSV and LaTeX tell the same; --each has every period") {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path("set"));
  folder.write("set/b.json", problem(8));
  folder.write("set/a.json", problem(6));
  folder.write("set/c.jsonl", problem(10) + "\n");
  folder.write("set/notes.txt", "no problem");
  const std::string each = folder.path("each.csv");
  std::vector<std::string> arguments = {
      "compare", folder.path("set"), "--mine", "a_b%" + kAllOnP.substr(4), "--heuristics", "bs121", "--factors",
      "3/2,1",   "--each",           each};
  const Outcome table = takt(arguments);
  REQUIRE(table.status == tools::kAnswered);
  REQUIRE_THAT(lines_of(table.out)[1], Contains("heuristic") && Contains("<= 1 ") && Contains("<= 1.5"));

  const tools::CsvTable rows = tools::read_csv(text_of(each));
  REQUIRE(rows.rows.size() == 1 + 3 * 2);
  REQUIRE(rows.rows[1].fields[0] == folder.path("set/a.json"));
  REQUIRE(rows.rows[1].fields[1] == "a_b%");
  REQUIRE(rows.rows[1].fields[3] == "6");
  REQUIRE(rows.rows[3].fields[0] == folder.path("set/b.json"));
  REQUIRE(rows.rows[5].fields[0] == folder.path("set/c.jsonl") + ":1");
  REQUIRE(rows.rows[5].fields[3] == "8");

  arguments.emplace_back("--csv");
  const tools::CsvTable csv = tools::read_csv(takt(arguments).out);
  REQUIRE(csv.rows.size() == 3);
  REQUIRE(csv.rows[0].fields.size() == csv.rows[1].fields.size());
  REQUIRE(csv.rows[0].fields.back() == "within_1.5");
  arguments.back() = "--latex";
  const Outcome latex = takt(arguments);
  REQUIRE_THAT(latex.out, Contains("a\\_b\\% & 3 & ") && Contains("$\\le$ 1.5") && Contains("\\end{tabular}\n"));
}

TEST_CASE("problems may be draws of a generator") {
  const std::vector<std::string> arguments = {"compare", "--generator", "skeleton-pair", "--stages", "5",
                                              "--draws", "6",           "--seed",        "3",        "--heuristics",
                                              "bsc,spl", "--csv"};
  const Outcome outcome = takt(arguments);
  REQUIRE(outcome.status == tools::kAnswered);
  const Outcome lines = takt({"generate", "skeleton-pair", "--stages", "5", "--seed", "3", "--lines", "--draws", "6"});
  REQUIRE(takt({"compare", "-", "--lines", "--heuristics", "bsc,spl", "--csv"}, lines.out).out == outcome.out);
  REQUIRE(takt({"compare", "--generator", "skeleton"}).status == tools::kUsage);
  REQUIRE_THAT(takt({"compare"}).err, Contains("PROBLEM or --generator is required\n"));
}

TEST_CASE("the output does not depend on the jobs") {
  std::string text;
  for (int k = 1; k <= 12; ++k) text += problem(k) + "\n";
  const std::vector<std::string> arguments = {
      "compare", "-", "--lines", "--mine", kAllOnP, "--mine", "bad=exit 2", "--heuristics", "bsc,random,hill-climbing",
      "--json"};
  const Outcome one = takt(arguments, text);
  for (const std::string jobs : {"2", "5"}) {
    const Outcome several = takt(appended(arguments, {"--jobs", jobs}), text);
    REQUIRE(several.out == one.out);
    REQUIRE(several.status == one.status);
  }
}

TEST_CASE("what makes no sense is refused") {
  const TemporaryFolder folder;
  const std::string file = folder.write("p.json", problem(6));
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"--heuristics", "bcs"},
       "--heuristics: found \"bcs\" (did you mean \"bsc\"?), expected names or classes of heuristics, or none"},
      {{"--heuristics", "none"}, "found no heuristic to compare, expected one at least"},
      {{"--mine", "bsc=x", "--heuristics", "bsc"}, "found two heuristics by the name \"bsc\""},
      {{"--json", "--csv"}, "found several of --json, --csv and --latex"},
      {{"--factors", "1,x"}, "--factors: found \"x\", expected numbers of 1 and more between commas"},
      {{"--factors", "0.5"}, "--factors: found \"0.5\""},
      {{"--each", "-"}, "--each takes a file"},
      {{"--generator", "skeleton-pair"}, "--generator does not go with files"},
      {{"--draws", "3"}, "--draws goes with --generator"},
      {{"--stages", "3"}, "--stages goes with --generator"},
      {{"--jobs", "5000"}, "--jobs: found 5000, expected at most 1024"},
  };
  for (const auto& [more, message] : cases) {
    const Outcome outcome = takt(appended({"compare", file}, more));
    REQUIRE(outcome.status == tools::kUsage);
    REQUIRE_THAT(outcome.err, Contains(message));
  }
  REQUIRE(takt({"compare", file, "--each", file}).status == tools::kBadInput);
  REQUIRE(takt({"compare", folder.path("nowhere.json")}).status == tools::kBadInput);
  REQUIRE(takt({"compare", folder.write("bad.jsonl", problem(6) + "\n{\n")}).err ==
          "takt: " + folder.path("bad.jsonl") + ":2:2: found the end of the line, expected a key in double quotes\n");
  std::filesystem::create_directory(folder.path("empty"));
  REQUIRE_THAT(takt({"compare", folder.path("empty")}).err, Contains("found no problem, expected one at least"));
}

TEST_CASE("Ctrl-C ends what is running and tells of the problems that are done") {
  const TemporaryFolder folder;
  std::string text;
  for (int k = 1; k <= 5; ++k) text += problem(k) + "\n";
  const std::string file = folder.write("p.jsonl", text);
  const support::Fifo id(folder.path("id"));
  const std::string output = folder.write("out", "");
  RunningProgram program(
      {"compare", file, "--heuristics", "bsc", "--json", "--mine",
       "mine=if grep -q '\"work\": 3,' {}; then echo $$ > '" + id.path() + "'; sleep 1000; fi; " + kAllOnP.substr(5)},
      [&] { dup2(open(output.c_str(), O_WRONLY), STDOUT_FILENO); });
  const pid_t hanging = id.process();
  program.send(SIGINT);
  REQUIRE(program.wait().status == tools::kLimit);
  const ordered_json json = ordered_json::parse(text_of(output));
  REQUIRE(json["problems"] == 2);
  REQUIRE(standing_of(json, "mine")["solved"] == 2);
  support::wait_for_end(hanging);
}

}  // namespace
}  // namespace takt::testing
