// The net of each mapping is folded and evaluated.
#include "tests/evaluators/mappings/mapped_nets.hpp"

#include <catch2/catch.hpp>

#include "evaluators/bounds.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/folded_net.hpp"

namespace takt::testing {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;
using evaluators::MappingEvaluator;
using maxplus::Rational;
using tpn::Mapping;
using tpn::Model;

Mapping parts_on_anybody(const tpn::Document& problem, support::Draw& draw) {
  const std::size_t stages = problem.application.stages.size();
  Mapping mapping;
  for (std::size_t first = 0; first < stages;) {
    const std::size_t last = mapping.size() == 2 ? stages - 1 : draw.count(first, stages - 1);
    tpn::Part& part = mapping.emplace_back(tpn::Part{first, last, {}});
    const std::size_t entries = draw.count(1, 4);
    for (std::size_t k = 0; k < entries; ++k) part.processors.push_back(draw.index(problem.platform.processors.size()));
    first = last + 1;
  }
  return mapping;
}

int require_period_of_net(MappingEvaluator& evaluator, tpn::Document document, const Mapping& mapping,
                          const Model& model) {
  document.mapping = mapping;
  document.transfers.clear();
  const tpn::FoldedNet net = support::net_of(document, model);
  const Rational period = support::period_of(net);
  const auto full = evaluator.evaluate(mapping, model);
  REQUIRE(full.answer == MappingAnswer::exact);
  REQUIRE(full.lower.rational() == period);
  REQUIRE(evaluator.largest_cycle_time(mapping, model).value().rational() == evaluators::largest_cycle_time(net));
  int cut_off = 0;
  for (const Rational& value : {period, period * Rational::fraction(9, 10), period * Rational::fraction(11, 10)}) {
    const auto answer = evaluator.evaluate(mapping, model, {value, CutoffAt::reached});
    if (answer.answer == MappingAnswer::exact) {
      REQUIRE(answer.lower.rational() == period);
    } else {
      REQUIRE(answer.answer == MappingAnswer::cut_off);
      REQUIRE(answer.lower.rational() >= value);
      REQUIRE(answer.lower.rational() <= period);
      ++cut_off;
    }
  }
  return cut_off;
}

}  // namespace takt::testing
