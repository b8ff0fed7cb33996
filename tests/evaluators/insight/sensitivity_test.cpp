// Shares, derivatives, slack, targets and curves, each against evaluations of changed documents.
#include "evaluators/insight/sensitivity.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/together.hpp"
#include "tests/evaluators/insight/judge_sensitivity.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/parameters.hpp"

namespace takt {
namespace {

using evaluators::ParameterInsight;
using maxplus::Rational;
using tpn::Document;
using tpn::Parameter;

void require_parameters(const Document& document, const tpn::Model& model, support::SensitivityTally& tally) {
  REQUIRE(support::judge_parameters(document, model, tally).value_or("holds") == "holds");
}

TEST_CASE("what is said of a parameter holds for changed documents") {
  support::SensitivityTally tally;
  support::for_each_net(
      {support::draws(5), 1}, support::all_models(),
      [&](const tpn::FoldedNet& net, const Document& document) { require_parameters(document, net.model, tally); });
  CHECK(tally.rows > support::draws(600));
}

TEST_CASE("what is said of a parameter holds for documents with types") {
  support::SensitivityTally tally;
  support::for_each_document({support::draws(3), 1}, [&](const Document& document, std::uint64_t seed) {
    for (const tpn::Model& model : tpn::default_models())
      require_parameters(support::with_random_types(document, seed), model, tally);
  });
  CHECK(tally.rows > support::draws(200));
}

TEST_CASE("what is said of a parameter holds where durations repeat before processors do") {
  support::SensitivityTally tally;
  support::for_each_net_of([](std::uint64_t seed) { return support::alike_document(seed, seed % 2 == 0); },
                           support::draws(50), tpn::default_models(),
                           [&](const tpn::FoldedNet& net, const Document& document, std::uint64_t) {
                             require_parameters(document, net.model, tally);
                           });
  CHECK(tally.rows > support::draws(100));
}

TEST_CASE("the table of example A under STRICT") {
  const Document document = support::document_of("examples/example-a.json");
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  const auto evaluation = evaluators::evaluate(net);
  auto insights = evaluators::analyze_parameters(net, document, evaluation, {}, tpn::parameters_of(document)).insights;
  evaluators::sort_by_gain(insights);
  REQUIRE(insights.size() == 18);
  const auto& link = insights[0];
  CHECK(link.parameter.name == "P0 -> P2");
  CHECK(link.share == Rational::fraction(72, 173));
  CHECK(link.left_derivative == Rational::fraction(1, 2));
  CHECK(link.right_derivative == Rational::fraction(1, 2));
  CHECK(link.faster_period == Rational::fraction(7324, 33));
  CHECK(link.free->period == Rational::fraction(1201, 6));
  REQUIRE(link.free->resource.has_value());
  CHECK(net.pipeline.processors[net.resources[*link.free->resource].processor] == "P1");
  CHECK(link.slack == Rational(0));
  CHECK(insights[1].parameter.name == "S1 on P2");
  CHECK(insights[6].parameter.name == "S1 on P1");
  CHECK(insights[6].slack == Rational(61));
  CHECK_FALSE(insights[6].helps(evaluation.lower));
  CHECK(insights[7].parameter.name == "P1 -> P5");
  CHECK(insights[7].slack == Rational(67));
  CHECK(insights[8].slack == Rational(84));
  Rational shares;
  for (const ParameterInsight& insight : insights) shares += insight.share;
  CHECK(shares == Rational(1));
}

TEST_CASE("a time that runs out leaves the answers away that it was for") {
  const Document document = support::document_of("examples/example-a.json");
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  evaluators::SensitivityQuestions questions;
  questions.evaluation.deadline = evaluators::Deadline::Clock::now();
  questions.curve = true;
  const auto parameters = tpn::parameters_of(document);
  const auto evaluation = evaluators::evaluate(net);
  const auto analysis = evaluators::analyze_parameters(net, document, evaluation, questions, parameters);
  CHECK(analysis.insights.empty());
  CHECK(analysis.unasked == parameters.size());
  CHECK_FALSE(analysis.is_whole());
  CHECK_FALSE(
      evaluators::change_together(net, document, evaluation, parameters, questions.faster, questions.evaluation));
}

TEST_CASE("what helps alone and together holds for changed documents, alike ones in one") {
  support::SensitivityTally tally;
  for (std::uint64_t seed = 1; seed <= support::draws(24); ++seed) {
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      INFO("seed " << seed << ", " << tpn::label_of(model));
      const Document alike = support::alike_document(seed, seed % 2 == 0);
      CHECK(support::judge_sensitivity(alike, model, tally).value_or("holds") == "holds");
      const Document typed = support::with_random_types(
          support::random_document(support::kKinds[seed % std::size(support::kKinds)], seed), seed);
      CHECK(support::judge_sensitivity(typed, model, tally).value_or("holds") == "holds");
    }
  }
  CHECK(tally.groups > support::draws(10));
  CHECK(tally.bends > support::draws(10));
  CHECK(tally.together > 0);
}

// Two machines at 30 and a bandwidth that two equal ports share.
TEST_CASE("ties between machines and between ports ask for both") {
  Document document;
  document.application.stages = {{.name = "A", .work = {}, .output = 30, .times = {{0, 5}}},
                                 {.name = "B", .work = {}, .output = {}, .times = {{1, 30}, {2, 30}}}};
  document.platform.processors = {{.name = "P", .speed = {}, .time = {}, .bandwidth = 10},
                                  {.name = "Q", .speed = {}, .time = {}},
                                  {.name = "R", .speed = {}, .time = {}}};
  document.platform.defaults.bandwidth = 10;
  document.mapping = {{0, 0, {0}}, {1, 1, {1, 2}}};
  const auto smallest = [&](const std::vector<Parameter>& parameters) {
    const tpn::FoldedNet net = support::net_of(document, tpn::Model::kOverlap);
    const auto found = evaluators::change_together(net, document, evaluators::evaluate(net), parameters,
                                                   Rational::fraction(1, 10), {});
    std::vector<std::string> names{found->is_smallest ? found->period.to_string() : "not the smallest"};
    for (const std::size_t p : found->parameters) names.push_back(parameters[p].name);
    return names;
  };
  using Names = std::vector<std::string>;
  const auto each = [&] { return tpn::parameters_of(document); };
  const auto groups = [&] { return tpn::with_alike_together(document, each()); };
  CHECK(smallest(each()) == Names{"150/11", "B on Q", "B on R"});
  CHECK(smallest(groups()) == Names{"150/11", "B on Q, R"});
  for (tpn::StageTime& time : document.application.stages[1].times) time.time = 1;
  document.application.stages[0].times = {};
  document.platform.processors[0].speed = 1;
  document.application.stages[0].work = 0;
  document.application.stages[0].output = 30;
  // 30 bytes at 10 a time unit on the port of P and on all other links.
  CHECK(smallest(each()) == Names{"30/11", "A output"});
  std::vector<Parameter> bandwidths = each();
  std::erase_if(bandwidths, [](const Parameter& parameter) { return parameter.name == "A output"; });
  CHECK(smallest(bandwidths) == Names{"30/11", "P port", "other links bandwidth"});
}

}  // namespace
}  // namespace takt
