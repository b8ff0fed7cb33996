// Heuristics on problems whose processors share ports: what they predict is the period, bounds are bounds, others
// refuse.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "heuristics/common/placement.hpp"
#include "heuristics/heuristic.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/search/price_goal.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/hosts.hpp"
#include "tpn/models.hpp"
#include "tpn/writer.hpp"

namespace takt {
namespace {

using heuristics::Heuristic;
using maxplus::Rational;
using tpn::Model;

Rational period_of(const tpn::Document& problem, const tpn::Mapping& mapping, const Model& model) {
  tpn::Document document = problem;
  document.mapping = mapping;
  return support::period_of(support::net_of(document, model));
}

TEST_CASE("heuristics that take hosts predict the period of what they propose, and no mapping is below the bound") {
  std::map<std::string_view, int> answered;
  for (std::uint64_t seed = 1; seed <= support::draws(40); ++seed) {
    tpn::Document problem = support::host_document(seed);
    const tpn::Mapping own = *problem.mapping;
    problem.mapping.reset();
    if (!tpn::has_other_ports(problem.platform) || problem.platform.processors.size() > 8) continue;
    CAPTURE(seed, tpn::write_document(problem));
    for (const Model& model : tpn::default_models()) {
      CAPTURE(tpn::label_of(model));
      const tpn::ProblemView view(problem);
      const Rational bound = heuristics::period_lower_bound(view, model);
      REQUIRE(bound <= period_of(problem, own, model));
      if (auto loads = heuristics::Loads::make(view)) {
        const Rational period = period_of(problem, own, model);
        CHECK(loads->pressure(own, model, evaluators::Period(period)));
      }
      for (const Heuristic& heuristic : heuristics::heuristics()) {
        CAPTURE(heuristic.name);
        if (heuristic.model_use == heuristics::ModelUse::none && heuristic.model != model) continue;
        heuristics::Settings settings;
        if (heuristic.model_use != heuristics::ModelUse::none) settings.model = model;
        if (heuristic.name == "polish") settings.options = {{"moves", Rational(300)}, {"restarts", Rational(1)}};
        if (heuristic.name == "exhaustive") {
          if (problem.platform.processors.size() > 4) continue;
          settings.options = {{"class", std::string("replicated")}};
        }
        const auto solution = heuristics::solve(heuristic, view, settings);
        if (!heuristic.takes.shared_resources) {
          const auto* refused = std::get_if<heuristics::Infeasible>(&solution.result);
          REQUIRE(refused != nullptr);
          REQUIRE(refused->reason.find("it takes only") == 0);
          continue;
        }
        const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
        if (proposal == nullptr) continue;
        const Rational period = period_of(problem, proposal->mapping, solution.model);
        REQUIRE(bound <= period);
        // Divided pipelines are predicted as if transfers were free.
        if (heuristic.model_use != heuristics::ModelUse::none) {
          REQUIRE(proposal->predicted_period == period);
        }
        ++answered[heuristic.name];
      }
    }
  }
  for (const char* name : {"random", "greedy", "hill-climbing", "simulated-annealing", "greedy-cpu", "coarse-grained",
                           "polish", "exhaustive"}) {
    CAPTURE(name);
    CHECK(answered[name] > 0);
  }
}

TEST_CASE("cores have one price and one memory together") {
  tpn::Document problem;
  problem.application.stages = {{.name = "a", .work = 4, .output = 1, .memory = Rational(3)},
                                {.name = "b", .work = 4, .output = 1, .memory = Rational(3)}};
  tpn::Processor machine{.name = "m", .speed = 1, .time = {}, .memory = Rational(5), .price = 7};
  tpn::add_cores(machine, 3, problem.platform.processors);
  machine.name = "n";
  problem.platform.processors.push_back(machine);
  problem.platform.defaults.bandwidth = 1;
  CHECK(heuristics::price_of(problem, tpn::Mapping{{0, 0, {0, 1, 2}}, {1, 1, {3}}}) == Rational(14));
  CHECK(heuristics::price_of(problem, tpn::Mapping{{0, 1, {2, 1}}}) == Rational(7));
  const tpn::ProblemView view(problem);
  const heuristics::PlacementRules rules(view);
  CHECK(rules.allow(tpn::Mapping{{0, 0, {0, 1, 2}}, {1, 1, {3}}}));
  CHECK_FALSE(rules.allow(tpn::Mapping{{0, 0, {0, 1}}, {1, 1, {2}}}));
}

}  // namespace
}  // namespace takt
