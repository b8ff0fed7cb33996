// Twins against exchanges of processors, and what the planner says of them against nets.
#include "heuristics/typed/machine_classes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "plan/plan.hpp"
#include "plan/typed/program.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/heuristics/typed/named_problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/random_documents.hpp"
#include "tpn/models.hpp"
#include "tpn/timing.hpp"

namespace takt::testing {
namespace {

using heuristics::MachineClasses;
using heuristics::TransferChoice;
using maxplus::Rational;

bool needs_memory(const tpn::Document& problem) {
  return std::ranges::any_of(problem.application.stages,
                             [](const tpn::Stage& stage) { return stage.memory > Rational(0); });
}

// Whether the platform is the same after two processors change places.
bool may_change_places(const tpn::Document& problem, std::size_t u, std::size_t v) {
  const auto other = [&](std::size_t p) { return p == u ? v : p == v ? u : p; };
  const tpn::Timing timing(problem);
  const auto& processors = problem.platform.processors;
  if (processors[u].speed != processors[v].speed || processors[u].price != processors[v].price) return false;
  if (needs_memory(problem) && processors[u].memory != processors[v].memory) return false;
  for (std::size_t from = 0; from < processors.size(); ++from) {
    if (problem.platform.source && timing.source_link(from) != timing.source_link(other(from))) return false;
    if (problem.platform.sink && timing.sink_link(from) != timing.sink_link(other(from))) return false;
    for (std::size_t to = 0; to < processors.size(); ++to)
      if (from != to && timing.link(from, to) != timing.link(other(from), other(to))) return false;
  }
  return true;
}

TEST_CASE("twins are those that may change places, and types those that compute alike") {
  std::size_t pairs = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    tpn::Document problem = named_problem({2, 6, 1 + seed % 3, seed % 2 == 0 ? 0 : 20, true}, seed);
    // One link like no other leaves some twins.
    if (seed % 3 == 0 && !problem.platform.links.empty()) problem.platform.links.front().timing.bandwidth = 77;
    if (seed % 5 == 0 && problem.platform.sink)
      problem.platform.sink->links = {{2, {.bandwidth = Rational(50), .latency = {}, .time = {}}}};
    const tpn::ProblemView view(problem);
    const MachineClasses twins = heuristics::machine_classes(view);
    const MachineClasses types = heuristics::machine_classes(view, {.by_price = true, .by_links = false});
    for (std::size_t u = 0; u < 6; ++u) {
      for (std::size_t v = 0; v < u; ++v) {
        REQUIRE((twins.of[u] == twins.of[v]) == may_change_places(problem, u, v));
        pairs += twins.of[u] == twins.of[v] ? 1 : 0;
        const auto& one = problem.platform.processors[u];
        const auto& other = problem.platform.processors[v];
        REQUIRE((types.of[u] == types.of[v]) == (one.speed == other.speed && one.price == other.price &&
                                                 (!needs_memory(problem) || one.memory == other.memory)));
      }
      REQUIRE(std::ranges::count(twins.members[twins.of[u]], u) == 1);
    }
  }
  REQUIRE(pairs > 100);
}

TEST_CASE("processors with times of their own are alike where all of these are") {
  tpn::Document problem = free_problem({6, 8}, {}, {2, 2, 2});
  problem.application.stages[0].times = {{0, Rational(3)}, {1, Rational(4)}};
  const tpn::ProblemView view(problem);
  // 6 / 2 is 3.
  REQUIRE(heuristics::machine_classes(view).of == std::vector<std::size_t>{0, 1, 0});
  problem.platform.processors[2].speed.reset();
  problem.platform.processors[2].time = Rational(7);
  const tpn::ProblemView fixed(problem);
  REQUIRE(heuristics::machine_classes(fixed).of == std::vector<std::size_t>{0, 1, 2});
}

// A plan drawn at random on what there is of each type.
std::optional<plan::TypedPlan> drawn_plan(const plan::Catalogue& catalogue, support::Draw& draw) {
  std::vector<std::uint64_t> left;
  for (const plan::MachineType& type : catalogue.types) left.push_back(*type.count);
  plan::TypedPlan result;
  for (std::size_t first = 0; first < catalogue.stages.size();) {
    const std::size_t last = draw.count(first, catalogue.stages.size() - 1);
    const std::size_t type = draw.index(left.size());
    if (left[type] == 0) return std::nullopt;
    const std::uint64_t machines = draw.count(1, left[type]);
    left[type] -= machines;
    result.push_back({first, last, type, machines});
    first = last + 1;
  }
  return result;
}

TEST_CASE("plans on classes: the least transfers are below the period, the largest above, and twins hit it") {
  std::size_t plans = 0;
  std::size_t between = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    INFO("seed " << seed);
    const tpn::Document problem = named_problem({1 + seed % 3, 6, 1 + seed % 3, seed % 2 == 0 ? 50 : 0, false}, seed);
    const tpn::ProblemView view(problem);
    support::Draw draw(seed);
    const tpn::Model model = seed % 3 == 0   ? tpn::Model::kOverlap
                             : seed % 3 == 1 ? tpn::Model::kStrict
                                             : tpn::bounded_model(1 + seed % 2);
    for (const bool by_links : {false, true}) {
      const MachineClasses classes = heuristics::machine_classes(view, {.by_links = by_links});
      const plan::Catalogue least = heuristics::catalogue_of(view, classes, TransferChoice::least);
      const plan::Catalogue largest = heuristics::catalogue_of(view, classes, TransferChoice::largest);
      const auto plan = drawn_plan(least, draw);
      if (!plan) continue;
      ++plans;
      const Rational period = exact_period(problem, heuristics::mapping_of(classes, *plan), model);
      const Rational below = plan::PlanFacts(least, model, *plan).period();
      const Rational above = plan::PlanFacts(largest, model, *plan).period();
      REQUIRE(below <= period);
      REQUIRE(period <= above);
      if (by_links) REQUIRE(below == above);
      between += below < period && period < above ? 1 : 0;
    }
  }
  REQUIRE(plans > 100);
  REQUIRE(between > 5);
}

// The longest that any of a part's processors takes to compute, and any two that meet to transfer.
Rational slowest_period(const tpn::Document& document, const tpn::Model& model) {
  const auto pipeline = std::get<tpn::Pipeline>(tpn::make_pipeline(document));
  const auto longest = [&](std::size_t number) {
    Rational result;
    if (number >= pipeline.columns.size()) return result;  // beside the ends
    const tpn::ColumnIndex column(number);
    for (std::uint64_t j = 0; j < pipeline.columns[column].period; ++j)
      result = std::max(result, pipeline.duration({j, column}));
    return result;
  };
  Rational slowest;
  for (std::size_t i = 0; i < pipeline.parts.size(); ++i) {
    if (pipeline.parts[i].role != tpn::PartRole::mapped) {
      slowest = std::max(slowest, longest(i == 0 ? 1 : 2 * i - 1));
      continue;
    }
    const Rational demand = tpn::lone_cycle_time(model, longest(2 * i - 1), longest(2 * i), longest(2 * i + 1));
    slowest = std::max(slowest, demand / Rational(pipeline.parts[i].sequence.size()));
  }
  return slowest;
}

TEST_CASE("whatever the durations, a period of plain round robin is at most that of the longest ones") {
  std::size_t nets = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    for (const auto kind :
         {support::Kind::plain, support::Kind::fractional, support::Kind::intervals, support::Kind::endpoints}) {
      INFO("seed " << seed);
      const tpn::Document document = support::random_document(kind, seed);
      std::vector<std::size_t> uses(document.platform.processors.size());
      for (const tpn::Part& part : *document.mapping)
        for (const std::size_t p : part.processors) ++uses[p];
      if (*std::ranges::max_element(uses) > 1) continue;
      ++nets;
      for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
        const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, model));
        const auto evaluation = evaluators::evaluate(net);
        REQUIRE(evaluation.exact());
        REQUIRE(evaluation.lower <= slowest_period(document, model));
        REQUIRE(net.resources[evaluation.busiest].cycle_time <= evaluation.lower);
      }
    }
  }
  REQUIRE(nets > 100);
}

TEST_CASE("links that some of a class lack are in no largest transfer, and where all lack them in no least one") {
  tpn::Document problem = free_problem({1, 1}, {}, {1, 1, 2, 2});
  problem.platform.defaults = {};
  for (const auto& [from, to] : std::vector<std::pair<std::size_t, std::size_t>>{{0, 1}, {0, 2}, {1, 2}, {0, 3}})
    problem.platform.links.push_back({from, to, {.bandwidth = {}, .latency = {}, .time = Rational(from + to)}, true});
  const tpn::ProblemView view(problem);
  const MachineClasses types = heuristics::machine_classes(view, {.by_links = false});
  REQUIRE(types.members == std::vector<std::vector<std::size_t>>{{0, 1}, {2, 3}});
  const auto least = heuristics::catalogue_of(view, types, TransferChoice::least);
  const auto largest = heuristics::catalogue_of(view, types, TransferChoice::largest);
  REQUIRE(least.transfers == std::vector<std::optional<Rational>>{1, 2, std::nullopt, std::nullopt});
  REQUIRE(largest.transfers == std::vector<std::optional<Rational>>(4));
}

}  // namespace
}  // namespace takt::testing
