// Long check: plans of named platforms, and typed-dp, against all mappings of hundreds of small problems.
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <vector>

#include "tests/heuristics/typed/named_checks.hpp"
#include "tpn/models.hpp"

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

// PROBLEMS [FIRST SEED]: of each model.
int run(int argc, char** argv) {
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
