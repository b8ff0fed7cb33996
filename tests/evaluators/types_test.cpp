// Documents with types of processors have the periods of the same ones written out, under all models.
#include <catch2/catch.hpp>

#include "evaluators/mappings/evaluator.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/typed_documents.hpp"

namespace takt {
namespace {

using maxplus::Rational;

std::vector<Rational> cycle_times(const tpn::FoldedNet& net) {
  std::vector<Rational> times;
  for (const tpn::Resource& resource : net.resources) times.push_back(resource.cycle_time);
  return times;
}

TEST_CASE("a typed document evaluates as the one written out") {
  std::size_t several = 0;
  support::for_each_document({support::draws(80)}, [&](const tpn::Document& document, std::uint64_t seed) {
    const tpn::Document typed = support::with_random_types(document, seed * 7 + 1);
    const tpn::Document plain = support::without_types(typed);
    evaluators::MappingEvaluator evaluator(typed);
    several += typed.platform.types.size() > 1 ? 1 : 0;
    for (const tpn::Model& model : support::all_models()) {
      INFO(tpn::label_of(model));
      const tpn::FoldedNet net = support::net_of(typed, model);
      const tpn::FoldedNet expected = support::net_of(plain, model);
      REQUIRE(cycle_times(net) == cycle_times(expected));
      const Rational period = support::period_of(expected);
      REQUIRE(support::period_of(net) == period);
      if (model->has_rooms) continue;
      const auto evaluation = evaluator.evaluate(*typed.mapping, model);
      REQUIRE(evaluation.answer == evaluators::MappingAnswer::exact);
      REQUIRE(evaluation.lower.rational() == period);
    }
  });
  CHECK(several > 10);
}

}  // namespace
}  // namespace takt
