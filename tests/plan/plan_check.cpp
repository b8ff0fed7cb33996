// Long check of the planner: random questions against all plans of small problems, and how long large ones take.
// Usage: plan_check counted|labels|fastest|mixed|weighted|times [CASES [FIRST_SEED]]
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "plan/bounds.hpp"
#include "plan/counted.hpp"
#include "tests/plan/counted_cases.hpp"
#include "tests/plan/mixed_cases.hpp"
#include "tests/support/draw.hpp"
#include "tpn/models.hpp"

namespace takt::plan {
namespace {

struct LargeShape {
  std::size_t stages = 20;
  std::size_t types = 3;
  std::uint64_t count = 20;
  bool with_latency = false;
};

// Times of 1 to 1000 by the type's speed of 1 to 5, files of 1 to 50 by the slower of two ports; prices of 10 to 60,
// rising with speed; one stage in eight not replicable.
Catalogue large_catalogue(const LargeShape& shape, std::uint64_t seed) {
  support::Draw draw(seed);
  Catalogue catalogue;
  std::vector<int> speeds, ports;
  for (std::size_t t = 0; t < shape.types; ++t) {
    speeds.push_back(draw.whole(1, 5));
    ports.push_back(draw.whole(1, 4));
    MachineType& type = catalogue.types.emplace_back();
    type.name = std::string(1, static_cast<char>('a' + t));
    type.price = speeds.back() * 10 + draw.whole(0, 10);
    type.count = shape.count;
    catalogue.from_source.push_back(Rational(0));
    catalogue.to_sink.push_back(Rational(0));
  }
  for (std::size_t k = 0; k < shape.stages; ++k) {
    catalogue.stages.push_back({"S" + std::to_string(k), !draw.one_in(8), false, 0});
    const int work = draw.whole(1, 1000);
    for (std::size_t t = 0; t < shape.types; ++t)
      catalogue.stage_times.push_back(Rational::fraction(work * draw.whole(8, 12), 10 * speeds[t]));
    if (k + 1 == shape.stages) continue;
    const int size = draw.whole(1, 50);
    for (std::size_t t = 0; t < shape.types; ++t) {
      for (std::size_t u = 0; u < shape.types; ++u)
        catalogue.transfers.push_back(Rational::fraction(size, std::min(ports[t], ports[u])));
    }
  }
  return catalogue;
}

double milliseconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - then).count();
}

// Periods from just above what all machines' work allows.
int times(const LargeShape& shape, std::uint64_t cases, std::uint64_t first) {
  std::vector<double> all;
  std::uint64_t feasible = 0, searched = 0, bound = 0;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Catalogue catalogue = large_catalogue(shape, seed);
    Rational least = 1;
    for (const PeriodBound& found : period_bounds(catalogue, tpn::Model::kOverlap))
      least = std::max(least, found.period);
    for (const int percent : {105, 110, 120, 150, 200}) {
      CountedQuery asked;
      asked.query.period = least * Rational::fraction(percent, 100);
      if (shape.with_latency) asked.latency = latency_bound(catalogue) * Rational::fraction(3, 2);
      const auto begin = std::chrono::steady_clock::now();
      const CountedAnswer answer = solve_within(catalogue, asked);
      all.push_back(milliseconds_since(begin));
      feasible += answer.plan ? 1 : 0;
      searched += answer.proof == PlanProof::search ? 1 : 0;
      const bool binds = std::ranges::any_of(answer.multipliers, [](const Rational& one) { return one.sign() > 0; });
      bound += binds || answer.latency_multiplier.sign() > 0 ? 1 : 0;
      if (answer.cut_short) fmt::print("seed {} at {} %: cut short\n", seed, percent);
    }
  }
  std::ranges::sort(all);
  fmt::print(
      "n = {:3}, T = {}, N = {}{}: median {:.2f} ms, 9 in 10 below {:.2f} ms, at most {:.2f} ms; "
      "{} questions, {} feasible, {} with charges, {} searched\n",
      shape.stages, shape.types, shape.count, shape.with_latency ? ", latency" : "", all[all.size() / 2],
      all[all.size() * 9 / 10], all.back(), all.size(), feasible, bound, searched);
  return 0;
}

int all_times(std::uint64_t cases, std::uint64_t first) {
  times({20, 3, 20}, cases, first);
  times({20, 3, 20, true}, cases, first);
  times({50, 5, 20}, cases, first);
  times({50, 5, 20, true}, cases, first);
  return 0;
}

template <typename Try>
int try_all(const char* what, std::uint64_t cases, std::uint64_t first, const Try& try_one) {
  for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict, tpn::bounded_model(1)}) {
    std::uint64_t feasible = 0, judged = 0;
    for (std::uint64_t seed = first; seed < first + cases; ++seed) {
      const auto tried = try_one(model, seed);
      if (!tried.trouble.empty()) {
        fmt::print(stderr, "{}, {}, seed {}: {}\n", what, tpn::label_of(model), seed, tried.trouble);
        return 1;
      }
      feasible += tried.is_feasible ? 1 : 0;
      judged += tried.judged;
    }
    fmt::print("{}, {}: {} cases, {} feasible, {} plans judged by their nets\n", what, tpn::label_of(model), cases,
               feasible, judged);
  }
  return 0;
}

int run(int argc, const char* const* argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  const std::uint64_t cases = argc > 2 ? std::stoull(argv[2]) : 300;
  const std::uint64_t first = argc > 3 ? std::stoull(argv[3]) : 1;
  if (what == "counted") return try_all("counted", cases, first, try_counted);
  if (what == "labels") return try_all("counted, by plain labels", cases, first, try_against_labels);
  if (what == "fastest") return try_all("fastest", cases, first, try_fastest);
  if (what == "mixed") return try_all("mixed", cases, first, try_mixed);
  if (what == "weighted") return try_all("weighted", cases, first, try_weighted);
  if (what == "times") return all_times(cases, first);
  fmt::print(stderr, "usage: plan_check counted|labels|fastest|mixed|weighted|times [CASES [FIRST_SEED]]\n");
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
