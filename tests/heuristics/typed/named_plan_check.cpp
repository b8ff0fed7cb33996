// Long check: plans of named platforms, and typed-dp, against all mappings of hundreds of small problems.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

#include "heuristics/typed/by_cost.hpp"
#include "heuristics/typed/named_plan.hpp"
#include "tests/heuristics/typed/named_checks.hpp"
#include "tpn/models.hpp"
#include "tpn/problem_view.hpp"

namespace takt::testing {
namespace {

NamedShape shape_of(std::uint64_t seed) {
  const std::size_t processors = 3 + seed % 3;
  const std::size_t types = seed % 4 == 3 ? processors : 1 + seed % 4;
  constexpr int kSpreads[] = {0, 5, 20, 50};
  return {processors == 5 ? 1 + seed / 12 % 3 : 1 + seed / 12 % 4, processors, std::min(types, processors),
          kSpreads[seed / 3 % 4], seed % 5 != 0};
}

bool check(const tpn::Model& model, std::uint64_t first, std::uint64_t problems) {
  NamedCounts counts;
  const auto began = std::chrono::steady_clock::now();
  for (std::uint64_t seed = first; seed < first + problems; ++seed) {
    if (const auto wrong = named_violation(shape_of(seed), model, seed, counts)) {
      fmt::print("{} seed {}: {}\n", tpn::label_of(model), seed, *wrong);
      return false;
    }
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  fmt::print(
      "{}: {} problems, {} targets, {} feasible; typed is as cheap as mixed {}; search without sets: a plan {}, the "
      "cheapest {}; typed-dp least {}; {:.1f} s\n",
      tpn::label_of(model), counts.problems, counts.targets, counts.feasible, counts.met, counts.search_found,
      counts.search_optimal, counts.dp_meets, seconds);
  std::fflush(stdout);
  return true;
}

// How often the search alone finds the cheapest mapping on `processors` processors; the listed sets give its cost.
void measure_search(const tpn::Model& model, std::size_t processors, std::uint64_t problems) {
  std::size_t asked = 0;
  std::size_t cut_short = 0;
  std::size_t none = 0;
  std::size_t cheapest = 0;
  std::size_t cheaper_with_turns = 0;
  double sets_seconds = 0;
  double search_seconds = 0;
  const auto seconds_since = [](auto began) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  };
  for (std::uint64_t seed = 1; seed <= problems; ++seed) {
    const std::size_t types = seed % 3 == 0 ? processors : 1 + seed % 3;
    const tpn::Document problem = named_problem({2 + seed % 4, processors, types, 50, seed % 4 != 0}, seed);
    const tpn::ProblemView view(problem);
    heuristics::NamedQuery query;
    query.model = model;
    query.widest = heuristics::NamedClass::mixed;
    query.period = 1;
    // Between the least that may be and what needs few machines.
    query.period = heuristics::cheapest_on_platform(view, query).least_period *
                   maxplus::Rational::fraction(static_cast<long>(11 + seed * 7 % 25), 10);
    heuristics::CostQuery sets;
    sets.model = model;
    sets.period = query.period;
    auto began = std::chrono::steady_clock::now();
    const auto known = heuristics::cheapest_by_cost(view, sets);
    sets_seconds += seconds_since(began);
    cut_short += known.cut_short ? 1 : 0;
    if (!known.best || known.cut_short) continue;
    ++asked;
    query.steps = 0;
    began = std::chrono::steady_clock::now();
    const auto found = heuristics::cheapest_on_platform(view, query);
    search_seconds += seconds_since(began);
    none += found.plan ? 0 : 1;
    cheapest += found.plan && found.plan->cost == known.best->cost ? 1 : 0;
    query.widest = heuristics::NamedClass::any;
    const auto turns = heuristics::cheapest_on_platform(view, query);
    cheaper_with_turns += turns.plan && turns.plan->cost < known.best->cost ? 1 : 0;
  }
  fmt::print(
      "{}: {} problems of {} processors, sets cut short in {} more; the search finds the cheapest plain plan of {}, "
      "none of {}; with several turns it is cheaper than all plain ones in {}; {:.1f} ms by sets, {:.1f} ms by "
      "search\n",
      tpn::label_of(model), asked, processors, cut_short, cheapest, none, cheaper_with_turns,
      1000 * sets_seconds / static_cast<double>(problems),
      1000 * search_seconds / static_cast<double>(std::max<std::size_t>(asked, 1)));
  std::fflush(stdout);
}

// PROBLEMS [FIRST SEED]: of each model. Or "search" PROCESSORS PROBLEMS.
int run(int argc, char** argv) {
  if (argc > 3 && std::string(argv[1]) == "search") {
    measure_search(tpn::Model::kOverlap, std::stoul(argv[2]), std::stoull(argv[3]));
    measure_search(tpn::Model::kStrict, std::stoul(argv[2]), std::stoull(argv[3]));
    return EXIT_SUCCESS;
  }
  const std::uint64_t problems = argc > 1 ? std::stoull(argv[1]) : 300;
  const std::uint64_t first = argc > 2 ? std::stoull(argv[2]) : 1;
  bool all = true;
  for (const tpn::Model& model :
       {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1), tpn::bounded_model(2)}) {
    all = check(model, first, problems) && all;
  }
  return all ? EXIT_SUCCESS : EXIT_FAILURE;
}

}  // namespace
}  // namespace takt::testing

int main(int argc, char** argv) {
  try {
    return takt::testing::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "named_plan_check: {}\n", error.what());
    return EXIT_FAILURE;
  }
}
