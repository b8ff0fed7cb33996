// Evaluators of mappings that share a view of their problem, beside one with a copy of its own.
#include <catch2/catch.hpp>
#include <memory>
#include <optional>

#include "evaluators/mappings/evaluator.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"

namespace takt {
namespace {

using evaluators::MappingAnswer;
using evaluators::MappingEvaluator;

TEST_CASE("evaluators that share a view answer as the net does, each within limits of its own") {
  std::size_t intervals = 0;
  support::for_each_document({20}, [&](const tpn::Document& document) {
    tpn::Document problem = document;
    problem.mapping.reset();  // a view's mapping does not count
    const tpn::ProblemView view(problem);
    MappingEvaluator evaluator(view);
    MappingEvaluator hasty(view, {.operations = 3});
    for (const tpn::Model model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      const auto period = support::period_of(support::net_of(document, model));
      REQUIRE(evaluator.evaluate(*document.mapping, model).answer == MappingAnswer::exact);
      REQUIRE(evaluator.evaluate(*document.mapping, model).lower == period);
      const auto bounds = hasty.evaluate(*document.mapping, model);
      REQUIRE(bounds.lower <= period);
      if (bounds.answer == MappingAnswer::interval) ++intervals;
    }
  });
  REQUIRE(intervals > 100);
}

TEST_CASE("an evaluator made of a document outlives it, and moves") {
  auto document = std::make_unique<tpn::Document>(support::random_document(support::Kind::intervals, 2));
  const tpn::Mapping mapping = *document->mapping;
  const auto period = support::period_of(support::net_of(*document, tpn::Model::kStrict));
  std::optional<MappingEvaluator> first(std::in_place, *document);
  document.reset();
  MappingEvaluator second(*std::move(first));
  first.reset();
  REQUIRE(second.evaluate(mapping, tpn::Model::kStrict).lower == period);
}

}  // namespace
}  // namespace takt
