// The model bounded against nets written by hand, dependence by dependence, and against known periods.
#include <catch2/catch.hpp>
#include <vector>

#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tpn/chain.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using tpn::ConstraintKind;
using tpn::Dependence;
using tpn::FoldedNet;

// In plain round robin, room for k files before and behind a part's computations is one dependence of height k m_i
// each.
template <std::uint64_t kRoom>
void list_by_hand(tpn::DependenceList& dependences, const tpn::Model&) {
  const auto& parts = dependences.pipeline().parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].role != tpn::PartRole::mapped) continue;
    const std::uint64_t height = kRoom * parts[i].sequence.size();
    if (i > 0)
      dependences.add({tpn::chain_computation(i), tpn::chain_transfer(i - 1), height, 1, 0, ConstraintKind::room, 0,
                       tpn::PartIndex(i)});
    if (i + 1 < parts.size())
      dependences.add({tpn::chain_transfer(i), tpn::chain_computation(i), height, 1, 0, ConstraintKind::room, 0,
                       tpn::PartIndex(i)});
  }
}

template <std::uint64_t kRoom>
FoldedNet by_hand(const tpn::Document& document) {
  static const tpn::CommunicationModel kByHand{
      .name = "hand", .title = "BY HAND", .resources = tpn::Model::kOverlap->resources, .further = list_by_hand<kRoom>};
  return std::get<FoldedNet>(tpn::fold(document, tpn::Model(kByHand)));
}

template <std::uint64_t kRoom>
void require_as_by_hand(const tpn::Document& document) {
  INFO("room " << kRoom);
  const FoldedNet expected = by_hand<kRoom>(document);
  const FoldedNet net = support::net_of(document, tpn::bounded_model(kRoom));
  REQUIRE(net.dependences == expected.dependences);
  REQUIRE(support::period_of(net) == support::period_of(expected));
}

TEST_CASE("bounded lists the dependences that a hand would, in plain round robin") {
  using support::Kind;
  support::for_each_document({100, 0, {Kind::plain, Kind::fractional, Kind::intervals, Kind::endpoints}},
                             [](const tpn::Document& document) {
                               require_as_by_hand<1>(document);
                               require_as_by_hand<2>(document);
                               require_as_by_hand<3>(document);
                             });
}

TEST_CASE("more room never makes a pipeline slower, and much room makes it OVERLAP") {
  std::size_t slower = 0;
  support::for_each_document({40}, [&](const tpn::Document& document) {
    const auto period = [&](const tpn::Model& model) { return support::period_of(support::net_of(document, model)); };
    const Rational one = period(tpn::bounded_model(1));
    const Rational two = period(tpn::bounded_model(2));
    const Rational overlap = period(tpn::Model::kOverlap);
    REQUIRE(overlap <= two);
    REQUIRE(two <= one);
    REQUIRE(period(tpn::bounded_model(60)) == overlap);
    if (two < one) ++slower;
  });
  REQUIRE(slower > 50);
}

TEST_CASE("examples A and B have the periods that their rooms allow") {
  const auto period = [](const char* path, std::uint64_t rooms) {
    return support::period_of(support::net_of(support::document_of(path), tpn::bounded_model(rooms)));
  };
  REQUIRE(period("examples/example-a.json", 1) == Rational(211));
  REQUIRE(period("examples/example-a.json", 2) == Rational(189));
  REQUIRE(period("examples/example-b.json", 1) == Rational::fraction(1925, 6));
  REQUIRE(period("examples/example-b.json", 2) == Rational::fraction(875, 3));
}

TEST_CASE("a certificate under bounded names its rooms, and proves nothing with fewer") {
  const tpn::Document document = support::document_of("examples/example-a.json");
  const FoldedNet net = support::net_of(document, tpn::bounded_model(2));
  auto certificate = std::get<evaluators::Certificate>(
      evaluators::certify(net, evaluators::evaluate(net, support::options_of(evaluators::Method::sweep))));
  const std::string text = evaluators::write_certificate(certificate);
  REQUIRE(text.find("\"model\": \"bounded\",\n  \"rooms\": 2,") != std::string::npos);
  REQUIRE(std::holds_alternative<evaluators::Proven>(evaluators::check(document, certificate)));
  certificate.model = tpn::bounded_model(1);
  REQUIRE(std::holds_alternative<evaluators::Refused>(evaluators::check(document, certificate)));
}

TEST_CASE("a circuit that exists only through room is a critical one, and is checked as such") {
  const tpn::Document document = support::document_of("examples/example-a.json");
  const FoldedNet net = support::net_of(document, tpn::bounded_model(1));
  for (const support::Way& way : support::ways_for(net)) {
    INFO(way.name);
    const auto evaluation = evaluators::evaluate(net, way.options);
    REQUIRE(evaluation.upper == Rational(211));
    REQUIRE_FALSE(evaluation.circuit.resource);
    const auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
    REQUIRE(std::holds_alternative<evaluators::Proven>(evaluators::check(document, certificate)));
    auto overlap = certificate;
    overlap.model = tpn::Model::kOverlap;
    REQUIRE(std::holds_alternative<evaluators::Refused>(evaluators::check(document, overlap)));
  }
}

}  // namespace
}  // namespace takt
