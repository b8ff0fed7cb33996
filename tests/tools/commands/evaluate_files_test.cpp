// takt evaluate: several files and models, and files that are no use.
#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/bad_documents.hpp"
#include "tests/tools/commands/evaluate_json.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using Catch::StartsWith;
using nlohmann::ordered_json;

TEST_CASE("one file and one model give an object, everything else an array in the order of the files") {
  const std::string a = source(kExampleA);
  const std::string b = source("examples/example-b.json");
  REQUIRE(json_of({a, "--model", "overlap"}).is_object());
  const ordered_json both = json_of({a});
  REQUIRE(both.is_array());
  REQUIRE(both.size() == 2);
  REQUIRE(both[0].at("model") == "overlap");
  REQUIRE(both[1].at("model") == "strict");
  const ordered_json several = json_of({b, a, "--model", "strict"});
  REQUIRE(several.size() == 2);
  REQUIRE(several[0].at("file") == b);
  REQUIRE(several[1].at("file") == a);
  REQUIRE(json_of({a, b}).size() == 4);
  const Outcome tables = takt({"evaluate", a, b});
  REQUIRE_THAT(tables.out, StartsWith(a + ", OVERLAP ONE-PORT\n") && Contains("\n\n" + a + ", STRICT ONE-PORT\n") &&
                               Contains("\n\n" + b + ", OVERLAP ONE-PORT\n"));
}

TEST_CASE("the file's own model is used unless --model names one") {
  ordered_json document = ordered_json::parse(kSmall);
  document["model"] = "strict";
  REQUIRE(json_of({"-"}, tools::kAnswered, document.dump()).at("model") == "strict");
  REQUIRE(json_of({"-", "--model", "overlap"}, tools::kAnswered, document.dump()).at("model") == "overlap");
}

TEST_CASE("a file name that is not UTF-8 makes no invalid JSON") {
  const TemporaryFolder folder;
  const std::string path = folder.write("\xff.json", kSmall);
  const Outcome outcome = takt({"evaluate", path, "--model", "strict", "--json"});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(ordered_json::accept(outcome.out));
}

TEST_CASE("bad input is told in one line, with status 3, before any result is written") {
  const TemporaryFolder folder;
  std::vector<std::string> bad = {folder.path("absent.json"), folder.path(""), folder.write("empty.json", ""), ""};
  for (const support::BadDocument& document : support::bad_documents()) {
    bad.push_back(folder.write("bad-" + std::to_string(bad.size()) + ".json", document.text));
  }
  REQUIRE(bad.size() > 60);
  ordered_json problem = ordered_json::parse(kSmall);
  problem.erase("mapping");
  bad.push_back(folder.write("problem.json", problem.dump()));
  for (const std::string& path : bad) {
    for (const char* form : {"--model=overlap", "--json"}) {
      const Outcome outcome = takt({"evaluate", source(kExampleA), path, form});
      INFO(path << ": " << outcome.err);
      REQUIRE(outcome.status == tools::kBadInput);
      REQUIRE(outcome.out.empty());
      REQUIRE(lines_of(outcome.err).size() == 1);
      REQUIRE_THAT(outcome.err, StartsWith("takt: " + (path.empty() ? "\"\"" : path) + ":"));
      REQUIRE_THAT(outcome.err, (Contains("found") && Contains("expected")) || Contains("cannot be read: "));
    }
  }
  REQUIRE(takt({"evaluate", "-"}, "").err ==
          "takt: standard input:1:1: found an empty file, expected a JSON document\n");
  REQUIRE_THAT(takt({"evaluate", bad.back()}).err, Contains("found no mapping, expected"));
}

// Files that are right, and between them every kind that is not.
struct MixedFiles {
  TemporaryFolder folder;
  std::string a = source(kExampleA);
  std::string small = folder.write("small.json", kSmall);
  std::vector<std::string> bad;

  MixedFiles() {
    ordered_json problem = ordered_json::parse(kSmall);
    problem.erase("mapping");
    bad = {folder.path("absent.json"),
           folder.path(""),
           folder.write("empty.json", ""),
           folder.write("problem.json", problem.dump()),
           source("tests/data/bad/unknown-processor.json"),
           ""};
  }

  std::vector<std::string> arguments(std::vector<std::string> options) const {
    std::vector<std::string> arguments = {"evaluate", "--model", "strict", a};
    arguments.insert(arguments.end(), bad.begin(), bad.end());
    arguments.push_back(small);
    arguments.insert(arguments.end(), options.begin(), options.end());
    return arguments;
  }
};

TEST_CASE("told to keep going, evaluate answers the files that are right and tells of each that is not") {
  const MixedFiles files;
  const Outcome outcome = takt(files.arguments({"--keep-going"}));
  REQUIRE(outcome.status == tools::kBadInput);
  const std::vector<std::string> messages = lines_of(outcome.err);
  REQUIRE(messages.size() == files.bad.size());
  for (std::size_t k = 0; k < messages.size(); ++k) {
    const std::string name = files.bad[k].empty() ? "\"\"" : files.bad[k];
    REQUIRE_THAT(messages[k], StartsWith("takt: " + name + ":"));
  }
  // As if the others had not been there.
  REQUIRE(outcome.out == takt({"evaluate", "--model", "strict", files.a, files.small}).out);
  REQUIRE(takt(files.arguments({})).out.empty());
}

TEST_CASE("told to keep going, the array of results has the errors at their place") {
  const MixedFiles files;
  const Outcome outcome = takt(files.arguments({"--keep-going", "--json"}));
  REQUIRE(outcome.status == tools::kBadInput);
  const std::vector<std::string> messages = lines_of(outcome.err);
  const ordered_json results = ordered_json::parse(outcome.out);
  REQUIRE(results.size() == files.bad.size() + 2);
  REQUIRE(results.front().at("period") == "692/3");
  REQUIRE(results.back().at("file") == files.small);
  for (std::size_t k = 0; k < files.bad.size(); ++k) {
    const ordered_json expected = {{"file", files.bad[k]}, {"error", messages[k].substr(6)}};
    REQUIRE(results[k + 1].dump() == expected.dump());
  }
  const Outcome alone = takt({"evaluate", "--keep-going", "--json", files.bad.front()});
  REQUIRE(alone.status == tools::kBadInput);
  REQUIRE(ordered_json::parse(alone.out).at("file") == files.bad.front());
}

TEST_CASE("told to keep going where nothing is wrong, evaluate answers as without") {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"evaluate", source(kExampleA)},
                                             {"evaluate", source(kExampleA), "--json"},
                                             {"evaluate", source(kExampleA), "--model", "strict", "--json"},
                                             {"evaluate", source(kExampleA), "--model", "strict", "--max-rows", "2"}}) {
    std::vector<std::string> further = arguments;
    further.emplace_back("--keep-going");
    const Outcome expected = takt(arguments);
    const Outcome outcome = takt(further);
    REQUIRE(outcome.status == expected.status);
    REQUIRE(outcome.out == expected.out);
    REQUIRE(outcome.err == expected.err);
  }
}

TEST_CASE("a method that does not fit a file is a wrong command line, or that file's error where others go on") {
  const TemporaryFolder folder;
  ordered_json alone = ordered_json::parse(kSmall);
  alone["application"]["stages"].erase(1);
  alone["mapping"].erase(1);
  const std::string fit = folder.write("fit.json", alone.dump());
  const std::vector<std::string> arguments = {"evaluate", source(kExampleA), fit,       "--model",
                                              "strict",   "--method",        "pattern", "--json"};
  REQUIRE(takt(arguments).status == tools::kUsage);
  std::vector<std::string> further = arguments;
  further.emplace_back("--keep-going");
  const Outcome outcome = takt(further);
  REQUIRE(outcome.status == tools::kBadInput);
  REQUIRE(lines_of(outcome.err).size() == 1);
  REQUIRE_THAT(outcome.err, StartsWith("takt: --method pattern does not fit " + source(kExampleA) + " under strict: "));
  const ordered_json results = ordered_json::parse(outcome.out);
  REQUIRE(results.size() == 2);
  REQUIRE(results[0].at("model") == "strict");
  REQUIRE("takt: " + results[0].at("error").get<std::string>() + "\n" == outcome.err);
  REQUIRE(results[1].at("method") == "pattern");
  // So are rooms where the file's model has none.
  const Outcome rooms = takt({"evaluate", fit, "--rooms", "2", "--keep-going"});
  REQUIRE(rooms.status == tools::kBadInput);
  REQUIRE(rooms.err == "takt: " + fit + ": --rooms goes with --model bounded\n");
}

// Counts how often what is written is passed on.
class FlushCounter : public std::stringbuf {
 public:
  std::vector<std::string> flushed;

 protected:
  int sync() override {
    flushed.push_back(str());
    return 0;
  }
};

TEST_CASE("told to keep going, every result is written as it comes") {
  const std::string a = source(kExampleA);
  for (const std::string form : {"--json", "--verbose"}) {
    FlushCounter counter;
    std::ostream out(&counter);
    std::istringstream in;
    std::ostringstream err;
    REQUIRE(tools::run({"evaluate", a, "absent", a, "--keep-going", form}, {in, out, err}) == tools::kBadInput);
    // Four results and an error at the least, each longer than what was there before.
    std::vector<std::string> different = counter.flushed;
    different.erase(std::unique(different.begin(), different.end()), different.end());
    REQUIRE(different.size() >= (form == "--json" ? 5 : 4));
    REQUIRE_THAT(different.front(), Contains("OVERLAP") || Contains("overlap"));
    REQUIRE_THAT(different.front(), !(Contains("STRICT") || Contains("strict")));
  }
}

TEST_CASE("a net too large to fold is named, and the others are answered") {
  ordered_json document = {{"application", {{"stages", ordered_json::array()}}},
                           {"platform", {{"processors", ordered_json::array()}, {"time", 0}}},
                           {"mapping", ordered_json::array()}};
  for (int p = 0; p < 23; ++p) {
    document["platform"]["processors"].push_back({{"name", "P" + std::to_string(p)}, {"time", 1}});
  }
  // P0 serves nine parts, whose sequences have 223092870 as least common multiple.
  for (const int entries : {2, 3, 5, 7, 11, 13, 17, 19, 23}) {
    const std::string stage = "S" + std::to_string(entries);
    document["application"]["stages"].push_back({{"name", stage}});
    ordered_json sequence = ordered_json::array();
    for (int p = 0; p < entries; ++p) sequence.push_back("P" + std::to_string(p));
    document["mapping"].push_back({{"stages", {stage}}, {"processors", sequence}});
  }
  const Outcome alone = takt({"evaluate", "-", "--model", "strict", "--json"}, document.dump());
  REQUIRE(alone.status == tools::kLimit);
  REQUIRE(alone.out.empty());
  REQUIRE(lines_of(alone.err).size() == 1);
  REQUIRE_THAT(alone.err, StartsWith("takt: standard input, strict: ") && Contains("would be needed, the limit is"));
  const Outcome pair = takt({"evaluate", "-", source(kExampleA), "--model", "strict", "--json"}, document.dump());
  REQUIRE(pair.status == tools::kLimit);
  const ordered_json results = ordered_json::parse(pair.out);
  REQUIRE(results.is_array());
  REQUIRE(results.size() == 1);
  REQUIRE(results[0].at("period") == "692/3");
  // Told to keep going, the array says what it lacks.
  const Outcome all =
      takt({"evaluate", "-", source(kExampleA), "--model", "strict", "--json", "--keep-going"}, document.dump());
  REQUIRE(all.status == tools::kLimit);
  const ordered_json limited = ordered_json::parse(all.out);
  REQUIRE(limited.size() == 2);
  REQUIRE(limited[0].at("file") == "-");
  REQUIRE(limited[0].at("model") == "strict");
  REQUIRE_THAT(limited[0].at("limit").get<std::string>(), Contains("would be needed, the limit is"));
  REQUIRE(limited[1].dump() == results[0].dump());
}

TEST_CASE("the same command line gives the same bytes") {
  for (const char* form : {"--json", "--verbose"}) {
    const std::vector<std::string> arguments = {"evaluate", source("tests/data/known/everything.json"),
                                                source("examples/example-c.json"), form};
    const Outcome first = takt(arguments);
    const Outcome second = takt(arguments);
    REQUIRE(first.status == tools::kAnswered);
    REQUIRE(first.out == second.out);
    REQUIRE(first.err == second.err);
  }
}

}  // namespace
}  // namespace takt::testing
