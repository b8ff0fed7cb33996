// Mappings of problems with several sources and sinks: the periods of their nets, and true cutoffs.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/mappings/time_table.hpp"
#include "tests/evaluators/mappings/mapped_nets.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using evaluators::MappingEvaluator;
using maxplus::Rational;
using tpn::Mapping;
using tpn::Model;

TEST_CASE("the periods of mappings with several sources and sinks are those of their nets, under every model") {
  int cut_off = 0;
  int evaluated = 0;
  support::for_each_document({support::draws(25)}, [&](const tpn::Document& document, std::uint64_t seed) {
    for (const auto ports : {support::EndPorts::one, support::EndPorts::any}) {
      const tpn::Document problem = support::with_named_ends(document, seed, ports);
      CAPTURE(tpn::write_document(problem));
      MappingEvaluator evaluator(problem);
      support::Draw draw(seed);
      for (int k = 0; k < 3; ++k) {
        const Mapping mapping = k == 0 ? *problem.mapping : parts_on_anybody(problem, draw);
        for (const Model& model : support::all_models()) {
          CAPTURE(k, tpn::label_of(model));
          cut_off += require_period_of_net(evaluator, problem, mapping, model);
          ++evaluated;
        }
      }
    }
  });
  CHECK(cut_off > evaluated / 4);
}

TEST_CASE("so are those of hosts whose processors share ports") {
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    const tpn::Document problem = support::with_named_ends(support::host_document(seed), seed, support::EndPorts::any);
    CAPTURE(seed, tpn::write_document(problem));
    MappingEvaluator evaluator(problem);
    support::Draw draw(seed);
    for (int k = 0; k < 3; ++k) {
      const Mapping mapping = k == 0 ? *problem.mapping : parts_on_anybody(problem, draw);
      for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict), tpn::bounded_model(1)}) {
        CAPTURE(k, tpn::label_of(model));
        require_period_of_net(evaluator, problem, mapping, model);
      }
    }
  }
}

TEST_CASE("a camera without a link to a processor that it meets is named, and tables of times take one source") {
  tpn::Document problem;
  problem.application.input = 1;
  problem.application.stages = {{.name = "S", .work = 1, .output = 1}};
  problem.platform.processors = {{.name = "P", .speed = 1, .time = {}}, {.name = "Q", .speed = 1, .time = {}}};
  tpn::Endpoint& source = problem.platform.source.emplace();
  for (const char* name : {"door", "yard"}) source.named.emplace_back().name = name;
  source.named[0].links = {{0, {.bandwidth = {}, .latency = {}, .time = 2}}};
  source.named[1].links = {{1, {.bandwidth = {}, .latency = {}, .time = 3}}};
  MappingEvaluator evaluator(problem);
  // Each camera has its own processor.
  CHECK(evaluator.evaluate(Mapping{{0, 0, {0, 1}}}, Model::kStrict).lower.rational() == Rational(2));
  CHECK_THROWS_WITH(evaluator.evaluate(Mapping{{0, 0, {1, 0}}}, Model::kStrict), Catch::Contains("\"door\""));
  problem.mapping = Mapping{{0, 0, {0, 1}}};
  CHECK_FALSE(evaluators::table_of(problem));
}

}  // namespace
}  // namespace takt::testing
