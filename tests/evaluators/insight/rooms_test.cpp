// Least rooms against all that could be tried instead, one net at a time.
#include "evaluators/insight/rooms.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"

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
  try {
    return support::period_of(limited(net, {.buffers = buffers}));
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;
  }
}

std::optional<Rational> period_with_room_for_all(const tpn::Document& document, std::uint64_t room) {
  try {
    return support::period_of(support::net_of(document, tpn::bounded_model(room)));
  } catch (const tpn::InvalidInstance&) {
    return std::nullopt;
  }
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

// Whether any rooms keep the period that add `further` files to these, of the buffers from `first` on.
bool any_keeps(const FoldedNet& net, std::vector<Buffer>& rooms, std::size_t first, std::uint64_t further,
               const Rational& period) {
  if (further == 0) return period_with(net, rooms) == period;
  for (std::size_t b = first; b < rooms.size(); ++b) {
    ++rooms[b].room;
    const bool keeps = any_keeps(net, rooms, b, further - 1, period);
    --rooms[b].room;
    if (keeps) return true;
  }
  return false;
}

// The number of room assignments: `further` files dealt to `buffers` buffers.
double ways_to_deal(std::size_t buffers, std::uint64_t further) {
  double ways = 1;
  for (std::uint64_t i = 1; i <= further; ++i) {
    ways *= static_cast<double>(buffers + i - 1) / static_cast<double>(i);
  }
  return ways;
}

struct Counts {
  std::size_t nets = 0;
  std::size_t buffered = 0;  // nets that have buffers
  std::size_t rooms = 0;
  std::size_t larger = 0;     // rooms above 1
  std::size_t refused = 0;    // nets in which room for one file everywhere is refused
  std::size_t least = 0;      // nets whose sum meets the bound
  std::size_t all_tried = 0;  // the other nets in which all rooms of a smaller sum were tried
  std::size_t optimal = 0;    // among them, those where none of these keep the period
};

void require_rooms(const tpn::Document& document, Counts& counts) {
  const FoldedNet net = overlap(document);
  const evaluators::RoomsInsight insight = evaluators::rooms_of(net);
  REQUIRE(insight.is_complete());
  REQUIRE(insight.period == support::period_of(net));
  const std::vector<Buffer> buffers = tpn::buffers_of(net.pipeline);
  ++counts.nets;
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
    ++counts.rooms;
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
  if (insight.is_least()) {
    ++counts.least;
    return;
  }
  // If any rooms of a smaller sum kept the period, so would some whose sum is smaller by one.
  const Integer gap = insight.sum - insight.lower_bound;
  const std::uint64_t further = gap.get_ui() - 1;
  if (ways_to_deal(buffers.size(), further) > 3'000) return;
  ++counts.all_tried;
  std::vector<Buffer> rooms = insight.alone;
  if (!any_keeps(net, rooms, 0, further, insight.period)) ++counts.optimal;
}

TEST_CASE("the least room of each buffer is that found by trying, together they keep the period and none can do less") {
  const std::uint64_t seeds = support::draws(60);
  Counts counts;
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      require_rooms(support::random_document(kind, seed), counts);
    }
  }
  REQUIRE(counts.larger > 10);
  REQUIRE(counts.least > counts.buffered / 2);
}

TEST_CASE("least rooms of nets whose transfers are ahead are those found by trying") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
    CAPTURE(seed);
    require_rooms(support::ahead_document(seed), counts);
  }
  CHECK(counts.refused > 10);
  CHECK(counts.larger > 30);
}

TEST_CASE("least rooms of nets with batches are those found by trying") {
  Counts counts;
  for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
    CAPTURE(seed);
    require_rooms(support::batch_document(seed), counts);
  }
  CHECK(counts.refused > 10);
  CHECK(counts.larger > 30);
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
