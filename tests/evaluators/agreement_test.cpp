// All evaluators, Boost's solver and a played pipeline give the same exact period, and prove it.
#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "evaluators/bounds.hpp"
#include "evaluators/certify.hpp"
#include "evaluators/check.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using evaluators::Certificate;
using evaluators::Evaluation;
using maxplus::Rational;

void require_proof(const tpn::FoldedNet& net, const Evaluation& evaluation) {
  const auto certificate = std::get<Certificate>(evaluators::certify(net, evaluation));
  const Certificate read_back = evaluators::read_certificate(evaluators::write_certificate(certificate), "certificate");
  const auto verdict = evaluators::check(net, read_back);
  if (const auto* refused = std::get_if<evaluators::Refused>(&verdict)) FAIL(refused->reason);
  REQUIRE(std::holds_alternative<evaluators::Proven>(verdict));
}

// Boost's Howard on all nets, and the nets on which it stopped before the longest circuit.
struct BoostRecord {
  std::size_t nets = 0;
  std::size_t too_small = 0;
};

// Returns the period that all agree on.
Rational require_agreement(const tpn::FoldedNet& net, BoostRecord& record) {
  const Rational expected = support::period_of(net);
  const Rational howard_of_boost = support::boost_period(net);
  REQUIRE(howard_of_boost <= expected);
  REQUIRE(support::boost_finds_no_longer_circuit(net, expected));
  ++record.nets;
  if (howard_of_boost < expected) ++record.too_small;
  for (const support::Way& way : support::ways_for(net)) {
    INFO(way.name << ", " << tpn::name_of(net.model));
    const Evaluation evaluation = evaluators::evaluate(net, way.options);
    REQUIRE(evaluation.exact());
    REQUIRE(evaluation.upper.to_string() == expected.to_string());
    REQUIRE(evaluators::largest_cycle_time(net) <= evaluation.upper);
    REQUIRE(evaluation.circuit.resource.has_value() == (evaluators::largest_cycle_time(net) == evaluation.upper));
    require_proof(net, evaluation);
  }
  return expected;
}

void require_agreement(const tpn::Document& document, BoostRecord& record) {
  for (const auto& model : tpn::communication_models()) {
    require_agreement(support::net_of(document, model.model), record);
  }
}

TEST_CASE("unfold with Howard, unfold with Karp, sweep and Boost agree on random instances of every kind") {
  BoostRecord record;
  constexpr std::uint64_t kSeeds = 300;  // 7 kinds x 300 seeds x 2 models = 4200 nets
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      require_agreement(support::random_document(kind, seed), record);
    }
  }
  INFO("Boost's Howard stopped early on " << record.too_small << " of " << record.nets << " nets");
  REQUIRE(record.nets - record.too_small > 4000);
}

TEST_CASE("the evaluators agree where transfers meet in long patterns") {
  BoostRecord record;
  constexpr std::array<std::array<std::size_t, 3>, 5> kReplications = {
      {{5, 7, 3}, {4, 6, 9}, {8, 3, 5}, {10, 4, 6}, {7, 2, 11}}};
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    for (const auto& replication : kReplications) {
      INFO("seed " << seed << ", " << replication[0] << "," << replication[1] << "," << replication[2]);
      require_agreement(support::balanced_document(replication, seed), record);
      require_agreement(support::uniform_document(replication, 0, 3, seed), record);
    }
  }
}

TEST_CASE("the pipeline played by its rules, without a net, shows the same period") {
  // 840 is a multiple of every cyclicity up to 8; the transients of these seeds are shorter.
  constexpr std::uint64_t kHyperPeriods = 840;
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      const tpn::Document document = support::random_document(kind, seed);
      for (const auto& model : tpn::communication_models()) {
        INFO("kind " << static_cast<int>(kind) << ", seed " << seed << ", " << model.name);
        const tpn::FoldedNet net = support::net_of(document, model.model);
        REQUIRE(support::played_period(net.pipeline, model.model, kHyperPeriods).to_string() ==
                support::period_of(net).to_string());
      }
    }
  }
}

TEST_CASE("ties between circuits end every search") {
  BoostRecord record;
  constexpr std::array<std::size_t, 3> kStrict = {4, 3, 4};
  constexpr std::array<std::size_t, 2> kOverlap = {4, 5};
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    INFO("seed " << seed);
    require_agreement(support::net_of(support::uniform_document(kStrict, 0, 3, seed), tpn::Model::strict), record);
    require_agreement(support::net_of(support::uniform_document(kOverlap, 0, 3, seed), tpn::Model::overlap), record);
  }
}

TEST_CASE("two circuits that tie from pass to pass have period 23/12") {
  const tpn::Document document = support::document_of("tests/regressions/tie-23-12.json");
  BoostRecord record;
  REQUIRE(require_agreement(support::net_of(document, tpn::Model::strict), record) == Rational::fraction(23, 12));
}

}  // namespace
}  // namespace takt
