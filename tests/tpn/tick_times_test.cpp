// Times in ticks are the times of Timing, exactly or a little less, for every mapping at once.
#include "tpn/tick_times.hpp"

#include <catch2/catch.hpp>

#include "tests/support/named_ends.hpp"
#include "tests/support/random_nets.hpp"
#include "tpn/ends.hpp"
#include "tpn/errors.hpp"

namespace takt::tpn {
namespace {

// Calls visit(ticks, time) for every computation and transfer that a mapping could ask for.
template <typename Visit>
void for_each_time(const Document& document, const TickTimes& ticks, Visit visit) {
  const Timing timing(document);
  const std::size_t stages = document.application.stages.size();
  const std::size_t processors = document.platform.processors.size();
  for (std::size_t p = 0; p < processors; ++p) {
    for (std::size_t first = 0; first < stages; ++first) {
      for (std::size_t last = first; last < stages; ++last) {
        visit(ticks.computation(first, last, p), [&] { return timing.computation(first, last, p); });
      }
    }
    for (std::size_t q = 0; q < processors; ++q) {
      for (std::size_t stage = 0; p != q && stage < stages; ++stage) {
        visit(ticks.transfer(stage, p, q), [&] { return timing.transfer(stage, p, q); });
      }
    }
    for (std::size_t k = 0; k < count_of(document.platform.source); ++k)
      visit(ticks.from_source(p, k), [&] { return timing.from_source(p, k); });
    for (std::size_t k = 0; k < count_of(document.platform.sink); ++k)
      visit(ticks.to_sink(p, k), [&] { return timing.to_sink(p, k); });
  }
}

TEST_CASE("exact ticks over the scale are the times of every kind of problem") {
  std::size_t times = 0;
  support::for_each_document({.seeds = 30}, [&](Document document, std::uint64_t seed) {
    if (seed % 3 == 0) document = support::with_named_ends(document, seed, support::EndPorts::one);
    const auto ticks = TickTimes::exact(document, Timing(document)).value();
    REQUIRE(ticks.scale().is_integer());
    std::int64_t longest = 0;
    for_each_time(document, ticks, [&](std::int64_t found, auto time) {
      REQUIRE(Rational(found) == time() * ticks.scale());
      longest = std::max(longest, found);
      ++times;
    });
    REQUIRE(longest <= ticks.longest());
  });
  REQUIRE(times > 50'000);
}

TEST_CASE("rounded ticks are never more than the time, and less by a few ticks of 2^35 and more") {
  support::for_each_document({.seeds = 30}, [&](Document document, std::uint64_t seed) {
    if (seed % 3 == 0) document = support::with_named_ends(document, seed, support::EndPorts::one);
    const auto ticks = TickTimes::rounded_down(document, Timing(document)).value();
    for_each_time(document, ticks, [&](std::int64_t found, auto time) {
      const Rational exact = time() * ticks.scale();
      REQUIRE(Rational(found) <= exact);
      REQUIRE(exact - Rational(found) < Rational(8));
    });
    REQUIRE(ticks.longest() <= TickTimes::kMostRoundedTicks);
    if (ticks.longest() > 0) REQUIRE(ticks.longest() >= TickTimes::kMostRoundedTicks / 4);
  });
}

TEST_CASE("a rounded time may be as long or as short as GMP's numbers") {
  Document document = support::random_document(support::Kind::intervals, 1);
  const Rational huge = Rational(maxplus::Integer("1" + std::string(300, '0')));
  for (Processor& processor : document.platform.processors) {
    if (processor.speed) *processor.speed *= huge;
    if (processor.time) *processor.time /= huge;
  }
  for (Link& link : document.platform.links) {
    if (link.timing.time) *link.timing.time *= huge;
  }
  REQUIRE_FALSE(TickTimes::exact(document, Timing(document)));
  const auto ticks = TickTimes::rounded_down(document, Timing(document)).value();
  for_each_time(document, ticks,
                [&](std::int64_t found, auto time) { REQUIRE(Rational(found) <= time() * ticks.scale()); });
}

TEST_CASE("a time that the problem does not give is absent, and what does not need it is there") {
  Document document;
  document.application.stages = {{.name = "A", .work = {}, .output = 6}, {.name = "B", .work = 5, .output = {}}};
  document.platform.processors = {{.name = "P0", .speed = 2, .time = {}}, {.name = "P1", .speed = {}, .time = 3}};
  document.platform.links = {{0, 1, {.bandwidth = {}, .latency = {}, .time = 4}, true}};
  document.platform.defaults.bandwidth = 3;
  document.platform.source.emplace();
  document.platform.sink.emplace();
  for (const bool exactly : {true, false}) {
    const Timing timing(document);
    const auto ticks =
        (exactly ? TickTimes::exact(document, timing) : TickTimes::rounded_down(document, timing)).value();
    CHECK(ticks.computation(0, 0, 0) == TickTimes::kAbsent);
    CHECK(ticks.computation(0, 1, 0) == TickTimes::kAbsent);
    CHECK(ticks.computation(1, 1, 0) > 0);
    CHECK(ticks.computation(0, 1, 1) > 0);
    CHECK(ticks.transfer(0, 0, 1) > 0);
    CHECK(ticks.transfer(0, 1, 0) > 0);
    CHECK(ticks.transfer(1, 0, 1) > 0);
    CHECK(ticks.transfer(1, 1, 0) == TickTimes::kAbsent);
    CHECK(ticks.from_source(0) == TickTimes::kAbsent);
    CHECK(ticks.to_sink(1) == TickTimes::kAbsent);
  }
}

TEST_CASE("the least of several sources is that of those which are linked") {
  Document document;
  document.application.stages = {{.name = "A", .work = 1, .output = 6}};
  document.platform.processors = {{.name = "P0", .speed = 2, .time = {}}, {.name = "P1", .speed = 2, .time = {}}};
  Endpoint& sink = document.platform.sink.emplace();
  sink.named.resize(3);
  sink.named[1].links = {{0, {.bandwidth = {}, .latency = {}, .time = 9}}};
  sink.named[2].links = {{0, {.bandwidth = 2, .latency = {}, .time = {}}}};
  const Timing timing(document);
  const auto ticks = TickTimes::exact(document, timing).value();
  CHECK(ticks.scale() == Rational(2));
  CHECK(ticks.to_sink(0, 0) == TickTimes::kAbsent);
  CHECK(ticks.to_sink(0, 1) == 18);
  CHECK(ticks.least_to_sink(0) == 6);
  CHECK(ticks.least_to_sink(1) == TickTimes::kAbsent);
}

TEST_CASE("a stage without a time on a processor is absent there, and its neighbors are not") {
  Document document;
  document.application.stages = {{.name = "A", .work = {}, .output = {}, .times = {{0, 2}}},
                                 {.name = "B", .work = {}, .output = {}, .times = {{1, Rational::fraction(1, 3)}}},
                                 {.name = "C", .work = 4, .output = {}, .times = {{0, 5}}}};
  document.platform.processors = {{.name = "P0", .speed = {}, .time = {}}, {.name = "P1", .speed = 2, .time = {}}};
  const Timing timing(document);
  for (const bool exactly : {true, false}) {
    const auto ticks =
        (exactly ? TickTimes::exact(document, timing) : TickTimes::rounded_down(document, timing)).value();
    CHECK(ticks.computation(0, 0, 0) > 0);
    CHECK(ticks.computation(1, 1, 0) == TickTimes::kAbsent);
    CHECK(ticks.computation(0, 2, 0) == TickTimes::kAbsent);
    CHECK(ticks.computation(2, 2, 0) > ticks.computation(0, 0, 0));
    CHECK(ticks.computation(0, 1, 1) == TickTimes::kAbsent);
    CHECK(ticks.computation(1, 2, 1) > ticks.computation(2, 2, 1));
  }
}

TEST_CASE("a table of stages and processors is refused where it would have too many places") {
  Document document;
  for (std::size_t p = 0; p < 2001; ++p) {
    document.application.stages.push_back(
        {.name = "S" + std::to_string(p), .work = 1, .output = {}, .times = {{p, 2}}});
    document.platform.processors.push_back({.name = "P" + std::to_string(p), .speed = 3, .time = {}});
  }
  const Timing large(document);
  REQUIRE_FALSE(TickTimes::exact(document, large));
  REQUIRE_FALSE(TickTimes::rounded_down(document, large));
  document.application.stages.resize(100);
  REQUIRE(TickTimes::exact(document, Timing(document)));
}

TEST_CASE("a table of pairs is refused where links differ between too many processors, and not needed elsewhere") {
  Document document;
  document.application.stages = {{.name = "A", .work = 2, .output = 6}, {.name = "B", .work = 5, .output = 7}};
  for (std::size_t p = 0; p < 2001; ++p) {
    document.platform.processors.push_back({.name = "P" + std::to_string(p), .speed = {}, .time = 3});
  }
  document.platform.defaults.bandwidth = 3;
  REQUIRE(TickTimes::exact(document, Timing(document)));
  document.platform.links = {{0, 1, {.bandwidth = {}, .latency = {}, .time = 4}, true}};
  REQUIRE_FALSE(TickTimes::exact(document, Timing(document)));
  REQUIRE_FALSE(TickTimes::rounded_down(document, Timing(document)));
}

}  // namespace
}  // namespace takt::tpn
