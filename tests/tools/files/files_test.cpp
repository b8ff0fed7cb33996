// Files that are written: never over what is read, never twice, never without a name.
#include "tools/files/files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/tools/process.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;

struct Writing {
  std::vector<std::string> command;  // but for FILE, which follows its name
  std::string option;
};

const std::vector<Writing>& writings() {
  static const std::vector<Writing> kWritings = {{{"evaluate", "--model", "strict"}, "--certificate"},
                                                 {{"dot", "--model", "strict"}, "-o"},
                                                 {{"simulate", "--model", "strict"}, "-o"},
                                                 {{"gantt", "--model", "strict", "--format", "csv"}, "-o"}};
  return kWritings;
}

std::vector<std::string> words_of(const Writing& writing, const std::string& input, const std::string& output) {
  std::vector<std::string> words = writing.command;
  words.insert(words.begin() + 1, input);
  words.insert(words.end(), {writing.option, output});
  return words;
}

TEST_CASE("an output that is an input is refused, by whatever name, and the input stays as it is") {
  const TemporaryFolder folder;
  const std::string text = text_of(source("examples/example-a.json"));
  const std::string input = folder.write("a.dot", text);
  const std::string link = folder.path("link.dot");
  const std::string hard_link = folder.path("hard.dot");
  std::filesystem::create_symlink("a.dot", link);
  std::filesystem::create_hard_link(input, hard_link);
  for (const Writing& writing : writings()) {
    for (const auto& [from, to] : {std::pair(input, input),
                                   {input, folder.path("./a.dot")},
                                   {input, link},
                                   {link, input},
                                   {input, hard_link},
                                   {hard_link, link}}) {
      const Outcome outcome = takt(words_of(writing, from, to));
      REQUIRE(outcome.status == tools::kBadInput);
      REQUIRE(outcome.out.empty());
      REQUIRE(outcome.err == "takt: " + to + ": cannot be written: it is the input " + from + "\n");
      REQUIRE(text_of(input) == text);
    }
    REQUIRE(takt(words_of(writing, input, folder.path("other.dot"))).status == tools::kAnswered);
  }
  REQUIRE(folder.names() == std::vector<std::string>{"a.dot", "hard.dot", "link.dot", "other.dot"});
}

TEST_CASE("an output that is the file behind standard input is refused") {
  const TemporaryFolder folder;
  const std::string text = text_of(source("examples/example-a.json"));
  const std::string input = folder.write("a.dot", text);
  for (const Writing& writing : writings()) {
    for (const std::string name : {"-", "/dev/stdin"}) {
      RunningProgram program(words_of(writing, name, input),
                             [&] { dup2(open(input.c_str(), O_RDONLY), STDIN_FILENO); });
      REQUIRE(program.wait().status == tools::kBadInput);
      REQUIRE(text_of(input) == text);
    }
  }
}

TEST_CASE("the drawings of two models are two files, and neither is the input") {
  const TemporaryFolder folder;
  const std::string input = folder.write("a-strict.svg", text_of(source("examples/example-a.json")));
  const Outcome over_input = takt({"dot", input, "-o", folder.path("a.svg")});
  REQUIRE(over_input.status == tools::kBadInput);
  REQUIRE(over_input.err == "takt: " + input + ": cannot be written: it is the input " + input + "\n");
  REQUIRE(folder.names() == std::vector<std::string>{"a-strict.svg"});

  std::filesystem::create_symlink("b-strict.svg", folder.path("b-overlap.svg"));
  const Outcome twice = takt({"dot", input, "-o", folder.path("b.svg")});
  REQUIRE(twice.status == tools::kBadInput);
  REQUIRE_THAT(twice.err,
               Contains("b-strict.svg: cannot be written: it is the same file as ") && Contains("b-overlap.svg\n"));
  REQUIRE(folder.names() == std::vector<std::string>{"a-strict.svg", "b-overlap.svg"});
}

TEST_CASE("a mapped document may take the place of its problem") {
  const TemporaryFolder folder;
  const std::string problem = folder.write("p.json", text_of(source("examples/hedpm-problem.json")));
  REQUIRE(takt({"map", problem, "--heuristic", "bsc", "-o", problem}).status == tools::kAnswered);
  REQUIRE_THAT(text_of(problem), Contains("\"predicted_period\""));
}

TEST_CASE("a large document of a wrong form is refused in little memory") {
  const TemporaryFolder folder;
  std::string zeros = "0";
  for (int k = 0; k < 4'000'000; ++k) zeros += ",0";
  const std::vector<std::string> texts = {
      "[" + zeros + "]", "{\"a\":[" + zeros + "]}",
      "{\"application\":{\"stages\":[" + zeros + "]},\"platform\":{\"processors\":[{\"name\":\"P\",\"time\":1}]}}",
      "{\"application\":{\"stages\":[{\"name\":\"S\"}]},\"platform\":[" + zeros + "]}"};
  for (const std::string& text : texts) {
    RunningProgram program({"evaluate", folder.write("large.json", text)});
    const Ending ending = program.wait();
    REQUIRE(ending.status == tools::kBadInput);
    if (kPeakCounts) REQUIRE(ending.peak < 200L * 1024);
  }
}

TEST_CASE("a device can be read and written in one run") {
  REQUIRE_NOTHROW(tools::require_apart({"/dev/null"}, {"/dev/null"}));
}

TEST_CASE("an output without a name is refused before anything is read") {
  for (const Writing& writing : writings()) {
    const Outcome outcome = takt(words_of(writing, "absent.json", ""));
    REQUIRE(outcome.status == tools::kUsage);
    REQUIRE(lines_of(outcome.err).front() ==
            "takt " + writing.command.front() + ": " + writing.option + ": found \"\", expected the name of a file");
  }
  REQUIRE(takt({"simulate", "absent.json", "-o", "-"}).status == tools::kUsage);
}

TEST_CASE("where a file cannot be written that is said before anything is computed") {
  const std::string input = source("examples/example-a.json");
  for (const Writing& writing : writings()) {
    const Outcome outcome = takt(words_of(writing, input, "/nowhere/a.svg"));
    REQUIRE(outcome.status == tools::kBadInput);
    REQUIRE(outcome.out.empty());
    REQUIRE(outcome.err == "takt: /nowhere/a.svg: cannot be written: No such file or directory\n");
  }
}

}  // namespace
}  // namespace takt::testing
