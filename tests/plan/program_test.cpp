// The cheapest plan of the video example, whose answers are known.
#include "plan/program.hpp"

#include <catch2/catch.hpp>

#include "plan/plan.hpp"

namespace takt::plan {

namespace {

using tpn::Rational;

Rational q(long a, long b = 1) { return Rational::fraction(a, b); }

tpn::Document video() {
  tpn::Document document;
  auto& application = document.application;
  application.input = 500'000;
  const auto stage = [&](const char* name, long output, std::vector<tpn::Rational> ms) {
    auto& added = application.stages.emplace_back();
    added.name = name;
    added.output = output;
    for (std::size_t t = 0; t < 3; ++t) added.type_times.push_back({t, ms[t] / 1000});
  };
  stage("decode", 6'000'000, {8, 4, 4});
  stage("detect", 200'000, {120, 60, 6});
  stage("track", 200'000, {5, q(5, 2), q(5, 2)});
  stage("encode", 1'000'000, {14, 7, 7});
  application.stages[2].replicable = false;
  document.platform.types = {{.name = "small", .bandwidth = 125'000'000, .price = q(1, 20)},
                             {.name = "large", .bandwidth = 1'250'000'000, .price = q(11, 100)},
                             {.name = "gpu", .bandwidth = 1'250'000'000, .price = q(9, 10), .count = 8}};
  // Until ports count.
  for (std::size_t a = 0; a < 3; ++a) {
    for (std::size_t b = a; b < 3; ++b)
      document.platform.type_links.push_back({a, b, {.bandwidth = a == 0 || b == 0 ? 125'000'000 : 1'250'000'000}});
  }
  return document;
}

}  // namespace

TEST_CASE("the video example is planned as published") {
  const Catalogue catalogue = catalogue_of(video());
  const auto answer = solve(catalogue, {.model = tpn::Model::kOverlap, .period = q(1, 200)});
  REQUIRE(answer.plan);
  CHECK(answer.cost == q(157, 100));
  CHECK(*answer.plan == TypedPlan{{0, 1, 0, 26}, {2, 2, 0, 1}, {3, 3, 1, 2}});
}

}  // namespace takt::plan
