// Mixed and weighted plans on unequal links, against all mappings of few machines in plain turns.
#include "plan/wider/unequal.hpp"

#include <catch2/catch.hpp>
#include <optional>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "heuristics/search/price_goal.hpp"
#include "plan/wider/covers.hpp"
#include "tests/heuristics/typed/named_problems.hpp"
#include "tests/support/draw.hpp"
#include "tpn/expansion.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/models.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;

// Ports of three speeds, and cores of one or two where they are unequal.
tpn::Document drawn_catalogue(support::Draw& draw, bool has_cores) {
  tpn::Document problem;
  for (std::size_t k = draw.count(1, 3); k > 0; --k) {
    auto& stage = problem.application.stages.emplace_back();
    stage.name = "S" + std::to_string(k);
    stage.work = draw.whole(1, 12);
    stage.output = draw.whole(0, 8);
    stage.replicable = !draw.one_in(4);
  }
  std::size_t machines = 4;
  for (std::size_t t = 0; t < 3 && machines > 0; ++t) {
    auto& type = problem.platform.types.emplace_back();
    type.name = "t" + std::to_string(t);
    type.speed = draw.whole(1, 4);
    type.price = draw.whole(1, 9);
    const int ports[] = {1, 2, 8};
    type.bandwidth = ports[draw.index(3)];
    const std::size_t count = std::min(draw.count(1, 2), machines);
    type.count = count;
    if (has_cores && draw.coin()) type.cores = 2;
    machines -= count;
  }
  return problem;
}

Rational period_of(const tpn::Document& mapped, const tpn::Model& model) {
  const auto net = tpn::fold(mapped, model);
  const auto evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(net));
  REQUIRE(evaluation.exact());
  return evaluation.lower;
}

void check_plan(const tpn::Document& problem, const plan::Catalogue& catalogue, const plan::CountedQuery& asked,
                const std::optional<plan::SequencePlan>& found, const Rational& cost, const Rational& period) {
  REQUIRE(period <= asked.query.period);
  REQUIRE(plan::cost_of(catalogue, *found) == cost);
  const std::vector<std::uint64_t> used = plan::machines_by_type(catalogue, *found);
  for (std::size_t t = 0; t < used.size(); ++t) REQUIRE(used[t] <= *catalogue.types[t].count);
  const tpn::Document mapped = plan::mapped_document(problem, catalogue, asked.query.model, *found, period);
  REQUIRE(period_of(mapped, asked.query.model) == period);
}

TEST_CASE("on unequal links no mixed plan is below its bound, and plans keep the period by their nets") {
  std::size_t judged = 0;
  std::size_t found = 0;
  std::size_t least_found = 0;
  std::size_t cheaper = 0;
  for (std::uint64_t seed = 1; seed <= 160; ++seed) {
    support::Draw draw(seed);
    const tpn::Document problem = drawn_catalogue(draw, false);
    const plan::Catalogue catalogue = plan::catalogue_of(problem);
    const tpn::Model model = draw.coin() ? tpn::Model::kOverlap : tpn::Model::kStrict;
    std::vector<std::uint64_t> all;
    for (const plan::MachineType& type : catalogue.types) all.push_back(*type.count);
    tpn::Document machines = tpn::expanded(problem, all);
    std::vector<WeighedMapping> mappings;
    for_each_mapping(machines, [&](const tpn::Mapping& mapping) {
      machines.mapping = mapping;
      mappings.push_back({heuristics::price_of(machines, mapping), period_of(machines, model)});
    });
    if (mappings.empty()) continue;
    plan::CountedQuery asked;
    asked.query.model = model;
    asked.query.period = mappings[draw.index(mappings.size())].period;
    if (asked.query.period.sign() == 0) continue;
    const std::optional<Rational> least = least_cost(mappings, asked.query.period);
    ++judged;
    INFO("seed " << seed << ", " << tpn::label_of(model) << ", period " << asked.query.period.to_string());
    const plan::MixedAnswer mixed = plan::mixed_on_all_links(problem, catalogue, asked);
    REQUIRE(mixed.lower_bound <= *least);
    REQUIRE((mixed.plan || mixed.cut_short));  // it is not said to be impossible
    if (mixed.plan) {
      check_plan(problem, catalogue, asked, mixed.plan, mixed.cost, mixed.period);
      REQUIRE(mixed.cost >= *least);
      ++found;
      least_found += mixed.cost == *least ? 1 : 0;
    }
    const plan::WeightedAnswer weighted = plan::weighted_on_all_links(problem, catalogue, asked);
    REQUIRE_FALSE(weighted.is_impossible);
    REQUIRE(weighted.lower_bound <= *least);
    if (!weighted.plan) continue;
    check_plan(problem, catalogue, asked, weighted.plan, weighted.cost, weighted.period);
    REQUIRE(weighted.cost >= weighted.lower_bound);
    cheaper += weighted.cost < *least ? 1 : 0;
  }
  INFO(judged << " judged, " << found << " found, " << least_found << " the least, " << cheaper << " cheaper in turns");
  CHECK(judged > 120);
  CHECK(10 * found >= 9 * judged);
  CHECK(10 * least_found >= 8 * judged);
  CHECK(cheaper > 0);
}

TEST_CASE("machines of unequal numbers of cores share a part") {
  std::size_t found = 0;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) {
    support::Draw draw(seed);
    const tpn::Document problem = drawn_catalogue(draw, true);
    const plan::Catalogue catalogue = plan::catalogue_of(problem);
    plan::CountedQuery asked;
    asked.query.period = draw.fraction(24, 3);
    INFO("seed " << seed << ", period " << asked.query.period.to_string());
    const plan::CountedAnswer typed = plan::solve_within(catalogue, asked);
    const plan::WeightedAnswer weighted = plan::weighted_on_all_links(problem, catalogue, asked);
    if (typed.plan) REQUIRE(weighted.plan);
    if (!weighted.plan) continue;
    ++found;
    check_plan(problem, catalogue, asked, weighted.plan, weighted.cost, weighted.period);
    REQUIRE(weighted.lower_bound <= weighted.cost);
    if (typed.plan) REQUIRE(weighted.cost <= typed.cost);
  }
  CHECK(found > 40);
}

TEST_CASE("parts of more machines than covers look at are not proved to be impossible, nor to cost more") {
  tpn::Document problem;
  for (const char* name : {"a", "b"}) {
    auto& stage = problem.application.stages.emplace_back();
    stage.name = name;
    stage.work = 1;
    stage.output = 0;
  }
  problem.application.input = 1;
  problem.platform.source.emplace();
  problem.platform.types = {{.name = "x", .speed = 1, .bandwidth = 1'000'000'000, .price = 1},
                            {.name = "y", .speed = 2, .bandwidth = 100'000'000, .price = 3}};
  const plan::Catalogue catalogue = plan::catalogue_of(problem);
  for (const long machines : {90'000L, 110'000L}) {
    plan::CountedQuery asked;
    asked.query.period = Rational::fraction(2, machines);
    const plan::WeightedAnswer answer = plan::weighted_on_all_links(problem, catalogue, asked);
    INFO(machines);
    CHECK_FALSE(answer.is_impossible);
    CHECK(answer.lower_bound <= machines);
    CHECK(answer.cut_short == (machines > 100'000));
    const auto covers = plan::solve_covers(catalogue, {.period = asked.query.period, .slack = 0, .deadline = {}});
    CHECK_FALSE(covers.is_impossible);
    CHECK(covers.lower_bound <= machines);
  }
}

}  // namespace
}  // namespace takt::testing
