// Clocks of several machines, by messages that take their time, as recorded: no clock of this machine is read.
#include "live/rank/clock_comparison.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "tests/live/rank/thread_job.hpp"

namespace takt::live {

namespace {

constexpr std::int64_t kTicksPerSecond = 1'000'000'000;
constexpr std::int64_t kLongestWay = 200'000;

struct Sent {
  std::int64_t arrival;
  std::size_t from;
  std::size_t to;
  int tag;
  std::string bytes;
};

// Two machines, and the time between them.
struct Wire {
  std::int64_t now = 5000 * kTicksPerSecond;
  std::deque<Sent> sent{};
  std::size_t messages = 0;
  std::uint64_t state = 7;

  std::int64_t way() {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<std::int64_t>(state >> 33U) % (kLongestWay - 10'000) + 10'000;
  }
  std::optional<Sent> take(std::size_t to, int tag) {
    for (auto at = sent.begin(); at != sent.end(); ++at) {
      if (at->to != to || at->tag != tag || at->arrival > now) continue;
      Sent found = std::move(*at);
      sent.erase(at);
      return found;
    }
    return std::nullopt;
  }
};

class WireEnd : public Transport {
 public:
  WireEnd(Wire& wire, std::size_t own) : wire_(wire), own_(own) {}

  Ticks now() override { return wire_.now; }
  std::uint64_t send(std::size_t to, int tag, std::string message, Delivery /*delivery*/) override {
    wire_.sent.push_back({wire_.now + wire_.way(), own_, to, tag, std::move(message)});
    ++wire_.messages;
    return 0;
  }
  bool is_taken(std::uint64_t /*number*/) override { return true; }
  std::optional<std::string> receive(std::size_t /*from*/, int tag) override {
    auto found = wire_.take(own_, tag);
    return found ? std::optional(std::move(found->bytes)) : std::nullopt;
  }
  std::optional<std::pair<std::size_t, std::string>> receive_any(int tag) override {
    auto found = wire_.take(own_, tag);
    return found ? std::optional(std::pair(found->from, std::move(found->bytes))) : std::nullopt;
  }

 private:
  Wire& wire_;
  std::size_t own_;
};

}  // namespace

TEST_CASE(
    "clocks of machines are compared after 1, 2, 4, 8 s and so on up to every 16 s, and known to within a message "
    "there and back") {
  for (const double rate : {0.0, 50e-6, -300e-6}) {
    Wire wire;
    WireEnd here(wire, 0);
    WireEnd there(wire, 1);
    std::int64_t jump = 0;
    // Rank 0's, a thousand seconds behind.
    const auto first_clock = [&] {
      return wire.now - 1000 * kTicksPerSecond + std::llround(rate * static_cast<double>(wire.now)) + jump;
    };
    const auto own_clock = [&] { return wire.now; };
    const auto difference = [&] { return wire.now - first_clock(); };
    const std::int64_t begin = wire.now;
    const ClockBounds bounds{difference() - kLongestWay, difference() + kLongestWay};
    ClockComparison rank_0(there, 0, false, {0, 0}, first_clock(), first_clock);
    ClockComparison other(here, 1, true, bounds, wire.now, own_clock);
    CHECK(other.error() == kLongestWay);
    std::vector<std::int64_t> moments;
    const auto run_until = [&](std::int64_t end) {
      while (wire.now < end) {
        CHECK_FALSE(rank_0.ask());
        rank_0.answer();
        if (other.ask()) {
          moments.push_back((wire.now - begin) / kTicksPerSecond);
          CHECK(std::abs(other.offset_at(wire.now) - difference()) <= other.error());
          CHECK(other.error() <= 2 * kLongestWay);
        }
        wire.now += wire.sent.empty() ? 1'000'000 : 5'000;
      }
    };
    CAPTURE(rate);
    run_until(begin + 15 * kTicksPerSecond);
    CHECK(moments == std::vector<std::int64_t>{1, 2, 4, 8});
    // The clock jumps while the fifth row is under way: nothing is known of that one.
    while (wire.messages == 4 * 16) run_until(wire.now + 1);
    run_until(wire.now + 2 * kLongestWay);
    const std::int64_t offset = other.offset_at(wire.now);
    jump = kTicksPerSecond;
    run_until(begin + 31 * kTicksPerSecond);
    CHECK(other.count() == 4);
    CHECK(std::abs(other.offset_at(wire.now) - offset) < kTicksPerSecond / 100);
    run_until(begin + 65 * kTicksPerSecond);
    CHECK(moments == std::vector<std::int64_t>{1, 2, 4, 8, 32, 48, 64});
    CHECK(wire.messages == 8 * 16);
  }
}

TEST_CASE("the first rank of each machine compares clocks for all that are there") {
  std::vector<ClockBounds> bounds(5);
  run_ranks({0, 0, 2, 2, 4},
            [&](Job& job) { bounds[static_cast<std::size_t>(job.rank())] = compare_clocks(job, job.machines()); });
  for (const std::size_t rank : {0U, 1U}) CHECK((bounds[rank].least == 0 && bounds[rank].most == 0));
  // They have one clock, which is within all bounds.
  for (const std::size_t rank : {2U, 4U}) CHECK((bounds[rank].least <= 0 && bounds[rank].most >= 0));
  for (const std::size_t rank : {2U, 4U}) CHECK(bounds[rank].most < INT64_MAX);
  CHECK((bounds[3].least == bounds[2].least && bounds[3].most == bounds[2].most));
}

}  // namespace takt::live
