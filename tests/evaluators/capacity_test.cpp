// The window and the rooms of single buffers against a play by their rules, and their certificates.
#include <catch2/catch.hpp>

#include <string>

#include "evaluators/play/play.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"

namespace takt {
namespace {

using maxplus::Rational;
using tpn::FoldedNet;

FoldedNet limited(const tpn::Document& document, const tpn::Model& model, const tpn::Capacity& capacity) {
  return std::get<FoldedNet>(tpn::with_capacity(support::net_of(document, model), capacity));
}

Rational windowed_period(const tpn::Document& document, const tpn::Model& model, std::uint64_t window) {
  return support::period_of(limited(document, model, {.buffers = {}, .window = window}));
}

// A window in two of three cases, each buffer's room in one of three.
tpn::Capacity random_capacity(const tpn::Pipeline& pipeline, support::Draw& draw) {
  tpn::Capacity capacity;
  if (draw.index(3) > 0) capacity.window = static_cast<std::uint64_t>(draw.between(1, 4));
  for (tpn::Buffer buffer : tpn::buffers_of(pipeline)) {
    buffer.room = static_cast<std::uint64_t>(draw.between(1, 3));
    if (draw.index(3) == 0) capacity.buffers.push_back(buffer);
  }
  return capacity;
}

struct CapacityCase {
  tpn::Document document;
  tpn::Model model = tpn::Model::kOverlap;
  tpn::Capacity capacity;
};

template <typename Visit>
std::size_t for_each_case(std::uint64_t seeds, Visit visit) {
  support::Draw draw(1000);
  std::size_t cases = 0;
  const auto models = {tpn::Model(tpn::Model::kOverlap), tpn::Model(tpn::Model::kStrict), tpn::bounded_model(2)};
  support::for_each_net({seeds}, models, [&](const FoldedNet& net, const tpn::Document& document) {
    visit(CapacityCase{document, net.model, random_capacity(net.pipeline, draw)});
    ++cases;
  });
  return cases;
}

TEST_CASE("with a window and rooms everything takes place when a play by their rules has it") {
  constexpr std::uint64_t kDataSets = 40;
  for_each_case(support::draws(80), [&](const CapacityCase& instance) {
    const FoldedNet net = limited(instance.document, instance.model, instance.capacity);
    const auto expected = support::played_operations(net.pipeline, instance.model, kDataSets, instance.capacity);
    std::size_t k = 0;
    evaluators::play(net, kDataSets, [&](const evaluators::Firing& firing) {
      REQUIRE(firing.start == expected[k].start);
      REQUIRE(firing.end == expected[k].end);
      ++k;
      return true;
    });
    REQUIRE(k == expected.size());
  });
}

TEST_CASE("every method finds the period under a window and rooms, and proves it") {
  std::size_t slower = 0;
  const std::size_t cases = for_each_case(support::draws(5), [&](const CapacityCase& instance) {
    const FoldedNet net = limited(instance.document, instance.model, instance.capacity);
    const Rational expected = support::period_of(net);
    REQUIRE(support::boost_period(net) <= expected);
    REQUIRE(support::boost_finds_no_longer_circuit(net, expected));
    const Rational unlimited = support::period_of(support::net_of(instance.document, instance.model));
    REQUIRE(unlimited <= expected);
    if (unlimited < expected) ++slower;
    for (const support::Way& way : support::ways_for(net)) {
      INFO(way.name);
      const evaluators::Evaluation evaluation = evaluators::evaluate(net, way.options);
      REQUIRE(evaluation.upper == expected);
      REQUIRE(evaluation.exact());
      const auto certified = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
      const auto certificate = evaluators::read_certificate(evaluators::write_certificate(certified), "c.json");
      const auto verdict = evaluators::check(instance.document, certificate);
      if (const auto* refused = std::get_if<evaluators::Refused>(&verdict)) FAIL(refused->reason);
      REQUIRE(std::holds_alternative<evaluators::Proven>(verdict));
      if (unlimited == expected) continue;
      // The same claim without the limits is wrong.
      auto claim = certificate;
      claim.window = 0;
      claim.buffers.clear();
      REQUIRE(std::holds_alternative<evaluators::Refused>(evaluators::check(instance.document, claim)));
    }
  });
  INFO(slower << " of " << cases << " nets are slower");
  REQUIRE(slower > cases / 4);
}

TEST_CASE("a window over a last part of many turns makes an operation wait for as many, and every method takes it") {
  tpn::Document document = support::complete_problem(2, 9, 1, 9, 1);
  document.mapping = {{0, 0, {0}}, {1, 1, {}}};
  for (std::size_t k = 0; k < 300; ++k) document.mapping->back().processors.push_back(1 + k * k % 7);
  const FoldedNet net = limited(document, tpn::Model::kOverlap, {.buffers = {}, .window = 2});
  const Rational expected = support::period_of(net);
  for (const evaluators::Method method : {evaluators::Method::sweep, evaluators::Method::unfold}) {
    evaluators::Options options;
    options.method = method;
    const evaluators::Evaluation evaluation = evaluators::evaluate(net, options);
    REQUIRE(evaluation.exact());
    REQUIRE(evaluation.upper == expected);
  }
}

TEST_CASE("the window of one data set makes a sequence of all, a wide one changes nothing, and none is in between") {
  const auto overlap = {tpn::Model(tpn::Model::kOverlap)};
  support::for_each_net({10}, overlap, [](const FoldedNet& net, const tpn::Document& document) {
    Rational sequence;
    const std::uint64_t rows = net.pipeline.rows.get_ui();
    for (std::uint64_t j = 0; j < rows; ++j) {
      for (const tpn::ColumnIndex c : net.pipeline.all_columns()) sequence += net.pipeline.duration({j, c});
    }
    Rational before = windowed_period(document, tpn::Model::kOverlap, 1);
    REQUIRE(before == sequence / Rational(rows));
    for (const std::uint64_t window : {2U, 3U, 5U, 300U}) {
      const Rational period = windowed_period(document, tpn::Model::kOverlap, window);
      REQUIRE(period <= before);
      before = period;
    }
    REQUIRE(before == support::period_of(net));
  });
}

TEST_CASE("examples A and B have the periods that their windows allow") {
  const tpn::Document b = support::document_of("examples/example-b.json");
  REQUIRE(windowed_period(b, tpn::Model::kOverlap, 3) == Rational(350));
  REQUIRE(windowed_period(b, tpn::Model::kOverlap, 4) == Rational::fraction(950, 3));
  REQUIRE(windowed_period(b, tpn::Model::kOverlap, 5) == Rational::fraction(875, 3));
  const tpn::Document a = support::document_of("examples/example-a.json");
  REQUIRE(windowed_period(a, tpn::Model::kStrict, 4) == Rational::fraction(692, 3));
  REQUIRE(windowed_period(a, tpn::Model::kStrict, 3) > Rational::fraction(692, 3));
}

TEST_CASE("a certificate that names a buffer the mapping lacks, or one twice, is refused") {
  const tpn::Document document = support::document_of("examples/example-a.json");
  const FoldedNet net = limited(document, tpn::Model::kOverlap,
                                {.buffers = {{0, tpn::PartIndex(0), tpn::BufferSide::out, 2, tpn::ColumnIndex(1)}}});
  const auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluators::evaluate(net)));
  REQUIRE(certificate.buffers.size() == 1);
  REQUIRE(std::holds_alternative<evaluators::Proven>(evaluators::check(document, certificate)));
  const auto reason = [&](const std::vector<evaluators::CertificateBuffer>& buffers) {
    auto changed = certificate;
    changed.buffers = buffers;
    const auto verdict = evaluators::check(document, changed);
    return std::get<evaluators::Refused>(verdict).reason;
  };
  using Side = tpn::BufferSide;
  CHECK(reason({{"P0", 0, Side::in, 2}}) == "the in-buffer of P0 in part 0 never holds a file");
  CHECK(reason({{"P0", 1, Side::in, 2}}) == "the in-buffer of P0 in part 1 never holds a file");
  CHECK(reason({{"P9", 0, Side::out, 2}}) == "the out-buffer of P9 in part 0 never holds a file");
  CHECK(reason({{"P0", 0, Side::out, 2}, {"P0", 0, Side::out, 3}}) == "the out-buffer of P0 in part 0 is listed twice");
}

}  // namespace
}  // namespace takt
