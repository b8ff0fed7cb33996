// Factors are drawn for all data sets and stages beforehand, so that both runs have the same.
#include "tests/live/adaptation/adaptation_bars.hpp"

#include <algorithm>
#include <cmath>

#include "evaluators/evaluate.hpp"
#include "heuristics/registry.hpp"
#include "live/adaptation/remapping.hpp"
#include "tests/support/draw.hpp"

namespace takt::live {

namespace {

constexpr int kBarTicks = 1000;  // per time unit
constexpr std::uint64_t kEarlierSeeds = 50'000;

tpn::Mapping chain(std::size_t stages) {
  tpn::Mapping mapping;
  for (std::size_t k = 0; k < stages; ++k) mapping.push_back({k, k, {k}});
  return mapping;
}

BarProblem problem(std::string name, std::vector<int> works, std::size_t processors, tpn::Mapping first) {
  BarProblem made{.name = std::move(name), .instance = {}, .heuristic = "calibrate", .window = 10};
  tpn::Document& instance = made.instance;
  for (std::size_t k = 0; k < works.size(); ++k) {
    tpn::Stage& stage = instance.application.stages.emplace_back();
    stage.name = "s" + std::to_string(k);
    stage.work = works[k];
    stage.output = 1;
  }
  instance.application.input = 1;
  for (std::size_t p = 0; p < processors; ++p) {
    instance.platform.processors.push_back({.name = "p" + std::to_string(p), .speed = Rational(1), .time = {}});
  }
  instance.platform.defaults.time = Rational::fraction(1, 2);
  instance.mapping = std::move(first);
  std::size_t used = 0;
  for (const tpn::Part& part : *instance.mapping) used += part.processors.size();
  made.has_idle = used < processors;
  return made;
}

BarProblem replicated(BarProblem made) {
  made.heuristic = "polish";
  return made;
}

BarProblem overlapping(BarProblem made, std::uint64_t window) {
  made.model = tpn::Model::kOverlap;
  made.window = window;
  made.instance.platform.defaults.time = Rational::fraction(1, 50);
  return replicated(std::move(made));
}

double uniform(support::Draw& random) { return (static_cast<double>(random.bits() >> 11) + 0.5) / 9007199254740992.0; }

double draw(Law law, support::Draw& random) { return law == Law::constant ? 1 : time_by(law, uniform(random)); }

// About normal: a sum of twelve.
double deviate(support::Draw& random) {
  double sum = -6;
  for (int k = 0; k < 12; ++k) sum += uniform(random);
  return sum;
}

std::vector<std::vector<double>> factors(const BarCase& one, std::uint64_t rows, std::size_t stages,
                                         std::uint64_t seed) {
  support::Draw random(seed * 1000 + static_cast<std::uint64_t>(one.law));
  constexpr double kStays = 0.95;
  constexpr double kDeviation = 0.5;
  std::vector<std::vector<double>> all;
  double size = kDeviation * deviate(random);
  for (std::uint64_t j = 0; j < rows; ++j) {
    std::vector<double>& row = all.emplace_back();
    const double common = one.is_autocorrelated ? std::exp(size) : 1;
    for (std::size_t k = 0; k < stages; ++k) row.push_back(common * std::max(1e-3, draw(one.law, random)));
    size = kStays * size + kDeviation * std::sqrt(1 - kStays * kStays) * deviate(random);
  }
  return all;
}

RemappingTerms remapping_of(const BarProblem& problem) {
  RemappingTerms terms;
  terms.heuristic = heuristics::find_heuristic(problem.heuristic);
  if (problem.heuristic == "polish") terms.options = {{"moves", Rational(500)}};
  terms.model = problem.model;
  terms.window = problem.window;
  return terms;
}

double period_of_first(const BarProblem& problem) {
  return period_of(problem.instance, *problem.instance.mapping, remapping_of(problem))->to_double().value();
}

std::vector<BackgroundLoad> loads_of(const BarProblem& problem, const BarCase& one, double lasting_from) {
  const std::size_t victim = (*problem.instance.mapping)[problem.instance.mapping->size() / 2].processors[0];
  const auto load = [&](double from, double to) {
    return BackgroundLoad{victim, Rational(5), std::llround(from * kBarTicks), std::llround(to * kBarTicks)};
  };
  switch (one.load) {
    case BarLoad::none:
      return {};
    case BarLoad::brief:
      return {load(240, 500)};
    case BarLoad::longer:
      return {load(240, 1500)};
    case BarLoad::pulsating: {
      std::vector<BackgroundLoad> all;
      for (int k = 0; k < 10; ++k) all.push_back(load(240 + 300 * k, 390 + 300 * k));
      return all;
    }
    case BarLoad::lasting:
      break;
  }
  BackgroundLoad all = load(lasting_from, lasting_from);
  all.until = BackgroundLoad{}.until;
  return {all};
}

AdaptationTerms adaptation_of(const BarProblem& problem, const BarCase& one, AdaptationRule rule) {
  AdaptationTerms terms;
  terms.rule = rule;
  terms.remapping = remapping_of(problem);
  if (one.earlier == 0) return terms;
  const auto& stages = problem.instance.application.stages;
  terms.safe.normal = factors(one, one.earlier, stages.size(), one.seed + kEarlierSeeds);
  for (auto& row : terms.safe.normal)
    for (std::size_t k = 0; k < stages.size(); ++k) row[k] *= stages[k].work->to_double().value() * kBarTicks;
  return terms;
}

struct Played {
  BarRun run;
  std::vector<double> deliveries;
  std::vector<MappingFrom> mappings;
};

Played play(const BarProblem& problem, const BarCase& one, const std::vector<BackgroundLoad>& loads,
            std::optional<AdaptationTerms> adaptation, RunLog* log) {
  const auto all = factors(one, one.data_sets, problem.instance.application.stages.size(), one.seed);
  RehearsalTerms terms;
  terms.model = problem.model;
  terms.coordination = {.first_data_set = 0, .data_sets = one.data_sets, .window = problem.window};
  terms.loads = loads;
  terms.adaptation = std::move(adaptation);
  terms.log = log;
  terms.ticks_per_unit = Rational(kBarTicks);
  terms.factors = [&all](std::uint64_t data_set, std::size_t stage) { return all[data_set][stage]; };
  const auto run = rehearse(problem.instance, terms);
  Played played;
  played.run.total = run->end.to_double().value();
  played.run.switches = run->mappings.size() - 1;
  for (const Rational& moment : run->deliveries) played.deliveries.push_back(moment.to_double().value());
  played.mappings = run->mappings;
  return played;
}

// When a lasting load begins: behind a delivery of the run without it.
double lasting_from(const BarProblem& problem, const BarCase& one) {
  if (one.load != BarLoad::lasting) return 0;
  BarCase without = one;
  without.load = BarLoad::none;
  return play(problem, without, {}, {}, nullptr).deliveries[one.load_after];
}

void find_switch(const BarProblem& problem, const BarCase& one, double from, Played& played) {
  if (one.load != BarLoad::lasting) return;
  for (const MappingFrom& mapping : played.mappings) {
    // The window was full: this was the next to be let in.
    if (mapping.data_set < problem.window) continue;
    const std::uint64_t delivered = mapping.data_set - problem.window;
    if (delivered == 0 || played.deliveries[delivered - 1] < from) continue;
    const auto before = std::ranges::count_if(played.deliveries, [&](double moment) { return moment <= from; });
    played.run.found_after = delivered - std::min<std::uint64_t>(delivered, static_cast<std::uint64_t>(before));
    return;
  }
}

}  // namespace

std::vector<BarProblem> bar_problems() {
  const std::vector<int> eight(8, 20);
  const std::vector<int> five = {10, 14, 20, 8, 17};
  const tpn::Mapping six = {{0, 0, {0}}, {1, 1, {1, 2, 3}}, {2, 2, {4, 5}}};
  std::vector<BarProblem> all;
  all.push_back(problem("8on8", eight, 8, chain(8)));
  all.push_back(problem("8on10", eight, 10, chain(8)));
  all.push_back(replicated(problem("8on10rep", eight, 10, chain(8))));
  all.push_back(problem("5on5", five, 5, chain(5)));
  all.push_back(problem("5on7", five, 7, chain(5)));
  for (auto* one : {&all[3], &all[4]}) one->window = 8;
  all.push_back(overlapping(problem("3on4of5", {10, 20, 10}, 5, {{0, 0, {0}}, {1, 1, {1, 2}}, {2, 2, {3}}}), 7));
  all.push_back(overlapping(problem("3on6", {10, 30, 20}, 6, six), 10));
  all.push_back(overlapping(problem("3on9", {10, 30, 20}, 9, six), 10));
  return all;
}

std::string_view name_of(Law law) {
  constexpr std::string_view kNames[] = {"constant", "uniform", "exponential", "heavy"};
  return kNames[static_cast<std::size_t>(law)];
}

double time_by(Law law, double number) {
  switch (law) {
    case Law::constant:
      return 1;
    case Law::uniform:
      return 2 * number;
    case Law::exponential:
      return -std::log(number);
    case Law::heavy:
      break;
  }
  constexpr double kRare = 0.05;
  return number < kRare ? 10.5 : 0.5;
}

std::string_view name_of(BarLoad load) {
  constexpr std::string_view kNames[] = {"none", "260", "1260", "pulsating", "lasting"};
  return kNames[static_cast<std::size_t>(load)];
}

BarPair run_case(const BarProblem& problem, const BarCase& one, RunLog* log) {
  const double from = lasting_from(problem, one);
  const std::vector<BackgroundLoad> loads = loads_of(problem, one, from);
  BarPair pair;
  pair.period = period_of_first(problem);
  pair.off = play(problem, one, loads, {}, nullptr).run;
  Played safe = play(problem, one, loads, adaptation_of(problem, one, AdaptationRule::safe), log);
  find_switch(problem, one, from, safe);
  pair.safe = safe.run;
  return pair;
}

BarRun run_by_paper(const BarProblem& problem, const BarCase& one) {
  const double from = lasting_from(problem, one);
  Played played =
      play(problem, one, loads_of(problem, one, from), adaptation_of(problem, one, AdaptationRule::paper), nullptr);
  find_switch(problem, one, from, played);
  return played.run;
}

double most_allowed(const BarProblem& problem, const BarCase& one, const BarPair& pair) {
  constexpr double kShare = 1.03;
  constexpr double kPeriods = 6;
  constexpr std::uint64_t kLong = 400;
  constexpr double kLongShare = 1.05;
  const double windows = static_cast<double>(pair.safe.switches * problem.window);
  const double most = kShare * pair.off.total + (kPeriods + windows) * pair.period;
  return one.data_sets < kLong ? most : std::min(most, kLongShare * pair.off.total);
}

}  // namespace takt::live
