// Stages that run on some processors only: every heuristic's mapping keeps to it, optima against enumeration.
#include "heuristics/everywhere.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "heuristics/registry.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"

namespace takt::heuristics {
namespace {

using testing::least_period;
using testing::solve_checked;

// A small problem in which each stage runs on a part of the processors: by its own times, or by "runs on".
tpn::Document partial_problem(std::uint64_t seed) {
  support::Draw draw(seed);
  const std::size_t stages = draw.count(1, 4);
  const std::size_t processors = draw.count(2, 4);
  tpn::Document problem = testing::random_problem(
      {stages, processors, testing::Speeds::unequal, testing::Links::unequal, draw.coin(), !draw.one_in(4)}, seed);
  for (tpn::Stage& stage : problem.application.stages) {
    std::vector<std::size_t> on;
    for (std::size_t p = 0; p < processors; ++p)
      if (draw.coin()) on.push_back(p);
    if (on.empty()) on.push_back(draw.index(processors));
    if (on.size() == processors) continue;
    const bool by_time = draw.coin();
    for (const std::size_t p : on) {
      if (by_time) stage.times.push_back({p, draw.fraction(20, 4)});
      stage.runs_on.push_back(problem.platform.processors[p].name);
    }
    if (by_time && draw.coin()) stage.work.reset();
    if (!stage.work) stage.runs_on.clear();
  }
  // Processors with a speed compute what has a work.
  for (std::size_t k = 0; k < stages; ++k) {
    tpn::Stage& stage = problem.application.stages[k];
    if (stage.work || !stage.times.empty()) continue;
    stage.work = draw.whole(1, 20);
  }
  return problem;
}

// Sets of stages of which no processor has two in one part, larger than that of their processors, by all subsets.
std::size_t fewest_crowded(const tpn::AbsentTimes& absent) {
  std::size_t fewest = 0;
  for (std::uint32_t set = 1; set < (std::uint32_t{1} << absent.stages()); ++set) {
    std::vector<std::size_t> stages;
    for (std::size_t k = 0; k < absent.stages(); ++k)
      if ((set >> k & 1U) != 0) stages.push_back(k);
    std::set<std::size_t> processors;
    bool are_apart = true;
    for (std::size_t p = 0; p < absent.processors(); ++p) {
      for (std::size_t i = 0; i < stages.size(); ++i) {
        if (absent.can_run(stages[i], stages[i], p)) processors.insert(p);
        if (i > 0 && absent.can_run(stages[i - 1], stages[i], p)) are_apart = false;
      }
    }
    const bool is_crowded = are_apart && processors.size() < stages.size();
    if (is_crowded && (fewest == 0 || stages.size() < fewest)) fewest = stages.size();
  }
  return fewest;
}

std::uint64_t seeds() { return support::draws(60); }

}  // namespace

TEST_CASE("where stages run on some processors only every mapping keeps to it, and exhaustive finds the least") {
  std::map<std::string, std::size_t> mapped;
  std::size_t none = 0;
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    const tpn::Document problem = partial_problem(seed);
    const tpn::ProblemView view(problem);
    if (!tpn::first_absent_time(problem)) continue;
    for (const tpn::Model& model : tpn::default_models()) {
      const auto least = least_period(problem, "replicated", model);
      INFO("seed " << seed << ", " << tpn::name_of(model));
      if (least) CHECK(period_lower_bound(view, model, {}) <= *least);
      for (const Heuristic& heuristic : heuristics()) {
        Settings settings;
        settings.model = heuristic.model_use == ModelUse::none ? heuristic.model : model;
        if (heuristic.name == "polish") settings.options = {{"restarts", tpn::OptionValue(maxplus::Rational(2))}};
        INFO(heuristic.name);
        const Solution solution = solve_checked(heuristic.name, problem, settings);
        const auto* proposal = std::get_if<Proposal>(&solution.result);
        if (proposal == nullptr) continue;
        ++mapped[std::string(heuristic.name)];
        CHECK(heuristic.takes.absent_times);
        // Throws where a stage is if it does not run.
        testing::exact_period(problem, proposal->mapping, solution.model);
        if (proposal->lower_bound && least) CHECK(*proposal->lower_bound <= *least);
      }
      for (const char* mapping_class : {"one-to-one", "interval", "replicated"}) {
        const Solution solution = solve_checked("exhaustive", problem, testing::of_class(mapping_class, model));
        const auto* proposal = std::get_if<Proposal>(&solution.result);
        const auto best = least_period(problem, mapping_class, model);
        REQUIRE((proposal != nullptr) == best.has_value());
        if (best) CHECK(proposal->predicted_period == *best);
        if (!best) ++none;
      }
    }
  }
  CHECK(none > 0);
  for (const char* name : {"exhaustive", "polish", "random", "greedy", "typed-dp", "bsl", "bsc", "spl", "bs121"}) {
    INFO(name);
    CHECK(mapped[name] > 0);
  }
}

TEST_CASE("the smallest set of stages whose machines are too few is that of all subsets, and no mapping is there") {
  std::size_t crowded_problems = 0;
  for (std::uint64_t seed = 1; seed <= 20 * seeds(); ++seed) {
    const tpn::Document problem = partial_problem(seed);
    if (!tpn::first_absent_time(problem)) continue;
    const tpn::AbsentTimes absent(problem, tpn::Timing(problem));
    const auto crowded = tpn::crowded_stages(absent);
    INFO("seed " << seed);
    REQUIRE((crowded ? crowded->stages.size() : 0) == fewest_crowded(absent));
    if (!crowded) continue;
    ++crowded_problems;
    CHECK(crowded->processors.size() < crowded->stages.size());
    if (crowded_problems <= 20) CHECK(!least_period(problem, "replicated", tpn::Model::kStrict));
  }
  CHECK(crowded_problems > 3);
}

TEST_CASE("plans on named machines keep to where stages run") {
  std::size_t planned = 0;
  std::size_t proved_none = 0;
  for (std::uint64_t seed = 1; seed <= seeds(); ++seed) {
    const tpn::Document problem = partial_problem(seed);
    if (!tpn::first_absent_time(problem)) continue;
    const tpn::ProblemView view(problem);
    for (const tpn::Model& model : tpn::default_models()) {
      const auto least = least_period(problem, "replicated", model);
      for (const int percent : {90, 100, 150, 1'000'000}) {
        NamedQuery query;
        query.model = model;
        query.period = least.value_or(10) * Rational::fraction(percent, 100);
        query.moves = 3000;
        query.steps = 20'000;
        INFO("seed " << seed << ", " << tpn::name_of(model) << ", " << percent << " %");
        const NamedAnswer answer = cheapest_on_platform(view, query);
        if (answer.plan) {
          ++planned;
          CHECK(testing::exact_period(problem, answer.plan->mapping, model) <= query.period);
        }
        if (answer.impossible_in() == NamedClass::any) {
          ++proved_none;
          CHECK((!least || *least > query.period));
        }
        if (least) CHECK(answer.least_period <= *least);
      }
    }
  }
  CHECK(planned > 0);
  CHECK(proved_none > 0);
}

}  // namespace takt::heuristics
