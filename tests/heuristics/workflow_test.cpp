// Heuristics on workflows: what they predict is the period, exhaustive finds the least over all orders of the stages,
// bounds are bounds.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "evaluators/bounds.hpp"
#include "heuristics/ordered_problem.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "tests/heuristics/judge.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/links.hpp"
#include "tpn/models.hpp"
#include "tpn/stage_order.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using heuristics::OrderedProblem;
using maxplus::Rational;
using support::Draw;
using support::random_workflow_problem;
using tpn::Model;
using tpn::StageOrder;

bool is_topological(const tpn::Application& application, const StageOrder& order) {
  std::vector<std::size_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const std::size_t before : tpn::stages_before(application, k))
      if (place[before] > place[k]) return false;
  return true;
}

std::vector<StageOrder> orders_by_permutation(const tpn::Application& application) {
  std::vector<StageOrder> orders;
  StageOrder order = tpn::own_order(application);
  do {
    if (is_topological(application, order)) orders.push_back(order);
  } while (std::ranges::next_permutation(order).found);
  return orders;
}

std::optional<Rational> least_over_orders(const tpn::Document& problem, const std::string& mapping_class, Model model) {
  std::optional<Rational> least;
  for (const StageOrder& order : orders_by_permutation(problem.application)) {
    const auto here = least_period(tpn::reordered(problem, order), mapping_class, model);
    if (here && (!least || *here < *least)) least = here;
  }
  return least;
}

TEST_CASE("all orders of a workflow's stages are found, each once, and drawn ones keep groups together") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const tpn::Document problem = random_workflow_problem({.stages = 3 + seed % 5, .processors = 3}, seed);
    const tpn::Application& application = problem.application;
    CAPTURE(seed, tpn::write_document(problem));
    std::vector<StageOrder> found;
    REQUIRE(tpn::for_each_order(application, [&](const StageOrder& order) {
      found.push_back(order);
      return true;
    }));
    REQUIRE(found == orders_by_permutation(application));
    std::size_t left = std::min<std::size_t>(found.size(), 3);
    REQUIRE_FALSE(tpn::for_each_order(application, [&](const StageOrder&) { return --left > 0; }));
    REQUIRE(left == 0);

    Draw draw(seed);
    std::set<StageOrder> drawn;
    for (int n = 0; n < 300; ++n)
      drawn.insert(tpn::drawn_order(application, tpn::own_order(application),
                                    [&](std::size_t count) { return draw.index(count); }));
    REQUIRE(std::ranges::includes(found, drawn));
    if (found.size() < 20) REQUIRE(drawn.size() == found.size());

    const tpn::Mapping mapping = support::random_mapping(problem, false, draw);
    std::vector<std::size_t> groups;
    for (std::size_t i = 0; i < mapping.size(); ++i)
      groups.insert(groups.end(), mapping[i].last_stage - mapping[i].first_stage + 1, i);
    for (int n = 0; n < 20; ++n) {
      const StageOrder order =
          tpn::drawn_order(application, groups, [&](std::size_t count) { return draw.index(count); });
      REQUIRE(is_topological(application, order));
      std::size_t changes = 1;
      for (std::size_t k = 1; k < order.size(); ++k) changes += groups[order[k]] != groups[order[k - 1]] ? 1 : 0;
      REQUIRE(changes == mapping.size());
    }
  }
}

TEST_CASE("a document in another order says the same: cycle times of the same groups, remarks, and back again") {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    tpn::Document problem = random_workflow_problem({.stages = 3 + seed % 5, .processors = 5}, seed);
    problem.remarks["/application/stages/1"].comment = "of stage 1";
    Draw draw(seed);
    const StageOrder order = tpn::drawn_order(problem.application, tpn::own_order(problem.application),
                                              [&](std::size_t count) { return draw.index(count); });
    CAPTURE(seed, order, tpn::write_document(problem));
    const tpn::Document other = tpn::reordered(problem, order);
    tpn::Mapping mapping;
    tpn::Mapping other_mapping;
    for (std::size_t k = 0; k < order.size(); ++k) {
      mapping.push_back({k, k, {k % 5}});
      other_mapping.push_back({k, k, {order[k] % 5}});
      REQUIRE(other.application.stages[k].name == problem.application.stages[order[k]].name);
    }
    for (const Model model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      const auto cycle_time = [&](tpn::Document document, const tpn::Mapping& of) {
        document.mapping = of;
        return evaluators::largest_cycle_time(support::net_of(document, model));
      };
      REQUIRE(cycle_time(problem, mapping) == cycle_time(other, other_mapping));
    }
    StageOrder back(order.size());
    for (std::size_t k = 0; k < order.size(); ++k) back[order[k]] = k;
    REQUIRE(other.remarks.at("/application/stages/" + std::to_string(back[1])).comment == "of stage 1");
    tpn::Document again = tpn::reordered(other, back);
    tpn::Document explicit_after = tpn::reordered(problem, tpn::own_order(problem.application));
    REQUIRE(again == explicit_after);
    REQUIRE(again.remarks == problem.remarks);
  }
}

TEST_CASE("heuristics that take workflows predict the period, and no mapping is below the bound") {
  std::map<std::string_view, int> answered;
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    tpn::Document drawn = support::workflow_document(seed);
    if (drawn.platform.processors.size() > 8 || tpn::is_chain(drawn.application)) continue;
    // Batches are no heuristic's.
    for (tpn::Part& part : *drawn.mapping) part.batches.clear();
    CAPTURE(seed, tpn::write_document(drawn));
    judge_heuristics(drawn, &tpn::Capabilities::workflows, answered);
  }
  check_answers(answered, static_cast<int>(support::draws(20)) - 1,
                {"random", "greedy", "hill-climbing", "simulated-annealing", "random-sampling", "greedy-cpu",
                 "coarse-grained", "polish"});
}

// Three to five stages on two or three processors; some stages that are not replicable; links of their own, or some
// absent.
tpn::Document small_problem(std::uint64_t seed) {
  Draw draw(seed);
  tpn::Document problem = random_workflow_problem({.stages = draw.count(3, 4),
                                                   .processors = draw.count(2, 3),
                                                   .speeds = draw.one_in(4) ? Speeds::none : Speeds::unequal,
                                                   .links = draw.coin() ? Links::equal : Links::unequal,
                                                   .ends = draw.coin(),
                                                   .all_replicable = draw.coin()},
                                                  seed);
  if (draw.one_in(3) && !problem.platform.links.empty()) {
    problem.platform.defaults = {};
    std::erase_if(problem.platform.links, [&](const tpn::Link&) { return draw.one_in(4); });
  }
  return problem;
}

TEST_CASE("exhaustive finds the least period of a workflow over all orders, polish seldom more, the bound is below") {
  std::size_t solved = 0;
  std::size_t attained = 0;
  std::size_t other_orders = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(100); ++seed) {
    const tpn::Document problem = small_problem(seed);
    CAPTURE(seed, tpn::write_document(problem));
    for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(tpn::label_of(model));
      for (const char* mapping_class : {"interval", "replicated"}) {
        CAPTURE(mapping_class);
        const auto solution = solve_checked("exhaustive", problem, of_class(mapping_class, model));
        const auto least = least_over_orders(problem, mapping_class, model);
        if (!least) {
          REQUIRE(std::holds_alternative<heuristics::Infeasible>(solution.result));
          continue;
        }
        const auto& proposal = proposal_of(solution);
        REQUIRE(proposal.predicted_period == *least);
        const tpn::ProblemView view(problem);
        const OrderedProblem ordered(view, proposal.order);
        REQUIRE(exact_period(ordered.view().document(), proposal.mapping, model) == *least);
        REQUIRE(heuristics::period_lower_bound(view, model) <= *least);
        REQUIRE(least_period(problem, mapping_class, model).value_or(*least) >= *least);
        if (mapping_class != std::string("replicated")) continue;
        ++solved;
        other_orders += proposal.order != tpn::own_order(problem.application) ? 1 : 0;
        const auto polished = solve_checked("polish", problem, under(model, {{"weighted", false}}));
        // Polish may give a processor several parts, which exhaustive does not.
        const auto& found = proposal_of(polished);
        const OrderedProblem listed(view, found.order);
        const Rational served_by_sender = exact_period(listed.view().document(), found.mapping, model);
        REQUIRE(found.predicted_period <= served_by_sender);
        attained += served_by_sender <= *least ? 1 : 0;
      }
    }
  }
  CAPTURE(solved, attained, other_orders);
  CHECK(100 * attained >= 95 * solved);
  CHECK(solved > support::draws(80));
  CHECK(other_orders > 0);
}

TEST_CASE("loads of a workflow's mapping are at most its cycle times, and links are those that it lacks") {
  std::size_t missing = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    tpn::Document problem = random_workflow_problem(
        {.stages = 3 + seed % 5, .processors = 6, .links = Links::unequal, .ends = seed % 2 == 0}, seed);
    Draw draw(seed);
    const tpn::Mapping mapping = support::random_mapping(problem, draw.coin(), draw);
    CAPTURE(seed, tpn::write_document(problem));
    const tpn::ProblemView view(problem);
    auto loads = heuristics::Loads::make(view);
    REQUIRE(loads);
    tpn::Document mapped = problem;
    mapped.mapping = mapping;
    for (const Model& model : judged_models()) {
      const Rational largest = evaluators::largest_cycle_time(support::net_of(mapped, model));
      CHECK(loads->pressure(mapping, model, evaluators::Period(largest)));
      // Ports of the source and the sink are no loads.
      const bool has_ends = problem.platform.source || problem.platform.sink;
      if (!has_ends)
        CHECK_FALSE(loads->pressure(mapping, model, evaluators::Period(largest * Rational::fraction(9, 10))));
      Rational most;
      for (std::size_t i = 0; i < mapping.size(); ++i) {
        const auto found = loads->largest_cycle_time(mapping, i, model);
        REQUIRE(found);
        const std::set distinct(mapping[i].processors.begin(), mapping[i].processors.end());
        if (distinct.size() == mapping[i].processors.size())
          most = std::max(most, Rational::fraction(found->ticks, found->partners) / loads->scale());
      }
      CHECK(most <= largest);
    }
    problem.platform.defaults = {};
    std::erase_if(problem.platform.links, [&](const tpn::Link&) { return draw.one_in(10); });
    const tpn::ProblemView sparse(problem);
    tpn::LinkCheck links(sparse);
    REQUIRE(links.hold(mapping) == !tpn::missing_link(sparse, mapping).has_value());
    missing += links.hold(mapping) ? 0 : 1;
  }
  CHECK(missing > 20);
  CHECK(missing < 140);
}

TEST_CASE("stages that run on some processors only are mapped there, in whatever order") {
  std::size_t mapped = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    tpn::Document problem = random_workflow_problem({.stages = 3 + seed % 4, .processors = 4}, seed);
    Draw draw(seed);
    for (tpn::Stage& stage : problem.application.stages) {
      for (const tpn::Processor& processor : problem.platform.processors)
        if (draw.coin()) stage.runs_on.push_back(processor.name);
    }
    CAPTURE(seed, tpn::write_document(problem));
    for (const char* name : {"polish", "random", "exhaustive"}) {
      CAPTURE(name);
      heuristics::Settings settings;
      if (name == std::string("polish")) settings.options = {{"moves", Rational(2000)}, {"restarts", Rational(2)}};
      const auto solution = heuristics::solve(*heuristics::find_heuristic(name), problem, settings);
      const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
      if (proposal == nullptr) continue;
      ++mapped;
      const tpn::Document document = heuristics::mapped_document(problem, *heuristics::find_heuristic(name), solution);
      for (const tpn::Part& part : *document.mapping) {
        for (std::size_t k = part.first_stage; k <= part.last_stage; ++k) {
          for (const std::size_t p : part.processors)
            REQUIRE(tpn::is_let_run(document.application.stages[k], document.platform, p));
        }
      }
    }
  }
  CHECK(mapped > 20);
}

}  // namespace
}  // namespace takt::testing
