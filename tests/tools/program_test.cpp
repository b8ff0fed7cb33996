// The program as a whole: commands, help, wrong command lines, streams that fail.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "maxplus/solvers.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"
#include "tpn/json.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::EndsWith;
using Catch::StartsWith;

// The choice of --solver, in the words of a message.
std::string solvers() {
  std::vector<std::string> names;
  for (const auto& solver : maxplus::cycle_ratio_solvers()) names.emplace_back(solver.name);
  return tpn::json::alternatives(names);
}

struct Misuse {
  std::vector<std::string> arguments;
  std::string message;  // the first line on standard error
};

TEST_CASE("a wrong command line gets one message that says where, what was found and what is expected") {
  const std::string a = source("examples/example-a.json");
  const std::string commands = "expected a command or the file of an instance";
  const std::string whole = "expected a whole number from 1 to 2^64 - 1";
  const std::string seconds = "expected a time above 0, such as 30 or 0.5 (seconds), 500ms, 5s or 2min";
  const auto tolerance = [](const std::string& value) {
    return "takt verify: --tolerance: found \"" + value +
           "\", expected a share from 0 to 1, such as 0.05 or 1/20, or a percentage, such as 5%";
  };
  const auto max_rows = [&](const std::string& value) {
    return Misuse{{"evaluate", a, "--max-rows", value}, "takt evaluate: --max-rows: found \"" + value + "\", " + whole};
  };
  const auto time_limit = [&](const std::string& value) {
    return Misuse{{"evaluate", a, "--time-limit", value},
                  "takt evaluate: --time-limit: found \"" + value + "\", " + seconds};
  };
  const std::vector<Misuse> misuses = {
      {{"frobnicate"}, "takt: found the unknown command \"frobnicate\", " + commands},
      {{""}, "takt: found the unknown command \"\", " + commands},
      {{"--foo"}, "takt: found the unknown option \"--foo\", " + commands},
      {{"--model", "strict", "evaluate", a},
       "takt: found \"--model\" before the command, expected it after: takt evaluate --model ..."},
      {{"help", "frobnicate"}, "takt: found the unknown command \"frobnicate\", " + commands},
      {{"evalaute", a}, "takt: found the unknown command \"evalaute\" (did you mean \"evaluate\"?), " + commands},
      {{"sim"}, "takt: found the unknown command \"sim\" (did you mean \"simulate\"?), " + commands},
      {{"hlep"}, "takt: found the unknown command \"hlep\" (did you mean \"help\"?), " + commands},
      {{"--versoin"}, "takt: found the unknown option \"--versoin\" (did you mean \"--version\"?), " + commands},
      {{a, "--modle=strict"}, "takt evaluate: found the unknown option \"--modle=strict\" (did you mean \"--model\"?)"},
      {{"evaluate"}, "takt evaluate: FILE is required"},
      {{"evaluate", a, "--foo"}, "takt evaluate: found the unknown option \"--foo\""},
      {{"evaluate", a, "--mod", "strict"},
       "takt evaluate: found the unknown option \"--mod\" (did you mean \"--model\"?)"},
      {{"evaluate", a, "--model"}, "takt evaluate: --model: found no value, expected overlap, strict or bounded"},
      {{"evaluate", a, "--model", "fancy"},
       "takt evaluate: --model: found \"fancy\", expected overlap, strict or bounded"},
      {{"evaluate", a, "--model", "STRICT"},
       "takt evaluate: --model: found \"STRICT\" (did you mean \"strict\"?), expected overlap, strict or bounded"},
      {{"evaluate", a, "--method", "fancy"},
       "takt evaluate: --method: found \"fancy\", expected auto, unfold, pattern, sweep, residue, potentials or "
       "simulate"},
      {{"evaluate", a, "--method", "pattrn"},
       "takt evaluate: --method: found \"pattrn\" (did you mean \"pattern\"?), expected auto, unfold, pattern, sweep, "
       "residue, potentials or simulate"},
      {{"evaluate", a, "--method", "unfold", "--solver", "Howard"},
       "takt evaluate: --solver: found \"Howard\" (did you mean \"howard\"?), expected " + solvers()},
      {{"evaluate", a, "--method", "unfold", "--solver", "fancy"},
       "takt evaluate: --solver: found \"fancy\", expected " + solvers()},
      {{"evaluate", a, "--circuit", "half"}, "takt evaluate: --circuit: found \"half\", expected full"},
      {{"evaluate", a, "--json=3"}, "takt evaluate: --json: found a value, expected none"},
      {{"dot", a, "--collapse=1"}, "takt dot: --collapse: found a value, expected none"},
      {{"evaluate", a, "--solver", "howard"}, "takt evaluate: --solver goes with --method unfold or pattern"},
      {{"evaluate", a, "--method", "sweep", "--solver", "karp"},
       "takt evaluate: --solver goes with --method unfold or pattern"},
      {{"evaluate", "-", "-"}, "takt evaluate: standard input, \"-\", can be read only once"},
      {{"evaluate", a, a, "--model", "strict", "--certificate", "c.json"},
       "takt evaluate: --certificate goes with one file, found 2"},
      {{"evaluate", a, "--model", "strict", "--certificate", "-"},
       "takt evaluate: --certificate takes a file; standard output holds the result"},
      max_rows("0"),
      max_rows("-1"),
      max_rows("1.5"),
      max_rows("18446744073709551616"),
      time_limit("0"),
      time_limit("-1"),
      time_limit("nan"),
      time_limit("inf"),
      time_limit("1e400"),
      time_limit("soon"),
      time_limit("0ms"),
      time_limit("-5s"),
      time_limit("1e308h"),
      {{"check"}, "takt check: FILE CERTIFICATE is required"},
      {{"simulate"}, "takt simulate: FILE is required"},
      {{"simulate", a, "--data-sets", "0"}, "takt simulate: --data-sets: found \"0\", " + whole},
      {{"simulate", a, "--data-sets", "many"}, "takt simulate: --data-sets: found \"many\", " + whole},
      {{"simulate", a, "--format", "xml"}, "takt simulate: --format: found \"xml\", expected csv or json"},
      {{"simulate", a, "--model", "fancy"},
       "takt simulate: --model: found \"fancy\", expected overlap, strict or bounded"},
      {{"map"}, "takt map: PROBLEM is required"},
      {{"map", a, "--trace"}, "takt map: --trace goes with one heuristic: say which with --heuristic"},
      {{"map", a, "--heuris", "bsc"},
       "takt map: found the unknown option \"--heuris\" (did you mean \"--heuristic\"?)"},
      {{"map", a, "--heuristic", "bsc", "--seed", "-1"},
       "takt map: --seed: found \"-1\", expected a whole number from 0 to 2^64 - 1"},
      {{"map", a, "--heuristic", "bsc", "-o", "-"},
       "takt map: -o takes a file; the document goes to standard output without it"},
      {{"map", a, "--heuristic", "bsc", "-o", ""},
       "takt map: -o takes a file; the document goes to standard output without it"},
      {{"map", a, "--heuristic", "bsc", "--seed"},
       "takt map: --seed: found no value, expected a whole number from 0 to 2^64 - 1"},
      {{"map", a, "--heuristic", "bsc", "--seed", "1", "--seed", "2"},
       "takt map: --seed: found more than once, expected once"},
      {{"map", a, "--heuristic", "bsc", "--trace=yes"}, "takt map: --trace: found a value, expected none"},
      {{"map", a, "--heuristic", "polish", "--start", "bsx"},
       "takt map: --start: found \"bsx\", expected auto, given or another heuristic"},
      {{"map", a, "--heuristic", "polish", "--start", "gready"},
       "takt map: --start: found \"gready\" (did you mean \"greedy\"?), expected auto, given or another heuristic"},
      {{"map", a, "--heuristic", "polish", "--start", "polish"},
       "takt map: --start: found \"polish\", expected auto, given or another heuristic"},
      {{"map", a, "--heuristic", "pdm", "--granularity", "1000001"},
       "takt map: --granularity: found \"1000001\", expected at most 1000000"},
      {{"map", a, "--heuristic", "all", "--trace"},
       "takt map: --trace goes with one heuristic: say which with --heuristic"},
      {{"map", a, "--heuristic", "bsc", "--json"},
       "takt map: --json goes with --heuristic all or -o; standard output holds the mapped document"},
      {{"map", a, "--heuristic", "bsc", "--reading", "paper"}, "takt map: --reading goes with --heuristic hedpm"},
      {{"map", a, "--heuristic", "hedpm", "--reading", "aloud"},
       "takt map: --reading: found \"aloud\", expected default or paper"},
      {{"map", a, "--heuristic", "chain-approx", "--epsilon", "little"},
       "takt map: --epsilon: found \"little\", expected a number, such as 100, 0.01 or 1/100"},
      {{"map", a, "--heuristic", "chain-approx", "--epsilon", "-1"},
       "takt map: --epsilon: found \"-1\", expected a number greater than 0"},
      {{"verify"}, "takt verify: FILE is required"},
      {{"verify", a, "--tolerance", "-1"}, tolerance("-1")},
      {{"verify", a, "--tolerance", "some"}, tolerance("some")},
      {{"verify", a, "--tolerance", "5"},
       "takt verify: --tolerance: found \"5\" (did you mean \"5%\"?), expected a share from 0 to 1, such as 0.05 or "
       "1/20, or "
       "a percentage, such as 5%"},
      {{"verify", "-", "-"}, "takt verify: standard input, \"-\", can be read only once"},
      {{"heuristics", a}, "takt heuristics: found \"" + a + "\", expected no further argument"},
      {{"check", "-", "-"}, "takt check: standard input, \"-\", can be read only once"},
      {{"check", a}, "takt check: found 1 file, expected pairs: \"" + a + "\" has no certificate after it"},
      {{"check", a, a, "last"}, "takt check: found 3 files, expected pairs: \"last\" has no certificate after it"},
      {{"evaluate", a, a, "--certificate", "c", "--keep-going"},
       "takt evaluate: --certificate goes with one file, found 2"},
  };
  for (const Misuse& misuse : misuses) {
    INFO(misuse.message);
    const Outcome outcome = takt(misuse.arguments);
    REQUIRE(outcome.status == tools::kUsage);
    REQUIRE(outcome.out.empty());
    const std::vector<std::string> lines = lines_of(outcome.err);
    REQUIRE(lines.front() == misuse.message);
    REQUIRE(lines.size() <= 2);
    if (lines.size() == 2) {
      REQUIRE_THAT(lines.back(), StartsWith("Run \"takt "));
      REQUIRE_THAT(lines.back(), EndsWith("--help\" for more information."));
    }
  }
}

TEST_CASE("the help of evaluate says of every solver how it works") {
  const Outcome help = takt({"evaluate", "--help"});
  for (const auto& solver : maxplus::cycle_ratio_solvers()) {
    std::string row(solver.name);
    row.resize(10, ' ');
    REQUIRE_THAT(help.out, Contains("  " + row + std::string(solver.summary) + ";"));
  }
}

// docs/command-line.md has the rest, and is held to it.
TEST_CASE("the help of every command has its usage and an example") {
  const Outcome whole = takt({"--help"});
  REQUIRE(whole.status == tools::kAnswered);
  for (const tools::Command& command : tools::commands()) {
    const std::string name(command.name);
    const Outcome help = takt({name, "--help"});
    REQUIRE(help.status == tools::kAnswered);
    REQUIRE(help.err.empty());
    REQUIRE_THAT(help.out, Contains("Usage: takt " + name) && Contains("\n  takt " + name));
    REQUIRE_THAT(whole.out, Contains("\n  " + name));
    REQUIRE(takt({name, "-h"}).out == help.out);
  }
  REQUIRE_THAT(whole.out, Contains("Exit status: 0 answered"));
}

TEST_CASE("every file of a command has its row, and every row its file") {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(source("tools/commands"))) {
    if (entry.path().extension() == ".cpp") files.push_back(entry.path().stem().string());
  }
  std::vector<std::string> rows;
  for (const tools::Command& command : tools::commands()) {
    rows.emplace_back(command.name);
    std::ranges::replace(rows.back(), '-', '_');
  }
  std::ranges::sort(files);
  std::ranges::sort(rows);
  REQUIRE(rows == files);
}

TEST_CASE("the examples in the help of every command work in the order they stand") {
  const TemporaryFolder folder;
  // Each problem costs two starts of Python.
  std::vector<std::string> few = lines_of(text_of(source("examples/problems.jsonl")));
  few.resize(5);
  const std::string problems = folder.write("problems.jsonl", joined(few));
  int examples = 0;
  for (const tools::Command& command : tools::commands()) {
    // They start processes of takt-live: tests/live_runs_test.py tries those.
    if (std::string(command.name) == "run" || std::string(command.name) == "probe") continue;
    for (const std::string& line : lines_of(takt({command.name, "--help"}).out)) {
      std::istringstream words(line);
      std::string word;
      if (line.rfind("  takt ", 0) != 0 || !(words >> word)) continue;
      std::vector<std::string> arguments;
      while (words >> std::quoted(word)) {
        const bool is_input = word.rfind("examples/", 0) == 0;
        if (const auto inner = word.find(" examples/"); inner != std::string::npos) {
          arguments.push_back(word.substr(0, inner + 1) + source("") + word.substr(inner + 1));
          continue;
        }
        const bool is_range = word.find("..") != std::string::npos;
        const bool is_run = word == "table-2";
        const bool is_output = is_run || (!is_input && !is_range && word.find('.') != std::string::npos);
        if (word == "examples/problems.jsonl") {
          arguments.push_back(problems);
        } else {
          arguments.push_back(is_input ? source(word) : is_output ? folder.path(word) : word);
        }
      }
      INFO(line);
      const Outcome outcome = takt(arguments);
      REQUIRE(outcome.status == tools::kAnswered);
      REQUIRE_FALSE(outcome.out.empty());
      for (const std::string& note : lines_of(outcome.err)) {
        // A heuristic says where it leaves its assumptions.
        REQUIRE(std::string(command.name) == "map");
        REQUIRE_THAT(note, Contains(": ") && EndsWith("."));
      }
      ++examples;
    }
  }
  REQUIRE(examples >= 5);
}

TEST_CASE("a file alone is evaluated, whether it exists or its name ends as an instance's does") {
  const std::string a = source("examples/example-a.json");
  const Outcome outcome = takt({a, "--model", "strict"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.out == takt({"evaluate", a, "--model", "strict"}).out);
  const TemporaryFolder folder;
  const std::string without_ending = folder.write("a", text_of(a));
  REQUIRE(takt({without_ending}).out == takt({"evaluate", without_ending}).out);
  const Outcome missing = takt({folder.path("none.json")});
  REQUIRE(missing.status == tools::kBadInput);
  REQUIRE_THAT(missing.err, Contains("none.json: cannot be read: "));
  REQUIRE_THAT(takt({folder.path("")}).err, Contains("cannot be read: Is a directory, expected a file"));
}

TEST_CASE("nothing is answered by what takt is for and three lines to start with") {
  const Outcome outcome = takt({});
  REQUIRE(outcome.status == tools::kUsage);
  REQUIRE(outcome.out.empty());
  REQUIRE_THAT(outcome.err, Contains("\n  takt FILE ") && Contains("\n  takt map FILE -o MAPPED ") &&
                                Contains("\n  takt plan FILE --rate 200/s "));
}

TEST_CASE("an instance alone may come from standard input, and options may stand before the file") {
  const std::string a = source("examples/example-a.json");
  REQUIRE(takt({"-", "--model", "strict"}, text_of(a)).out ==
          takt({"evaluate", "-", "--model", "strict"}, text_of(a)).out);
  REQUIRE(takt({"--model", "strict", a}).out == takt({a, "--model", "strict"}).out);
}

TEST_CASE("help of a command is its option --help") {
  REQUIRE(takt({"help"}).out == takt({"--help"}).out);
  REQUIRE(takt({"help", "help"}).out == takt({"--help"}).out);
  for (const tools::Command& command : tools::commands()) {
    REQUIRE(takt({"help", command.name}).out == takt({command.name, "--help"}).out);
    REQUIRE(takt({"--help", command.name}).out == takt({command.name, "--help"}).out);
  }
}

TEST_CASE("every time limit takes a unit") {
  int limits = 0;
  for (const tools::Command& command : tools::commands()) {
    if (takt({command.name, "--help"}).out.find("--time-limit") == std::string::npos) continue;
    ++limits;
    for (const char* limit : {"5s", "5 s", "500ms", "2min", "1.5h", "30", "0.5"}) {
      INFO(command.name << " --time-limit " << limit);
      REQUIRE_THAT(takt({command.name, "--time-limit", limit}).err, Contains(" is required\n"));
    }
    REQUIRE_THAT(takt({command.name, "--time-limit", "soon"}).err, Contains("--time-limit: found \"soon\", expected "));
  }
  REQUIRE(limits >= 4);
  const Outcome outcome = takt({"evaluate", source("examples/example-c.json"), "--time-limit", "0.000001ms"});
  REQUIRE(outcome.status == tools::kLimit);
}

TEST_CASE("a problem without mapping is told how to get one") {
  const TemporaryFolder folder;
  const std::string blank = folder.write("it's a.json", text_of(source("examples/hedpm-problem.json")));
  REQUIRE_THAT(takt({blank}).err, Contains("takt map '" + folder.path("it'\\''s a.json") + "' -o mapped.json"));
}

TEST_CASE("option --version names the program and its version") {
  const Outcome outcome = takt({"--version"});
  REQUIRE(takt({"-V"}).out == outcome.out);
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Catch::Matches("takt [0-9]+\\.[0-9]+\\.[0-9]+\\n"));
}

TEST_CASE("a standard output that cannot be written is told, whatever was to be written") {
  const std::vector<std::vector<std::string>> command_lines = {{"--help"},
                                                               {"--version"},
                                                               {"evaluate", "--help"},
                                                               {"evaluate", source("examples/example-a.json")},
                                                               {"simulate", source("examples/example-a.json")}};
  for (const auto& arguments : command_lines) {
    std::istringstream in;
    std::ostream nowhere(nullptr);
    std::ostringstream err;
    REQUIRE(tools::run(arguments, {in, nowhere, err}) == tools::kBadInput);
    REQUIRE(err.str() == "takt: standard output cannot be written\n");
  }
}

}  // namespace
}  // namespace takt::testing
