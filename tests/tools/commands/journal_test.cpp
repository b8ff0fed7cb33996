// takt journal: what is in the journal of a run, whole, torn or damaged.
#include <catch2/catch.hpp>
#include <filesystem>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "live/files/journal.hpp"
#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

using Catch::Contains;
using nlohmann::ordered_json;
using Names = std::vector<std::string>;

const live::Fingerprint kPipeline{
    R"({"application":"greetings","stages":["draw","greet"],"kernel":"program","input":"lines"})",
    R"({"records":"lines","programs":{"draw":"cat","greet":"cat"}})"};

std::string journal_of(const std::vector<std::string>& results) {
  std::string bytes = live::journal_header(kPipeline);
  live::InputChain chain;
  for (std::size_t k = 0; k < results.size(); ++k) {
    const live::RecordFrame frame = live::frame_of(k, results[k], chain.add(results[k]));
    bytes.append(frame.head.begin(), frame.head.end()).append(results[k]);
    bytes.append(frame.check.begin(), frame.check.end());
  }
  return bytes;
}

const std::vector<std::string> kGreetings = {"hello", "good morning", "bonjour"};

TEST_CASE("the example of a journal is what a run writes") {
  REQUIRE(text_of(source("examples/greetings.journal")) == journal_of(kGreetings));
}

TEST_CASE("a journal says how many data sets are in it, and of which pipeline") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.journal", journal_of(kGreetings));
  const Outcome outcome = takt({"journal", path});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE(outcome.err.empty());
  REQUIRE(outcome.out == path + ": 3 data sets in order, 0 to 2, with 24 bytes of results\n  of " + kPipeline.pipeline +
                             "\n  run by " + kPipeline.programs + "\n");
  const auto json = ordered_json::parse(takt({"journal", path, "--json"}).out);
  REQUIRE(json.at("file") == path);
  REQUIRE(json.at("state") == "whole");
  REQUIRE(json.at("pipeline") == kPipeline.pipeline);
  REQUIRE(json.at("programs") == kPipeline.programs);
  REQUIRE(json.at("program_changes").empty());
  REQUIRE(json.at("data_sets") == 3);
  REQUIRE(json.at("result_bytes") == 24);
  REQUIRE(json.at("torn_bytes") == 0);
  REQUIRE_FALSE(json.contains("damage"));
  const std::string empty = folder.write("b.journal", journal_of({}));
  REQUIRE_THAT(takt({"journal", empty}).out, Contains(": 0 data sets in order with 0 bytes of results\n"));
}

TEST_CASE("programs that changed are told with the data set from which on they ran") {
  const TemporaryFolder folder;
  std::string bytes = journal_of(kGreetings);
  const std::string programs = R"({"records":"lines","programs":{"draw":"cat","greet":"tr a b"}})";
  const live::RecordFrame frame = live::frame_of(3, programs, 0, live::RecordKind::programs);
  bytes.append(frame.head.begin(), frame.head.end()).append(programs).append(frame.check.begin(), frame.check.end());
  const std::string path = folder.write("a.journal", bytes);
  REQUIRE_THAT(takt({"journal", path}).out, Contains(": 3 data sets in order, 0 to 2, with 24 bytes of results\n") &&
                                                Contains("\n  from data set 3 on by " + programs + "\n"));
  const auto json = ordered_json::parse(takt({"journal", path, "--json"}).out);
  REQUIRE(json.at("program_changes").size() == 1);
  REQUIRE(json.at("program_changes").at(0).at("data_set") == 3);
  REQUIRE(json.at("program_changes").at(0).at("programs") == programs);
  REQUIRE(takt({"journal", path, "--cat"}).out == "hellogood morningbonjour");
}

TEST_CASE("a journal of version 1 is read") {
  const Outcome outcome = takt({"journal", source("tests/data/version-1.journal")});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out,
               Contains(": 3 data sets in order, 0 to 2, with 24 bytes of results\n") && !Contains("run by"));
  REQUIRE(takt({"journal", source("tests/data/version-1.journal"), "--cat"}).out == "hellogood morningbonjour");
}

TEST_CASE("results are extracted, all of them or some, as files or on standard output") {
  const TemporaryFolder folder;
  const std::string path = folder.write("a.journal", journal_of(kGreetings));
  const TemporaryFolder results;
  const std::string target = results.path("new/folder");
  const Outcome outcome = takt({"journal", path, "--extract", target});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Contains("\nwrote 3 results into " + target + "\n"));
  REQUIRE(text_of(target + "/00000000") == "hello");
  REQUIRE(text_of(target + "/00000002") == "bonjour");
  REQUIRE(takt({"journal", path, "--extract", results.path("some"), "--first", "1", "--count", "1", "--json"}).status ==
          tools::kAnswered);
  REQUIRE(text_of(results.path("some/00000001")) == "good morning");
  REQUIRE(results.names() == Names{"new", "some"});
  REQUIRE(std::distance(std::filesystem::directory_iterator(results.path("some")), {}) == 1);
  REQUIRE(takt({"journal", path, "--cat"}).out == "hellogood morningbonjour");
  REQUIRE(takt({"journal", path, "--cat", "--lines"}).out == "hello\ngood morning\nbonjour\n");
  REQUIRE(takt({"journal", path, "--cat", "--lines", "--first", "2"}).out == "bonjour\n");
  REQUIRE(takt({"journal", path, "--cat", "--first", "3"}).out.empty());
  REQUIRE(takt({"journal", path, "--cat", "--first", "1", "--count", "18446744073709551615"}).out ==
          "good morningbonjour");
}

TEST_CASE("a long result is copied whole") {
  const TemporaryFolder folder;
  std::string large(1'000'003, ' ');
  for (std::size_t k = 0; k < large.size(); ++k) large[k] = static_cast<char>(k % 251);
  const std::string path = folder.write("a.journal", journal_of({"x", large}));
  REQUIRE(takt({"journal", path, "--cat", "--first", "1"}).out == large);
}

TEST_CASE("a torn journal is right, and says so") {
  const TemporaryFolder folder;
  const std::string whole = journal_of(kGreetings);
  const std::string path = folder.write("a.journal", whole.substr(0, whole.size() - 3));
  const Outcome outcome = takt({"journal", path});
  REQUIRE(outcome.status == tools::kAnswered);
  REQUIRE_THAT(outcome.out, Contains(": 2 data sets in order, 0 to 1, with 17 bytes of results\n"));
  REQUIRE_THAT(outcome.out,
               Contains("\n  52 bytes at its end are of a record that is not all there; the next run cuts them off\n"));
  REQUIRE(ordered_json::parse(takt({"journal", path, "--json"}).out).at("state") == "torn");
  const Outcome cat = takt({"journal", path, "--cat"});
  REQUIRE(cat.out == "hellogood morning");
  REQUIRE_THAT(cat.err, Contains("not all there"));
  REQUIRE(text_of(path) == whole.substr(0, whole.size() - 3));  // reading changes nothing
}

TEST_CASE("a damaged journal gives what is before the damage, and status 1") {
  const TemporaryFolder folder;
  std::string bytes = journal_of(kGreetings);
  const std::size_t first = live::journal_header(kPipeline).size();
  const std::size_t second = first + 48 + kGreetings[0].size();
  bytes[second + 45] = 'X';
  const std::string path = folder.write("a.journal", bytes);
  const std::string words = "damaged at byte " + std::to_string(second) + ", where data set 1 belongs: ";
  const Outcome outcome = takt({"journal", path});
  REQUIRE(outcome.status == tools::kNo);
  REQUIRE_THAT(outcome.out, Contains(": 1 data set in order, 0 to 0, with 5 bytes of results\n") && Contains(words));
  const auto json = ordered_json::parse(takt({"journal", path, "--json"}).out);
  REQUIRE(json.at("state") == "damaged");
  REQUIRE(json.at("damage").at("data_set") == 1);
  REQUIRE(json.at("damage").at("byte") == second);
  const Outcome cat = takt({"journal", path, "--cat"});
  REQUIRE(cat.status == tools::kNo);
  REQUIRE(cat.out == "hello");
  REQUIRE_THAT(cat.err, Contains(words));
}

TEST_CASE("what is no journal, or makes no sense, is told") {
  const TemporaryFolder folder;
  const std::string a = source("examples/example-a.json");
  REQUIRE(takt({"journal", a}).status == tools::kBadInput);
  REQUIRE(takt({"journal", a}).err == "takt: " + a + ": it is no journal of takt run\n");
  REQUIRE_THAT(takt({"journal", folder.path("none")}).err, Contains("none: cannot be read: No such file"));
  const std::string path = folder.write("a.journal", journal_of(kGreetings));
  REQUIRE_THAT(takt({"journal", path, "--first", "1"}).err, Contains("--first and --count go with --extract or --cat"));
  REQUIRE_THAT(takt({"journal", path, "--lines"}).err, Contains("--lines goes with --cat"));
  REQUIRE_THAT(takt({"journal", "-"}).err, Contains("found standard input, expected a file"));
  REQUIRE(takt({"journal", path, "--cat", "--json"}).status == tools::kUsage);
  REQUIRE(takt({"journal", path, "--cat", "--extract", folder.path("x")}).status == tools::kUsage);
  REQUIRE_THAT(takt({"journal", path, "--extract", path + "/x"}).err, Contains("cannot be made: Not a directory"));
  const TemporaryFolder blocked;
  REQUIRE(std::filesystem::create_directory(blocked.path("00000001")));
  REQUIRE_THAT(takt({"journal", path, "--extract", blocked.path("")}).err,
               Contains("00000001: cannot be written: Is a directory"));
}

}  // namespace
}  // namespace takt::testing
