// HeDPM and DPM: the paper's case study, their model against one written anew, and mappings that are always valid.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "experiments/draws/generator.hpp"
#include "heuristics/hedpm/chain.hpp"
#include "heuristics/hedpm/match.hpp"
#include "heuristics/hedpm/model.hpp"
#include "heuristics/hedpm/model_optimum.hpp"
#include "maxplus/deadline.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/timing.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using heuristics::Infeasible;
using heuristics::Proposal;
using heuristics::Settings;
using heuristics::Solution;
using heuristics::dynamic_mapping::CostModel;
using heuristics::dynamic_mapping::View;
using maxplus::Rational;
using Row = std::vector<std::string>;

const std::string kCaseStudy = "examples/hedpm-case-study.json";

tpn::Document case_study() {
  tpn::Document problem = support::document_of(kCaseStudy);
  problem.mapping.reset();
  problem.predicted_period.reset();
  return problem;
}

Settings reading(const std::string& value) { return under({}, {{"reading", value}}); }

// Table 2, its first five rows.
const std::vector<Row> kTable2 = {
    {"1", "(4, 3, 6, 7, 8, 1, 2, 5)", "(6, 5, 7, 8, 1, 4, 3, 2)", "3.2478", "p4s6", "3.5459"},
    {"2", "(3, 6, 7, 8, 1, 2, 5)", "(5, 7, 8, 1, 4, 3, 2)", "3.1811", "p3s5", "3.2849"},
    {"3", "(6, 7, 8, 1, 2, 5)", "(7, 8, 1, 4, 3, 2)", "3.1396", "p6s7", "3.2395"},
    {"4", "(7, 8, 1, 2, 5)", "(8, 1, 4, 3, 2)", "3.0726", "p7s8", "3.0258"},
    {"5", "(8, 1, 2, 5)", "(1, 4, 3, 2)", "3.0283", "p8s1s2s3", "2.9650"},
};
const Row kColumns = {"Iter", "Processor list", "Stage list", "Tideal", "Matching", "Tmatch"};

// The paper's mapping with another choice for s1 to s4.
tpn::Mapping with_beginning(std::vector<tpn::Part> parts) {
  const tpn::Document document = support::document_of(kCaseStudy);
  for (const tpn::Part& part : *document.mapping)
    if (part.first_stage >= 4) parts.push_back(part);
  return parts;
}

std::vector<std::vector<Row>> tables_of(const Solution& solution) {
  std::vector<std::vector<Row>> tables;
  for (const auto& table : solution.log.tables) tables.push_back(table.rows);
  return tables;
}

TEST_CASE("the paper reading of HeDPM prints the paper's Table 2, all six rows, as t(n, p) is computed or a table") {
  for (const tpn::Document& problem : {case_study(), as_table(case_study())}) {
    const Solution solution = solve_checked("hedpm", problem, reading("paper"));
    auto expected = kTable2;
    expected.push_back({"6", "(1, 2, 5)", "(4)", "-", "p1 p2 p5s4", "2.1944"});
    REQUIRE(solution.log.tables.front().columns == kColumns);
    REQUIRE(solution.log.tables.front().rows == expected);
    REQUIRE(proposal_of(solution).mapping == *support::document_of(kCaseStudy).mapping);
  }
}

TEST_CASE("the default reading prints the first five rows of Table 2, and 2.0667 in the last") {
  const Solution solution = solve_checked("hedpm", case_study());
  auto expected = kTable2;
  expected.push_back({"6", "(1, 2, 5)", "(4)", "-", "p1 p2 p5s4", "2.0667"});
  REQUIRE(solution.log.tables.front().rows == expected);
}

TEST_CASE("HeDPM predicts its largest T for the case study, exactly") {
  for (const std::string value : {"paper", "default"}) {
    const Solution solution = solve_checked("hedpm", case_study(), reading(value));
    // p4's mean link, twice: c of 1 / 9, B of 85 / 9; and s6 on p4.
    const Rational mean_link = Rational::fraction(1, 9) + Rational(10) / Rational::fraction(85, 9);
    REQUIRE(proposal_of(solution).predicted_period == mean_link * 2 + Rational::fraction(281, 233));
    REQUIRE(solution.model == tpn::Model::kStrict);
  }
}

TEST_CASE("the paper's own mapping has no critical resource under STRICT, and a processor less does better") {
  const tpn::Document problem = case_study();
  const tpn::Mapping mapping = proposal_of(solve_checked("hedpm", problem, reading("paper"))).mapping;
  REQUIRE(exact_period(problem, mapping, tpn::Model::kStrict) == Rational::fraction(518519, 139800));
  REQUIRE(exact_period(problem, mapping, tpn::Model::kOverlap) == Rational::fraction(22, 15));
  evaluators::MappingEvaluator evaluator(problem);
  REQUIRE(evaluator.largest_cycle_time(mapping, tpn::Model::kStrict)->rational() == Rational::fraction(2149, 600));

  const Rational without_p1 = exact_period(problem, with_beginning({{0, 2, {7}}, {3, 3, {1, 4}}}), tpn::Model::kStrict);
  REQUIRE(without_p1 == Rational(11) / 10 * 2 + Rational::fraction(281, 233));  // s6 on p4: 3.4060
}

TEST_CASE("the model gives 5.0833 for the mapping with which Algorithm 4.2 ends in the paper") {
  const tpn::Document problem = case_study();
  const tpn::ProblemView view(problem);
  const CostModel model(view, View::real);
  REQUIRE(*model.production_time(with_beginning({{0, 1, {7}}, {2, 2, {4}}, {3, 3, {0, 1}}})) ==
          Rational::fraction(61, 12));
}

TEST_CASE("Algorithm 4.2 lowers the objective while the last match is the least loaded one") {
  const Solution solution = solve_checked("hedpm", case_study(), reading("paper"));
  REQUIRE(solution.log.tables.size() >= 2);
  const auto& rounds = solution.log.tables[1];
  REQUIRE(rounds.title == "Algorithm 4.2, as the last match is the least loaded");
  const Rational begin = proposal_of(solution).predicted_period;
  for (std::size_t k = 0; k < rounds.rows.size(); ++k) {
    const Rational objective = begin * Rational::fraction(39 - static_cast<int>(k), 40);
    REQUIRE(std::stod(rounds.rows[k][1]) == Approx(*objective.to_double()).margin(1e-4));
    // Nothing beats the first run, as the paper finds.
    REQUIRE(rounds.rows[k][5] == "no");
  }
}

// The model once more, from Table 1 and Equations 1 and 2: real links, means over replicas, nothing undecided.
Rational time_by_hand(const tpn::Document& problem, const tpn::Mapping& mapping) {
  const tpn::Timing timing(problem);
  const auto& stages = problem.application.stages;
  const auto transfer = [&](std::size_t file, const std::vector<tpn::LinearTime>& links) {
    Rational latency;
    Rational bandwidth;
    for (const auto& link : links) {
      latency += link.fixed / Rational(links.size());
      bandwidth += Rational(1) / *link.per_unit / Rational(links.size());
    }
    return latency + (file == 0 ? *problem.application.input : *stages[file - 1].output) / bandwidth;
  };
  Rational largest;
  for (std::size_t i = 0; i < mapping.size(); ++i) {
    for (const std::size_t p : mapping[i].processors) {
      std::vector<tpn::LinearTime> in;
      std::vector<tpn::LinearTime> out;
      if (i == 0) {
        in.push_back(*timing.source_link(p));
      } else {
        for (const std::size_t q : mapping[i - 1].processors) in.push_back(*timing.link(q, p));
      }
      if (i + 1 == mapping.size()) {
        out.push_back(*timing.sink_link(p));
      } else {
        for (const std::size_t q : mapping[i + 1].processors) out.push_back(*timing.link(p, q));
      }
      Rational time = transfer(mapping[i].first_stage, in) + transfer(mapping[i].last_stage + 1, out);
      for (std::size_t k = mapping[i].first_stage; k <= mapping[i].last_stage; ++k)
        time += *stages[k].work / *problem.platform.processors[p].speed;
      largest = std::max(largest, time / Rational(mapping[i].processors.size()));
    }
  }
  return largest;
}

// Calls back with every mapping of intervals to sets of processors, groups without replicas.
void each_mapping(std::size_t n, std::size_t p, tpn::Mapping& begun, unsigned used,
                  const std::function<void(const tpn::Mapping&)>& call) {
  const std::size_t first = begun.empty() ? 0 : begun.back().last_stage + 1;
  if (first == n) return call(begun);
  for (std::size_t last = first; last < n; ++last) {
    for (unsigned set = 1; set < 1U << p; ++set) {
      tpn::Part part{first, last, {}};
      for (std::size_t u = 0; u < p; ++u)
        if ((set >> u & 1U) != 0) part.processors.push_back(u);
      if ((set & used) != 0 || (first < last && part.processors.size() > 1)) continue;
      begun.push_back(part);
      each_mapping(n, p, begun, used | set, call);
      begun.pop_back();
    }
  }
}

heuristics::ModelOptimum optimum_of(const tpn::ProblemView& problem) {
  return std::get<heuristics::ModelOptimum>(heuristics::model_optimum(problem));
}

TEST_CASE("HeDPM never beats the best of all mappings in its own model") {
  std::size_t optimal = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(600); ++seed) {
    const std::size_t n = 1 + seed % 4;
    const std::size_t p = 1 + seed / 4 % 4;
    const tpn::Document problem = random_problem({.stages = n, .processors = p, .links = Links::unequal}, seed);
    const tpn::ProblemView view(problem);
    const CostModel model(view, View::real);
    std::optional<Rational> best;
    tpn::Mapping begun;
    each_mapping(n, p, begun, 0, [&](const tpn::Mapping& mapping) {
      const Rational time = time_by_hand(problem, mapping);
      if (seed % 7 == 0) REQUIRE(*model.production_time(mapping) == time);
      best = best ? std::min(*best, time) : time;
    });
    const heuristics::ModelOptimum least = optimum_of(view);
    REQUIRE(least.production_time == *best);
    REQUIRE(time_by_hand(problem, least.mapping) == *best);
    const Rational found = time_by_hand(problem, proposal_of(solve_checked("hedpm", problem)).mapping);
    REQUIRE(found >= *best);
    if (found == *best) ++optimal;
  }
  REQUIRE(optimal >= support::draws(200));  // not for want of trying
}

TEST_CASE("as in the paper's Figure 1, HeDPM is some 40 % away from the best mapping in its own model") {
  for (const char* law : {"normal", "uniform"}) {
    INFO(law);
    experiments::Arguments arguments(*experiments::find_generator("hedpm-sample"));
    arguments.set("law", std::string(law));
    Rational far_in_default;
    Rational far_in_paper;
    const std::uint64_t draws = support::draws(200);
    for (std::uint64_t draw = 0; draw < draws; ++draw) {
      const tpn::Document problem = experiments::draw_document(arguments, 1, draw);
      const tpn::ProblemView view(problem);
      const Rational best = optimum_of(view).production_time;
      const auto distance = [&](const char* value) {
        const tpn::Mapping mapping = proposal_of(solve_checked("hedpm", problem, reading(value))).mapping;
        return *heuristics::model_production_time(view, mapping) / best - Rational(1);
      };
      far_in_default += distance("default");
      far_in_paper += distance("paper");
    }
    // Percent, on average. Of 900 draws these are 37.5 and 46.0, and the paper has 40.8.
    const double percent = 100 * *far_in_paper.to_double() / static_cast<double>(draws);
    CHECK(percent > 30);
    CHECK(percent < 55);
    CHECK(far_in_default < far_in_paper);
  }
}

TEST_CASE("the optimum of HeDPM's model keeps stages on one processor, respects gaps, and says where there is none") {
  std::size_t infeasible = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    const std::size_t n = 1 + seed % 4;
    const std::size_t p = 1 + seed / 4 % 4;
    tpn::Document problem = random_problem(
        {.stages = n, .processors = p, .links = Links::unequal, .ends = seed % 2 == 0, .all_replicable = false}, seed);
    if (seed % 3 == 0) {
      problem.platform.defaults = {};
      problem.platform.source.reset();
      problem.platform.sink.reset();
      problem.application.input.reset();
      std::erase_if(problem.platform.links,
                    [&](const tpn::Link& link) { return (link.from + link.to + seed) % 2 == 0; });
    }
    if (seed % 5 == 0) problem.platform.processors.front() = {.name = "P0", .speed = {}, .time = 3};
    const tpn::ProblemView view(problem);
    const CostModel model(view, View::real);
    std::optional<Rational> best;
    tpn::Mapping begun;
    each_mapping(n, p, begun, 0, [&](const tpn::Mapping& mapping) {
      for (const tpn::Part& part : mapping)
        if (part.processors.size() > 1 && !problem.application.stages[part.first_stage].replicable) return;
      const auto time = model.production_time(mapping);
      if (time && (!best || *time < *best)) best = time;
    });
    INFO("seed " << seed);
    const auto answer = heuristics::model_optimum(view);
    if (!best) {
      REQUIRE(std::get<Infeasible>(answer).reason == "every mapping needs a link that the platform lacks");
      ++infeasible;
      continue;
    }
    const auto& optimum = std::get<heuristics::ModelOptimum>(answer);
    REQUIRE(optimum.production_time == *best);
    REQUIRE(heuristics::model_production_time(view, optimum.mapping) == *best);
  }
  // A whole chain on one processor is a mapping, as here no end lacks a link.
  REQUIRE(infeasible == 0);
  tpn::Document apart = random_problem({.stages = 2, .processors = 2, .links = Links::unequal}, 1);
  apart.platform.defaults = {};
  apart.platform.links.clear();
  apart.platform.source->links.push_back({0, {.bandwidth = 10, .latency = {}, .time = {}}});
  apart.platform.sink->links.push_back({1, {.bandwidth = 10, .latency = {}, .time = {}}});
  REQUIRE(std::holds_alternative<Infeasible>(heuristics::model_optimum(tpn::ProblemView(apart))));
}

TEST_CASE("the optimum of HeDPM's model has limits") {
  const tpn::Document large = random_problem({.stages = 9, .processors = 9, .links = Links::unequal}, 1);
  const auto limit = std::get<heuristics::LimitMet>(heuristics::model_optimum(tpn::ProblemView(large), {}, 5000));
  REQUIRE(limit.reason == "9 stages on 9 processors have too many mappings: 5000 parts were tried");
  const auto late = heuristics::model_optimum(tpn::ProblemView(large), maxplus::SearchClock::time_point::min());
  REQUIRE(std::get<heuristics::LimitMet>(late).reason == "the time limit passed before it had a mapping");
  const tpn::Document wide = random_problem({.stages = 1, .processors = 64}, 1);
  REQUIRE(std::get<heuristics::LimitMet>(heuristics::model_optimum(tpn::ProblemView(wide))).reason ==
          "there are 64 processors, and the sets of at most 63 are tried");
}

TEST_CASE("a single stage and a single processor are predicted exactly, in all readings") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const std::size_t n = 1 + seed % 5;
    const tpn::Document problem = random_problem({.stages = n, .processors = 1, .ends = seed % 2 == 0}, seed);
    for (const char* name : {"hedpm", "dpm"}) {
      const Proposal proposal = proposal_of(solve_checked(name, problem));
      REQUIRE(proposal.mapping == tpn::Mapping{{0, n - 1, {0}}});
      REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, tpn::Model::kStrict));
    }
  }
}

TEST_CASE("DPM on a homogeneous platform maps and predicts as HeDPM's first run") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const tpn::Document problem =
        random_problem({.stages = 1 + seed % 6, .processors = 1 + seed % 7, .speeds = Speeds::equal}, seed);
    const auto hedpm = tables_of(solve_checked("hedpm", problem)).front();
    const Solution dpm = solve_checked("dpm", problem);
    REQUIRE(tables_of(dpm) == std::vector<std::vector<Row>>{hedpm});
    REQUIRE(dpm.log.notes.empty());
  }
}

TEST_CASE("DPM takes every processor for the average one, and says so") {
  // Speeds 1 and 3: both count as 2. The slow stage comes first in the list, and the first processor gets it.
  const tpn::Document problem = free_problem({6, 2}, {0, 1}, {1, 3});
  const Solution solution = solve_checked("dpm", problem);
  REQUIRE(proposal_of(solution).mapping == tpn::Mapping{{0, 0, {0}}, {1, 1, {1}}});
  REQUIRE(proposal_of(solution).predicted_period == 3);
  const auto& notes = solution.log.notes;
  REQUIRE(std::ranges::any_of(notes, [](const std::string& note) { return note.starts_with("Processors or links"); }));
  // HeDPM gives it to the fast one.
  REQUIRE(proposal_of(solve_checked("hedpm", problem)).mapping == tpn::Mapping{{0, 0, {1}}, {1, 1, {0}}});
}

TEST_CASE("every stage is mapped whatever the shape, and a stage that is not replicable stays on one processor") {
  std::size_t replicated = 0;
  std::size_t grouped = 0;
  for (std::uint64_t seed = 1; seed <= 300; seed += support::step()) {
    const Shape shape{.stages = 1 + seed % 9,
                      .processors = 1 + seed / 9 % 8,
                      .speeds = seed % 5 == 0 ? Speeds::equal : Speeds::unequal,
                      .links = seed % 3 == 0   ? Links::free
                               : seed % 3 == 1 ? Links::equal
                                               : Links::unequal,
                      .ends = seed % 2 == 0,
                      .all_replicable = seed % 4 != 0};
    const tpn::Document problem = random_problem(shape, seed);
    for (const char* name : {"hedpm", "dpm"}) {
      const tpn::Mapping mapping = proposal_of(solve_checked(name, problem)).mapping;
      for (const tpn::Part& part : mapping) {
        // Groups are never replicated, replicable or not.
        REQUIRE((part.first_stage == part.last_stage || part.processors.size() == 1));
        grouped += part.first_stage < part.last_stage ? 1 : 0;
        replicated += part.processors.size() > 1 ? 1 : 0;
      }
    }
    proposal_of(solve_checked("hedpm", problem, reading("paper")));
  }
  REQUIRE(grouped > 5);
  REQUIRE(replicated > 5);
}

TEST_CASE("a group grows until the unmatched runs of stages can all have a processor") {
  // The slowest stage stands in the middle: on two processors, it cannot leave a run on either side.
  const tpn::Document problem = free_problem({1, 9, 1}, {}, {10, 1});
  const tpn::Mapping mapping = proposal_of(solve_checked("hedpm", problem)).mapping;
  REQUIRE(mapping == tpn::Mapping{{0, 0, {1}}, {1, 2, {0}}});
}

// A chain of processors, the source at the first one and the sink at the last.
tpn::Document line_problem(std::size_t stages, std::size_t processors) {
  tpn::Document problem = random_problem({.stages = stages, .processors = processors}, stages * 10 + processors);
  problem.platform.defaults = {};
  problem.platform.links.clear();
  tpn::LinkTiming timing;
  timing.bandwidth = 10;
  for (std::size_t p = 0; p + 1 < processors; ++p) problem.platform.links.push_back({p, p + 1, timing, false});
  problem.platform.source->links.push_back({0, timing});
  problem.platform.sink->links.push_back({processors - 1, timing});
  tpn::validate(problem);
  return problem;
}

TEST_CASE("where links are missing, a chain of linked processors is found if there is one") {
  for (const char* name : {"hedpm", "dpm"}) {
    for (std::size_t n = 1; n <= 6; ++n) {
      for (std::size_t p = 1; p <= 6; ++p) {
        const tpn::Document problem = line_problem(n, p);
        const Solution solution = solve_checked(name, problem);
        INFO(name << ", stages " << n << ", processors " << p);
        if (p <= n) {
          const Proposal& proposal = proposal_of(solution);
          REQUIRE(proposal.mapping.size() == p);
          REQUIRE(proposal.mapping.front().processors == std::vector<std::size_t>{0});
        } else {
          REQUIRE(std::get<Infeasible>(solution.result).reason ==
                  "no chain of linked processors leads through at most " + std::to_string(n) +
                      " stages from the source to the sink, and every mapping needs one");
        }
      }
    }
  }
}

TEST_CASE("the chain is cut where its production time is least") {
  for (std::size_t n = 3; n <= 9; ++n) {
    const tpn::Document problem = line_problem(n, 3);
    const tpn::ProblemView view(problem);
    const CostModel model(view, View::real);
    heuristics::Log log;
    const auto result =
        heuristics::dynamic_mapping::chain_proposal(model, heuristics::dynamic_mapping::sorted(model), {}, log);
    const auto& proposal = std::get<Proposal>(result);
    INFO("stages " << n);
    REQUIRE(log.notes.size() == 1);
    REQUIRE_FALSE(proposal.cut_short);
    for (std::size_t a = 1; a + 1 < n; ++a) {
      for (std::size_t b = a + 1; b < n; ++b) {
        REQUIRE(*model.production_time({{0, a - 1, {0}}, {a, b - 1, {1}}, {b, n - 1, {2}}}) >=
                proposal.predicted_period);
      }
    }
    REQUIRE(*model.production_time(proposal.mapping) == proposal.predicted_period);
  }
}

TEST_CASE("a long chain is cut without delay, and as it is when time is up") {
  const tpn::Document problem = line_problem(300, 60);
  const tpn::ProblemView view(problem);
  const CostModel model(view, View::real);
  const auto order = heuristics::dynamic_mapping::sorted(model);
  heuristics::Log log;
  const auto best = std::get<Proposal>(heuristics::dynamic_mapping::chain_proposal(model, order, {}, log));
  REQUIRE_FALSE(best.cut_short);
  const auto at_once = std::get<Proposal>(
      heuristics::dynamic_mapping::chain_proposal(model, order, std::chrono::steady_clock::time_point::min(), log));
  REQUIRE(at_once.cut_short);
  REQUIRE(at_once.mapping.size() == 60);
  REQUIRE(best.predicted_period < at_once.predicted_period);
}

TEST_CASE("random platforms with missing links: a mapping or a reason, and no mapping needs a missing link") {
  std::size_t mapped = 0;
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    const std::size_t p = 2 + seed % 5;
    tpn::Document problem = random_problem(
        {.stages = 2 + seed / 5 % 4, .processors = p, .links = Links::unequal, .ends = seed % 2 == 0}, seed);
    problem.platform.defaults = {};
    if (problem.platform.source) problem.platform.source->timing.bandwidth = 10;
    if (problem.platform.sink) problem.platform.sink->timing.bandwidth = 10;
    std::size_t position = 0;
    std::erase_if(problem.platform.links, [&](const tpn::Link&) { return (position++ * 7 + seed) % 3 == 0; });
    // The ends reach every processor, so that one alone can always have all stages.
    for (const char* name : {"hedpm", "dpm"}) {
      proposal_of(solve_checked(name, problem));
      ++mapped;
    }
  }
  REQUIRE(mapped == 400);
}

TEST_CASE("fixed times, latencies and differing ends all have their place in the model") {
  tpn::Document problem;
  problem.application.stages = {{.name = "a", .work = 4, .output = 6, .replicable = true},
                                {.name = "b", .work = 6, .output = 1, .replicable = true}};
  problem.application.input = 5;
  problem.platform.processors = {{.name = "P0", .speed = 2, .time = {}}, {.name = "P1", .speed = {}, .time = 4}};
  tpn::LinkTiming link;
  link.bandwidth = 3;
  link.latency = 1;
  problem.platform.links = {{0, 1, link, true}};
  problem.platform.defaults.time = 8;
  problem.platform.source.emplace().timing.time = 2;
  problem.platform.sink.emplace().timing.time = 1;
  tpn::validate(problem);
  const tpn::ProblemView view(problem);
  const CostModel model(view, View::real);
  // a on P0: 2 + 4 / 2 + (1 + 6 / 3); b on P1: 3 + 4 + 1.
  REQUIRE(*model.production_time({{0, 0, {0}}, {1, 1, {1}}}) == 8);
  REQUIRE(*model.production_time({{0, 0, {1}}, {1, 1, {0}}}) == 2 + 4 + 8);
  // All on one: 2 + (4 + 6) / 2 + 1, 2 + 4 + 1.
  REQUIRE(*model.production_time({{0, 1, {0}}}) == 8);
  REQUIRE(*model.production_time({{0, 1, {1}}}) == 7);
  const Solution solution = solve_checked("hedpm", problem);
  REQUIRE(proposal_of(solution).predicted_period >= 7);
  REQUIRE(solution.log.notes.size() == 3);
  REQUIRE(solution.log.notes[0].find("fixed time: where they count") != std::string::npos);
  REQUIRE(solution.log.notes[1].find("counts as a latency") != std::string::npos);
  REQUIRE(solution.log.notes[2].find("better than any other link") != std::string::npos);
}

TEST_CASE("a deadline that has passed leaves HeDPM and DPM without a mapping") {
  for (const char* name : {"hedpm", "dpm"})
    REQUIRE(std::holds_alternative<heuristics::LimitMet>(solve_checked(name, case_study(), too_late()).result));
}

}  // namespace
}  // namespace takt::testing
