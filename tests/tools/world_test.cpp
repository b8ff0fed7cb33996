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
      {"ahead-drops-room",
       {"evaluate", "@", "--model", "overlap", "--ahead", "best"},
       tools::kAnswered,
       "  period              22 time units"},
      {"ahead-drops-room",
       {"evaluate", "@", "--model", "overlap", "--ahead", "best", "-o", "@out.json"},
       tools::kAnswered,
       R"({"from": 0, "to": 1, "ahead": 1, "room": 1})"},
      {"ahead-advice-replaces",
       {"evaluate", "@"},
       tools::kAnswered,
       "With the output of s0 1 data set ahead and the output of s1 not ahead the period would be 12 time units"},
      {"ahead-empty-list",
       {"evaluate", "@", "--model", "strict"},
       tools::kAnswered,
       "With no transfer ahead the period would be 10.5 time units"},
      {"ahead-best-misses-input",
       {"evaluate", "@", "--ahead", "best"},
       tools::kAnswered,
       "This is with the input 1 data set ahead; otherwise the period is 4.5 time units"},
      {"turns-advice-cores",
       {"evaluate", "@", "--model", "overlap"},
       tools::kAnswered,
       R"(With ["h.4", "p1", "p3", "h.2"] for s0 the period would be 2.5 time units)"},
      {"turns-advice-names",
       {"evaluate", "@", "--model", "strict"},
       tools::kAnswered,
       R"(With ["p", "q", "p", "q"] for a the period would be 5.5 time units)"},
      {"segment-makes-faster", {"evaluate", "@"}, tools::kAnswered, "  period              1 time unit per data set"},
      {"order-wait-pair",
       {"evaluate", "@", "--model", "overlap"},
       tools::kAnswered,
       "the output of s0 of data set 3 starts only after transfer the output of s1 of data set 2."},
      {"only-if",
       {"report", "@", "-o", "@out.html"},
       tools::kAnswered,
       "busy all the time: with the turns as they are, only shorter times of its own help."},
      {"report-slack-count",
       {"report", "@", "-o", "@out.html"},
       tools::kAnswered,
       "7 of 10 numbers of the instance have slack"},
      {"ahead-changes-cycle-time",
       {"evaluate", "@", "--model", "overlap", "--ahead", "best"},
       tools::kAnswered,
       "  largest cycle time  2.5 time units"},
      {"refusal-not-needed",
       {"evaluate", "@"},
       tools::kBadInput,
       "expected room for 2 files, or fewer data sets ahead"},
      {"order-ports",
       {"evaluate", "@", "--model", "overlap", "--ahead", "best"},
       tools::kAnswered,
       "It is the best found."},
  };
  return kCases;
}

}  // namespace

TEST_CASE("what documents of others are answered is true", "[world]") {
  const TemporaryFolder folder;
  for (const Case& each : cases()) {
    std::vector<std::string> words = each.words;
    std::string written;
    for (std::string& word : words) {
      if (word.starts_with("@out")) written = word = folder.path(word.substr(1));
      if (word == "@") word = source(std::string("tests/data/world/") + each.file + ".json");
    }
    const Outcome outcome = takt(words);
    CAPTURE(words, outcome.out, outcome.err);
    CHECK(outcome.status == each.status);
    const std::string file = written.empty() ? "" : text_of(written);
    CHECK_THAT(outcome.out + outcome.err + file, Catch::Contains(each.says));
  }
}

}  // namespace takt::testing
