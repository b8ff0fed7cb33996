// Mappings of workflows: the periods of their nets, and the routes that a search lists.
#include <catch2/catch.hpp>
#include <map>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "tests/evaluators/mappings/mapped_nets.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/mapping_routes.hpp"
#include "tpn/models.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using evaluators::MappingAnswer;
using evaluators::MappingEvaluator;
using maxplus::Rational;
using support::Draw;
using tpn::Mapping;
using tpn::MappingRoutes;
using tpn::Model;

support::Shape shape_of(std::uint64_t seed) {
  Draw draw(seed + 1);
  return {.stages = draw.count(3, 9),
          .processors = draw.count(2, 10),
          .speeds = draw.one_in(4) ? support::Speeds::none : support::Speeds::unequal,
          .links = draw.coin() ? support::Links::equal : support::Links::unequal,
          .ends = draw.coin()};
}

TEST_CASE("the periods of mappings of workflows are those of their nets, under every model") {
  const std::vector<Model> models = {Model::kOverlap, Model::kStrict, tpn::bounded_model(2)};
  std::size_t above = 0;
  std::size_t cut_off = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(100); ++seed) {
    const tpn::Document problem = support::random_workflow_problem(shape_of(seed), seed);
    CAPTURE(seed, tpn::write_document(problem));
    MappingEvaluator evaluator(problem);
    Draw draw(seed);
    for (int k = 0; k < 4; ++k) {
      const Mapping mapping = support::random_mapping(problem, k % 2 == 0, draw);
      for (const Model& model : models) {
        CAPTURE(k, tpn::label_of(model));
        cut_off += require_period_of_net(evaluator, problem, mapping, model);
        const auto period = evaluator.evaluate(mapping, model).lower;
        above += period > evaluator.largest_cycle_time(mapping, model).value() ? 1 : 0;
      }
    }
  }
  CHECK(above > support::draws(50));
  CHECK(cut_off > support::draws(50));
}

TEST_CASE("so are those of workflows on hosts, with several sources and segments") {
  const std::vector<Model> models = {Model::kOverlap, Model::kStrict};
  for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
    tpn::Document problem = support::workflow_document(seed);
    problem.transfers.clear();
    if (std::ranges::any_of(*problem.mapping, [](const tpn::Part& part) { return !part.batches.empty(); })) continue;
    CAPTURE(seed, tpn::write_document(problem));
    MappingEvaluator evaluator(problem);
    for (const Model& model : models) require_period_of_net(evaluator, problem, *problem.mapping, model);
  }
}

TEST_CASE("beyond the limit on operations a workflow's answer is a true interval") {
  int intervals = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tpn::Document problem = support::random_workflow_problem(shape_of(seed), seed);
    Draw draw(seed);
    const Mapping mapping = support::random_mapping(problem, true, draw);
    problem.mapping = mapping;
    for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      const tpn::FoldedNet net = support::net_of(problem, model);
      const Rational period = support::period_of(net);
      for (const std::uint64_t operations : {1U, 20U, 100U}) {
        CAPTURE(seed, operations, tpn::label_of(model));
        const auto answer = MappingEvaluator(problem, {.operations = operations}).evaluate(mapping, model);
        REQUIRE(answer.lower.rational() <= period);
        REQUIRE(answer.upper.value().rational() >= period);
        if (answer.answer == MappingAnswer::exact) REQUIRE(answer.lower.rational() == period);
        intervals += answer.answer == MappingAnswer::interval ? 1 : 0;
      }
    }
  }
  CHECK(intervals > 20);
}

TEST_CASE("routes that are listed again and again are those of the mapping, and of its first parts") {
  std::size_t several_files = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const tpn::Document problem = support::random_workflow_problem(shape_of(seed), seed);
    const tpn::WorldEnds ends = tpn::outer_ends(problem.platform);
    MappingRoutes routes(problem.application, ends);
    Draw draw(seed);
    for (int k = 0; k < 3; ++k) {
      Mapping mapping = support::random_mapping(problem, false, draw);
      auto wanted = tpn::routes_of(problem.application, mapping, ends);
      if (k == 2 && mapping.size() > 1) {
        mapping.pop_back();
        std::erase_if(wanted, [&](const tpn::FileRoute& route) {
          return route.from == mapping.size() || route.to == mapping.size();
        });
      }
      routes.list(mapping);
      CAPTURE(seed, k, tpn::write_document(problem));
      REQUIRE(routes.all().size() == wanted.size());
      std::map<std::size_t, std::vector<std::uint32_t>> into;
      std::map<std::size_t, std::size_t> sent;
      for (std::uint32_t r = 0; r < wanted.size(); ++r) {
        const MappingRoutes::Route& route = routes.all()[r];
        REQUIRE(route.from == wanted[r].from.value_or(MappingRoutes::kOutside));
        REQUIRE(route.to == wanted[r].to.value_or(MappingRoutes::kOutside));
        REQUIRE(std::ranges::equal(routes.files_of(route), wanted[r].files));
        if (wanted[r].to) into[*wanted[r].to].push_back(r);
        if (wanted[r].from) ++sent[*wanted[r].from];
        several_files += wanted[r].files.size() > 1 ? 1 : 0;
      }
      for (std::size_t i = 0; i < mapping.size(); ++i) {
        REQUIRE(std::ranges::equal(routes.into(i), into[i]));
        REQUIRE(routes.out_of(i).size() == sent[i]);
        for (const MappingRoutes::Route& route : routes.out_of(i)) REQUIRE(route.from == i);
      }
    }
  }
  CHECK(several_files > 20);
}

TEST_CASE("mappings of workflows are evaluated without allocation once warm") {
  const tpn::Document problem = support::random_workflow_problem({.stages = 9, .processors = 10}, 7);
  MappingEvaluator evaluator(problem);
  std::vector<Mapping> mappings;
  Draw draw(7);
  for (int k = 0; k < 30; ++k) mappings.push_back(support::random_mapping(problem, k % 2 == 0, draw));
  const auto evaluate_all = [&] {
    for (const Mapping& mapping : mappings)
      for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict)}) evaluator.evaluate(mapping, model);
  };
  evaluate_all();
  const std::uint64_t before = support::allocations();
  evaluate_all();
  CHECK(support::allocations() == before);
}

}  // namespace
}  // namespace takt::testing
