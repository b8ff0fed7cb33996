// Tests of bets and pairs by processor.
#include "live/adaptation/change_watch.hpp"

#include <catch2/catch.hpp>

#include <array>

#include "live/adaptation/shadow_book.hpp"

namespace takt::live {

namespace {

constexpr int kRows = 60;

// Times of 100 to 159 for the one stage.
ChangeWatch watch_of(std::size_t processors) {
  ChangeWatch watch(1, processors);
  for (int k = 0; k < kRows; ++k) watch.add_earlier(std::array{100.0 + k});
  return watch;
}

void compute(ChangeWatch& watch, std::uint64_t data_set, double time) {
  watch.begun(0, {0, 0}, 0, 1);
  watch.computed(0, data_set, 0, std::array{time});
}

}  // namespace

TEST_CASE("slow times come to an alarm, and say how slow") {
  ChangeWatch watch = watch_of(2);
  for (std::uint64_t j = 0; j < 3; ++j) compute(watch, j, 600);
  const auto alarm = watch.alarm(0, 0);
  REQUIRE(alarm.has_value());
  CHECK(alarm->end == ChangeEnd::slow);
  CHECK(alarm->stake >= kAlarm);
  CHECK(alarm->factor > 4);
  CHECK(alarm->factor < 6);
  CHECK(!watch.alarm(1, 0).has_value());
}

TEST_CASE("a pair has the last word on how slow a processor is") {
  ChangeWatch watch = watch_of(1);
  for (std::uint64_t j = 0; j < 3; ++j) compute(watch, j, 600);
  watch.paired(0, 1.02);
  const auto alarm = watch.alarm(0, 0);
  REQUIRE(alarm.has_value());
  CHECK(alarm->pairs == 1);
  CHECK(*alarm->paired == 1.02);
  CHECK(alarm->factor < 1.6);
}

TEST_CASE("pairs from before the stake rose say nothing of it") {
  ChangeWatch watch = watch_of(1);
  watch.paired(0, 1);
  for (std::uint64_t j = 0; j < 20; ++j) compute(watch, j, 130);
  for (std::uint64_t j = 20; j < 23; ++j) compute(watch, j, 900);
  CHECK(watch.alarm(0, 0)->pairs == 0);
}

TEST_CASE("slow times wait until they are believed, and are normal ones divided by that") {
  ChangeWatch watch = watch_of(1);
  for (std::uint64_t j = 0; j < 3; ++j) compute(watch, j, 600);
  CHECK(watch.normal().sums({0, 0}).size() <= kRows + 1);
  watch.believe(0, 5);
  CHECK(watch.belief(0) == 5);
  CHECK(watch.stake(0, ChangeEnd::slow) == 1);
  const auto& sums = watch.normal().sums({0, 0});
  CHECK(sums.size() == kRows + 3);
  CHECK(sums.back() <= 600);
}

TEST_CASE("what was slow by its data is normal once that is known") {
  ChangeWatch watch = watch_of(1);
  for (std::uint64_t j = 0; j < 3; ++j) compute(watch, j, 600);
  watch.renew(0);
  CHECK(watch.normal().sums({0, 0}).size() == kRows + 3);
  CHECK(watch.normal().sums({0, 0}).back() == 600);
  CHECK(!watch.alarm(0, 0).has_value());
}

TEST_CASE("a computation that is longer than all normal ones is an alarm before it ends") {
  ChangeWatch watch = watch_of(1);
  for (std::uint64_t j = 0; j < 2; ++j) compute(watch, j, 600);
  CHECK(!watch.alarm(0, 0).has_value());
  watch.begun(0, {0, 0}, 1000, 1);
  REQUIRE(watch.next().has_value());
  const Ticks due = *watch.next();
  CHECK(due >= 1159);
  CHECK(!watch.alarm(0, due - 1).has_value());
  const auto alarm = watch.alarm(0, due);
  REQUIRE(alarm.has_value());
  CHECK(alarm->is_under_way);
  // It counts again when it has grown, not at once.
  CHECK(*watch.next() > due);
}

TEST_CASE("a processor that was slow is fast again at a stake of 50") {
  ChangeWatch watch = watch_of(1);
  watch.believe(0, 6);
  for (std::uint64_t j = 0; j < 2; ++j) watch.shadowed(0, {0, 0}, j, 120);
  const auto alarm = watch.alarm(0, 0);
  REQUIRE(alarm.has_value());
  CHECK(alarm->end == ChangeEnd::fast);
  CHECK(alarm->stake >= kBackAlarm);
  CHECK(alarm->factor == 1);
}

TEST_CASE("a pair is done whoever ends first, and no other computation takes its place") {
  ShadowBook book(3);
  book.asked({0, 2});
  CHECK(book.repeats(2));
  CHECK(book.lends(0));
  CHECK(!book.may_lend(0));
  book.lent({0, 2}, {1, 7});
  CHECK(book.computed(0, {1, 6}, 5).empty());
  CHECK(!book.shadowed(2, {1, 7}, 10).has_value());
  CHECK(!book.repeats(2));
  const auto pairs = book.computed(0, {1, 7}, 60);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].from_time == 60);
  CHECK(pairs[0].to_time == 10);

  book.asked({0, 1});
  book.lent({0, 1}, {1, 7});
  const auto pair = book.shadowed(1, {1, 7}, 11);
  REQUIRE(pair.has_value());
  CHECK(pair->from_time == 60);
}

TEST_CASE("a processor that cannot lend is asked again when it has begun something, and not for ever") {
  ShadowBook book(2);
  for (int k = 0; k < 3; ++k) {
    CHECK(!book.never_lends(0));
    book.asked({0, 1});
    book.not_lent({0, 1});
    CHECK(!book.may_lend(0));
    CHECK(!book.repeats(1));
    book.begun(0);
    CHECK(book.may_lend(0));
  }
  CHECK(book.never_lends(0));
}

}  // namespace takt::live
