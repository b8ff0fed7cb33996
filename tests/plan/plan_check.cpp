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
#include "plan/counted/counted.hpp"
#include "plan/counted/fastest.hpp"
#include "plan/wider/mixed.hpp"
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
  bool equal_links = false;
};

// Times of 1 to 1000 by the type's speed of 1 to 5, files of 1 to 50 by the slower of two ports; prices of 10 to 60,
// rising with speed; one stage in eight not replicable.
Catalogue large_catalogue(const LargeShape& shape, std::uint64_t seed) {
  support::Draw draw(seed);
  Catalogue catalogue;
  std::vector<int> speeds, ports;
  for (std::size_t t = 0; t < shape.types; ++t) {
    speeds.push_back(draw.whole(1, 5));
    ports.push_back(shape.equal_links ? 2 : draw.whole(1, 4));
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

// What was asked, how long it took, and what came of it.
struct TimedQuestions {
  std::vector<double> milliseconds;
  std::uint64_t feasible = 0;
  std::uint64_t searched = 0;
  std::uint64_t cut_short = 0;

  template <typename Ask>
  void add(const Ask& ask) {
    const auto begin = std::chrono::steady_clock::now();
    const auto answer = ask();
    milliseconds.push_back(milliseconds_since(begin));
    feasible += answer.plan ? 1 : 0;
    searched += answer.proof == PlanProof::search ? 1 : 0;
    cut_short += answer.cut_short ? 1 : 0;
  }

  void print(const char* what, const LargeShape& shape) {
    std::ranges::sort(milliseconds);
    fmt::print(
        "{:8} n = {:3}, T = {:2}, N = {:2}{}: median {:.2f} ms, 9 in 10 below {:.2f} ms, at most {:.2f} ms; "
        "{} questions, {} feasible, {} searched, {} cut short\n",
        what, shape.stages, shape.types, shape.count, shape.with_latency ? ", latency" : "",
        milliseconds[milliseconds.size() / 2], milliseconds[milliseconds.size() * 9 / 10], milliseconds.back(),
        milliseconds.size(), feasible, searched, cut_short);
  }
};

// Periods from just above what all machines' work allows.
template <typename Ask>
void time_questions(const char* what, const LargeShape& shape, std::uint64_t cases, std::uint64_t first,
                    const Ask& ask) {
  TimedQuestions questions;
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Catalogue catalogue = large_catalogue(shape, seed);
    Rational least = 1;
    for (const PeriodBound& found : period_bounds(catalogue, tpn::Model::kOverlap))
      least = std::max(least, found.period);
    for (const int percent : {105, 110, 120, 150, 200}) {
      CountedQuery asked;
      asked.query.period = least * Rational::fraction(percent, 100);
      asked.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(5);
      if (shape.with_latency) asked.latency = latency_bound(catalogue) * Rational::fraction(3, 2);
      questions.add([&] { return ask(catalogue, asked); });
    }
  }
  questions.print(what, shape);
}

// Whether a period is kept does not matter to the question for the fastest.
struct FastestInWords {
  bool plan;
  PlanProof proof;
  bool cut_short;
};

int all_times(std::uint64_t cases, std::uint64_t first) {
  for (const LargeShape& shape :
       {LargeShape{20, 3, 20}, LargeShape{20, 3, 20, true}, LargeShape{50, 5, 20}, LargeShape{50, 5, 20, true}})
    time_questions("counted", shape, cases, first, solve_within);
  time_questions("fastest", {20, 3, 20}, cases / 5 + 1, first,
                 [](const Catalogue& catalogue, const CountedQuery& asked) {
                   const GivenAnswer answer = fastest_within(catalogue, asked);
                   return FastestInWords{answer.point.has_value(), PlanProof::none, !answer.is_proved};
                 });
  for (const LargeShape& shape :
       {LargeShape{20, 3, 20, false, true}, LargeShape{10, 6, 1, false, true}, LargeShape{10, 10, 1, false, true}})
    time_questions("mixed", shape, cases, first, solve_mixed);
  return 0;
}

template <typename Try>
int try_all(const char* what, std::uint64_t cases, std::uint64_t first, const Try& try_one,
            const char* judged_things = "plans judged by their nets") {
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
    fmt::print("{}, {}: {} cases, {} feasible, {} {}\n", what, tpn::label_of(model), cases, feasible, judged,
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
