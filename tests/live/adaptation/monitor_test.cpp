// Tests of the monitor, fed by hand.
#include "live/adaptation/monitor.hpp"

#include <catch2/catch.hpp>

#include <vector>

#include "tests/support/random_problems.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/problem_view.hpp"

namespace takt::live {

namespace {

using heuristics::RemapRule;

// Stages of 20, 10, 10 time units on processors of speed 1, no transfers, ten ticks a unit.
class MonitorFixture {
 public:
  explicit MonitorFixture(const tpn::Mapping& mapping, MonitorTerms terms = {})
      : problem_(support::free_problem({20, 10, 10}, {}, {1, 1, 1, 1})), monitor(4, terms) {
    follow(0, mapping);
  }

  void follow(std::uint64_t data_set, const tpn::Mapping& mapping) {
    const tpn::ProblemView view(problem_);
    const auto made = tpn::make_pipeline(view, mapping);
    const auto& pipeline = std::get<tpn::Pipeline>(made);
    first_part_ = pipeline.parts.front().role == tpn::PartRole::mapped ? 0 : 1;
    monitor.follow(data_set, *Route::make(pipeline, 10));
  }
  void computed(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks time) {
    monitor.computed({processor, first_part_ + part, data_set, time, false});
  }
  // Data sets from one to before another, by the processors of two parts, which take so long.
  void go_on(std::uint64_t data_set, std::uint64_t end, Ticks first, Ticks second, std::size_t first_on = 0,
             std::size_t second_on = 1) {
    for (; data_set < end; ++data_set) {
      computed(first_on, 0, data_set, first);
      computed(second_on, 1, data_set, second);
    }
  }
  std::size_t part(std::size_t index) const { return first_part_ + index; }
  void begun(std::size_t processor, std::size_t part, std::uint64_t data_set, Ticks start) {
    monitor.begun(processor, first_part_ + part, data_set, start);
  }

 private:
  tpn::Document problem_;
  std::size_t first_part_ = 0;

 public:
  Monitor monitor;
};

const tpn::Mapping kTwoParts = {{0, 0, {0}}, {1, 2, {1}}};

}  // namespace

TEST_CASE("the monitor says nothing before each processor in use has two times") {
  MonitorFixture run(kTwoParts);
  for (std::uint64_t j = 0; j < 5; ++j) run.computed(0, 0, j, j < 2 ? 200 : 900);
  CHECK(!run.monitor.finding(0));
  run.computed(1, 1, 0, 200);
  CHECK(!run.monitor.finding(0));
  run.computed(1, 1, 1, 200);
  const auto finding = run.monitor.finding(0);
  REQUIRE(finding);
  CHECK(finding->rule == RemapRule::slower_than_the_worst);
  CHECK(finding->time == 900);
  CHECK(finding->limit == 300);
  CHECK(finding->cause.processor == 0);
  CHECK(finding->cause.data_set == 4);
  CHECK(!finding->cause.is_under_way);
}

TEST_CASE("one slow time among the last three is no bottleneck, three are, and the limit itself is none") {
  MonitorFixture run(kTwoParts);
  run.go_on(0, 3, 200, 200);
  run.computed(1, 1, 3, 1000);
  run.computed(1, 1, 4, 1000);
  CHECK(!run.monitor.finding(0));
  run.computed(1, 1, 5, 300);
  CHECK(!run.monitor.finding(0));
  run.computed(1, 1, 6, 301);
  CHECK(!run.monitor.finding(0));
  run.computed(1, 1, 7, 301);
  run.computed(1, 1, 8, 301);
  const auto finding = run.monitor.finding(0);
  REQUIRE(finding);
  CHECK(finding->cause.processor == 1);
  CHECK(finding->cause.data_set == 8);
  CHECK(finding->time == 301);
}

TEST_CASE("what is under way counts at once when it is beyond the limit, not a tick before") {
  MonitorFixture run(kTwoParts);
  run.go_on(0, 2, 200, 210);
  CHECK(!run.monitor.next());
  run.begun(0, 0, 2, 1000);
  REQUIRE(run.monitor.next());
  CHECK(*run.monitor.next() == 1000 + 315 + 1);
  CHECK(!run.monitor.finding(1315));
  const auto finding = run.monitor.finding(1316);
  REQUIRE(finding);
  CHECK(finding->cause.is_under_way);
  CHECK(finding->cause.processor == 0);
  CHECK(finding->cause.data_set == 2);
  CHECK(finding->cause.time == 316);
  run.computed(0, 0, 2, 316);
  CHECK(!run.monitor.finding(1400));  // it is done, and the two before were quick

  MonitorFixture logical(kTwoParts, {.counts_under_way = false});
  logical.go_on(0, 2, 200, 210);
  logical.begun(0, 0, 2, 1000);
  CHECK(!logical.monitor.next());
  CHECK(!logical.monitor.finding(5000));
}

TEST_CASE("faster than the best: even the slowest is") {
  MonitorFixture run(kTwoParts);
  run.go_on(0, 3, 400, 200);
  for (std::uint64_t j = 3; j < 6; ++j) run.computed(0, 0, j, 99);
  CHECK(!run.monitor.finding(0));  // the other is not
  run.computed(1, 1, 3, 90);
  const auto finding = run.monitor.finding(0);
  REQUIRE(finding);
  CHECK(finding->rule == RemapRule::faster_than_the_best);
  CHECK(finding->limit == 100);
  CHECK(finding->time == 99);
}

TEST_CASE("times are what a processor computes per data set: half of one that it shares, all parts that it serves") {
  MonitorFixture run({{0, 0, {0, 1}}, {1, 1, {2}}, {2, 2, {2}}});
  for (std::uint64_t j = 0; j < 4; ++j) {
    run.computed(j % 2, 0, j, 200);
    run.computed(2, 1, j, 100);
    run.computed(2, 2, j, 100);
  }
  // 100, 100 and 200 per data set: the limit is 300.
  for (std::uint64_t j = 4; j < 10; j += 2) run.computed(0, 0, j, 600);
  CHECK(!run.monitor.finding(0));
  for (std::uint64_t j = 10; j < 16; j += 2) run.computed(0, 0, j, 620);
  const auto finding = run.monitor.finding(0);
  REQUIRE(finding);
  CHECK(finding->limit == 300);
  CHECK(finding->time == 310);
}

TEST_CASE("times of a mapping that is passing out are known, but neither calibrate nor decide") {
  MonitorFixture run(kTwoParts);
  run.go_on(0, 3, 200, 200);
  run.follow(10, {{0, 0, {2}}, {1, 2, {1}}});
  run.go_on(3, 10, 1200, 200);
  CHECK(!run.monitor.finding(0));
  run.go_on(10, 12, 220, 200, 2, 1);
  CHECK(!run.monitor.finding(0));
  // The first is not in use and keeps what was last known; nobody knows the last one: the middle of 1, 1 and 1.1.
  CHECK(run.monitor.ratios(0) == std::vector<Rational>{6, 1, Rational::fraction(11, 10), 1});
}

TEST_CASE("a processor alone that becomes slower says nothing of those that were never used") {
  MonitorFixture run({{0, 2, {0}}});
  for (std::uint64_t j = 0; j < 3; ++j) run.computed(0, 0, j, 440);
  for (std::uint64_t j = 3; j < 6; ++j) run.computed(0, 0, j, 4000);
  REQUIRE(run.monitor.finding(0));
  CHECK(run.monitor.ratios(0) ==
        std::vector<Rational>{10, Rational::fraction(11, 10), Rational::fraction(11, 10), Rational::fraction(11, 10)});
}

TEST_CASE("a processor that turns out slower than its mapping was chosen for is found, however it began") {
  const auto slow_from_the_beginning = [](bool relies) {
    MonitorFixture run(kTwoParts);
    run.go_on(0, 3, 200, 200);
    run.begun(0, 0, 3, 600);
    if (relies) run.monitor.rely_on_times(900);  // under way for 300 ticks: 3/2
    run.follow(10, {{0, 0, {0}}, {1, 2, {2}}});
    run.computed(0, 0, 3, 1200);
    run.go_on(10, 12, 1200, 200, 0, 2);
    return run.monitor.finding(0);
  };
  CHECK(!slow_from_the_beginning(false));
  const auto finding = slow_from_the_beginning(true);
  REQUIRE(finding);
  CHECK(finding->limit == 450);
  CHECK(finding->time == 1200);
}

TEST_CASE("what is under way for too long is believed to be half done; what is a little late is not") {
  MonitorFixture run(kTwoParts);
  run.go_on(0, 3, 200, 200);
  run.begun(0, 0, 3, 1000);
  CHECK(run.monitor.ratios(1100).front() == 1);
  CHECK(run.monitor.ratios(1300).front() == Rational::fraction(3, 2));
  CHECK(run.monitor.ratios(1320).front() == Rational::fraction(16, 5));
  run.computed(0, 0, 3, 500);
  CHECK(run.monitor.ratios(1600).front() == 1);  // the least of the last three
}

TEST_CASE("until a mapping is calibrated, what becomes known is held against what it was chosen for") {
  MonitorFixture run(kTwoParts);
  run.go_on(0, 3, 200, 200);
  run.begun(0, 0, 3, 600);
  CHECK(run.monitor.finding(901));
  run.monitor.rely_on_times(900);  // 3/2
  run.follow(10, {{0, 0, {0}}, {1, 2, {2}}});
  CHECK(!run.monitor.finding(901));
  REQUIRE(run.monitor.next());
  CHECK(*run.monitor.next() == 600 + 450 + 1);
  CHECK(!run.monitor.finding(1050));
  const auto still_under_way = run.monitor.finding(1051);
  REQUIRE(still_under_way);
  CHECK(still_under_way->cause.data_set == 3);
  CHECK(still_under_way->cause.is_under_way);
  run.computed(0, 0, 3, 460);
  const auto late = run.monitor.finding(1060);
  REQUIRE(late);
  CHECK(late->time == 460);
  CHECK(late->limit == 450);
  CHECK(!late->cause.is_under_way);
  // Decided again before any data set had that mapping.
  run.monitor.rely_on_times(1060);
  run.follow(10, {{0, 0, {3}}, {1, 2, {2}}});
  CHECK(!run.monitor.finding(5000));
  CHECK(run.monitor.route_of(10).processor_at(run.part(0), 10) == 3);
  // That all are faster than was believed is no reason before they are calibrated.
  run.computed(3, 0, 10, 10);
  run.computed(2, 1, 10, 10);
  CHECK(!run.monitor.finding(5000));
}

TEST_CASE("where the mapping stays, what processors take by then is usual from then on") {
  MonitorFixture run(kTwoParts);
  run.go_on(0, 3, 200, 200);
  run.go_on(3, 6, 800, 200);
  CHECK(run.monitor.finding(0));
  run.monitor.rely_on_times(0);
  run.monitor.calibrate_anew();
  run.go_on(6, 12, 800, 200);
  CHECK(!run.monitor.finding(0));
  CHECK(run.monitor.ratios(0).front() == 4);
}

}  // namespace takt::live
