// A further communication model is a further list of dependences: no evaluator changes.
#include <catch2/catch.hpp>

#include "tests/evaluators/buffered.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"

namespace takt {
namespace {

using maxplus::Rational;

template <std::uint64_t kRoom>
Rational buffered_period(const tpn::Document& document) {
  const tpn::FoldedNet net = support::buffered_net<kRoom>(document);
  const Rational expected = support::period_of(net);
  REQUIRE(support::boost_period(net) <= expected);
  REQUIRE(support::boost_finds_no_longer_circuit(net, expected));
  INFO("room " << kRoom);
  support::require_every_way(net, expected);
  return expected;
}

TEST_CASE("bounded buffers, listed as dependences, are evaluated and certified by every method") {
  std::size_t slower = 0;
  support::for_each_document({25}, [&](const tpn::Document& document) {
    const Rational unlimited = support::period_of(support::net_of(document, tpn::Model::kOverlap));
    const Rational one = buffered_period<1>(document);
    const Rational four = buffered_period<4>(document);
    const Rational thirty = buffered_period<30>(document);  // more than most nets have rows
    REQUIRE(unlimited <= thirty);
    REQUIRE(thirty <= four);
    REQUIRE(four <= one);
    if (unlimited < one) ++slower;
  });
  REQUIRE(slower > 20);
}

}  // namespace
}  // namespace takt
