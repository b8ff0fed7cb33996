// Mappings of problems with segments: the periods of their nets, and bounds that count segments.
#include <catch2/catch.hpp>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "tests/evaluators/mappings/mapped_nets.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using evaluators::MappingAnswer;
using evaluators::MappingEvaluator;
using tpn::Mapping;
using tpn::Model;

// The bounds where the operations that an evaluation may visit are too few. True if a segment makes the lower one.
bool require_bounds(const tpn::Document& problem, const Mapping& mapping, const Model& model) {
  tpn::Document document = problem;
  document.mapping = mapping;
  document.transfers.clear();
  const tpn::FoldedNet net = support::net_of(document, model);
  const auto answer = MappingEvaluator(problem, {.operations = 1}).evaluate(mapping, model);
  REQUIRE(answer.lower.rational() <= support::period_of(net));
  REQUIRE(answer.upper.value().rational() >= support::period_of(net));
  if (net.pipeline.rows == 1) return false;
  REQUIRE(answer.lower.rational() == evaluators::largest_cycle_time(net));
  for (const tpn::Resource& resource : net.resources) {
    const bool is_segment = resource.kind == tpn::ConstraintKind::segment;
    if (!is_segment && resource.cycle_time == answer.lower.rational()) return false;
  }
  return true;
}

TEST_CASE("the periods of mappings with segments are those of their nets, under every model, bounds count segments") {
  std::size_t by_segments = 0;
  const auto judge = [&](const tpn::Document& problem, std::uint64_t seed) {
    CAPTURE(seed, tpn::write_document(problem));
    MappingEvaluator evaluator(problem);
    support::Draw draw(seed);
    // Those that there are for a segment alone may lack links.
    tpn::Document linked = problem;
    while (linked.platform.processors.back().name.starts_with("spare")) linked.platform.processors.pop_back();
    for (int k = 0; k < 3; ++k) {
      const Mapping mapping = k == 0 ? *problem.mapping : parts_on_anybody(linked, draw);
      for (const Model& model : support::all_models()) {
        CAPTURE(k, tpn::label_of(model));
        require_period_of_net(evaluator, problem, mapping, model);
        by_segments += require_bounds(problem, mapping, model) ? 1 : 0;
      }
    }
  };
  const std::uint64_t seeds = support::draws(20);
  using support::Kind;
  support::for_each_document(
      {seeds, 0, {Kind::plain, Kind::intervals, Kind::endpoints, Kind::everything, Kind::typed}},
      [&](const tpn::Document& document, std::uint64_t seed) { judge(support::with_segments(document, seed), seed); });
  for (std::uint64_t seed = 1; seed <= 3 * seeds; ++seed) {
    tpn::Document problem = support::segment_document(seed);
    problem.transfers.clear();
    judge(problem, seed);
  }
  CHECK(by_segments > support::draws(20));
}

}  // namespace
}  // namespace takt::testing
