// Passes at the edge of their numbers: what they answer is right, and up to there they answer.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "evaluators/sweep/lanes.hpp"
#include "evaluators/sweep/layout.hpp"
#include "evaluators/sweep/rows.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tpn/column_period.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::ClockArcs;
using evaluators::LanePasses;
using evaluators::LaneShape;
using evaluators::PassOutcome;
using evaluators::RowPasses;
using evaluators::SweepLayout;
using maxplus::Int128;
using maxplus::Integer;
using support::Draw;

constexpr std::array<std::size_t, 3> kReplication = {5, 7, 8};
constexpr int kLatest = 3;  // clock to start from, in durations

// A net all of whose durations are `duration`, over as many rows as if they were not.
tpn::FoldedNet even_net(const Integer& duration, tpn::Model model) {
  tpn::FoldedNet net =
      support::net_of(support::uniform_document(kReplication, 1, 1, 0, maxplus::Rational(duration)), model);
  for (tpn::Column& column : net.pipeline.columns) column.period = tpn::meeting_period(column);
  return net;
}

template <typename Number>
std::vector<Number> clocks_of(std::size_t count, const Integer& duration) {
  Draw draw(count);
  std::vector<Number> clocks(count);
  for (Number& clock : clocks) clock = evaluators::narrow<Number>(draw.between(0, kLatest) * duration);
  clocks.front() = 0;
  clocks.back() = evaluators::narrow<Number>(kLatest * duration);
  return clocks;
}

// What a pass makes of clocks that are multiples of the duration, divided by it; nothing if it is too long. Where
// numbers suffice, the answer is the same for all durations.
template <typename MakePasses>
std::optional<ClockArcs<Integer>> played(tpn::Model model, const Integer& duration, std::int64_t factor,
                                         MakePasses make_passes) {
  const tpn::FoldedNet net = even_net(duration, model);
  const SweepLayout layout = evaluators::make_layout(net);
  auto passes = make_passes(net, layout);
  using Number = typename decltype(passes)::Number;
  const std::vector<Number> clocks = clocks_of<Number>(layout.tokens.size() * passes.segments(), duration);
  ClockArcs<Number> arcs;
  if (passes.run(clocks, factor, {}, arcs) == PassOutcome::too_wide) return std::nullopt;
  ClockArcs<Integer> result;
  result.origins = arcs.origins;
  for (const Number& value : arcs.values) {
    REQUIRE(evaluators::widen(value) % duration == 0);
    result.values.push_back(evaluators::widen(value) / duration);
  }
  return result;
}

// The longest duration that the passes answer for.
template <typename MakePasses>
Integer longest_duration(tpn::Model model, std::int64_t factor, MakePasses make_passes) {
  Integer fits = 1;
  Integer exceeds = Integer(1) << 63;
  REQUIRE_FALSE(played(model, exceeds - 1, factor, make_passes));
  while (exceeds - fits > 1) {
    const Integer middle = (fits + exceeds) / 2;
    (played(model, middle, factor, make_passes) ? fits : exceeds) = middle;
  }
  return fits;
}

LaneShape shape_with(std::size_t lanes, evaluators::Instructions instructions) {
  LaneShape shape;
  shape.lanes = lanes;
  shape.instructions = instructions;
  return shape;
}

TEST_CASE("lanes answer until their keys would leave 62 bits, and rightly") {
  for (const tpn::Model& model : tpn::default_models()) {
    for (const std::size_t lanes : std::array<std::size_t, 2>{1, 8}) {
      for (const std::int64_t factor : {1, 3}) {
        for (const auto instructions : evaluators::available_instructions()) {
          INFO(tpn::name_of(model) << ", " << lanes << " lanes, factor " << factor << ", "
                                   << evaluators::name_of(instructions));
          const auto make_passes = [&](const tpn::FoldedNet& net, const SweepLayout& layout) {
            return LanePasses(net, layout, shape_with(lanes, instructions));
          };
          const Integer longest = longest_duration(model, factor, make_passes);
          const auto expected = played(model, 1, factor, make_passes);
          for (const Integer& duration : {longest, Integer(longest - 1), Integer(longest / 2)}) {
            const auto found = played(model, duration, factor, make_passes);
            REQUIRE(found->values == expected->values);
            REQUIRE(found->origins == expected->origins);
          }
          // The longest segment's operations one after the other, from the latest clock on, with an origin.
          const tpn::FoldedNet net = even_net(1, model);
          const SweepLayout layout = evaluators::make_layout(net);
          const std::uint64_t rows = (layout.rows + lanes - 1) / lanes;
          const Integer path = Integer(rows * net.pipeline.columns.size()) * factor + kLatest;
          const Integer limit = Integer(1) << static_cast<unsigned>(62 - layout.origin_bits);
          REQUIRE(longest * path + 1 < limit);
          REQUIRE((longest + 1) * path + 1 >= limit);
        }
      }
    }
  }
}

TEST_CASE("durations of a row that together leave 64 bits are swept rightly, however short each is") {
  // 17 columns, so that the lowest 63 bits of their sum are 0 if one of them is.
  constexpr std::size_t kParts = 9;
  const std::array<std::size_t, kParts> one_each = {1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (const std::size_t instant : {0U, 4U, 8U}) {
    for (const std::int64_t more : {-1, 0, 1}) {
      const Integer duration = (Integer(1) << 59) + more;
      const tpn::Document document =
          support::replicated_document(one_each, [&](std::size_t part, std::size_t from, std::size_t to) {
            return part == instant && from == to ? maxplus::Rational() : maxplus::Rational(duration);
          });
      const tpn::FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
      CHECK(support::period_of(net) == maxplus::Rational(duration));
    }
  }
}

TEST_CASE("passes row by row answer until their keys would leave their numbers, and rightly") {
  for (const tpn::Model& model : tpn::default_models()) {
    for (const std::int64_t factor : {1, 3}) {
      INFO(tpn::name_of(model) << ", factor " << factor);
      const auto make_passes = [](const tpn::FoldedNet& net, const SweepLayout& layout) {
        return RowPasses<std::int64_t, std::int64_t>(net, layout);
      };
      const Integer longest = longest_duration(model, factor, make_passes);
      const auto unbounded = [](const tpn::FoldedNet& net, const SweepLayout& layout) {
        return RowPasses<Integer, Integer>(net, layout);
      };
      const auto wide = [](const tpn::FoldedNet& net, const SweepLayout& layout) {
        return RowPasses<Integer, Int128>(net, layout);
      };
      const auto expected = played(model, 1, factor, unbounded);
      REQUIRE(longest > (Integer(1) << 40));
      for (const Integer& duration : {longest, Integer(longest - 1), Integer(longest / 2)}) {
        REQUIRE(played(model, duration, factor, make_passes)->values == expected->values);
      }
      // In 128 bits, up to 2^100 and somewhat beyond.
      for (unsigned bits = 90; bits < 140; ++bits) {
        const auto found = played(model, (Integer(1) << bits) - 1, factor, wide);
        if (bits < 100) REQUIRE(found.has_value());
        if (bits >= 127) REQUIRE_FALSE(found.has_value());
        if (found) REQUIRE(found->values == expected->values);
      }
    }
  }
}

}  // namespace
}  // namespace takt
