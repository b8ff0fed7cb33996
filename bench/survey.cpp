// How well heuristics predict and map, over seeded random problems: the tables of docs/heuristics.md.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "experiments/draws/generator.hpp"
#include "heuristics/registry.hpp"
#include "heuristics/verdict.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/models.hpp"

namespace {

using namespace takt;
using heuristics::Heuristic;
using heuristics::Relation;
using maxplus::Rational;

struct Set {
  const char* title;
  experiments::Arguments arguments;  // of skeleton-pair, or of workflow, whose mappings do not count
};

// Seconds for a search; those that end by themselves need none.
constexpr double kSearch = 20;
constexpr std::uint64_t kSeed = 1;

using Choices = std::vector<std::pair<std::string_view, std::string>>;

experiments::Arguments pairs(std::uint64_t stages, std::uint64_t processors, const Choices& choices) {
  experiments::Arguments arguments(*experiments::find_generator("skeleton-pair"));
  arguments.set("stages", stages);
  arguments.set("processors", processors);
  for (const auto& [parameter, choice] : choices) arguments.set(parameter, choice);
  return arguments;
}

// As many processors as stages.
experiments::Arguments workflows(std::uint64_t stages, std::uint64_t width, const Choices& choices) {
  experiments::Arguments arguments(*experiments::find_generator("workflow"));
  arguments.set("stages", stages);
  arguments.set("width", width);
  arguments.set("replicas", experiments::Range{.low = 1, .high = 1});
  for (const auto& [parameter, choice] : choices) arguments.set(parameter, choice);
  return arguments;
}

const std::vector<Set>& sets() {
  static const std::vector<Set> kSets = {
      {"Equal links, unequal speeds, all stages replicable", pairs(8, 10, {})},
      {"Unequal links, unequal speeds, half of the stages replicable",
       pairs(8, 10, {{"links", "unequal"}, {"replicable", "half"}})},
      {"Free communication, equal speeds, half of the stages replicable",
       pairs(16, 6, {{"machines", "identical"}, {"links", "free"}, {"ends", "none"}, {"replicable", "half"}})},
      {"Workflows of three layers, equal links, unequal speeds, half of the stages replicable",
       workflows(6, 2, {{"replicable", "half"}})},
  };
  return kSets;
}

struct Answer {
  Rational predicted;
  tpn::Model model;
  std::optional<Rational> overlap;  // nothing if it is not known exactly
  std::optional<Rational> strict;

  const std::optional<Rational>& own() const { return model == tpn::Model::kOverlap ? overlap : strict; }
};

std::optional<Rational> exact_period(const tpn::Document& document, tpn::Model model) {
  evaluators::Options options;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  const auto evaluation = evaluators::evaluate(support::net_of(document, model), options);
  return evaluation.exact() ? std::optional(evaluation.upper) : std::nullopt;
}

std::optional<Answer> answer_of(const Heuristic& heuristic, const tpn::Document& problem) {
  heuristics::Settings settings;
  settings.deadline =
      std::chrono::steady_clock::now() +
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(kSearch));
  const auto solution = heuristics::solve(heuristic, problem, settings);
  const auto* proposal = std::get_if<heuristics::Proposal>(&solution.result);
  if (proposal == nullptr) return std::nullopt;
  const tpn::Document mapped = heuristics::document_of(problem, *proposal);
  return Answer{proposal->predicted_period, solution.model, exact_period(mapped, tpn::Model::kOverlap),
                exact_period(mapped, tpn::Model::kStrict)};
}

double to_double(const Rational& number) { return number.to_double().value_or(HUGE_VAL); }

double median(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// One heuristic over the problems of a set.
struct Record {
  std::size_t equal = 0;
  std::size_t optimistic = 0;
  std::size_t pessimistic = 0;
  std::size_t undecided = 0;
  std::vector<double> gaps;             // percent, of those with an exact period
  std::vector<double> overlap_to_best;  // exact period over the best of all heuristics' exact periods
  std::vector<double> strict_to_best;
};

void add(Record& record, const Answer& answer, const Rational& best_overlap, const Rational& best_strict) {
  if (const auto& exact = answer.own()) {
    const Relation relation = heuristics::relation_of(answer.predicted, {*exact, *exact});
    ++(relation == Relation::equal        ? record.equal
       : relation == Relation::optimistic ? record.optimistic
                                          : record.pessimistic);
    record.gaps.push_back(100 * to_double(heuristics::gap(answer.predicted, *exact).value_or(Rational(0))));
  } else {
    ++record.undecided;
  }
  if (answer.overlap) record.overlap_to_best.push_back(to_double(*answer.overlap / best_overlap));
  if (answer.strict) record.strict_to_best.push_back(to_double(*answer.strict / best_strict));
}

std::string ratio(const std::vector<double>& values) {
  return values.empty() ? "-" : fmt::format("{:.2f}", median(values));
}

void print(const Heuristic& heuristic, const Record& record) {
  const std::size_t solved = record.equal + record.optimistic + record.pessimistic + record.undecided;
  if (solved == 0) {
    fmt::print("| {} | 0 | - | - | - | - | - | - | - |\n", heuristic.name);
    return;
  }
  std::string gap = "-";
  std::string range = "-";
  if (!record.gaps.empty()) {
    gap = fmt::format("{:+.1f}", median(record.gaps));
    range = fmt::format("{:+.1f} to {:+.1f}", *std::ranges::min_element(record.gaps),
                        *std::ranges::max_element(record.gaps));
  }
  fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", heuristic.name, solved, record.equal,
             record.optimistic, record.pessimistic, gap, range, ratio(record.overlap_to_best),
             ratio(record.strict_to_best));
}

void survey(const Set& set, std::uint64_t problems, const std::vector<Heuristic>& all) {
  std::vector<Record> records(all.size());
  for (std::uint64_t draw = 0; draw < problems; ++draw) {
    tpn::Document problem = experiments::draw_document(set.arguments, kSeed, draw);
    problem.mapping.reset();
    std::vector<std::optional<Answer>> answers;
    std::optional<Rational> overlap;
    std::optional<Rational> strict;
    const auto lower = [](std::optional<Rational>& best, const std::optional<Rational>& period) {
      if (period && (!best || *period < *best)) best = period;
    };
    for (const Heuristic& heuristic : all) {
      answers.push_back(answer_of(heuristic, problem));
      if (!answers.back()) continue;
      lower(overlap, answers.back()->overlap);
      lower(strict, answers.back()->strict);
    }
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (answers[k]) add(records[k], *answers[k], overlap.value(), strict.value());
    }
    std::cerr << '\r' << set.title << ": " << draw + 1 << " of " << problems << std::flush;
  }
  std::cerr << '\n';
  const tpn::Document first = experiments::draw_document(set.arguments, kSeed, 0);
  fmt::print("\n{}; {} stages, {} processors, {} problems,\nfrom `{}` on:\n\n", set.title,
             first.application.stages.size(), first.platform.processors.size(), problems,
             experiments::command_of(set.arguments, kSeed, 0));
  fmt::print(
      "| heuristic | solved | equal | optimistic | pessimistic | gap, median % | gap, range % | OVERLAP / best | "
      "STRICT / best |\n|---|---|---|---|---|---|---|---|---|\n");
  for (std::size_t k = 0; k < all.size(); ++k) print(all[k], records[k]);
  std::cout << std::flush;
}

}  // namespace

// Usage: takt_survey [PROBLEMS [SET|HEURISTIC...]]   problems a set; default: 200; the sets of these numbers, from 1,
// and these heuristics alone, ratios to the best of them; default: all
int main(int argc, char** argv) {
  const std::uint64_t problems = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 200;
  if (problems == 0) {
    std::cerr << "takt_survey: expected the number of problems first\n";
    return 2;
  }
  std::vector<Heuristic> chosen;
  std::vector<Set> chosen_sets;
  for (int k = 2; k < argc; ++k) {
    const std::uint64_t set = std::strtoull(argv[k], nullptr, 10);
    if (set >= 1 && set <= sets().size()) {
      chosen_sets.push_back(sets()[set - 1]);
      continue;
    }
    const Heuristic* heuristic = heuristics::find_heuristic(argv[k]);
    if (heuristic == nullptr) {
      std::cerr << "takt_survey: there is no heuristic " << argv[k] << '\n';
      return 2;
    }
    chosen.push_back(*heuristic);
  }
  if (chosen.empty()) chosen.assign(heuristics::heuristics().begin(), heuristics::heuristics().end());
  if (chosen_sets.empty()) chosen_sets = sets();
  for (const Set& set : chosen_sets) survey(set, problems, chosen);
}
