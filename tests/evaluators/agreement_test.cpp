// All evaluators, Boost's solvers and a played pipeline give the same exact period, and prove it: 18,192 random nets.
#include <array>
#include <catch2/catch.hpp>
#include <span>
#include <string>

#include "evaluators/mappings/evaluator.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using maxplus::Rational;
using support::Kind;
using tpn::Model;

// `simulate` measures the period where it sees the play repeat, and bounds it in any case. Returns whether it did.
bool require_measured(const tpn::FoldedNet& net, const Rational& period) {
  const Evaluation played = evaluators::evaluate(net, support::options_of(evaluators::Method::simulate));
  REQUIRE(played.lower <= period);
  REQUIRE(period <= played.upper);
  support::require_proof(net, played);
  REQUIRE(played.measurement.has_value());
  if (!played.measurement->repeats) return false;
  REQUIRE(played.measurement->period.to_string() == period.to_string());
  return true;
}

struct Counts {
  std::size_t nets = 0;
  std::size_t repeating = 0;  // plays
};

// Returns the period that all agree on.
Rational require_agreement(const tpn::Document& document, Model model, Counts& counts) {
  INFO(tpn::name_of(model));
  const tpn::FoldedNet net = support::net_of(document, model);
  const Rational expected = support::period_of(net);
  REQUIRE(support::boosts_period(net).to_string() == expected.to_string());
  support::require_every_way(net, expected);
  evaluators::MappingEvaluator problem(document);
  const auto answer = problem.evaluate(*document.mapping, model);
  REQUIRE(answer.answer == evaluators::MappingAnswer::exact);
  REQUIRE(answer.lower.rational().to_string() == expected.to_string());
  ++counts.nets;
  if (require_measured(net, expected)) ++counts.repeating;
  return expected;
}

void require_agreement_of_both_models(const tpn::Document& document, Counts& counts) {
  for (const tpn::Model& model : tpn::default_models()) require_agreement(document, model, counts);
}

void require_agreement_under_bounded(std::uint64_t seeds, std::uint64_t rooms) {
  Counts counts;
  support::for_each_document(
      {seeds}, [&](const tpn::Document& document) { require_agreement(document, tpn::bounded_model(rooms), counts); });
  REQUIRE(counts.nets == std::size(support::kKinds) * seeds);
}

void require_agreement_on(Kind kind) {
  const std::uint64_t seeds = support::draws(1000);
  Counts counts;
  support::for_each_document(
      {seeds, 0, {kind}}, [&](const tpn::Document& document) { require_agreement_of_both_models(document, counts); });
  CAPTURE(counts.repeating);
  REQUIRE(counts.nets == 2 * seeds);
  REQUIRE(counts.repeating > seeds);
}

TEST_CASE("all ways agree on random plain mappings") { require_agreement_on(Kind::plain); }
TEST_CASE("all ways agree on random mappings with fractional times") { require_agreement_on(Kind::fractional); }
TEST_CASE("all ways agree on random mappings of intervals of stages") { require_agreement_on(Kind::intervals); }
TEST_CASE("all ways agree on random mappings that repeat processors") { require_agreement_on(Kind::repeated); }
TEST_CASE("all ways agree on random mappings of processors to several parts") {
  require_agreement_on(Kind::several_parts);
}
TEST_CASE("all ways agree on random mappings with a source and a sink") { require_agreement_on(Kind::endpoints); }
TEST_CASE("all ways agree on random mappings with all of these") { require_agreement_on(Kind::everything); }
TEST_CASE("all ways agree on random mappings of stages with times of their own") {
  require_agreement_on(Kind::stage_times);
}

TEST_CASE("all ways agree where durations repeat before their processors do") {
  const std::uint64_t seeds = support::draws(150);
  Counts counts;
  std::size_t shorter = 0;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const bool shared : {false, true}) {
      INFO("seed " << seed << (shared ? ", shared processors" : ""));
      const tpn::Document document = support::alike_document(seed, shared);
      require_agreement_of_both_models(document, counts);
      require_agreement(document, tpn::bounded_model(1), counts);
      const tpn::FoldedNet net = support::net_of(document, Model::kStrict);
      if (tpn::repetition_of(net) < net.pipeline.rows) ++shorter;
    }
  }
  REQUIRE(counts.nets == 6 * seeds);
  REQUIRE(shorter > seeds / 2);
}

TEST_CASE("all ways agree where processors have room for one file") {
  require_agreement_under_bounded(support::draws(150), 1);
}
TEST_CASE("all ways agree where processors have room for two files") {
  require_agreement_under_bounded(support::draws(60), 2);
}
TEST_CASE("all ways agree where processors have room for seven files") {
  require_agreement_under_bounded(support::draws(30), 7);
}

// 2 documents per seed and replication, both models.
void require_agreement_on(std::span<const std::array<std::size_t, 3>> replications, std::uint64_t seeds) {
  Counts counts;
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    for (const auto& replication : replications) {
      INFO("seed " << seed << ", " << replication[0] << "," << replication[1] << "," << replication[2]);
      require_agreement_of_both_models(support::balanced_document(replication, seed), counts);
      require_agreement_of_both_models(support::uniform_document(replication, 0, 3, seed), counts);
    }
  }
  REQUIRE(counts.nets == 4 * replications.size() * seeds);
}

TEST_CASE("all ways agree where transfers meet in long patterns") {
  constexpr std::array<std::array<std::size_t, 3>, 6> kReplications = {
      {{5, 7, 3}, {4, 6, 9}, {8, 3, 5}, {10, 4, 6}, {7, 2, 11}, {3, 8, 12}}};
  require_agreement_on(kReplications, support::draws(40));
}

TEST_CASE("all ways agree where transfers meet in longer patterns") {
  constexpr std::array<std::array<std::size_t, 3>, 4> kReplications = {
      {{9, 10, 7}, {11, 5, 8}, {12, 18, 5}, {6, 13, 4}}};
  require_agreement_on(kReplications, support::draws(12));
}

TEST_CASE("all ways agree on nets of some thousand rows") {
  constexpr std::array<std::array<std::size_t, 3>, 3> kReplications = {{{16, 9, 11}, {13, 10, 9}, {7, 17, 12}}};
  require_agreement_on(kReplications, support::draws(2));
}

TEST_CASE("ties between circuits end every search") {
  Counts counts;
  constexpr std::array<std::size_t, 3> kStrict = {4, 3, 4};
  constexpr std::array<std::size_t, 2> kOverlap = {4, 5};
  const std::uint64_t seeds = support::draws(1058);
  for (std::uint64_t seed = 0; seed < seeds; ++seed) {
    INFO("seed " << seed);
    require_agreement(support::uniform_document(kStrict, 0, 3, seed), Model::kStrict, counts);
    require_agreement(support::uniform_document(kOverlap, 0, 3, seed), Model::kOverlap, counts);
  }
  REQUIRE(counts.nets == 2 * seeds);
}

TEST_CASE("two circuits that tie from pass to pass have period 23/12") {
  Counts counts;
  const tpn::Document document = support::document_of("tests/regressions/tie-23-12.json");
  REQUIRE(require_agreement(document, Model::kStrict, counts) == Rational::fraction(23, 12));
}

TEST_CASE("the pipeline played by its rules, without a net, shows the same period") {
  // 840 is a multiple of every cyclicity up to 8; the transients of these seeds are shorter.
  constexpr std::uint64_t kHyperPeriods = 840;
  support::for_each_net({support::draws(40)}, support::all_models(), [](const tpn::FoldedNet& net) {
    REQUIRE(support::played_period(net.pipeline, net.model, kHyperPeriods).to_string() ==
            support::period_of(net).to_string());
  });
}

}  // namespace
}  // namespace takt
