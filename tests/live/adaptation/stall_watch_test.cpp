// A coordinator whose ranks are played by hand, on a virtual clock.
#include "live/adaptation/stall_watch.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <utility>
#include <vector>

#include "live/adaptation/coordinator.hpp"
#include "live/rehearsal/virtual_world.hpp"

using namespace takt;
using namespace takt::live;

namespace {

constexpr Ticks kStallSecond = 1'000'000'000;

class HeardStalls : public ResultSink {
 public:
  void append(std::uint64_t, const std::string&) override {}
  void stalled(const Standstill& stall) override { stalls.push_back(stall); }
  void resumed(std::uint64_t data_set, Ticks lasted) override { resumptions.emplace_back(data_set, lasted); }

  std::vector<Standstill> stalls;
  std::vector<std::pair<std::uint64_t, Ticks>> resumptions;
};

// Two processors, of which 0 has the first stage and 1 the second.
struct PlayedRun {
  explicit PlayedRun(CoordinatorTerms coordination)
      : coordinator(terms, coordination, {{0, 0, {0}}, {1, 1, {1}}}, transport, sink) {}

  void go_on_until(Ticks moment) {
    for (;;) {
      const StepResult result = coordinator.step();
      if (result.has_moved) continue;
      if (!result.next || *result.next > moment) break;
      world.advance_to(*result.next);
    }
    world.advance_to(moment);
    coordinator.step();
  }

  bool is_asked(std::size_t processor) {
    bool is_asked = false;
    while (const auto bytes = rank(processor).receive(2, kOrderTag)) {
      is_asked = is_asked || decode_order(*bytes)->order == Order::report;
    }
    return is_asked;
  }

  void tell(std::size_t processor, const NewsMessage& news) {
    rank(processor).send(2, kNewsTag, encode(news), Delivery::prompt);
  }

  VirtualTransport& rank(std::size_t processor) { return processor == 0 ? first : second; }

  static RunTerms make_terms() {
    RunTerms terms;
    terms.processors = {0, 1};
    terms.coordinator = 2;
    return terms;
  }

  RunTerms terms = make_terms();
  VirtualWorld world;
  VirtualTransport first{world, 0};
  VirtualTransport second{world, 1};
  VirtualTransport transport{world, 2};
  HeardStalls sink;
  Coordinator coordinator;
};

CoordinatorTerms coordination(std::optional<Ticks> ended_after = {}) {
  CoordinatorTerms terms{0, 2, 1};
  terms.stalls = StallTerms{30 * kStallSecond, ended_after};
  return terms;
}

const Holding kComputes{0, 0, 0, std::nullopt, 2 * kStallSecond};
const Holding kSends{1, 0, 0, 1, 3 * kStallSecond};

NewsMessage holding(std::vector<Holding> holdings) {
  return {.news = News::holding, .bytes = encode_holdings(holdings)};
}

}  // namespace

TEST_CASE("what a rank is at comes back from bytes as it was, and other bytes are no such list") {
  const std::vector<Holding> holdings = {kComputes, kSends};
  const std::string bytes = encode_holdings(holdings);
  CHECK(decode_holdings(bytes) == holdings);
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    const auto part = decode_holdings(bytes.substr(0, length));
    CHECK((!part || part->size() < holdings.size()));
  }
}

TEST_CASE("time in which the coordinator was stopped is no standstill") {
  PlayedRun run(coordination());
  run.go_on_until(20 * kStallSecond);
  run.coordinator.forgive(15 * kStallSecond);
  run.go_on_until(44 * kStallSecond);
  CHECK_FALSE(run.is_asked(0));
  run.go_on_until(45 * kStallSecond);
  CHECK(run.is_asked(0));
}

TEST_CASE("a run that delivers nothing asks all ranks, and tells who holds what and who does not answer") {
  PlayedRun run(coordination());
  run.go_on_until(29 * kStallSecond);
  CHECK_FALSE(run.is_asked(0));
  run.go_on_until(30 * kStallSecond);
  CHECK(run.is_asked(0));
  CHECK(run.is_asked(1));
  run.tell(0, holding({kComputes, kSends}));
  run.go_on_until(32 * kStallSecond);
  CHECK(run.sink.stalls.empty());
  run.go_on_until(33 * kStallSecond);
  REQUIRE(run.sink.stalls.size() == 1);
  const Standstill& stall = run.sink.stalls.front();
  CHECK(stall.lasted == 33 * kStallSecond);
  CHECK(stall.next == 0);
  CHECK(stall.held.at(0) == std::vector<Holding>{kComputes, kSends});
  CHECK(stall.silent == std::vector<std::size_t>{1});
  CHECK_FALSE(stall.is_ending);
  CHECK_FALSE(stall.is_last);
}

TEST_CASE("where it goes on like that it is told after twice as long, and when it ends that is told too") {
  PlayedRun run(coordination());
  run.go_on_until(30 * kStallSecond);
  CHECK(run.is_asked(0));
  run.tell(0, holding({}));
  run.tell(1, holding({kSends}));
  run.go_on_until(31 * kStallSecond);
  REQUIRE(run.sink.stalls.size() == 1);
  CHECK(run.sink.stalls.front().silent.empty());
  run.go_on_until(59 * kStallSecond);
  CHECK_FALSE(run.is_asked(0));
  run.go_on_until(64 * kStallSecond);
  REQUIRE(run.sink.stalls.size() == 2);
  CHECK(run.sink.stalls.back().silent == std::vector<std::size_t>{0, 1});
  run.tell(1, {.news = News::delivered, .end = 70 * kStallSecond, .bytes = {}});
  run.go_on_until(70 * kStallSecond);
  REQUIRE(run.sink.resumptions.size() == 1);
  CHECK(run.sink.resumptions.front() == std::pair<std::uint64_t, Ticks>(0, 64 * kStallSecond));
  // From then on as at first.
  run.go_on_until(93 * kStallSecond);
  CHECK(run.sink.stalls.size() == 2);
  run.go_on_until(98 * kStallSecond);
  CHECK(run.sink.stalls.size() == 3);
}

TEST_CASE("at the limit of a standstill ranks are asked a last time, and the run is to end") {
  PlayedRun run(coordination(40 * kStallSecond));
  run.go_on_until(39 * kStallSecond);
  REQUIRE(run.sink.stalls.size() == 1);
  CHECK_FALSE(run.sink.stalls.back().is_last);
  run.go_on_until(43 * kStallSecond);
  REQUIRE(run.sink.stalls.size() == 2);
  CHECK(run.sink.stalls.back().is_last);
  PlayedRun early(coordination(2 * kStallSecond));
  early.go_on_until(5 * kStallSecond);
  REQUIRE(early.sink.stalls.size() == 1);
  CHECK(early.sink.stalls.back().is_last);
}

TEST_CASE("a run that waits for its input, or for its turn, does not stand still") {
  CoordinatorTerms terms = coordination();
  terms.least_gap = 1000 * kStallSecond;
  PlayedRun run(terms);
  run.go_on_until(kStallSecond);
  run.tell(1, {.news = News::delivered, .end = kStallSecond, .bytes = {}});
  run.go_on_until(999 * kStallSecond);
  CHECK(run.sink.stalls.empty());
  run.go_on_until(1040 * kStallSecond);
  CHECK(run.sink.stalls.size() == 1);
}

TEST_CASE("processors that have ended are not asked why the run has not") {
  PlayedRun run(coordination());
  run.go_on_until(kStallSecond);
  for (std::uint64_t data_set = 0; data_set < 2; ++data_set) {
    run.tell(1, {.news = News::delivered, .data_set = data_set, .end = kStallSecond, .bytes = {}});
    run.go_on_until(kStallSecond);
  }
  run.tell(0, {.news = News::recorded, .bytes = {}});
  run.go_on_until(40 * kStallSecond);
  REQUIRE(run.sink.stalls.size() == 1);
  CHECK(run.sink.stalls.front().is_ending);
  CHECK(run.sink.stalls.front().silent == std::vector<std::size_t>{1});
}
