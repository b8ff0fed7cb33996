// Documents that other programs and people brought: what takt says of each is true, or it says why it does not answer.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/tools/program.hpp"
#include "tools/command.hpp"

namespace takt::testing {
namespace {

// A line of `words` names the file of tests/data/world as @, and one to be written as @out and its ending.
struct Case {
  const char* file;
  std::vector<std::string> words;
  int status;
  const char* says;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {"segv-min", {"plan", "@", "--period", "3", "--latency", "1"}, tools::kNo, "at least 2"},
      {"crash-free", {"plan", "@", "--budget", "1"}, tools::kAnswered, "any rate with 1 machine"},
      {"crash-free", {"plan", "@", "--rate", "1", "--plot", "@out.svg"}, tools::kAnswered, "any rate with 1 machine"},
      {"crash-free-types", {"plan", "@", "--budget", "4", "--among", "weighted"}, tools::kAnswered, "any rate with 1"},
      {"crash-free-types", {"plan", "@", "--budget", "4", "--among", "mixed"}, tools::kAnswered, "any rate with 1"},
      {"latency-undecided", {"plan", "@", "--period", "9", "--latency", "11"}, tools::kAnswered, "longer than 11"},
      {"latency-undecided", {"plan", "@", "--period", "16", "--latency", "11"}, tools::kAnswered, "longer than 11"},
      {"latency-cores",
       {"plan", "@", "--period", "35/4", "--latency", "207/20", "--model", "strict"},
       tools::kLimit,
       "Undecided under STRICT ONE-PORT"},
      {"python-plan-contract", {"evaluate", "@"}, tools::kBadInput, "found the name \"p\" a second time"},
      {"latency-curve-crash-attains",
       {"evaluate", "@", "--model", "strict", "--latency-curve"},
       tools::kBadInput,
       "transfers ahead, with which the latency may rise with the period"},
      {"latency-curve-crash-divisor",
       {"evaluate", "@", "--model", "overlap", "--latency-curve"},
       tools::kBadInput,
       "transfers ahead"},
      {"latency-curve-crash-other",
       {"evaluate", "@", "--model", "overlap", "--latency-curve"},
       tools::kBadInput,
       "transfers ahead"},
  };
  return kCases;
}

}  // namespace

TEST_CASE("what documents of others are answered is true", "[world]") {
  const TemporaryFolder folder;
  for (const Case& each : cases()) {
    std::vector<std::string> words = each.words;
    for (std::string& word : words) {
      if (word.starts_with("@out")) word = folder.path(word.substr(1));
      if (word == "@") word = source(std::string("tests/data/world/") + each.file + ".json");
    }
    const Outcome outcome = takt(words);
    CAPTURE(words, outcome.out, outcome.err);
    CHECK(outcome.status == each.status);
    CHECK_THAT(outcome.out + outcome.err, Catch::Contains(each.says));
  }
}

}  // namespace takt::testing
