// Numbers of any size, limits, and deadlines.
#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "evaluators/bounds.hpp"
#include "maxplus/deadline.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Method;
using evaluators::Options;
using maxplus::Rational;
using support::proved;

Rational power_of_ten(int exponent) {
  return std::get<Rational>(maxplus::parse_decimal("1e" + std::to_string(exponent)));
}

TEST_CASE("times from 1e-30 to 1e30, mixed, are exact") {
  constexpr std::array<std::size_t, 3> kReplication = {3, 2, 4};
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    support::Draw random(seed);
    const auto draw = [&](int low, int high) { return random.whole(low, high); };
    const tpn::Document document =
        support::replicated_document(kReplication, [&](std::size_t, std::size_t, std::size_t) {
          return Rational(draw(1, 9)) * power_of_ten(draw(0, 2) * 30 - 30);
        });
    for (const tpn::Model& model : tpn::default_models()) {
      INFO("seed " << seed << ", " << tpn::name_of(model));
      const tpn::FoldedNet net = support::net_of(document, model);
      const Evaluation reference = evaluators::evaluate(net, support::ways().front().options);
      support::require_every_way(net, reference.upper);
    }
  }
}

TEST_CASE("a time of 1e-30 beside one of 1e30 is not lost") {
  constexpr std::array<std::size_t, 2> kReplication = {1, 1};
  const tpn::Document document =
      support::replicated_document(kReplication, [](std::size_t part, std::size_t from, std::size_t to) {
        return from != to ? power_of_ten(0) : part == 0 ? power_of_ten(-30) : power_of_ten(30);
      });
  // The second processor receives for 1 and computes for 1e30; the first computes 1e-30 and sends for 1.
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  REQUIRE(support::period_of(net) == power_of_ten(30) + Rational(1));
  REQUIRE(net.resources.front().cycle_time == power_of_ten(-30) + Rational(1));
}

TEST_CASE("64 bit, 128 bit and unbounded numbers give the same period, scaled") {
  constexpr std::array<std::size_t, 3> kReplication = {4, 3, 5};
  for (std::uint64_t seed = 0; seed < support::draws(10); ++seed) {
    for (const tpn::Model& model : tpn::default_models()) {
      const tpn::Document plain = support::uniform_document(kReplication, 1, 1000, seed);
      const Rational period = support::period_of(support::net_of(plain, model));
      for (int exponent = 0; exponent <= 60; exponent += 4) {
        INFO("seed " << seed << ", " << tpn::name_of(model) << ", times 1e" << exponent);
        const tpn::Document scaled = support::uniform_document(kReplication, 1, 1000, seed, power_of_ten(exponent));
        const tpn::FoldedNet net = support::net_of(scaled, model);
        support::require_every_way(net, period * power_of_ten(exponent));
      }
    }
  }
}

TEST_CASE("beyond the row limit the answer is a certified interval that holds the period") {
  support::for_each_net({40}, tpn::default_models(), [](const tpn::FoldedNet& net) {
    if (net.pipeline.rows == 1) return;
    const Rational period = support::period_of(net);
    for (const Method method : {Method::automatic, Method::unfold, Method::sweep}) {
      evaluators::Options options = support::options_of(method);
      options.max_rows = 1;
      const Evaluation evaluation = evaluators::evaluate(net, options);
      REQUIRE(evaluation.lower <= period);
      REQUIRE(period <= evaluation.upper);
      REQUIRE(evaluation.exact() == std::holds_alternative<std::monostate>(evaluation.limit));
      REQUIRE(proved(net, evaluation));
    }
  });
}

TEST_CASE("an astronomic number of rows is answered before anything is allocated") {
  constexpr std::array<std::size_t, 12> kPrimes = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37};
  const tpn::Document document = support::uniform_document(kPrimes, 1, 9, 1);
  for (const tpn::Model& model : tpn::default_models()) {
    const tpn::FoldedNet net = support::net_of(document, model);
    REQUIRE(net.pipeline.rows.get_str() == "7420738134810");
    REQUIRE(evaluators::evaluate(net).exact());
    for (const Method method : {Method::unfold, Method::sweep}) {
      const Evaluation evaluation = evaluators::evaluate(net, support::options_of(method));
      REQUIRE_FALSE(evaluation.exact());
      const auto& limit = std::get<tpn::TooLarge>(evaluation.limit);
      REQUIRE(limit.kind == tpn::LimitKind::rows);
      REQUIRE(limit.needed == net.pipeline.rows);
      // No memory could serve such a limit.
      Options options = support::options_of(method);
      options.max_rows = ~std::uint64_t{0};
      const Evaluation by_size = evaluators::evaluate(net, options);
      REQUIRE_FALSE(by_size.exact());
      REQUIRE(std::holds_alternative<tpn::TooLarge>(by_size.limit));
      REQUIRE(proved(net, by_size));
    }
  }
}

TEST_CASE("a processor in parts of many coprime lengths is refused by size, not tried") {
  tpn::Document document;
  constexpr std::array<std::size_t, 8> kLengths = {11, 13, 17, 19, 23, 29, 31, 37};
  document.mapping.emplace();
  document.platform.defaults.time = Rational(1);
  for (std::size_t p = 0; p < 37; ++p) {
    document.platform.processors.push_back({.name = "P" + std::to_string(p), .speed = {}, .time = Rational(1)});
  }
  for (std::size_t i = 0; i < kLengths.size(); ++i) {
    document.application.stages.emplace_back().name = "S" + std::to_string(i);
    tpn::Part part{i, i, {}};
    for (std::size_t e = 0; e < kLengths[i]; ++e) part.processors.push_back(e);
    document.mapping->push_back(part);
  }
  const auto folded = tpn::fold(document, tpn::Model::kStrict);
  REQUIRE(std::holds_alternative<tpn::TooLarge>(folded));
  REQUIRE(std::get<tpn::TooLarge>(folded).kind == tpn::LimitKind::circuit_operations);
}

TEST_CASE("a deadline that has passed leaves a certified interval") {
  const tpn::FoldedNet net = support::net_of(support::document_of("examples/example-a.json"), tpn::Model::kStrict);
  for (const Method method : {Method::unfold, Method::sweep}) {
    const Evaluation evaluation = evaluators::evaluate(
        net, {.method = method, .solver = {}, .max_rows = {}, .deadline = maxplus::SearchClock::time_point::min()});
    REQUIRE_FALSE(evaluation.exact());
    REQUIRE(std::holds_alternative<evaluators::OutOfTime>(evaluation.limit));
    REQUIRE(evaluation.lower <= Rational::fraction(692, 3));
    REQUIRE(Rational::fraction(692, 3) <= evaluation.upper);
    REQUIRE(proved(net, evaluation));
  }
}

TEST_CASE("a mapping in which nothing takes any time has period 0") {
  constexpr std::array<std::size_t, 2> kReplication = {2, 3};
  const tpn::Document document = support::uniform_document(kReplication, 0, 0, 1);
  for (const tpn::Model& model : tpn::default_models()) {
    support::require_every_way(support::net_of(document, model), 0);
  }
}

TEST_CASE("auto sweeps where residue would list more durations than a sweep visits") {
  // Two processors share two parts in turns of coprime lengths that nothing makes shorter: a guard for each turn of the
  // hyper-period.
  tpn::Document document;
  document.platform.defaults.time = 1;
  for (const char* name : {"P", "Q"}) document.platform.processors.push_back({.name = name, .speed = 1, .time = {}});
  tpn::Mapping mapping;
  for (std::size_t i = 0; i < 2; ++i) {
    tpn::Stage& stage = document.application.stages.emplace_back();
    stage.name = "S" + std::to_string(i);
    stage.work = 1 + i;
    tpn::Part part{i, i, {}};
    for (std::size_t k = 0; k < 150 + i; ++k) part.processors.push_back(k * k / 7 % 2);
    mapping.push_back(std::move(part));
  }
  document.mapping = std::move(mapping);
  const tpn::FoldedNet net = support::net_of(document, tpn::Model::kStrict);
  const evaluators::Evaluation evaluation = evaluators::evaluate(net);
  REQUIRE(evaluation.exact());
  REQUIRE(evaluation.method == evaluators::Method::sweep);
  REQUIRE_THAT(evaluation.why, Catch::Contains("would list more"));
}

}  // namespace
}  // namespace takt
