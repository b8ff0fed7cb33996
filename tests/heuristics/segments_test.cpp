// Heuristics on problems whose transfers share segments of the network: what they predict is the period, bounds are
// bounds, others refuse.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "heuristics/heuristic.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/search/loads.hpp"
#include "heuristics/search/period_lower_bound.hpp"
#include "heuristics/search/segment_loads.hpp"
#include "heuristics/typed/machine_classes.hpp"
#include "tests/heuristics/judge.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"
#include "tpn/writer.hpp"

namespace takt::testing {
namespace {

using maxplus::Rational;
using tpn::Model;

TEST_CASE("heuristics that take segments predict the period, and no mapping is below the bound") {
  std::map<std::string_view, int> answered;
  const std::uint64_t seeds = support::draws(12);
  for (const support::Kind kind : {support::Kind::plain, support::Kind::intervals, support::Kind::endpoints,
                                   support::Kind::everything, support::Kind::typed}) {
    for (std::uint64_t seed = 0; seed < seeds; ++seed) {
      const tpn::Document drawn = support::with_segments(support::random_document(kind, seed), seed);
      CAPTURE(static_cast<int>(kind), seed, tpn::write_document(drawn));
      judge_heuristics(drawn, &tpn::Capabilities::segments, answered);
    }
  }
  for (std::uint64_t seed = 1; seed <= 3 * seeds; ++seed) {
    const tpn::Document drawn = support::segment_document(seed);
    if (drawn.platform.processors.size() > 8) continue;
    CAPTURE(seed, tpn::write_document(drawn));
    judge_heuristics(drawn, &tpn::Capabilities::segments, answered);
  }
  check_answers(answered, 2,
                {"random", "greedy", "hill-climbing", "simulated-annealing", "polish", "exhaustive", "typed-dp",
                 "chain-dp", "clique-optimal", "greedy-cpu", "coarse-grained"});
}

// What the busiest segment of the mapping's net takes per data set and port, on the mean over its ports.
std::optional<Rational> busiest_segment(const tpn::Document& document, const Model& model) {
  const tpn::FoldedNet net = support::net_of(document, model);
  std::optional<Rational> most;
  for (const tpn::Resource& resource : net.resources)
    if (resource.kind == tpn::ConstraintKind::segment) most = std::max(most.value_or(0), resource.cycle_time);
  return most;
}

TEST_CASE("the load of a segment is at most its cycle time, and that but for rounding where it has one port") {
  int busy = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(1500); ++seed) {
    tpn::Document document = support::segment_document(seed);
    document.transfers.clear();
    CAPTURE(seed, tpn::write_document(document));
    for (const bool has_one_port : {false, true}) {
      if (has_one_port)
        for (tpn::NetworkSegment& segment : document.platform.segments) segment.ports = tpn::kOnePort;
      const tpn::ProblemView view(document);
      auto loads = heuristics::Loads::make(view);
      REQUIRE(loads);
      const auto load = loads->busiest_segment(*document.mapping);
      const auto cycle_time = busiest_segment(document, Model::kOverlap);
      if (!cycle_time) {
        REQUIRE(load.value_or(0) == 0);
        continue;
      }
      REQUIRE(load);
      const Rational ticks = *cycle_time * loads->scale();
      REQUIRE(Rational(*load) <= ticks);
      // Ticks are exact here, and rounded once for each file.
      if (has_one_port && view.exact_ticks() == view.short_ticks()) REQUIRE(ticks - Rational(*load) < Rational(8));
      busy += *load > 0 ? 1 : 0;
    }
  }
  CHECK(busy > 100);
}

// Links with times of their own for every other seed: segments count beside them.
tpn::Document small_problem(std::uint64_t seed) {
  const tpn::Document problem = random_problem(
      {1 + seed % 3, 3, Speeds::unequal, seed % 2 == 0 ? Links::equal : Links::unequal, seed % 5 != 0, seed % 4 != 1},
      seed);
  return support::with_segments(problem, seed);
}

TEST_CASE("exhaustive finds the least period with segments, and the bound is below it") {
  int attained = 0;
  int limited = 0;  // by segments: without them the least is less
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    const tpn::Document problem = small_problem(seed);
    CAPTURE(seed, tpn::write_document(problem));
    tpn::Document unlimited = problem;
    for (tpn::NetworkSegment& segment : unlimited.platform.segments) segment.ports = tpn::kUnlimitedPorts;
    judge_exhaustive(problem, attained, [&](const auto& settings, const std::optional<Rational>& least) {
      REQUIRE(least);
      limited += proposal_of(solve_checked("exhaustive", unlimited, settings)).predicted_period < *least ? 1 : 0;
    });
  }
  CHECK(attained > 2);
  CHECK(limited > 1);
}

TEST_CASE("the bound counts the files that pass a segment whatever the mapping") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    tpn::Document problem = random_problem({2, 3, Speeds::unequal, Links::equal, true, true}, seed);
    // All that comes in is behind a slow switch, all that goes out behind another.
    for (const char* const end : {"source", "sink"}) {
      tpn::NetworkSegment& wire = problem.platform.segments.emplace_back();
      wire.name = std::string(end) + " wire";
      wire.between[0] = {end};
      for (const tpn::Processor& processor : problem.platform.processors) wire.between[1].push_back(processor.name);
      wire.ports = 1 + seed % 3;
    }
    problem.platform.source = tpn::Endpoint{};
    problem.platform.sink = tpn::Endpoint{};
    problem.platform.source->timing.time = 50;
    problem.platform.sink->timing.time = 60;
    for (auto* const end : {&problem.platform.source, &problem.platform.sink}) (*end)->ports = tpn::kUnlimitedPorts;
    CAPTURE(seed, tpn::write_document(problem));
    const Rational busy = Rational::fraction(60, static_cast<std::int64_t>(1 + seed % 3));
    for (const Model& model : judged_models()) {
      const Rational bound = heuristics::period_lower_bound(tpn::ProblemView(problem), model);
      REQUIRE(bound >= busy);
      REQUIRE(bound <= least_period(problem, "replicated", model).value());
      // With one port it is all there is to wait for, but where processors do one thing at a time.
      if (seed % 3 == 0 && model == Model(Model::kOverlap)) REQUIRE(bound == busy);
    }
    // Nothing has to pass where some processor is on the same side.
    for (tpn::NetworkSegment& wire : problem.platform.segments) wire.between[1].pop_back();
    REQUIRE(heuristics::least_on_segments(tpn::ProblemView(problem), {}) == Rational(0));
  }
}

TEST_CASE("typed-dp evaluates its plans with segments, and claims the least period only where it is") {
  int proved = 0;
  int open = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(60); ++seed) {
    const tpn::Document problem = support::with_segments(
        random_problem({1 + seed % 3, 4, Speeds::equal, Links::equal, seed % 5 != 0, seed % 4 != 1}, seed), seed);
    if (problem.platform.processors.size() > 4) continue;
    CAPTURE(seed, tpn::write_document(problem));
    for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(tpn::label_of(model));
      const auto solution = judged_typed_dp(problem, model);
      const bool claims = claims_least(solution);
      const auto is_open = [](const std::string& note) {
        return note.ends_with("at least: the quickest links are counted, and no segments.");
      };
      REQUIRE(claims != std::ranges::any_of(solution.log.notes, is_open));
      ++(claims ? proved : open);
    }
  }
  CHECK(proved > 1);
  CHECK(open > 1);
}

TEST_CASE("twins are on the same side of each segment; others refuse segments with the reason") {
  tpn::Document problem = free_problem({3, 2}, {}, {1, 1, 1});
  tpn::NetworkSegment uplink;
  uplink.name = "uplink";
  uplink.between[0] = {problem.platform.processors[0].name, problem.platform.processors[2].name};
  uplink.between[1] = {problem.platform.processors[1].name};
  problem.platform.segments.push_back(uplink);
  const tpn::ProblemView view(problem);
  CHECK(heuristics::machine_classes(view).members == std::vector<std::vector<std::size_t>>{{0, 2}, {1}});
  CHECK(heuristics::machine_classes(view, {.by_links = false}).members.size() == 1);
  for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
    if (heuristic.takes.segments) continue;
    CAPTURE(heuristic.name);
    const auto solution = heuristics::solve(heuristic, problem);
    CHECK(std::get<heuristics::Infeasible>(solution.result).reason ==
          "it takes only platforms without \"segments\": found the segment \"uplink\"");
  }
}

}  // namespace
}  // namespace takt::testing
