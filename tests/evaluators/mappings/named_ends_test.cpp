// Mappings of problems with several sources and sinks: the periods of their nets, and true cutoffs.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/mappings/evaluator.hpp"
#include "evaluators/mappings/time_table.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/named_ends.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using evaluators::CutoffAt;
using evaluators::MappingAnswer;
using evaluators::MappingEvaluator;
using maxplus::Rational;
using tpn::Mapping;
using tpn::Model;

// One to three parts, each on one to four processors, which may be anybody's.
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

// Returns how many evaluations were cut off.
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

TEST_CASE("the periods of mappings with several sources and sinks are those of their nets, under every model") {
  const std::vector<Model> models = {Model::kOverlap, Model::kStrict, tpn::bounded_model(1), tpn::bounded_model(2)};
  int cut_off = 0;
  int evaluated = 0;
  const std::uint64_t seeds = support::seeds_or("TAKT_NAMED_END_MAPPINGS", 25);
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      for (const auto ports : {support::EndPorts::one, support::EndPorts::any}) {
        const tpn::Document problem = support::with_named_ends(support::random_document(kind, seed), seed, ports);
        CAPTURE(static_cast<int>(kind), seed, tpn::write_document(problem));
        MappingEvaluator evaluator(problem);
        support::Draw draw(seed);
        for (int k = 0; k < 3; ++k) {
          const Mapping mapping = k == 0 ? *problem.mapping : parts_on_anybody(problem, draw);
          for (const Model& model : models) {
            CAPTURE(k, tpn::label_of(model));
            cut_off += require_period_of_net(evaluator, problem, mapping, model);
            ++evaluated;
          }
        }
      }
    }
  }
  CHECK(cut_off > evaluated / 4);
}

TEST_CASE("so are those of hosts whose processors share ports") {
  for (std::uint64_t seed = 1; seed <= support::seeds_or("TAKT_NAMED_END_HOSTS", 60); ++seed) {
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
}  // namespace takt
