// Shares, derivatives, slack, targets and curves, each against evaluations of changed documents.
#include "evaluators/insight/sensitivity.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/parametric.hpp"
#include "evaluators/insight/together.hpp"
#include "tests/evaluators/insight/judge_sensitivity.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/models.hpp"
#include "tpn/parameters.hpp"

namespace takt {
namespace {

using evaluators::ParameterInsight;
using evaluators::Polyline;
using maxplus::Integer;
using maxplus::Rational;
using tpn::Document;
using tpn::Parameter;

// The period of the document with another weight; nothing if the weight is 0 and its inverse a number.
std::optional<Rational> period_at(Document document, const Parameter& parameter, const Rational& weight,
                                  const tpn::Model& model) {
  if (parameter.is_inverse() && weight.sign() == 0) return std::nullopt;
  for (Rational* number : tpn::numbers_at(document, parameter)) *number = parameter.weight_of(weight);
  return support::period_of(support::net_of(document, model));
}

Rational value_of(const Polyline& curve, const Rational& x) {
  for (std::size_t k = 0; k + 1 < curve.size(); ++k) {
    const auto& [a, y] = curve[k];
    const auto& [b, z] = curve[k + 1];
    if (x <= b) return y + (z - y) * (x - a) / (b - a);
  }
  return curve.back().second;
}

// The slopes on both sides, by changes too small to pass a vertex.
void require_derivatives(const Document& document, const ParameterInsight& insight, const Rational& period,
                         const tpn::Model& model) {
  const Rational tiny = Rational::fraction(1, Integer("1000000000000000000000000"));
  const Parameter& parameter = insight.parameter;
  const Rational now = parameter.weight_of(parameter.value);
  REQUIRE(*insight.right_derivative == (*period_at(document, parameter, now + tiny, model) - period) / tiny);
  REQUIRE(insight.left_derivative.has_value() == (now.sign() > 0));
  if (insight.left_derivative) {
    REQUIRE(*insight.left_derivative == (period - *period_at(document, parameter, now - tiny, model)) / tiny);
    REQUIRE(*insight.left_derivative <= *insight.right_derivative);
  }
}

void require_curve(const Document& document, const ParameterInsight& insight, const tpn::Model& model) {
  const Parameter& parameter = insight.parameter;
  const Polyline& curve = *insight.curve;
  REQUIRE(curve.front().first == Rational(0));
  for (std::size_t k = 0; k + 2 < curve.size(); ++k) {
    const auto slope = [&](std::size_t i) {
      return (curve[i + 1].second - curve[i].second) / (curve[i + 1].first - curve[i].first);
    };
    REQUIRE(slope(k) < slope(k + 1));
  }
  for (const int eighths : {1, 3, 4, 7}) {
    const Rational weight = curve.back().first * Rational::fraction(eighths, 8);
    REQUIRE(value_of(curve, weight) == *period_at(document, parameter, weight, model));
  }
}

void require_insight(const Document& document, const ParameterInsight& insight, const Rational& period,
                     const Rational& wanted, const tpn::Model& model) {
  const Parameter& parameter = insight.parameter;
  INFO(parameter.name << " " << parameter.pointer);
  const Rational now = parameter.weight_of(parameter.value);
  require_derivatives(document, insight, period, model);
  if (now.sign() > 0) {
    REQUIRE(*insight.faster_period == *period_at(document, parameter, now / Rational::fraction(11, 10), model));
    if (!parameter.is_inverse()) {
      REQUIRE(insight.free->period == *period_at(document, parameter, Rational(), model));
    }
  }
  REQUIRE(insight.slack.has_value());
  REQUIRE(*period_at(document, parameter, now + *insight.slack, model) == period);
  REQUIRE(*period_at(document, parameter, now + *insight.slack + Rational::fraction(1, 1000), model) > period);
  require_curve(document, insight, model);
  if (insight.target->weight) {
    const auto period_then = period_at(document, parameter, *insight.target->weight, model);
    REQUIRE(period_then.value_or(insight.free->period) == wanted);
  } else {
    REQUIRE((wanted < insight.free->period || insight.is_without_limit));
  }
}

// How many parameters were looked at. `tenths`: of the period, the target.
std::size_t require_insights(const Document& document, const tpn::Model& model, std::uint64_t tenths) {
  const tpn::FoldedNet net = support::net_of(document, model);
  if (net.pipeline.rows > 24) return 0;
  const auto evaluation = evaluators::evaluate(net);
  if (evaluation.lower.sign() == 0) return 0;
  evaluators::SensitivityQuestions questions;
  questions.target = evaluation.lower * Rational::fraction(tenths, 10);
  questions.curve = true;
  questions.derivatives = true;
  const auto insights =
      evaluators::analyze_parameters(net, document, evaluation, questions, tpn::parameters_of(document)).insights;
  for (const ParameterInsight& insight : insights) {
    require_insight(document, insight, evaluation.lower, *questions.target, model);
  }
  return insights.size();
}

// Targets below the period and above it.
std::uint64_t tenths_of(std::uint64_t seed) { return seed % 3 == 0 ? 13 : 9; }

TEST_CASE("what is said of a parameter holds for changed documents") {
  std::size_t parameters = 0;
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 1; seed <= support::draws(5); ++seed) {
      for (const tpn::Model& model : support::all_models()) {
        INFO("kind " << static_cast<int>(kind) << ", seed " << seed << ", " << tpn::label_of(model));
        parameters += require_insights(support::random_document(kind, seed), model, tenths_of(seed));
      }
    }
  }
  CHECK(parameters > support::draws(600));
}

TEST_CASE("what is said of a parameter holds for documents with types") {
  std::size_t parameters = 0;
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 1; seed <= support::draws(3); ++seed) {
      for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
        INFO("kind " << static_cast<int>(kind) << ", seed " << seed << ", " << tpn::label_of(model));
        const Document document = support::with_random_types(support::random_document(kind, seed), seed);
        parameters += require_insights(document, model, tenths_of(seed));
      }
    }
  }
  CHECK(parameters > support::draws(200));
}

TEST_CASE("what is said of a parameter holds where durations repeat before processors do") {
  std::size_t parameters = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(50); ++seed) {
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      INFO("seed " << seed << ", " << tpn::label_of(model));
      parameters += require_insights(support::alike_document(seed, seed % 2 == 0), model, tenths_of(seed));
    }
  }
  CHECK(parameters > support::draws(100));
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
