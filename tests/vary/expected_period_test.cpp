// The proved interval of the expected period: against plays, against known tori, and with the checker.
#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_expected.hpp"
#include "tests/support/seeds.hpp"
#include "tests/vary/known_nets.hpp"

namespace takt::vary {
namespace {

using maxplus::Rational;

tpn::SharedLaw shared(const std::string& law) { return tpn::SharedLaw(std::get<Law>(tpn::parse_law(law))); }

// A law at every time of the document.
tpn::Document with_law(tpn::Document document, const tpn::SharedLaw& law) {
  for (tpn::Processor& processor : document.platform.processors) processor.time_law = law;
  for (tpn::Link& link : document.platform.links) link.timing.fixed_law = law;
  document.platform.defaults.fixed_law = law;
  for (tpn::Stage& stage : document.application.stages) {
    stage.work_law = stage.output_law = law;
    for (tpn::StageTime& time : stage.times) time.law = law;
  }
  return document;
}

struct Bounds {
  Rational lower;
  std::optional<Rational> upper;
  bool is_accepted = false;      // by the checker
  bool is_lower_refused = true;  // whether the checker refuses a bound below, where that is no bound on the means
};

Bounds bounds_of(const tpn::Document& document, const tpn::Model& model) {
  const tpn::FoldedNet net = support::net_of(document, model);
  const evaluators::Evaluation evaluation = evaluators::evaluate(net, {});
  const auto found = evaluators::expected_upper(document, net, evaluation.upper);
  Bounds bounds{evaluation.lower, {}};
  const auto* const upper = std::get_if<Rational>(&found);
  auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
  const auto accepts = [&](const Rational& claimed) {
    certificate.expected_upper = claimed;
    return std::holds_alternative<evaluators::Proven>(evaluators::check(document, certificate));
  };
  if (upper == nullptr) {
    bounds.is_accepted = accepts(evaluation.upper * Rational(100));
    return bounds;
  }
  bounds.upper = *upper;
  bounds.is_accepted = accepts(*upper) && accepts(*upper + Rational(1));
  bounds.is_lower_refused = !accepts(*upper * Rational::fraction(999'999, 1'000'000));
  return bounds;
}

Figure played_period(const tpn::Document& document, const tpn::Model& model, std::uint64_t seed,
                     std::uint64_t data_sets = 3000) {
  const tpn::FoldedNet net = support::net_of(document, model);
  const PlayedNet played(net, times_of(document, net).value());
  VarySettings settings;
  settings.seed = seed;
  settings.copies = 32;
  settings.data_sets = data_sets;
  settings.confidence = 0.9999;
  return figures_at(played, {}, settings).period;
}

std::string torus(int senders, int receivers, const std::string& law) {
  return chain_text({"0", "0"}, {senders, receivers}, {R"({"mean":6,)" + law + "}"});
}

}  // namespace

TEST_CASE("a torus of exponential transfers has the known expected period") {
  const std::string law = R"("law":"exponential")";
  const auto upper = [&](int u, int v) {
    const Bounds bounds = bounds_of(tpn::read_document(torus(u, v, law), "f"), tpn::Model::kOverlap);
    CHECK(bounds.is_accepted);
    CHECK(bounds.is_lower_refused);
    return bounds.upper.value();
  };
  CHECK(upper(2, 3) == Rational(4));
  CHECK(upper(3, 4) == Rational(3));
  CHECK(upper(4, 6) == Rational(2));
  CHECK(upper(1, 3) == Rational(6));
  CHECK(upper(4, 2) == Rational(3));
  const tpn::Document document = tpn::read_document(torus(4, 6, law), "f");
  const Figure played = played_period(document, tpn::Model::kOverlap, 1, 20'000);
  CHECK(std::abs(played.value - 2) <= played.margin + 0.02);
}

TEST_CASE("plays lie within the proved interval, and the checker agrees with it") {
  const std::uint64_t seeds = support::draws(40);
  int tori = 0;
  int equal = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    support::Draw draw(seed);
    std::vector<std::size_t> replication(draw.count(2, 3));
    for (std::size_t& count : replication) count = draw.count(1, 5);
    const auto laws = std::to_array<std::string>({"exponential", "erlang:2", "uniform:1", "gamma:0.8", "normal:0.3"});
    const tpn::Document document =
        with_law(support::balanced_document(replication, seed), shared(laws.at(draw.index(laws.size()))));
    INFO("seed " << seed);
    const Bounds bounds = bounds_of(document, tpn::Model::kOverlap);
    REQUIRE(bounds.upper);
    CHECK(bounds.is_accepted);
    CHECK(bounds.is_lower_refused);
    (*bounds.upper == bounds.lower ? equal : tori) += 1;
    const Figure played = played_period(document, tpn::Model::kOverlap, seed);
    // Filling the net, and draining it, are part of a play.
    CHECK(played.high() >= *bounds.lower.to_double() * 0.999);
    CHECK(played.low() <= *bounds.upper->to_double() * 1.01);
  }
  CHECK(tori > static_cast<int>(seeds) / 10);
  CHECK(equal > static_cast<int>(seeds) / 10);
}

TEST_CASE("what the theorem does not say is not claimed, nor accepted") {
  const tpn::Document exponential = tpn::read_document(torus(2, 3, R"("law":"exponential")"), "f");
  const auto has_none = [](const tpn::Document& document, const tpn::Model& model) {
    const Bounds bounds = bounds_of(document, model);
    return !bounds.upper && !bounds.is_accepted;
  };
  CHECK_FALSE(has_none(exponential, tpn::Model::kOverlap));
  CHECK(has_none(exponential, tpn::Model::kStrict));
  CHECK(has_none(exponential, *tpn::find_model("bounded")));
  CHECK(has_none(tpn::read_document(torus(2, 3, R"("law":"lognormal","cv":0.5)"), "f"), tpn::Model::kOverlap));
  CHECK(has_none(tpn::read_document(torus(2, 3, R"("law":"gamma","cv":1.5)"), "f"), tpn::Model::kOverlap));
  tpn::Document differing = exponential;
  differing.application.data_set_law = shared("gamma:0.2");
  CHECK(has_none(differing, tpn::Model::kOverlap));
  tpn::Document ahead = exponential;
  ahead.transfers = {{0, 1, 1, 0}};
  CHECK(has_none(ahead, tpn::Model::kOverlap));
  tpn::Document roomy = exponential;
  roomy.transfers = {{0, 1, 0, 3}};
  CHECK(has_none(roomy, tpn::Model::kOverlap));
}

TEST_CASE("without tori no law changes the expected period, not even heavy ones or data sets that differ") {
  tpn::Document document = tpn::read_document(torus(2, 4, R"("law":"lognormal","cv":2)"), "f");
  document.application.data_set_law = shared("lognormal:0.5");
  const Bounds bounds = bounds_of(document, tpn::Model::kOverlap);
  CHECK(bounds.upper == bounds.lower);
  CHECK(bounds.is_accepted);
  const Figure played = played_period(document, tpn::Model::kOverlap, 7, 20'000);
  CHECK(std::abs(played.value - 3) <= played.margin + 0.03);
}

}  // namespace takt::vary
