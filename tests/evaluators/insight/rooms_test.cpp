// Least rooms against all that could be tried instead, one net at a time.
#include "evaluators/insight/rooms.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using maxplus::Integer;
using maxplus::Rational;
using tpn::Buffer;
using tpn::FoldedNet;

FoldedNet overlap(const tpn::Document& document) { return support::net_of(document, tpn::Model::kOverlap); }

FoldedNet limited(const FoldedNet& net, const tpn::Capacity& capacity) {
  return std::get<FoldedNet>(tpn::with_capacity(net, capacity));
}

// Nothing if one is refused for what is ahead.
std::optional<Rational> period_with(const FoldedNet& net, const std::vector<Buffer>& buffers) {
  return support::unless_refused([&] { return support::period_of(limited(net, {.buffers = buffers})); });
}

std::optional<Rational> period_with_room_for_all(const tpn::Document& document, std::uint64_t room) {
  return support::unless_refused(
      [&] { return support::period_of(support::net_of(document, tpn::bounded_model(room))); });
}

bool is_slower(const std::optional<Rational>& with_rooms, const Rational& period) {
  return !with_rooms || *with_rooms > period;
}

std::vector<Buffer> with_room(std::vector<Buffer> buffers, std::uint64_t room) {
  for (Buffer& buffer : buffers) buffer.room = room;
  return buffers;
}

// The least room of one buffer, by trying 1, 2, 3, ...
std::uint64_t tried_alone(const FoldedNet& net, Buffer buffer, const Rational& period) {
  for (buffer.room = 1; period_with(net, {buffer}) != period; ++buffer.room) REQUIRE(buffer.room < 100);
  return buffer.room;
}

struct Counts {
  std::size_t buffered = 0;  // nets that have buffers
  std::size_t larger = 0;    // rooms above 1
  std::size_t refused = 0;   // nets in which room for one file everywhere is refused
  std::size_t least = 0;     // nets whose sum meets the bound
};

void require_rooms(const tpn::Document& document, Counts& counts) {
  const FoldedNet net = overlap(document);
  const evaluators::RoomsInsight insight = evaluators::rooms_of(net);
  REQUIRE(insight.is_complete());
  REQUIRE(insight.period == support::period_of(net));
  const std::vector<Buffer> buffers = tpn::buffers_of(net.pipeline);
  for (std::uint64_t k = 1; k <= insight.by_room.size(); ++k) {
    REQUIRE(insight.by_room[k - 1] == period_with_room_for_all(document, k));
    REQUIRE(insight.by_room[k - 1].has_value() == (k >= insight.accepted));
  }
  if (insight.accepted > 1) ++counts.refused;
  REQUIRE(insight.accepted <= insight.enough);
  if (!buffers.empty()) {
    REQUIRE(period_with(net, with_room(buffers, insight.enough)) == insight.period);
    if (insight.enough > 1)
      REQUIRE(is_slower(period_with(net, with_room(buffers, insight.enough - 1)), insight.period));
  }
  REQUIRE(insight.alone.size() == buffers.size());
  REQUIRE(insight.together.size() == buffers.size());
  Integer bound = 0;
  Integer sum = 0;
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    REQUIRE(insight.alone[b].is_place_of(buffers[b]));
    REQUIRE(insight.together[b].is_place_of(buffers[b]));
    REQUIRE(insight.alone[b].room == tried_alone(net, buffers[b], insight.period));
    REQUIRE(insight.together[b].room >= insight.alone[b].room);
    bound += insight.alone[b].room;
    sum += insight.together[b].room;
    if (insight.alone[b].room > 1) ++counts.larger;
  }
  REQUIRE(insight.lower_bound == bound);
  REQUIRE(insight.sum == sum);
  if (buffers.empty()) return;
  ++counts.buffered;
  REQUIRE(period_with(net, insight.together) == insight.period);
  // No buffer can do with less while the others stay.
  for (std::size_t b = 0; b < buffers.size(); ++b) {
    std::vector<Buffer> less = insight.together;
    if (--less[b].room > 0) REQUIRE(is_slower(period_with(net, less), insight.period));
  }
  if (insight.is_least()) ++counts.least;
}

TEST_CASE("the least room of each buffer is that found by trying, together they keep the period and none can do less") {
  Counts counts;
  support::for_each_document({support::draws(60)},
                             [&](const tpn::Document& document) { require_rooms(document, counts); });
  REQUIRE(counts.larger > 10);
  REQUIRE(counts.least > counts.buffered / 2);
}

TEST_CASE("least rooms of nets with batches, and of those whose transfers are ahead, are those found by trying") {
  for (const auto draw : {support::ahead_document, support::batch_document}) {
    Counts counts;
    for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
      CAPTURE(seed, draw == support::batch_document);
      require_rooms(draw(seed), counts);
    }
    CHECK(counts.refused > 10);
    CHECK(counts.larger > 30);
  }
}

TEST_CASE("a batch of the last part needs room, though no round is shifted for it") {
  tpn::Document document = support::complete_problem(2, 2, 1, 1, 1);
  document.mapping = {{0, 0, {0}}, {1, 1, {1, 1, 1}}};
  document.mapping->back().batches = {{0, 3}};
  const FoldedNet net = overlap(document);
  REQUIRE_FALSE(net.pipeline.is_shifted());
  const evaluators::RoomsInsight insight = evaluators::rooms_of(net);
  REQUIRE(insight.is_complete());
  CHECK(insight.accepted == 3);
  Counts counts;
  require_rooms(document, counts);
}

TEST_CASE("the server in two parts needs room for what is ahead, where it is ahead") {
  const auto rooms = [](std::uint64_t first, std::uint64_t second) {
    tpn::Document document = support::document_of("examples/server-in-two-parts.json");
    document.transfers = {{0, 1, first}, {1, 2, second}};
    const evaluators::RoomsInsight insight = evaluators::rooms_of(overlap(document));
    REQUIRE(insight.is_complete());
    REQUIRE(insight.is_least());
    REQUIRE(insight.period == Rational::fraction(15, 1000));
    std::uint64_t gpu = 0;
    std::uint64_t server = 0;
    for (const Buffer& buffer : insight.together) {
      if (buffer.side == tpn::BufferSide::in) (buffer.part == tpn::PartIndex(1) ? gpu : server) = buffer.room;
    }
    return std::pair(gpu, server);
  };
  CHECK(rooms(0, 2) == std::pair<std::uint64_t, std::uint64_t>(2, 3));
  CHECK(rooms(1, 1) == std::pair<std::uint64_t, std::uint64_t>(2, 2));
  CHECK(rooms(2, 0) == std::pair<std::uint64_t, std::uint64_t>(2, 1));
}

TEST_CASE("where the most room is refused for what is ahead, the buffer is named") {
  tpn::Document document = support::document_of("examples/server-in-two-parts.json");
  document.transfers = {{1, 2, tpn::kMostAhead}};
  const evaluators::RoomsInsight insight = evaluators::rooms_of(overlap(document));
  CHECK_FALSE(insight.is_complete());
  REQUIRE(insight.refused);
  CHECK(insight.refused->part == tpn::PartIndex(2));
  CHECK(insight.refused->side == tpn::BufferSide::in);
  CHECK(insight.enough == 0);
  document.transfers = {{1, 2, tpn::kMostAhead - 1}};
  const evaluators::RoomsInsight most = evaluators::rooms_of(overlap(document));
  CHECK(most.is_complete());
  CHECK(most.accepted == tpn::kMostRooms);
  CHECK(most.enough == tpn::kMostRooms);
}

}  // namespace
}  // namespace takt
