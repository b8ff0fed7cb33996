// The program as a whole: commands, help, wrong command lines, streams that fail.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
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
  const std::string commands =
      "expected a command: evaluate, check, dot, sensitivity, simulate, map, verify or heuristics";
  const std::string whole = "expected a whole number from 1 to 2^64 - 1";
  const std::string seconds = "expected a number of seconds above 0, such as 30 or 0.5";
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
      {{}, "takt: " + commands},
      {{"frobnicate"}, "takt: found the unknown command \"frobnicate\", " + commands},
      {{""}, "takt: found the unknown command \"\", " + commands},
      {{"--foo", "evaluate", a}, "takt: found the unknown option \"--foo\", " + commands},
      {{"evaluate"}, "takt evaluate: FILE is required"},
      {{"evaluate", a, "--foo"}, "takt evaluate: found the unknown option \"--foo\""},
      {{"evaluate", a, "--mod", "strict"}, "takt evaluate: found the unknown option \"--mod\""},
      {{"evaluate", a, "--model"}, "takt evaluate: --model: found no value, expected one"},
      {{"evaluate", a, "--model", "fancy"},
       "takt evaluate: --model: found \"fancy\", expected overlap, strict or bounded"},
      {{"evaluate", a, "--model", "STRICT"},
       "takt evaluate: --model: found \"STRICT\", expected overlap, strict or bounded"},
      {{"evaluate", a, "--method", "fancy"},
       "takt evaluate: --method: found \"fancy\", expected auto, unfold, pattern, sweep, residue or simulate"},
      {{"evaluate", a, "--method", "unfold", "--solver", "fancy"},
       "takt evaluate: --solver: found \"fancy\", expected " + solvers()},
      {{"evaluate", a, "--circuit", "half"}, "takt evaluate: --circuit: found \"half\", expected full"},
      {{"evaluate", a, "--json=3"}, "takt evaluate: --json: found a value, expected none"},
      {{"dot", a, "--collapse=1"}, "takt dot: --collapse: found a value, expected none"},
      {{"evaluate", a, "--solver", "howard"}, "takt evaluate: --solver goes with --method unfold or pattern"},
      {{"evaluate", a, "--method", "sweep", "--solver", "karp"},
       "takt evaluate: --solver goes with --method unfold or pattern"},
      {{"evaluate", "-", "-"}, "takt evaluate: standard input, \"-\", can be read only once"},
      {{"evaluate", a, "--certificate", "c.json"},
       "takt evaluate: --certificate goes with one file and one model; say which with --model"},
      {{"evaluate", a, a, "--model", "strict", "--certificate", "c.json"},
       "takt evaluate: --certificate goes with one file and one model; say which with --model"},
      {{"evaluate", a, "--model", "strict", "--certificate", "-"},
       "takt evaluate: --certificate takes a file; standard output holds the result"},
      max_rows("0"),
      max_rows("-1"),
      max_rows("1.5"),
      max_rows("1e3"),
      max_rows("18446744073709551616"),
      time_limit("0"),
      time_limit("-1"),
      time_limit("nan"),
      time_limit("inf"),
      time_limit("1e400"),
      time_limit("soon"),
      {{"check"}, "takt check: FILE CERTIFICATE is required"},
      {{"simulate"}, "takt simulate: FILE is required"},
      {{"simulate", a, "--data-sets", "0"}, "takt simulate: --data-sets: found \"0\", " + whole},
      {{"simulate", a, "--data-sets", "many"}, "takt simulate: --data-sets: found \"many\", " + whole},
      {{"simulate", a, "--format", "xml"}, "takt simulate: --format: found \"xml\", expected csv or json"},
      {{"simulate", a, "--model", "fancy"},
       "takt simulate: --model: found \"fancy\", expected overlap, strict or bounded"},
      {{"map"}, "takt map: PROBLEM is required"},
      {{"map", a}, "takt map: --heuristic is required"},
      {{"map", a, "--heuris", "bsc"}, "takt map: found the unknown option \"--heuris\""},
      {{"map", a, "--heuristic", "bsc", "--seed", "-1"},
       "takt map: --seed: found \"-1\", expected a whole number from 0 to 2^64 - 1"},
      {{"map", a, "--heuristic", "bsc", "-o", "-"},
       "takt map: -o takes a file; the document goes to standard output without it"},
      {{"map", a, "--heuristic", "bsc", "-o", ""},
       "takt map: -o takes a file; the document goes to standard output without it"},
      {{"map", a, "--heuristic", "bsc", "--seed"}, "takt map: --seed: found no value, expected one"},
      {{"map", a, "--heuristic", "bsc", "--seed", "1", "--seed", "2"},
       "takt map: --seed: found more than once, expected once"},
      {{"map", a, "--heuristic", "bsc", "--trace=yes"}, "takt map: --trace: found a value, expected none"},
      {{"map", a, "--heuristic", "polish", "--start", "bsx"},
       "takt map: --start: found \"bsx\", expected auto, given or another heuristic"},
      {{"map", a, "--heuristic", "polish", "--start", "polish"},
       "takt map: --start: found \"polish\", expected auto, given or another heuristic"},
      {{"map", a, "--heuristic", "pdm", "--granularity", "1000001"},
       "takt map: --granularity: found \"1000001\", expected at most 1000000"},
      {{"map", a, "--heuristic", "all", "--trace"}, "takt map: --trace goes with one heuristic"},
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
      {{"verify", a, "--tolerance", "5"}, tolerance("5")},
      {{"verify", "-", "-"}, "takt verify: standard input, \"-\", can be read only once"},
      {{"heuristics", a}, "takt heuristics: found \"" + a + "\", expected no further argument"},
      {{"check", "-", "-"}, "takt check: standard input, \"-\", can be read only once"},
      {{"check", a}, "takt check: found 1 file, expected pairs: \"" + a + "\" has no certificate behind it"},
      {{"check", a, a, "last"}, "takt check: found 3 files, expected pairs: \"last\" has no certificate behind it"},
      {{"evaluate", a, a, "--certificate", "c"},
       "takt evaluate: --certificate goes with one file and one model; say which with --model"},
      {{"evaluate", a, "--certificate", "c", "--keep-going"},
       "takt evaluate: --certificate goes with one file and one model; say which with --model"},
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

struct Manual {
  std::string command;
  std::vector<std::string> words;  // that its help must hold
};

TEST_CASE("the help of evaluate says of every solver how it works") {
  const Outcome help = takt({"evaluate", "--help"});
  for (const auto& solver : maxplus::cycle_ratio_solvers()) {
    std::string row(solver.name);
    row.resize(10, ' ');
    REQUIRE_THAT(help.out, Contains("  " + row + std::string(solver.summary) + ";"));
  }
}

TEST_CASE("the help of every command lists its options and an example") {
  const std::vector<Manual> manuals = {
      {"evaluate",
       {"FILE", "--model", "overlap, strict or bounded", "--rooms", "--method",
        "auto, unfold, pattern, sweep, residue or simulate", "--solver", "Solvers:", "--json", "--certificate OUT",
        "--circuit full", "--latency", "--latency-curve", "--time-limit S", "--max-rows N", "--max-memory MIB",
        "--verbose"}},
      {"check", {"FILE", "CERTIFICATE"}},
      {"dot", {"FILE", "--model", "--collapse", "--arcs", "-o OUT", "--max-transitions"}},
      {"sensitivity",
       {"FILE", "--model", "--parameter NAME", "--faster PERCENT", "--target PERIOD", "--curve", "--floats", "--top N",
        "--json", "--time-limit S", "--apply NAME=VALUE", "-o OUT"}},
      {"simulate", {"FILE", "--model", "--data-sets N", "100", "--format", "csv or json", "-o OUT"}},
      {"map",
       {"PROBLEM", "--heuristic NAME", "--model", "--seed N", "--time-limit S", "--trace", "--json", "-o OUT",
        "--reading", "--class", "--epsilon", "hill-climbing", "polish"}},
      {"verify", {"FILE", "--model", "--tolerance T", "--json", "--time-limit S"}},
      {"heuristics", {"--json"}},
  };
  REQUIRE(manuals.size() == tools::commands().size());
  const Outcome whole = takt({"--help"});
  REQUIRE(whole.status == tools::kAnswered);
  for (const Manual& manual : manuals) {
    const Outcome help = takt({manual.command, "--help"});
    REQUIRE(help.status == tools::kAnswered);
    REQUIRE(help.err.empty());
    REQUIRE_THAT(help.out, Contains("Usage: takt " + manual.command));
    REQUIRE_THAT(help.out, Contains("\n  takt " + manual.command));
    for (const std::string& word : manual.words) REQUIRE_THAT(help.out, Contains(word));
    REQUIRE_THAT(whole.out, Contains("\n  " + manual.command));
    REQUIRE(takt({manual.command, "-h"}).out == help.out);
  }
  REQUIRE_THAT(whole.out, Contains("Exit status: 0 answered"));
}

TEST_CASE("every file of a command has its row, and every row its file") {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(source("tools/commands"))) {
    if (entry.path().extension() == ".cpp") files.push_back(entry.path().stem().string());
  }
  std::vector<std::string> rows;
  for (const tools::Command& command : tools::commands()) rows.emplace_back(command.name);
  std::ranges::sort(files);
  std::ranges::sort(rows);
  REQUIRE(rows == files);
}

TEST_CASE("the examples in the help of every command work in the order they stand") {
  const TemporaryFolder folder;
  int examples = 0;
  for (const tools::Command& command : tools::commands()) {
    for (const std::string& line : lines_of(takt({command.name, "--help"}).out)) {
      std::istringstream words(line);
      std::string word;
      if (line.rfind("  takt ", 0) != 0 || !(words >> word)) continue;
      std::vector<std::string> arguments;
      while (words >> word) {
        const bool is_input = word.rfind("examples/", 0) == 0;
        const bool is_output = !is_input && word.find('.') != std::string::npos;
        arguments.push_back(is_input ? source(word) : is_output ? folder.path(word) : word);
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

TEST_CASE("the README shows what the program prints") {
  const std::string readme = text_of(source("README.md"));
  const std::string prompt = "```\n$ build/release/takt ";
  const std::size_t begin = readme.find(prompt);
  REQUIRE(begin != std::string::npos);
  const std::size_t end = readme.find("```", begin + prompt.size());
  REQUIRE(end != std::string::npos);
  const std::size_t line = begin + prompt.size();
  const std::size_t shown = readme.find('\n', line) + 1;
  std::istringstream words(readme.substr(line, shown - line));
  std::vector<std::string> arguments;
  for (std::string word; words >> word;) arguments.push_back(word.rfind("examples/", 0) == 0 ? source(word) : word);
  std::string out = takt(arguments).out;
  REQUIRE_THAT(out, StartsWith(source("examples/")));
  out.erase(0, source("").size());
  REQUIRE(out == readme.substr(shown, end - shown));
}

TEST_CASE("option --version names the program and its version") {
  const Outcome outcome = takt({"--version"});
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
