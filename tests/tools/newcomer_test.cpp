// Command lines as newcomers type them, wrong or lazy: each gets one message, which mends it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::StartsWith;

// "@" stands for the folder of the files.
struct NewcomerLine {
  std::string words;
  int status;
  std::string message;  // what the first line on standard error begins with
};

const std::vector<NewcomerLine> kNewcomerLines = {
    {"evalute @a.json", tools::kUsage,
     "takt: found the unknown command \"evalute\" (did you mean \"evaluate\"?), expected a command or the file of an "
     "instance"},
    {"eval @a.json", tools::kUsage, "takt: found the unknown command \"eval\" (did you mean \"evaluate\"?)"},
    {"solve @a.json", tools::kUsage, "takt: found the unknown command \"solve\" (did you mean \"evaluate\"?)"},
    {"optimize @problem.json", tools::kUsage, "takt: found the unknown command \"optimize\" (did you mean \"map\"?)"},
    {"version", tools::kUsage, "takt: found the unknown command \"version\" (did you mean \"--version\"?)"},
    {"-v", tools::kUsage, "takt: found the unknown option \"-v\" (did you mean \"--version\"?)"},
    {"-help", tools::kUsage, "takt: found the unknown option \"-help\" (did you mean \"--help\"?)"},
    {"@a.jsn", tools::kBadInput, "takt: @a.jsn: cannot be read: No such file or directory (did you mean \"@a.json\"?)"},
    {"@exmaple.json", tools::kBadInput,
     "takt: @exmaple.json: cannot be read: No such file or directory (did you mean \"@example.json\"?)"},
    {"@", tools::kBadInput, "takt: @: cannot be read: Is a directory, expected a file"},
    {"@net.png", tools::kBadInput, "takt: @net.png: found a PNG picture, expected a JSON document"},
    {"@empty.json", tools::kBadInput, "takt: @empty.json:1:1: found an empty file, expected a JSON document"},
    {"@half.json", tools::kBadInput, "takt: @half.json:1:17: found the end of the file, expected a JSON value"},
    {"@times.csv", tools::kBadInput,
     "takt: @times.csv: found a table, expected a JSON document; takt import --times @times.csv makes a problem of "
     "measured times"},
    {"map @times.csv", tools::kBadInput,
     "takt: @times.csv: found a table, expected a JSON document; takt import --times @times.csv makes a problem of "
     "measured times"},
    {"import @times.csv", tools::kUsage,
     "takt import: found \"@times.csv\" (did you mean \"--times @times.csv\"?), expected no further argument"},
    {"@problem.json", tools::kBadInput,
     "takt: @problem.json: /mapping: found no mapping, expected an instance, which maps every stage to processors; for "
     "a mapping: takt map @problem.json -o mapped.json"},
    {"@a.json --model Strict", tools::kUsage,
     "takt evaluate: --model: found \"Strict\" (did you mean \"strict\"?), expected overlap, strict or bounded"},
    {"@a.json --model strict overlap", tools::kUsage,
     "takt evaluate: found \"overlap\" (did you mean \"--model overlap\"?), expected a file; an option takes one word "
     "only"},
    {"@a.json strict", tools::kUsage,
     "takt evaluate: found \"strict\" (did you mean \"--model strict\"?), expected a file"},
    {"@a.json --strict", tools::kUsage,
     "takt evaluate: found the unknown option \"--strict\" (did you mean \"--model strict\"?)"},
    {"@a.json -m strict", tools::kUsage, "takt evaluate: found the unknown option \"-m\" (did you mean \"--model\"?)"},
    {"@a.json --gantt", tools::kUsage,
     "takt evaluate: found the unknown option \"--gantt\" (did you mean \"takt gantt\"?)"},
    {"@a.json —json", tools::kUsage, "takt evaluate: found \"—json\" (did you mean \"--json\"?), expected a file"},
    {"@a.json --output x.txt", tools::kUsage,
     "takt evaluate: found the unknown option \"--output\" (did you mean \"-o\"?)"},
    {"@a.json -o x.txt", tools::kUsage,
     "takt evaluate: -o goes with --ahead best; results go to standard output, which \"> FILE\" keeps"},
    {"vary @a.json --law gama:2", tools::kUsage,
     "takt vary: --law: found \"gama:2\" (did you mean \"gamma\"?), expected a law, as in constant, exponential, "
     "uniform:20%, erlang:4, gamma:0.5, lognormal:0.5, normal:0.2 or pareto:2.5"},
    {"vary @a.json --law gamma", tools::kUsage,
     "takt vary: --law: found \"gamma\", expected a coefficient of variation above 0 and at most 100, as in gamma:0.5"},
    {"gantt @a.json --output x.svg", tools::kUsage,
     "takt gantt: found the unknown option \"--output\" (did you mean \"-o\"?)"},
    {"gantt @a.json -o x.gif", tools::kUsage, "takt gantt: -o x.gif: a chart"},
    {"gantt @frames.json --from 0 --to 10", tools::kUsage,
     "takt gantt: --to: found \"10\", expected a unit, as in \"10 ms\": the file has units"},
    {"gantt @a.json --from 10ms --to 20ms", tools::kUsage,
     "takt gantt: --from: found \"10ms\", expected a number alone: the numbers of the file have no units"},
    {"@a.json --time-limit 5sec", tools::kUsage,
     "takt evaluate: --time-limit: found \"5sec\" (did you mean \"5s\"?), expected a time above 0"},
    {"@a.json --time-limit 2m", tools::kUsage,
     "takt evaluate: --time-limit: found \"2m\" (did you mean \"2min\"?), expected a time above 0"},
    {"map @problem.json --heuristic polsh", tools::kUsage,
     "takt map: --heuristic: found \"polsh\" (did you mean \"polish\"?), expected "},
    {"map @problem.json polish", tools::kUsage,
     "takt map: found \"polish\" (did you mean \"--heuristic polish\"?), expected no further argument"},
    {"plan @catalogue.json 200/s", tools::kUsage,
     "takt plan: found \"200/s\" (did you mean \"--rate 200/s\"?), expected no further argument"},
    {"plan @catalogue.json --budget 2EUR", tools::kUsage,
     "takt plan: --budget: found \"2EUR\" (did you mean \"2\"?), expected a price, at least 0"},
    {"cycle-ratio @a.json", tools::kBadInput,
     "takt: @a.json: found an instance, expected a graph; takt evaluate @a.json has its period"},
    {"compare @problem.json --heuristics bsc spl", tools::kUsage,
     "takt compare: found the heuristic \"spl\", expected a problem; --heuristics takes a list with commas, as in "
     "bsc,spl"},
    {"plan @catalogue.json --rate 0,5/s", tools::kUsage,
     "takt plan: --rate: found \"0,5/s\" (did you mean \"0.5/s\"?), expected a rate above 0"},
    {"plan @catalogue.json --rate 200fps", tools::kUsage,
     "takt plan: --rate: found \"200fps\" (did you mean \"200/s\"?), expected a rate above 0"},
    {"plan @a.json --rate 200/s", tools::kUsage,
     "takt plan: --rate: found \"200/s\", expected a number alone: the numbers of the file have no units"},
    {"check @proof.json @a.json", tools::kUsage,
     "takt check: found the certificate before the instance (did you mean \"takt check @a.json @proof.json\"?)"},
    {"check @a.json @a.json", tools::kBadInput,
     "takt: @a.json: found an instance, expected a certificate; takt evaluate @a.json --certificate OUT writes one"},
    {"simulate @a.json --data-sets 1e6", tools::kUsage,
     "takt simulate: --data-sets: found \"1e6\" (did you mean \"1000000\"?), expected a whole number"},
    {"simulate @a.json --data-sets 10,000", tools::kUsage,
     "takt simulate: --data-sets: found \"10,000\" (did you mean \"10000\"?), expected a whole number"},
    {"simulate @a.json 100", tools::kUsage,
     "takt simulate: found \"100\" (did you mean \"--data-sets 100\"?), expected no further argument"},
    {"sensitivity @frames.json --faster ten", tools::kUsage,
     "takt sensitivity: --faster: found \"ten\", expected a percentage above 0, such as 10 or 10%"},
    {"sensitivity @frames.json --target 12", tools::kUsage,
     "takt sensitivity: --target: found \"12\", expected a unit, as in \"12 ms\": the file has units"},
    {"sensitivity @frames.json --parameter gpu-1", tools::kUsage,
     "takt sensitivity: @frames.json has no parameter \"gpu-1\" (did you mean \"detect on gpu-1\"?); it has "},
    {"sensitivity @problem.json", tools::kBadInput,
     "takt: @problem.json: /mapping: found no mapping, expected an instance, which maps every stage to processors; for "
     "a mapping: takt map @problem.json -o mapped.json"},
    {"@frames.json --set latency=3", tools::kUsage, "takt evaluate: @frames.json has no parameter \"latency\""},
    {"@frames.json --set input=3", tools::kUsage,
     "takt evaluate: --set: input: found \"3\", expected a unit, as in \"3 MB\": the file has units"},
    {"@frames.json --set input=3ms", tools::kUsage,
     "takt evaluate: --set: input: found \"3ms\", expected a size, as in \"4 MB\""},
    {"plan @catalogue.json --rate 200/s --machines tiny=3", tools::kUsage,
     "takt plan: --machines: found \"tiny\", expected a type of the file, small, large or gpu"},
    {"plan @catalogue.json --rate 200/s --among typ", tools::kUsage,
     "takt plan: --among: found \"typ\" (did you mean \"typed\"?), expected typed, mixed or weighted"},
    {"generate replicated", tools::kUsage,
     "takt generate: GENERATOR: found \"replicated\" (did you mean \"replicated-mapping\"?)"},
    {"gantt @problem.json", tools::kBadInput, "takt: @problem.json: /mapping: found no mapping, expected an instance"},
    {"export @a.json", tools::kUsage, "takt export: say which format with --to, or by the ending of -o OUT: .pnml"},
    {"report @a.json", tools::kUsage, "takt report: name the file of the report: -o OUT.html"},
    {"verify @a.json", tools::kBadInput,
     "takt: @a.json: /predicted_period: found none, expected the period that a heuristic or a person predicts"},
    {"@a.json --rooms 2", tools::kUsage, "takt evaluate: --rooms goes with --model bounded"},
};

std::string in_folder(std::string text, const TemporaryFolder& folder) {
  for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
    text.replace(at, 1, folder.path(""));
  }
  return text;
}

void write_files(const TemporaryFolder& folder) {
  for (const char* name : {"a.json", "example.json"}) folder.write(name, text_of(source(kExampleA)));
  folder.write("problem.json", text_of(source("examples/hedpm-problem.json")));
  folder.write("catalogue.json", text_of(source("examples/catalogue.json")));
  folder.write("frames.json", text_of(source("examples/video.json")));
  folder.write("times.csv", text_of(source("examples/measured-times.csv")));
  folder.write("net.png", "\x89PNG\r\n\x1A\n");
  folder.write("empty.json", "");
  folder.write("half.json", "{\"application\": ");
  REQUIRE(takt({"evaluate", folder.path("a.json"), "--certificate", folder.path("proof.json")}).status ==
          tools::kAnswered);
}

TEST_CASE("a newcomer's wrong command lines get one message each, which mends it") {
  const TemporaryFolder folder;
  write_files(folder);
  REQUIRE(kNewcomerLines.size() >= 40);
  for (const NewcomerLine& line : kNewcomerLines) {
    INFO(line.words);
    std::istringstream words(line.words);
    std::vector<std::string> arguments;
    for (std::string word; words >> word;) arguments.push_back(in_folder(word, folder));
    const Outcome outcome = takt(arguments);
    CHECK(outcome.status == line.status);
    CHECK(outcome.out.empty());
    const std::vector<std::string> lines = lines_of(outcome.err);
    CHECK_THAT(lines.front(), StartsWith(in_folder(line.message, folder)));
    // Misuse names the help, and nothing else has a second line.
    CHECK(lines.size() == (line.status == tools::kUsage ? 2 : 1));
  }
}

TEST_CASE("a certificate of no model said is of OVERLAP, and says so") {
  const TemporaryFolder folder;
  const Outcome outcome = takt({"evaluate", source(kExampleA), "--certificate", folder.path("c.json")});
  CHECK(outcome.status == tools::kAnswered);
  CHECK_THAT(outcome.out, StartsWith(source(kExampleA) + ", OVERLAP ONE-PORT\n"));
  CHECK_THAT(outcome.err, Catch::EndsWith(": under OVERLAP ONE-PORT (default; --model strict for the other)\n"));
  CHECK(takt({"check", source(kExampleA), folder.path("c.json")}).status == tools::kAnswered);
}

}  // namespace
}  // namespace takt::testing
