// Every way to play a sweep gives the same proven period: instructions, segments, warm starts, widths of numbers.
#include "evaluators/sweep/sweep.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <vector>

#include "evaluators/proof/certify.hpp"
#include "evaluators/sweep/kernels.hpp"
#include "evaluators/sweep/layout.hpp"
#include "evaluators/sweep/shape.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Instructions;
using evaluators::LaneShape;
using evaluators::Method;
using evaluators::PassKind;
using evaluators::SweepShape;
using maxplus::Integer;
using maxplus::Rational;
using support::Draw;

constexpr std::array kPassKinds = {PassKind::lanes, PassKind::rows_64, PassKind::rows_128, PassKind::rows_unbounded};

void require_exact(const tpn::FoldedNet& net, const SweepShape& shape, const Rational& period) {
  const Evaluation evaluation = evaluators::sweep_as(net, {}, shape);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.upper.to_string() == period.to_string());
  support::require_proof(net, evaluation);
}

Rational unfolded_period(const tpn::FoldedNet& net) {
  const Evaluation evaluation = evaluators::evaluate(net, support::options_of(Method::unfold));
  REQUIRE(evaluation.exact());
  return evaluation.upper;
}

SweepShape with_lanes(std::size_t lanes, std::uint64_t warm_rows, Instructions instructions) {
  SweepShape shape;
  shape.lanes = LaneShape{lanes, warm_rows, instructions};
  return shape;
}

TEST_CASE("each kind of pass finds and proves the period of the unfolded net, whatever the mapping") {
  support::for_each_net({support::draws(150), 1000}, tpn::default_models(), [](const tpn::FoldedNet& net) {
    const Rational period = unfolded_period(net);
    for (const PassKind first : kPassKinds) {
      SweepShape shape;
      shape.first = first;
      require_exact(net, shape, period);
    }
  });
}

// Replications whose rows are some dozen times the longest sequence, most of them no multiple of the lanes.
const std::vector<std::vector<std::size_t>> kSegmentable = {
    {5, 7, 8}, {3, 5, 7, 2}, {1, 9, 5, 7}, {7, 9, 1, 5}, {11, 9, 4}, {1, 11, 13, 1, 3}, {5, 3, 7, 11}, {2, 9, 5, 7, 4}};

tpn::Document segmentable_document(std::size_t k, std::uint64_t seed) {
  switch (seed % 3) {
    case 0:
      return support::balanced_document(kSegmentable[k], seed);
    case 1:
      return support::uniform_document(kSegmentable[k], 0, 2, seed);  // ties
    default:
      return support::uniform_document(kSegmentable[k], 1, 1000, seed, Rational::fraction(1, 7));
  }
}

TEST_CASE("segments side by side, with any instructions and any warm start, find what rows one by one find") {
  for (std::size_t k = 0; k < kSegmentable.size(); ++k) {
    for (std::uint64_t seed = 0; seed < support::draws(30); ++seed) {
      for (const tpn::Model& model : tpn::default_models()) {
        const tpn::FoldedNet net = support::net_of(segmentable_document(k, seed), model);
        SweepShape rows;
        rows.first = PassKind::rows_64;
        const Evaluation reference = evaluators::sweep_as(net, {}, rows);
        REQUIRE(reference.exact());
        for (const std::size_t lanes : std::array<std::size_t, 4>{1, 8, 16, 32}) {
          const std::uint64_t segment = evaluators::make_layout(net).rows / lanes;  // durations may repeat by chance
          if (segment < 13) continue;
          for (const Instructions instructions : evaluators::available_instructions()) {
            for (const std::uint64_t warm_rows : {std::uint64_t{0}, std::uint64_t{5}, segment}) {
              INFO("replication " << k << ", seed " << seed << ", " << tpn::name_of(model) << ", " << lanes
                                  << " lanes, " << warm_rows << " warm rows, instructions "
                                  << static_cast<int>(instructions));
              SweepShape shape = with_lanes(lanes, warm_rows, instructions);
              PassKind used = PassKind::rows_unbounded;
              shape.used = &used;
              require_exact(net, shape, reference.upper);
              REQUIRE(used == PassKind::lanes);
            }
          }
        }
      }
    }
  }
}

TEST_CASE("clocks to start from may be as wrong as they like") {
  const Instructions best = evaluators::available_instructions().back();
  std::uint64_t most_passes = 0;
  for (std::size_t k = 0; k < kSegmentable.size(); ++k) {
    for (std::uint64_t seed = 0; seed < support::draws(30); ++seed) {
      for (const tpn::Model& model : tpn::default_models()) {
        const tpn::FoldedNet net = support::net_of(segmentable_document(k, seed), model);
        const Rational period = support::period_of(net);
        const std::size_t tokens = evaluators::make_layout(net).tokens.size();
        for (const std::size_t lanes : std::array<std::size_t, 2>{1, 8}) {
          if (evaluators::make_layout(net).rows / lanes < 13) continue;
          for (const std::int64_t size : {std::int64_t{10}, std::int64_t{1'000'000}, std::int64_t{1'000'000'000'000}}) {
            INFO("replication " << k << ", seed " << seed << ", " << tpn::name_of(model) << ", " << lanes
                                << " lanes, clocks up to " << size);
            Draw draw(seed);
            SweepShape shape = with_lanes(lanes, 0, best);
            for (std::size_t t = 0; t < lanes * tokens; ++t) shape.clocks.push_back(draw.between(-size, size));
            std::uint64_t passes = 0;
            shape.passes = &passes;
            require_exact(net, shape, period);
            most_passes = std::max(most_passes, passes);
          }
        }
      }
    }
  }
  REQUIRE(most_passes > 2);  // some starts were wrong enough to need more than a look
}

TEST_CASE("durations of any size end in the narrowest numbers that hold them, with the same period") {
  constexpr std::array<std::size_t, 3> kDealing = {5, 7, 8};
  std::array<std::size_t, kPassKinds.size()> used_by = {};
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    for (const tpn::Model& model : tpn::default_models()) {
      const tpn::Document plain = support::uniform_document(kDealing, 1, 1000, seed);
      const Rational period = support::period_of(support::net_of(plain, model));
      for (unsigned long shift = 0; shift < 130; shift += 2) {
        INFO("seed " << seed << ", " << tpn::name_of(model) << ", times 2^" << shift);
        const Rational unit(Integer(Integer(1) << shift));
        const tpn::FoldedNet net = support::net_of(support::uniform_document(kDealing, 1, 1000, seed, unit), model);
        for (const PassKind first : {PassKind::lanes, PassKind::rows_64}) {
          PassKind used = PassKind::lanes;
          SweepShape shape;
          shape.first = first;
          shape.used = &used;
          require_exact(net, shape, period * unit);
          ++used_by[static_cast<std::size_t>(used)];
        }
      }
    }
  }
  REQUIRE(std::ranges::all_of(used_by, [](std::size_t times) { return times > 20; }));
}

tpn::FoldedNet windowed(const tpn::Document& document, std::uint64_t window) {
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
  return std::get<tpn::FoldedNet>(tpn::with_capacity(net, {.buffers = {}, .window = window}));
}

TEST_CASE("a window's start times are proved in numbers of any size") {
  constexpr std::array<std::size_t, 3> kDealing = {5, 7, 8};
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const Rational period = unfolded_period(windowed(support::uniform_document(kDealing, 1, 1000, seed), 3));
    for (unsigned long shift = 0; shift < 130; shift += 4) {
      INFO("seed " << seed << ", times 2^" << shift);
      const Rational unit(Integer(Integer(1) << shift));
      require_exact(windowed(support::uniform_document(kDealing, 1, 1000, seed, unit), 3), {}, period * unit);
    }
  }
}

TEST_CASE("a schedule with more start times than a certificate holds is not kept") {
  constexpr std::array<std::size_t, 6> kDealing = {7, 8, 9, 11, 13, 17};
  const tpn::FoldedNet net = windowed(support::balanced_document(kDealing, 1), 5);
  const Evaluation evaluation = evaluators::sweep_as(net, {}, {});
  REQUIRE(evaluation.exact());
  const Integer starts = net.pipeline.rows * net.pipeline.columns.size();
  REQUIRE(starts > evaluators::kCertificateNumbers);
  CHECK(std::get<evaluators::LargeSchedule>(evaluation.witness).starts == starts);
  const auto certified = evaluators::certify(net, evaluation);
  const auto& too_large = std::get<tpn::TooLarge>(certified);
  CHECK(too_large.kind == tpn::LimitKind::certificate_numbers);
  CHECK(too_large.needed == starts);
}

TEST_CASE("a circuit that memory does not hold leaves a proven interval, and a sweep's estimate counts it") {
  constexpr std::array<std::size_t, 5> kDealing = {8, 9, 5, 7, 11};
  for (const std::uint64_t window : {1U, 5U}) {
    INFO("window " << window);
    const tpn::FoldedNet net = windowed(support::balanced_document(kDealing, 1), window);
    const Evaluation exact = evaluators::sweep_as(net, {}, {});
    REQUIRE(exact.exact());
    const std::uint64_t bytes = sizeof(evaluators::CircuitStep) * exact.circuit.steps.size();
    CHECK(evaluators::sweep_cost(net).bytes >= static_cast<double>(bytes));
    evaluators::Options options;
    options.max_memory = 1 << 16;
    const Evaluation evaluation = evaluators::sweep_as(net, options, {});
    CHECK(evaluation.lower < exact.lower);
    CHECK(evaluation.upper == exact.upper);
    const auto& limit = std::get<tpn::TooLarge>(evaluation.limit);
    CHECK(limit.kind == tpn::LimitKind::sweep_bytes);
    CHECK(limit.needed > limit.limit);
    support::require_proof(net, evaluation);
  }
}

TEST_CASE("a deadline at any question of a sweep leaves a proven interval that holds the period") {
  constexpr std::array<std::size_t, 5> kDealing = {8, 9, 5, 7, 11};
  for (const tpn::Model& model : tpn::default_models()) {
    const tpn::FoldedNet net = support::net_of(support::balanced_document(kDealing, 1), model);
    const Rational period = support::period_of(net);
    for (const PassKind first : kPassKinds) {
      SweepShape shape;
      shape.first = first;
      std::uint64_t question = 0;
      for (bool is_exact = false; !is_exact;) {
        const support::CountedClock clock(std::chrono::milliseconds(1));
        evaluators::Options options;
        options.deadline = clock.at_question(++question);
        const Evaluation evaluation = evaluators::sweep_as(net, options, shape);
        is_exact = evaluation.exact();
        REQUIRE(evaluation.lower <= period);
        REQUIRE(period <= evaluation.upper);
        REQUIRE(is_exact == std::holds_alternative<std::monostate>(evaluation.limit));
        if (!is_exact) support::require_proof(net, evaluation);
      }
      REQUIRE(question > 2);
    }
  }
}

TEST_CASE("all instructions play a window alike, and flag the inputs that come later than those before them") {
  constexpr std::size_t kRows = 12;
  constexpr std::size_t kInputs = 5;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Draw draw(seed);
    const std::size_t lanes = seed % 3 == 0 ? 1 : 8 * (seed % 3);
    const std::size_t inputs = 1 + seed % kInputs;
    const auto block = static_cast<std::size_t>(draw.between(1, 14));
    const std::size_t size = kRows * lanes;
    alignas(64) std::array<std::array<std::int64_t, kRows * 16>, kInputs> ends = {};
    alignas(64) std::array<std::int64_t, (kRows + 14)* 16> durations = {};
    for (auto& column : ends) {
      for (std::int64_t& end : column) end = draw.between(-3, 3);
    }
    for (std::int64_t& duration : durations) duration = draw.between(0, 5);
    const std::array<const std::int64_t*, 3> more = {ends[2].data(), ends[3].data(), ends[4].data()};

    for (const Instructions instructions : evaluators::available_instructions()) {
      INFO("seed " << seed << ", instructions " << static_cast<int>(instructions));
      const evaluators::LaneKernels kernels = evaluators::lane_kernels(instructions);
      for (const evaluators::LaneKernel kernel : {kernels.play, kernels.record}) {
        alignas(64) std::array<std::int64_t, kRows* 16> out = {};
        const std::size_t flags_a_row = kInputs * evaluators::flag_bytes(lanes);
        std::vector<std::uint8_t> flags(kRows * flags_a_row);
        evaluators::LaneColumn column;
        column.out = out.data();
        column.first = ends[0].data();
        column.second = ends[1].data();
        column.more = more.data();
        column.inputs = inputs;
        column.durations = durations.data();
        column.period = kRows;
        column.flags = flags.data();
        const evaluators::LaneGroup group{1, block};
        kernel({{&column, 1}, {&group, 1}, kRows, lanes, flags_a_row});
        REQUIRE(column.position == 0);
        for (std::size_t k = 0; k < size; ++k) {
          std::int64_t latest = ends[0][k];
          for (std::size_t i = 1; i < inputs; ++i) {
            const std::size_t row = k / lanes;
            const std::size_t lane = k % lanes;
            const std::size_t byte = row * flags_a_row + (i - 1) * evaluators::flag_bytes(lanes) + lane / 8;
            const bool later = ends[i][k] > latest;
            if (kernel == kernels.record) REQUIRE((flags[byte] >> (lane % 8) & 1) == (later ? 1 : 0));
            latest = std::max(latest, ends[i][k]);
          }
          REQUIRE(out[k] == latest + durations[k]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace takt
