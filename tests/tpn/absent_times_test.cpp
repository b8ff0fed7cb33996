// Stages that run on some processors only.
#include "tpn/absent_times.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "tpn/reader.hpp"
#include "tpn/writer.hpp"

namespace takt::tpn {
namespace {

const std::string kText = R"({
  "application": {
    "stages": [
      {"name": "in", "work": 3, "output": 1, "runs on": ["cpu", "gpu"]},
      {"name": "net", "output": 1, "time": {"gpu": 4, "g1": 5}},
      {"name": "out", "work": 1}
    ]
  },
  "platform": {
    "types": [
      {"name": "gpu", "speed": 10}
    ],
    "processors": [
      {"name": "cpu", "speed": 1},
      {"name": "small", "speed": 0.5},
      {"name": "g1", "type": "gpu"},
      {"name": "g2", "type": "gpu"}
    ],
    "bandwidth": 1
  }
}
)";

Document problem() { return read_document(kText, "f"); }

}  // namespace

TEST_CASE("a stage runs where its \"runs on\" lets it, by name or type, and where it has a time") {
  const Document document = problem();
  CHECK(write_document(document) == kText);
  const AbsentTimes absent(document, Timing(document));
  const bool expected[3][4] = {{true, false, true, true}, {false, false, true, true}, {true, true, true, true}};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t p = 0; p < 4; ++p) CHECK(absent.can_run(k, k, p) == expected[k][p]);
  CHECK(absent.can_run(0, 2, 2));
  CHECK(absent.end_of_run(0, 0) == 1);
  const auto first = first_absent_time(document);
  REQUIRE(first);
  CHECK((first->stage == 1 && first->processor == 0));
  CHECK(runner_words(document, 0) == R"("cpu", "g1" or "g2")");
}

TEST_CASE("with prohibitive times every stage runs everywhere, and no mapping with one is as fast as one without") {
  const Document document = problem();
  const Timing timing(document);
  const AbsentTimes absent(document, timing);
  const Document completed = with_prohibitive_times(document, timing, absent);
  CHECK(!first_absent_time(completed));
  const Timing times(completed);
  const Rational longest = longest_period(document, timing, absent);
  // 3 and 5 and 2 to compute, 1 and 1 to transfer.
  CHECK(longest == 12);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t p = 0; p < 4; ++p) {
      const Rational time = *times.stage_time(k, p);
      CHECK((absent.can_run(k, k, p) ? time == *timing.stage_time(k, p) : time > longest * Rational(4 * 4)));
    }
  }
}

TEST_CASE("stages that leave each other too few processors are named, the fewest") {
  Document document = problem();
  CHECK(!crowded_stages(AbsentTimes(document, Timing(document))));
  document.application.stages[0].runs_on = {"cpu"};
  document.application.stages[2].runs_on = {"cpu"};
  const auto crowded = crowded_stages(AbsentTimes(document, Timing(document)));
  REQUIRE(crowded);
  CHECK(crowded->stages == std::vector<std::size_t>{0, 2});
  CHECK(crowded_words(document, *crowded) ==
        R"(stages "in" and "out" run on "cpu" only, which does not have two of them in one part)");
}

}  // namespace takt::tpn
