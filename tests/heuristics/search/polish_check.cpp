// Long check: how much polish gains on random problems, and how near it comes to the best mappings of small ones.
#define CATCH_CONFIG_RUNNER  // problems.cpp needs Catch2, this program another main
#include <fmt/core.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "heuristics/registry.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/draw.hpp"

namespace takt::testing {
namespace {

using heuristics::Proposal;
using heuristics::Settings;
using tpn::Model;

std::optional<Proposal> proposal(std::string_view name, const tpn::Document& problem, const Settings& settings) {
  const heuristics::Heuristic* heuristic = heuristics::find_heuristic(name);
  if (heuristic == nullptr) return std::nullopt;
  const auto solution = heuristics::solve(*heuristic, problem, settings);
  if (const auto* found = std::get_if<Proposal>(&solution.result)) return *found;
  return std::nullopt;
}

// An interval mapping drawn at random, with the processors in drawn order.
tpn::Mapping drawn_mapping(const tpn::Document& problem, support::Draw& random) {
  const auto below = [&](std::size_t n) { return random.index(n); };
  std::vector<std::size_t> free;
  for (std::size_t p = 0; p < problem.platform.processors.size(); ++p) free.push_back(p);
  tpn::Mapping mapping;
  for (std::size_t stage = 0; stage < problem.application.stages.size(); ++stage) {
    if (!mapping.empty() && (free.empty() || below(3) == 0)) {
      mapping.back().last_stage = stage;
      continue;
    }
    std::swap(free[below(free.size())], free.back());
    mapping.push_back({stage, stage, {free.back()}});
    free.pop_back();
  }
  return mapping;
}

double seconds_since(std::chrono::steady_clock::time_point then) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - then).count();
}

double quantile(std::vector<double> values, double share) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

double share_up_to(const std::vector<double>& values, double bound) {
  const auto within = std::ranges::count_if(values, [bound](double value) { return value <= bound; });
  return values.empty() ? 0 : 100.0 * static_cast<double>(within) / static_cast<double>(values.size());
}

const char* name_of(Model model) { return model == Model::kStrict ? "strict" : "overlap"; }

struct Run {
  std::string start = "drawn";
  std::uint64_t problems = 200;
  std::optional<std::uint64_t> restarts;
  bool weighted = true;
};

Settings settings_of(const Run& run, Model model) {
  Settings settings = under(model);
  if (run.restarts) settings.options.emplace_back("restarts", maxplus::Rational(*run.restarts));
  settings.options.emplace_back("weighted", run.weighted);
  return settings;
}

// The gains over the start, in percent of the start's exact period. Whether none is negative, and most are gains.
bool measure_gains(const Run& run, Model model) {
  support::Draw random(1);
  std::vector<double> gains;
  double seconds = 0;
  double longest = 0;
  int worse = 0;
  int optimal = 0;
  for (std::uint64_t seed = 1; seed <= run.problems; ++seed) {
    const std::size_t stages = 2 + seed % 11;
    const std::size_t processors = 4 + seed / 3 % 13;
    auto problem = random_problem({stages, processors, Speeds::unequal, Links::unequal}, seed);
    if (run.start == "drawn") {
      problem.mapping = drawn_mapping(problem, random);
    } else {
      const auto start = proposal(run.start, problem, under(model));
      if (!start) continue;
      problem.mapping = start->mapping;
    }
    Settings settings = settings_of(run, model);
    settings.options.emplace_back("start", std::string("given"));
    const auto began = std::chrono::steady_clock::now();
    const auto solution = heuristics::solve(*heuristics::find_heuristic("polish"), problem, settings);
    const auto polished = std::get<Proposal>(solution.result);
    const double took = seconds_since(began);
    seconds += took;
    longest = std::max(longest, took);
    const auto before = exact_period(problem, *problem.mapping, model);
    const auto after = exact_period(problem, polished.mapping, model);
    if (after > before || after != polished.predicted_period) ++worse;
    if (after == before && solution.log.notes.back().starts_with("No mapping at all")) ++optimal;
    gains.push_back(100 * ((before - after) / before).to_double().value());
  }
  fmt::print(
      "{} from {}: {} problems, improved {:.1f} %, proved optimal before {}, gain mean {:.2f} %, quartiles {:.2f} "
      "{:.2f} {:.2f} %, most "
      "{:.2f} %, worse or wrong {}; {:.3f} s each, longest {:.3f} s\n",
      name_of(model), run.start, gains.size(), 100 - share_up_to(gains, 0), optimal, mean(gains), quantile(gains, 0.25),
      quantile(gains, 0.5), quantile(gains, 0.75), quantile(gains, 1), worse,
      seconds / static_cast<double>(gains.size()), longest);
  return worse == 0 && share_up_to(gains, 0) < 50;
}

// The distance to the best replicated mapping, in percent of its period. Whether nine in ten are within 5 %.
bool measure_distances(const Run& run, Model model) {
  std::vector<double> distances;
  double seconds = 0;
  double exhaustive_seconds = 0;
  std::uint64_t worst_seed = 0;
  for (std::uint64_t seed = 1; seed <= run.problems; ++seed) {
    const std::size_t stages = 1 + seed % 4;
    const std::size_t processors = 2 + seed / 4 % 4;
    const auto problem =
        random_problem({stages, processors, Speeds::unequal, Links::unequal, seed % 3 != 0, seed % 5 != 0}, seed);
    auto began = std::chrono::steady_clock::now();
    const auto best = proposal("exhaustive", problem, of_class("replicated", model)).value();
    exhaustive_seconds += seconds_since(began);
    Settings settings = settings_of(run, model);
    if (run.start != "drawn") settings.options.emplace_back("start", run.start);
    began = std::chrono::steady_clock::now();
    const auto polished = proposal("polish", problem, settings).value();
    seconds += seconds_since(began);
    const auto distance = (polished.predicted_period - best.predicted_period) / best.predicted_period;
    distances.push_back(100 * distance.to_double().value());
    if (distances.back() >= quantile(distances, 1)) worst_seed = seed;
  }
  const auto size = static_cast<double>(distances.size());
  fmt::print(
      "{} against exhaustive{}: {} problems, better {:.1f} %, within 0 % {:.1f} %, 1 % {:.1f} %, 5 % {:.1f} %, "
      "worst {:.2f} % (seed {}), best {:.2f} %; {:.4f} s each, exhaustive {:.4f} s\n",
      name_of(model), run.weighted ? ", repetitions allowed" : "", distances.size(), share_up_to(distances, -1e-12),
      share_up_to(distances, 0), share_up_to(distances, 1), share_up_to(distances, 5), quantile(distances, 1),
      worst_seed, quantile(distances, 0), seconds / size, exhaustive_seconds / size);
  return share_up_to(distances, 5) >= 90;
}

struct Rivalry {
  std::uint64_t first = 1;  // seeds
  std::uint64_t last = 20;
  std::int64_t milliseconds = 2000;
};

struct Best {
  std::string_view name;
  maxplus::Rational period;
};

// The least exact period among all other heuristics, each given that time.
std::optional<Best> best_of_others(const tpn::Document& problem, Model model, std::chrono::milliseconds time) {
  std::optional<Best> best;
  for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
    if (heuristic.name == "polish") continue;
    Settings settings;
    if (heuristic.model_use != heuristics::ModelUse::none) settings.model = model;
    settings.deadline = std::chrono::steady_clock::now() + time;
    const auto found = proposal(heuristic.name, problem, settings);
    if (!found) continue;
    const auto period = exact_period(problem, found->mapping, model);
    if (!best || period < best->period) best = Best{heuristic.name, period};
  }
  return best;
}

// polish against the best of all others, each given the same time. Whether it is never above.
bool measure_rivals(const Rivalry& rivalry, Model model, bool ends) {
  std::vector<double> ratios;
  std::size_t above = 0;
  std::size_t proved = 0;
  const std::chrono::milliseconds time(rivalry.milliseconds);
  for (std::uint64_t seed = rivalry.first; seed <= rivalry.last; ++seed) {
    const auto problem = random_problem({.stages = 3 + seed % 6,
                                         .processors = 4 + seed / 2 % 9,
                                         .speeds = Speeds::unequal,
                                         .links = seed % 2 == 0 ? Links::equal : Links::unequal,
                                         .ends = ends,
                                         .all_replicable = seed % 3 != 0},
                                        seed);
    const auto best = best_of_others(problem, model, time);
    Settings settings = under(model);
    settings.deadline = std::chrono::steady_clock::now() + time;
    settings.uses_all_time = true;
    const auto polished = proposal("polish", problem, settings);
    if (!best || !polished) continue;
    const auto period = exact_period(problem, polished->mapping, model);
    ratios.push_back((period / best->period).to_double().value());
    proved += period == polished->lower_bound ? 1 : 0;
    if (period <= best->period) continue;
    ++above;
    fmt::print("{}, seed {}: polish {}, {} {}\n", name_of(model), seed, period.to_string(), best->name,
               best->period.to_string());
  }
  fmt::print(
      "{} {} source and sink, seeds {} to {}, {} ms each: {} problems, polish over best other {:.3f} {:.3f} {:.3f} "
      "(quartiles), mean {:.3f}, above {}, proved optimal {}\n",
      name_of(model), ends ? "with" : "without", rivalry.first, rivalry.last, rivalry.milliseconds, ratios.size(),
      quantile(ratios, 0.25), quantile(ratios, 0.5), quantile(ratios, 0.75), mean(ratios), above, proved);
  return above == 0;
}

bool measure_all_rivals(const Rivalry& rivalry) {
  bool holds = true;
  for (const bool ends : {false, true}) {
    for (const Model model : {Model::kOverlap, Model::kStrict}) holds = measure_rivals(rivalry, model, ends) && holds;
  }
  return holds;
}

}  // namespace
}  // namespace takt::testing

// polish_check others [FIRST LAST [MILLISECONDS]]: against all other heuristics, on problems of these seeds.
// polish_check [START [PROBLEMS [RESTARTS [weighted|plain]]]]; START: a heuristic, or "drawn" for random interval
// mappings.
int main(int argc, char** argv) try {
  using takt::tpn::Model;
  if (argc > 1 && argv[1] == std::string("others")) {
    takt::testing::Rivalry rivalry;
    if (argc > 3) rivalry = {std::strtoull(argv[2], nullptr, 10), std::strtoull(argv[3], nullptr, 10)};
    if (argc > 4) rivalry.milliseconds = std::strtoll(argv[4], nullptr, 10);
    return takt::testing::measure_all_rivals(rivalry) ? EXIT_SUCCESS : EXIT_FAILURE;
  }
  takt::testing::Run run;
  if (argc > 1) run.start = argv[1];
  if (argc > 2) run.problems = std::strtoull(argv[2], nullptr, 10);
  if (argc > 3) run.restarts = std::strtoull(argv[3], nullptr, 10);
  if (argc > 4) run.weighted = argv[4] == std::string("weighted");
  bool holds = true;
  for (const Model model : {Model::kOverlap, Model::kStrict}) {
    holds = takt::testing::measure_gains(run, model) && holds;
    holds = takt::testing::measure_distances(run, model) && holds;
  }
  return holds ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return EXIT_FAILURE;
}
