// Sub-pipelines: their bounds against exact periods, and their embedded circuits against the checker.
#include "evaluators/sub_pipelines/sub_pipelines.hpp"

#include <atomic>
#include <catch2/catch.hpp>
#include <numeric>

#include "evaluators/bounds.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/evaluators/buffered.hpp"
#include "tests/evaluators/search_notes.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::SubPipelineBound;
using maxplus::Rational;
using tpn::FoldedNet;
using tpn::Model;

// The net with some of its rooms and a window limited, one time in three.
FoldedNet perhaps_limited(FoldedNet net, std::uint64_t seed) {
  support::Draw draw(seed);
  if (!draw.one_in(3)) return net;
  tpn::Capacity capacity;
  capacity.window = static_cast<std::uint64_t>(draw.between(1, 4));
  for (tpn::Buffer& buffer : tpn::buffers_of(net.pipeline)) {
    buffer.room = static_cast<std::uint64_t>(draw.between(1, 3));
    if (draw.coin()) capacity.buffers.push_back(buffer);
  }
  return std::get<FoldedNet>(tpn::with_capacity(std::move(net), capacity));
}

// STRICT with five to seven parts, nearly as tight as one another.
tpn::Document long_document(std::uint64_t seed) {
  support::Draw draw(seed);
  std::vector<std::size_t> replication(draw.count(5, 7));
  for (std::size_t& count : replication) count = draw.count(1, 5);
  return support::balanced_document(replication, seed);
}

template <typename Visit>
void for_each_net(Visit visit) {
  const std::uint64_t seeds = support::draws(20);
  support::for_each_document({seeds}, [&](const tpn::Document& document, std::uint64_t seed) {
    for (const Model& model : support::all_models()) visit(perhaps_limited(support::net_of(document, model), seed));
  });
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const Model& model : support::all_models()) {
      INFO("long, seed " << seed << ", " << tpn::label_of(model));
      visit(support::net_of(long_document(seed), model));
      visit(support::net_of(support::alike_document(seed, seed % 2 == 0), model));
    }
  }
}

// Its bounds with the sub-pipeline's circuit as the witness of the lower one.
Evaluation with_bound(const FoldedNet& net, const SubPipelineBound& bound) {
  Evaluation evaluation = evaluators::uniform_bounds(net, evaluators::Method::residue);
  evaluation.lower = bound.lower;
  evaluation.circuit = bound.circuit;
  return evaluation;
}

TEST_CASE(
    "the period of every sub-pipeline is a lower bound, with a circuit of the whole net that the checker accepts") {
  std::size_t longer = 0;    // embedded circuits that take more time than the sub-pipeline's
  std::size_t raising = 0;   // bounds above the largest cycle time
  std::size_t repeated = 0;  // circuits of several laps of the sub-pipeline's
  for_each_net([&](const FoldedNet& net) {
    const Rational period = support::period_of(net);
    const std::size_t parts = net.pipeline.parts.size();
    for (std::size_t first = 0; first < parts; ++first) {
      for (std::size_t last = first; last < parts; ++last) {
        INFO("parts " << first << " to " << last);
        const auto bound = evaluators::bound_of_sub_pipeline(net, first, last);
        REQUIRE(bound.has_value());
        REQUIRE(bound->first_part == first);
        REQUIRE(bound->last_part == last);
        REQUIRE(bound->lower <= period);
        const auto sub_pipeline = std::get<FoldedNet>(evaluators::net_of_sub_pipeline(net, first, last));
        const Evaluation alone = evaluators::evaluate(sub_pipeline, support::options_of(evaluators::Method::sweep));
        REQUIRE(bound->lower >= alone.lower);
        if (first == 0 && last + 1 == parts && net.capacity.is_unlimited()) REQUIRE(bound->lower == period);
        Evaluation claimed = with_bound(net, *bound);
        REQUIRE(support::proved(net, claimed));
        // No less than what is claimed, and no more.
        claimed.lower += Rational::fraction(1, 1'000'000);
        claimed.upper += Rational(1);
        REQUIRE(!support::proved(net, claimed));
        if (bound->lower > alone.lower) ++longer;
        if (bound->lower > evaluators::largest_cycle_time(net)) ++raising;
        const auto height = [](std::uint64_t sum, const evaluators::CircuitStep& step) { return sum + step.height; };
        const auto& steps = bound->circuit.steps;
        const auto& before = alone.circuit.steps;
        if (std::accumulate(steps.begin(), steps.end(), std::uint64_t{0}, height) >
            std::accumulate(before.begin(), before.end(), std::uint64_t{0}, height)) {
          ++repeated;
        }
      }
    }
  });
  CHECK(longer > 0);
  CHECK(raising > 0);
  CHECK(repeated > 0);
}

TEST_CASE(
    "the best sub-pipeline is the best of those that fit, the same each time, and the whole net where that fits") {
  std::size_t found = 0;
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    INFO("seed " << seed);
    const FoldedNet net = support::net_of(long_document(seed), Model::kStrict);
    const Rational period = support::period_of(net);
    const auto whole = evaluators::best_sub_pipeline(net, {}, Rational(0));
    REQUIRE(whole.has_value());
    CHECK(whole->lower == period);
    CHECK(!evaluators::best_sub_pipeline(net, {}, period));

    const evaluators::SubPipelineLimits limits{.operations = 300};
    Rational best;
    const std::size_t parts = net.pipeline.parts.size();
    for (std::size_t first = 0; first < parts; ++first) {
      for (std::size_t last = first; last < parts; ++last) {
        const auto bound = evaluators::bound_of_sub_pipeline(net, first, last, limits);
        if (bound && bound->lower > best) best = bound->lower;
      }
    }
    const Rational above = evaluators::largest_cycle_time(net);
    const auto chosen = evaluators::best_sub_pipeline(net, limits, above);
    const auto again = evaluators::best_sub_pipeline(net, limits, above);
    REQUIRE(chosen.has_value() == again.has_value());
    REQUIRE(chosen.has_value() == (best > above));
    if (!chosen) continue;
    ++found;
    CHECK(chosen->lower == best);
    CHECK(again->lower == chosen->lower);
    CHECK(again->first_part == chosen->first_part);
    CHECK(again->circuit.steps.size() == chosen->circuit.steps.size());
    CHECK(support::proved(net, with_bound(net, *chosen)));
  }
  CHECK(found > 0);
}

TEST_CASE("a search through sub-pipelines ends when it is asked to, with the best bound that it told of") {
  const FoldedNet net = support::net_of(long_document(1), Model::kStrict);
  evaluators::SubPipelineLimits limits{.operations = 300};
  limits.deadline = maxplus::Deadline::Clock::now();
  CHECK(!evaluators::best_sub_pipeline(net, limits, Rational(0)));
  CHECK(!evaluators::bound_of_sub_pipeline(net, 0, 1, limits));

  std::atomic<bool> request = false;
  support::SearchNotes notes(request);
  limits.deadline = maxplus::Deadline().or_on(request).heard_by(notes);
  const auto bound = evaluators::best_sub_pipeline(net, limits, Rational(0));
  REQUIRE(bound.has_value());
  CHECK(notes.methods == std::vector<std::string>{"sub-pipelines"});
  CHECK(notes.lowers == std::vector<Rational>{bound->lower});
  CHECK(notes.valid);
}

TEST_CASE("sub-pipelines that exceed a limit, and models with dependences of their own, get no answer") {
  const FoldedNet net = support::net_of(long_document(2), Model::kStrict);
  CHECK(!evaluators::best_sub_pipeline(net, {.operations = 0.5}, Rational(0)));
  CHECK(!evaluators::best_sub_pipeline(net, {.all_operations = 0.5}, Rational(0)));
  CHECK(!evaluators::best_sub_pipeline(net, {.max_memory = 1}, Rational(0)));
  CHECK(!evaluators::bound_of_sub_pipeline(net, 0, 3, {.operations = 0.5}));
  const FoldedNet buffered = support::buffered_net<2>(long_document(2));
  CHECK(!evaluators::best_sub_pipeline(buffered, {}, Rational(0)));
  CHECK(!evaluators::bound_of_sub_pipeline(buffered, 0, 1));
}

}  // namespace
}  // namespace takt
