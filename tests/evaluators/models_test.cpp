// A further communication model is a further list of dependences: no evaluator changes.
#include <catch2/catch.hpp>

#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/evaluators/buffered.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"

namespace takt {
namespace {

using maxplus::Rational;

template <std::uint64_t kRoom>
Rational buffered_period(const tpn::Document& document) {
  const tpn::FoldedNet net = support::buffered_net<kRoom>(document);
  const Rational expected = support::period_of(net);
  REQUIRE(support::boost_period(net) <= expected);
  REQUIRE(support::boost_finds_no_longer_circuit(net, expected));
  for (const support::Way& way : support::ways_for(net)) {
    INFO(way.name << ", room " << kRoom);
    const evaluators::Evaluation evaluation = evaluators::evaluate(net, way.options);
    REQUIRE(evaluation.exact());
    REQUIRE(evaluation.upper == expected);
    const auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
    const auto verdict = evaluators::check(net, certificate);
    if (const auto* refused = std::get_if<evaluators::Refused>(&verdict)) FAIL(refused->reason);
    REQUIRE(std::holds_alternative<evaluators::Proven>(verdict));
  }
  return expected;
}

TEST_CASE("bounded buffers, listed as dependences, are evaluated and certified by every method") {
  std::size_t slower = 0;
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      INFO("kind " << static_cast<int>(kind) << ", seed " << seed);
      const tpn::Document document = support::random_document(kind, seed);
      const Rational unlimited = support::period_of(support::net_of(document, tpn::Model::kOverlap));
      const Rational one = buffered_period<1>(document);
      const Rational four = buffered_period<4>(document);
      const Rational thirty = buffered_period<30>(document);  // more than most nets have rows
      REQUIRE(unlimited <= thirty);
      REQUIRE(thirty <= four);
      REQUIRE(four <= one);
      if (unlimited < one) ++slower;
    }
  }
  REQUIRE(slower > 20);
}

}  // namespace
}  // namespace takt
