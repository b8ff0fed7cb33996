// What a report finds out: shares of the circuit, loads, the proof, and what is asked of parameters.
#include "tools/report/findings.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>

#include "evaluators/play/play.hpp"
#include "maxplus/deadline.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/tools/report/report_findings.hpp"
#include "tpn/models.hpp"

namespace takt::tools {

namespace {

using support::Kind;
using support::random_document;
using testing::findings_of;

const std::vector<tpn::Model>& models() {
  static const std::vector<tpn::Model> kModels = {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)};
  return kModels;
}

template <typename Look>
void for_random_findings(const Look& look) {
  for (const Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < support::draws(6); ++seed) {
      for (const tpn::Model& model : models()) {
        CAPTURE(static_cast<int>(kind), seed, tpn::name_of(model));
        look(findings_of(random_document(kind, seed), model));
      }
    }
  }
}

}  // namespace

TEST_CASE("shares of the critical circuit add up to the period, and each is of an operation that takes time") {
  for_random_findings([](const ReportFindings& findings) {
    REQUIRE(findings.exact());
    REQUIRE(findings.shares);
    Rational sum;
    for (const CircuitShare& share : *findings.shares) {
      CHECK(share.time.sign() > 0);
      sum += share.time;
    }
    CHECK(sum == findings.period());
  });
}

TEST_CASE("what a processor receives, computes and sends is what its resources are busy with") {
  for_random_findings([](const ReportFindings& findings) {
    REQUIRE(findings.loads);
    for (const tpn::Resource& resource : findings.net.resources) {
      const ProcessorLoad& load = findings.loads->processors[resource.processor];
      Rational busy;
      if (tpn::handles_receptions(resource.kind)) busy += load.receives;
      if (tpn::handles_computations(resource.kind)) busy += load.computes;
      if (tpn::handles_sendings(resource.kind)) busy += load.sends;
      CHECK(busy == resource.cycle_time);
    }
  });
}

TEST_CASE("every answer is proved by a certificate whose text was checked") {
  for_random_findings([](const ReportFindings& findings) {
    CHECK(findings.proof.is_proved);
    CHECK(findings.proof.why_not.empty());
    CHECK(findings.proof.text.find("\"period\"") != std::string::npos);
  });
}

TEST_CASE("completion times are those of the play") {
  const auto findings = findings_of(random_document(Kind::repeated, 3), tpn::Model::kStrict);
  REQUIRE(findings.start_up.completions.size() == 4);
  Rational latest;
  std::size_t next = 0;
  evaluators::play(findings.net, 1000, [&](const evaluators::Firing& firing) {
    const bool is_new = Integer(firing.operation.data_set) == findings.start_up.completions[next].data_sets;
    if (is_new) {
      CHECK(findings.start_up.completions[next].upper == latest);
      ++next;
    }
    latest = std::max(latest, firing.end);
    return true;
  });
  CHECK(next == 3);
  CHECK(findings.start_up.completions.back().upper == latest);
}

TEST_CASE("nothing is proved, drawn or asked once the time is over, and the findings say so") {
  const evaluators::Deadline past = maxplus::SearchClock::time_point::min();
  const std::vector<std::size_t> replication = {4, 5, 7, 9};
  const tpn::Document document = support::balanced_document(replication, 1);
  const ReportFindings in_time = findings_of(document, tpn::Model::kStrict);
  const ReportFindings findings = findings_of(document, tpn::Model::kStrict, past);
  CHECK(findings.is_out_of_time);
  CHECK_FALSE(findings.other);
  CHECK(findings.proof.is_proved == findings.proof.why_not.empty());
  CHECK(findings.evaluation.lower <= in_time.period());
  CHECK(in_time.period() <= findings.evaluation.upper);
}

TEST_CASE("of very many numbers those that may help are asked about first, and the others counted") {
  const tpn::Document document = support::dealt_document(12, 150, 1, 5'000'000, 4);
  const ReportFindings findings = findings_of(document, tpn::Model::kOverlap);
  const ParameterFindings& parameters = findings.parameters;
  REQUIRE_FALSE(parameters.insights.empty());
  CHECK(parameters.unasked > 0);
  CHECK(parameters.unasked_too == 0);
  // What was asked about holds all that the circuit has.
  Rational sum;
  for (const auto& insight : parameters.insights) sum += insight.share;
  CHECK(sum == Rational(1));
}

TEST_CASE("transfers ahead are looked for in a report's time only") {
  const tpn::Document server = support::document_of("examples/server-in-two-parts.json");
  CHECK(findings_of(server, tpn::Model::kOverlap).advice.ahead);
  const evaluators::Deadline passed(maxplus::SearchClock::time_point{});
  CHECK(!findings_of(server, tpn::Model::kOverlap, passed).advice.ahead);
}

}  // namespace takt::tools
