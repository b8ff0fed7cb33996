// What explains a run, in words: each line's share, and which cause is named.
#include "tools/live/explanation_output.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace takt::testing {
namespace {

using Catch::Contains;
using live::Explanation;
using maxplus::Rational;
using tools::ExplainedRun;

const Rational kPredicted = 100;

std::string words(const Explanation& explanation, const Rational& measured, std::uint64_t window = 7,
                  const Rational& predicted = kPredicted) {
  std::ostringstream out;
  tools::write_explanation(out, {explanation, predicted, measured, window, 20},
                           tools::RunTimeWords(tools::TimeWords(), Rational::fraction(1, 10'000)));
  return out.str();
}

TEST_CASE("the shares of what explains a run add up to how far off it is") {
  CHECK(words({100, 114, 144}, 145) ==
        "explained with mean times                 11.4 ms, +14.00 %\n"
        "          with each operation's own time  14.4 ms, +30.00 %\n"
        "          the rest                        +100 us, +1.00 %\n"
        "what counts: times vary from data set to data set (a --window above 7 can lessen what that costs)\n");
  CHECK_THAT(words({100, 115, 144}, 145),
             Contains(" costs); then, times are not those of the instance (takt measure "));
}

TEST_CASE("what counts is the greatest cause, from one percent on") {
  CHECK_THAT(words({100, Rational::fraction(1009, 10), 101}, Rational::fraction(1019, 10)),
             Contains("\n"
                      "what counts: nothing: none of these makes a difference of 1 %\n"));
  CHECK_THAT(words({100, 99, 99}, 99), Contains("\nwhat counts: times are not those of the instance"));
  for (const std::uint64_t window : {0U, 20U}) {
    CHECK_THAT(words({100, 100, 120}, 120, window), Contains("\nwhat counts: times vary from data set to data set\n"));
  }
  CHECK_THAT(
      words({100, 100, 100}, 120),
      Contains("\n"
               "what counts: waits that are not in the net: for messages, for processes to wake, for another order\n"));
  CHECK_THAT(words({100, 100, 100}, 120, 0), Contains(", for another order or a window (--window)\n"));
  CHECK_THAT(words({100, 120, 100}, 100),
             Contains("; then, times vary, and half of the time data sets come sooner than with mean times\n"));
  const std::string early = words({100, 100, 120}, 100);
  CHECK_THAT(early, Contains("\n          the rest                        -2 ms, -20.00 %\n"));
  CHECK_THAT(early, Contains("; then, operations began before the end of those that precede them in the net\n"));
}

TEST_CASE("a run that is too short for the steady state says so, in a line of its own") {
  CHECK_THAT(words({110, 110, 110}, 110),
             Contains("explained the net over so few data sets   11 ms, +10.00 %\n"
                      "          with mean times                 11 ms, +0.00 %\n") &&
                 Contains("\nwhat counts: the run is too short for the steady state of the net\n"));
  CHECK_THAT(words({Rational::fraction(1001, 10), 110, 110}, 110), !Contains("so few data sets"));
}

TEST_CASE("where nothing was predicted to take time there are no shares") {
  CHECK_THAT(words({0, 0, 0}, 1, 7, 0), Contains("\n          the rest                        +100 us\n") &&
                                            Contains("\n"
                                                     "what counts: waits that are not in the net"));
}

TEST_CASE("the JSON of what explains a run") {
  const auto json_of = [](const std::optional<ExplainedRun>& run) {
    std::string text;
    tpn::JsonWriter json(text, tpn::IllFormed::replaced);
    json.begin_object();
    tools::write_explanation_json(json, run);
    json.end();
    return nlohmann::ordered_json::parse(text).at("explanation");
  };
  const Explanation explanation{100, 114, 144};
  const Rational measured = 145;
  const auto json = json_of(ExplainedRun{explanation, kPredicted, measured, 7, 20});
  CHECK(json.at("instance_period") == "100");
  CHECK(json.at("mean_times_period") == "114");
  CHECK(json.at("own_times_period") == "144");
  CHECK(json.at("rest_period") == "1");
  CHECK(json.at("main_causes") == std::vector<std::string>{"variation"});
  CHECK(json_of(std::nullopt).is_null());
}

}  // namespace
}  // namespace takt::testing
