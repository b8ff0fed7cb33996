// Failures name the way, and what the checker says.
#include "tests/evaluators/judged_nets.hpp"

#include <catch2/catch.hpp>
#include <variant>

#include "evaluators/bounds.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "tests/evaluators/oracles.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/models.hpp"

namespace takt::support {

maxplus::Rational boosts_period(const tpn::FoldedNet& net) {
  maxplus::Rational period = boost_period(net);
  REQUIRE(boost_finds_no_longer_circuit(net, period));
  return period;
}

void require_proof(const tpn::FoldedNet& net, const evaluators::Evaluation& evaluation) {
  auto certificate = std::get<evaluators::Certificate>(evaluators::certify(net, evaluation));
  if (tpn::find_model(tpn::name_of(net.model)))
    certificate = evaluators::read_certificate(evaluators::write_certificate(certificate), "certificate");
  const auto verdict = evaluators::check(net, certificate);
  if (const auto* refused = std::get_if<evaluators::Refused>(&verdict)) FAIL(refused->reason);
  REQUIRE(std::holds_alternative<evaluators::Proven>(verdict));
}

void require_every_way(const tpn::FoldedNet& net, const maxplus::Rational& period) {
  const maxplus::Rational& bound = evaluators::largest_cycle_time(net);
  REQUIRE(bound <= period);
  for (const Way& way : ways_for(net)) {
    INFO(way.name);
    const evaluators::Evaluation found = evaluators::evaluate(net, way.options);
    REQUIRE(found.exact());
    REQUIRE(found.upper.to_string() == period.to_string());
    REQUIRE(found.circuit.resource.has_value() == (bound == period));
    require_proof(net, found);
  }
}

tpn::FoldedNet require_counted(const CountingInstance& instance, const tpn::Model& model, const maxplus::Rational& gain,
                               std::uint64_t most_proved) {
  tpn::FoldedNet net = net_of(instance.document, model);
  const evaluators::Evaluation evaluation = evaluators::evaluate(net);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.upper == instance.candidate + gain / maxplus::Rational(instance.data_sets));
  if (tpn::repetition_of(net) <= most_proved) require_proof(net, evaluation);
  return net;
}

}  // namespace takt::support
