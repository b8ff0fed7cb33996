// Long check of the planner: random questions against all plans of small problems.
// Usage: plan_check counted|labels|fastest|mixed|weighted [CASES [FIRST_SEED]]
#include <fmt/core.h>

#include <cstdint>
#include <exception>
#include <string>

#include "tests/plan/counted_cases.hpp"
#include "tests/plan/mixed_cases.hpp"
#include "tpn/models.hpp"

namespace takt::plan {
namespace {

int try_all(const char* what, std::uint64_t cases, std::uint64_t first, TryCounted* try_one,
            const char* judged_things = "plans judged by their nets") {
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
    const CountedSums sums = try_seeds(try_one, model, first, first + cases - 1);
    if (!sums.trouble.empty()) {
      fmt::print(stderr, "{}, {}, {}\n", what, tpn::label_of(model), sums.trouble);
      return 1;
    }
    fmt::print("{}, {}: {} cases, {} feasible, {} {}\n", what, tpn::label_of(model), cases, sums.feasible, sums.judged,
               judged_things);
  }
  return 0;
}

int run(int argc, const char* const* argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const std::uint64_t cases = argc > 2 ? std::stoull(argv[2]) : 300;
  const std::uint64_t first = argc > 3 ? std::stoull(argv[3]) : 1;
  if (what == "counted") return try_all("counted", cases, first, try_counted);
  if (what == "labels") return try_all("counted", cases, first, try_against_labels, "plain labels kept");
  if (what == "fastest") return try_all("fastest", cases, first, try_fastest);
  if (what == "mixed") return try_all("mixed", cases, first, try_mixed);
  if (what == "weighted") return try_all("weighted", cases, first, try_weighted);
  fmt::print(stderr, "usage: plan_check counted|labels|fastest|mixed|weighted [CASES [FIRST_SEED]]\n");
  return 2;
}

}  // namespace
}  // namespace takt::plan

int main(int argc, char** argv) {
  try {
    return takt::plan::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
