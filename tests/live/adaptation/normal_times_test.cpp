// Tests of normal times and of bets on them, on numbers drawn by four laws.
#include "live/adaptation/normal_times.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>
#include <vector>

#include "tests/live/adaptation/adaptation_bars.hpp"

namespace takt::live {

namespace {

using Catch::Detail::Approx;

double drawn_time(std::mt19937& random, Law law) {
  return time_by(law, (static_cast<double>(random()) + 0.5) / 4294967296.0);
}

NormalTimes drawn_times(std::mt19937& random, Law law, int rows) {
  NormalTimes normal(1);
  for (int k = 0; k < rows; ++k) normal.add_earlier(std::vector{drawn_time(random, law)});
  return normal;
}

constexpr StageRange kOnly{0, 0};

TEST_CASE("normal_times: sums go along rows, and rows that lack a stage are left out") {
  NormalTimes normal(3);
  normal.add(0, 0, std::vector{1.0, 2.0});
  normal.add(0, 2, std::vector{4.0});
  normal.add(1, 0, std::vector{10.0, 20.0});
  CHECK(normal.sums({0, 1}) == std::vector{3.0, 30.0});
  CHECK(normal.sums({0, 2}) == std::vector{7.0});
  normal.add(1, 2, std::vector{40.0});
  normal.add(0, 2, std::vector{5.0});
  CHECK(normal.sums({0, 2}) == std::vector{8.0, 70.0});
}

TEST_CASE("normal_times: beyond the most rows the oldest goes, earlier ones first") {
  NormalTimes normal(1, 2);
  normal.add_earlier(std::vector{9.0});
  normal.add(0, 0, std::vector{1.0});
  CHECK(normal.sums(kOnly) == std::vector{1.0, 9.0});
  normal.add(1, 0, std::vector{2.0});
  CHECK(normal.sums(kOnly) == std::vector{1.0, 2.0});
  normal.add(2, 0, std::vector{3.0});
  CHECK(normal.sums(kOnly) == std::vector{2.0, 3.0});
}

TEST_CASE("normal_times: bets at all ranks pay one on average, equal times exactly one") {
  NormalTimes normal(1);
  for (int k = 1; k <= 12; ++k) normal.add_earlier(std::vector{static_cast<double>(k)});
  for (const ChangeEnd end : {ChangeEnd::slow, ChangeEnd::fast}) {
    double all = 0;
    for (int k = 0; k <= 12; ++k) all += normal.bet(kOnly, k + 0.5, end);
    CHECK(all / 13 == Approx(1));
  }
  CHECK(normal.bet(kOnly, 100, ChangeEnd::slow) == Approx(std::pow(13, 0.8)));
  CHECK(normal.bet(kOnly, 0.1, ChangeEnd::fast) == Approx(std::pow(13, 0.8)));
  CHECK(normal.bet(kOnly, 100, ChangeEnd::fast) < 1);
  NormalTimes equal(1);
  for (int k = 0; k < 12; ++k) equal.add_earlier(std::vector{7.0});
  CHECK(equal.bet(kOnly, 7, ChangeEnd::slow) == 1);
  CHECK(equal.bet(kOnly, 7, ChangeEnd::fast) == 1);
}

TEST_CASE("normal_times: nothing is bet on fewer than five times, nor on a data set's own") {
  NormalTimes normal(1);
  for (std::uint64_t j = 0; j < 4; ++j) normal.add(j, 0, std::vector{1.0});
  CHECK(normal.bet(kOnly, 50, ChangeEnd::slow) == 1);
  normal.add(4, 0, std::vector{60.0});
  CHECK(normal.bet(kOnly, 50, ChangeEnd::slow) == Approx(6 * (std::pow(2.0 / 6, 0.2) - std::pow(1.0 / 6, 0.2))));
  CHECK(normal.bet(kOnly, 50, ChangeEnd::slow, 4) == 1);
  normal.add(5, 0, std::vector{1.0});
  CHECK(normal.bet(kOnly, 50, ChangeEnd::slow, 4) == Approx(std::pow(6, 0.8)));
}

// Each time is bet on before it becomes a normal one, so that ranks are independent.
TEST_CASE("normal_times: false alarms stay below one in A times, by every law") {
  constexpr double kAsked = 100;
  constexpr int kTimes = 400;
  constexpr int kRuns = 50;
  for (const Law law : kLaws) {
    CAPTURE(static_cast<int>(law));
    std::mt19937 random(17);
    int alarms = 0;
    for (int run = 0; run < kRuns; ++run) {
      NormalTimes normal(1);
      ChangeStake stake(ChangeEnd::slow);
      for (std::uint64_t j = 0; j < kTimes; ++j) {
        const double time = drawn_time(random, law);
        stake.see(normal, {kOnly, time});
        normal.add(j, 0, std::vector{time});
        if (stake.value() < kAsked) continue;
        ++alarms;
        stake.renew();
      }
    }
    CHECK(alarms <= kTimes * kRuns / kAsked);
    CHECK((law == Law::constant) == (alarms == 0));
  }
}

TEST_CASE("normal_times: a slowdown of six is noticed in time, and its size found") {
  constexpr double kAsked = 5000;
  struct Expected {
    Law law;
    std::size_t times;
  };
  for (const auto& [law, times] : {Expected{Law::constant, 3}, {Law::uniform, 10}, {Law::exponential, 30}}) {
    CAPTURE(static_cast<int>(law));
    for (unsigned seed = 1; seed <= 20; ++seed) {
      CAPTURE(seed);
      std::mt19937 random(seed);
      const NormalTimes normal = drawn_times(random, law, 60);
      ChangeStake stake(ChangeEnd::slow);
      std::size_t seen = 0;
      while (seen < 100 && stake.value() < kAsked) {
        stake.see(normal, {kOnly, 6 * drawn_time(random, law)});
        ++seen;
      }
      CHECK(seen <= times);
    }
    std::mt19937 random(5);
    const NormalTimes normal = drawn_times(random, law, 400);
    std::vector<SeenTime> seen;
    for (int k = 0; k < 24; ++k) seen.push_back({kOnly, 6 * drawn_time(random, law)});
    const double found = slowdown(normal, seen).value();
    CHECK(found > 4);
    CHECK(found < 9);
  }
  CHECK(!slowdown(NormalTimes(1), std::vector<SeenTime>{{kOnly, 1}}));
}

TEST_CASE("what is forgotten of some stages leaves the others") {
  NormalTimes normal(3);
  normal.add_earlier(std::vector<double>{1, 2, 3});
  normal.add_earlier(std::vector<double>{4, 5, 6});
  CHECK(normal.sums({0, 1}) == std::vector<double>{3, 9});
  normal.forget({1, 1});
  CHECK(normal.sums({0, 0}) == std::vector<double>{1, 4});
  CHECK(normal.sums({0, 1}).empty());
  normal.add(7, 0, std::vector<double>{1, 1});
  CHECK(normal.sums({0, 1}) == std::vector<double>{2});
}

}  // namespace

}  // namespace takt::live
