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

constexpr const char* kRatesOnly = "takt knows rates only";

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
      {"gain-strict", {"evaluate", "@", "--model", "strict"}, tools::kLimit, "load; the period is at least 4 time"},
      {"gain-overlap", {"evaluate", "@", "--model", "overlap"}, tools::kLimit, "load; the period is at least 2.75"},
      {"consume", {"evaluate", "@", "--model", "overlap"}, tools::kAnswered, "1 ms per event"},
      {"consume", {"evaluate", "@", "--model", "strict"}, tools::kLimit, "the period is at least 1.1 ms"},
      {"consume", {"evaluate", "@", "--model", "overlap", "--certificate", "@outf.json"}, tools::kAnswered, "1 ms"},
      {"consume", {"check", "@", "@outf.json"}, tools::kAnswered, "Proved"},
      {"gain-overlap", {"check", "@", "@outf.json"}, tools::kNo, "Refused"},
      {"consume-plan", {"plan", "@", "--rate", "500/s", "--latency", "1.2 ms"}, tools::kBadInput, kRatesOnly},
      {"consume-plan", {"plan", "@", "--rate", "500/s"}, tools::kAnswered, "Rates only: "},
      {"a1-nolat", {"plan", "@", "--rate", "60000/s", "--within", "99% 50ms"}, tools::kBadInput, kRatesOnly},
      {"own-certificate-refused", {"evaluate", "@", "--certificate", "@outc.json"}, tools::kAnswered, "do not change"},
      {"own-certificate-refused", {"check", "@", "@outc.json"}, tools::kAnswered, "Proved"},
      {"own-certificate-refused-host", {"evaluate", "@", "--certificate", "@outh.json"}, tools::kAnswered, "do not"},
      {"own-certificate-refused-host", {"check", "@", "@outh.json"}, tools::kAnswered, "Proved"},
      {"own-certificate-refused-turns", {"evaluate", "@", "--certificate", "@outt.json"}, tools::kAnswered, "do not"},
      {"own-certificate-refused-turns", {"check", "@", "@outt.json"}, tools::kAnswered, "Proved"},
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
      {"min-batch-plan",
       {"plan", "@", "--rate", "500/s"},
       tools::kAnswered,
       "No mapping without batches needs fewer machines: proved. With batches no bound is known.\n"},
      {"min-batch-problem", {"plan", "@", "--rate", "500/s"}, tools::kNo, "no mapping without batches reaches 500/s"},
      {"min-batch-problem", {"map", "@"}, tools::kAnswered, "Proved: no mapping without batches has a shorter period"},
      {"min-batch-problem",
       {"map", "@", "--json", "-o", "@out.json"},
       tools::kAnswered,
       R"("freedoms_left_out": ["batches"])"},
      {"a2",
       {"plan", "@", "--rate", "400/s"},
       tools::kAnswered,
       "No mapping without batches costs less than 11.85 USD/h"},
      {"a2", {"plan", "@", "--rate", "400/s", "--json"}, tools::kAnswered, R"("varied_cost_lower_bound": )"},
      {"memory-real", {"plan", "@", "--rate", "1000/s"}, tools::kNo, "no mapping of any kind reaches 1000 events/s"},
      {"memory-real", {"map", "@"}, tools::kAnswered, R"("predicted_period": "2 ms")"},
      {"memory-proved", {"plan", "@", "--period", "1"}, tools::kNo, "no mapping of any kind reaches 1 per time unit"},
      {"cores-split",
       {"plan", "@", "--rate", "100/s"},
       tools::kAnswered,
       "100/s was asked for.\nNo mapping of any kind needs fewer than 1 machine: proved; this is 100 % more.\n\n"},
      {"etl",
       {"plan", "@", "--rate", "300/s"},
       tools::kAnswered,
       "asked for.\nNo mapping of any kind costs less than 0.17 USD/h: proved; this is 100 % more.\n\n"},
      {"video",
       {"plan", "@", "--rate", "240/s"},
       tools::kAnswered,
       "asked for.\nNo mapping without batches costs less than 1.617 USD/h: proved; this is 18.7 % more. With batches"},
      {"typed-dp-aba",
       {"map", "@", "--heuristic", "typed-dp"},
       tools::kAnswered,
       "each machine in one part, in plain round robin, has a shorter period"},
      {"typed-dp-aba",
       {"plan", "@", "--period", "11", "--among", "typed"},
       tools::kNo,
       "alike in times and price in each part, each in one part, in round robin, reaches 0.09091 per time unit"},
      {"apart-map",
       {"plan", "@", "--period", "1", "--among", "mixed"},
       tools::kNo,
       "any machines in a part, each machine whole in one part, in round robin, without transfers ahead, reaches"},
      {"aba-named",
       {"plan", "@", "--period", "9 ms"},
       tools::kAnswered,
       "with 3 machines.\nNo mapping of any kind needs fewer than 2 machines: proved; this is 50 % more.\n\n"},
      {"typed-price",
       {"plan", "@", "--period", "1", "--among", "typed"},
       tools::kNo,
       "no plan with machines alike in times and price in each part"},
      {"typed-price",
       {"plan", "@", "--period", "1", "--among", "typed", "--json"},
       tools::kNo,
       R"("text": "no plan with machines alike in times and price in each part)"},
      {"part-cores",
       {"plan", "@", "--rate", "4000/s"},
       tools::kNo,
       "no plan with one type per part, each machine whole in one part, in round robin, reaches 4000/s"},
      {"within",
       {"plan", "@", "--rate", "100/s", "--within", "99% 9.6ms", "--law", "constant"},
       tools::kAnswered,
       "a limit of its own: a cheaper plan may keep the percentile, too."},
      {"third", {"plan", "@", "--rate", "333.34/s"}, tools::kNo, "no mapping reaches 333.34/s"},
      {"third", {"plan", "@", "--rate", "333.34/s"}, tools::kNo, "at most 333.33/s"},
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

TEST_CASE("what follows single data sets refuses stages of several files, with the reason", "[world]") {
  const std::string file = source("tests/data/world/consume.json");
  const TemporaryFolder folder;
  const std::vector<std::vector<std::string>> asked = {
      {"evaluate", file, "--latency"},
      {"evaluate", file, "--latency-curve"},
      {"evaluate", file, "--window", "2"},
      {"evaluate", file, "--ahead", "best"},
      {"evaluate", file, "--estimate"},
      {"evaluate", file, "--model", "bounded"},
      {"simulate", file},
      {"simulate", file, "--completion", "5"},
      {"gantt", file},
      {"rooms", file},
      {"sensitivity", file},
      {"vary", file, "--law", "constant", "--rate", "500/s"},
      {"report", file, "-o", folder.path("r.html")},
      {"export", file, "--to", "csdf"},
      {"dot", file},
      {"run", file, "--rehearse", "--data-sets", "10"},
      {"map", file, "--heuristic", "polish"},
  };
  for (std::vector<std::string> words : asked) {
    if (words.front() != "map" && words.front() != "rooms" && words.back() != "bounded")
      words.insert(words.end(), {"--model", "overlap"});
    const Outcome outcome = takt(words);
    CAPTURE(words, outcome.out, outcome.err);
    CHECK(outcome.status != tools::kAnswered);
    CHECK(outcome.status != 70);
    CHECK_THAT(outcome.out + outcome.err,
               Catch::Contains("takt knows rates only") || Catch::Contains("stages with one file per firing"));
  }
}

}  // namespace takt::testing
