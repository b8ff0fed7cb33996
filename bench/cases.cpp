// One row per case. A peer that is missing from a row cannot take part in it: the comment says why.
#include "bench/cases.hpp"

#include <cstdint>
#include <utility>

#include "tests/support/coprime_families.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/hard_families.hpp"
#include "tests/support/random_columns.hpp"
#include "tests/support/random_documents.hpp"

namespace takt::bench {

namespace {

using tpn::FoldedNet;
using tpn::Model;
using Replication = std::vector<std::size_t>;

Problem single(FoldedNet net) {
  Problem problem;
  problem.nets.push_back(std::move(net));
  return problem;
}

// One OVERLAP transfer, times U(1..1000), between computations that take no time.
std::function<Problem()> column(std::size_t senders, std::size_t receivers) {
  return [=] {
    tpn::Pipeline pipeline = support::column_pipeline(senders, receivers, 1, 1000, 1);
    Problem problem = single(std::get<FoldedNet>(tpn::fold(std::move(pipeline), Model::kOverlap)));
    problem.torus = {senders, receivers, *problem.nets.front().pipeline.columns[1].table.narrow()};
    return problem;
  };
}

// The same without a net, whose cycle times and names would count as well.
std::function<Problem()> durations(std::size_t senders, std::size_t receivers) {
  return [=] {
    Problem problem;
    problem.durations = support::uniform_durations(senders * receivers, 1, 1000, 1);
    problem.torus = {senders, receivers, problem.durations};
    return problem;
  };
}

std::function<Problem()> example(const char* path, Model model) {
  return [=] { return single(support::net_of(support::document_of(path), model)); };
}

// Times U(1..1000).
std::function<Problem()> random(const Replication& replication) {
  return [=] { return single(support::net_of(support::uniform_document(replication, 1, 1000, 1), Model::kStrict)); };
}

std::function<Problem()> balanced(const Replication& replication) {
  return [=] { return single(support::net_of(support::balanced_document(replication, 1), Model::kStrict)); };
}

// Parts on 1000 processors, one each, the rest dealt at random; times U(10..100).
std::function<Problem()> dealt(std::size_t parts, std::uint64_t seed, double seconds = 60) {
  return [=] {
    Problem problem = single(support::net_of(support::dealt_document(parts, 1000, 10, 100, seed), Model::kStrict));
    problem.seconds = seconds;
    return problem;
  };
}

using Edges = std::vector<std::vector<std::size_t>>;

void set_after(tpn::Document& document, const Edges& after) {
  for (std::size_t k = 0; k < after.size(); ++k) document.application.stages[k].after = after[k];
}

// A fork of three, joins of two, and edges that pass over a part.
const Edges kWorkflow = {{}, {0}, {0}, {0}, {1, 2}, {3, 4}, {5}, {5}, {5, 6}, {7, 8}};

// One part that sends to 19 others, on 1 to 16 processors, or a chain of the same: 720,720 rows.
std::function<Problem()> twenty_parts(bool is_fork) {
  return [=] {
    const Replication replication = {1, 16, 9, 5, 7, 11, 13, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    tpn::Document document = support::uniform_document(replication, 10, 100, 1);
    if (!is_fork) return single(support::net_of(document, Model::kOverlap));
    Edges after(replication.size(), {0});
    after.front().clear();
    set_after(document, after);
    document.platform.links.clear();
    for (std::size_t to = 1; to < document.platform.processors.size(); ++to) {
      tpn::Link link{0, to, {}, false};
      link.timing.time = maxplus::Rational(10 + 37 * to % 91);
      document.platform.links.push_back(std::move(link));
    }
    return single(support::net_of(document, Model::kOverlap));
  };
}

// 1000 mappings of 10 stages on 20 processors, dealt likewise; times U(5..15).
std::function<Problem()> mappings(Model model, const Edges& after = {}) {
  return [=] {
    Problem problem;
    problem.document = support::complete_problem(10, 20, 5, 15, 1);
    set_after(problem.document, after);
    tpn::Document document = problem.document;
    for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
      problem.mappings.push_back(support::dealt_mapping(10, 20, seed));
      document.mapping = problem.mappings.back();
      problem.nets.push_back(support::net_of(document, model));
    }
    return problem;
  };
}

using Participants = std::vector<const Participant*>;

Participants with_solvers(Participants participants) {
  for (const Participant& participant : unfold_with_solvers()) participants.push_back(&participant);
  return participants;
}

void append(std::vector<Case>& cases, std::vector<Case> more) {
  for (Case& one : more) cases.push_back(std::move(one));
}

std::vector<Case> column_cases() {
  const Participants all = {&kTakt, &kPattern, &kTorus, &kSweep, &kUnfold, &kLemon, &kBoost, &kPaper};
  // LEMON's time and memory grow as the power 1.5 of the pairs: 1e8 of them would take 70 GB.
  const Participants growth = {&kTaktTorus, &kLemon};
  const Participants far_growth = {&kTaktTorus};
  return {{"column_50x51", column(50, 51), all},
          {"column_200x201", column(200, 201), all},
          {"column_1000x1001", column(1000, 1001), all},
          {"column_growth_1e4", durations(100, 101), growth},
          {"column_growth_1e5", durations(316, 317), growth},
          {"column_growth_1e6", durations(1000, 1001), growth},
          {"column_growth_1e7", durations(3162, 3163), growth},
          {"column_growth_1e8", durations(10000, 10001), far_growth}};
}

std::vector<Case> net_cases() {
  const Participants strict = {&kTakt, &kSweep, &kResidue, &kUnfold, &kLemon, &kBoost, &kPaper};
  const Participants overlap = {&kTakt, &kPattern, &kSweep, &kUnfold, &kLemon, &kBoost, &kPaper};
  return {{"strict_random_360360", random({8, 9, 5, 7, 11, 13, 1}), strict},
          {"strict_balanced_10395", balanced({5, 21, 27, 11}), strict},
          {"strict_balanced_360360", balanced({8, 9, 5, 7, 11, 13, 3}), strict},
          {"example_c_strict", example("examples/example-c.json", Model::kStrict), with_solvers(strict)},
          {"chain_20_parts_720720", twenty_parts(false), {&kSweep}},
          {"fork_20_parts_720720", twenty_parts(true), {&kSweep}},
          {"example_c_overlap", example("examples/example-c.json", Model::kOverlap), with_solvers(overlap)}};
}

std::vector<Case> mapping_cases() {
  const Participants participants = {&kTaktNets, &kTaktMappings, &kLemon, &kBoost, &kPaper};
  // The others solve column after column, as chains may be.
  const Participants any_net = {&kTaktNets, &kTaktMappings};
  return {{"paper_10x20_overlap", mappings(Model::kOverlap), participants},
          {"paper_10x20_strict", mappings(Model::kStrict), participants},
          {"workflow_10x20_overlap", mappings(Model::kOverlap, kWorkflow), any_net},
          {"workflow_10x20_strict", mappings(Model::kStrict, kWorkflow), any_net}};
}

// About 1e12 and 3e16 rows: whoever has to look at each row, contracting or unfolding, cannot.
std::vector<Case> astronomic_cases() {
  std::vector<Case> cases;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    cases.push_back({"strict_50x1000_s" + std::to_string(seed), dealt(50, seed), {&kTakt}});
  }
  // The interval's width against time.
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const std::string name = "strict_20x1000_s" + std::to_string(seed);
    cases.push_back({name, dealt(20, seed), {&kTakt}});
    for (const int seconds : {5, 20}) {
      cases.push_back({name + "_" + std::to_string(seconds) + "s", dealt(20, seed, seconds), {&kTakt}});
    }
  }
  return cases;
}

// The hard families of docs/complexity.md.
using CountingFamily = support::CountingInstance (*)(const support::ResidueSystem& system);

std::function<Problem()> formula(CountingFamily family) {
  return [=] {
    const support::ResidueSystem system = support::system_of(support::random_formula(5, 8, 1));
    return single(support::net_of(family(system).document, Model::kStrict));
  };
}

// One residue of each prime is forbidden.
std::function<Problem()> congruences(CountingFamily family) {
  return [=] {
    support::ResidueSystem system;
    for (const std::size_t prime : {2U, 3U, 5U, 7U, 11U, 13U, 17U, 19U, 23U}) {
      system.emplace_back(prime, true)[prime / 2] = false;
    }
    return single(support::net_of(family(system).document, Model::kStrict));
  };
}

// Replica counts are 1 and primes, none less than `least`.
std::function<Problem()> coprime(std::size_t variables, std::uint64_t seed, std::uint64_t least) {
  return [=] {
    const support::Formula terms = support::random_formula(variables, 3, seed);
    return single(support::net_of(support::coprime_counting_instance(terms, least).document, Model::kStrict));
  };
}

// 96,577, 1,062,347 and 6,678,671 rows, all of them distinct: too many for `residue` and `unfold` from 1e6 on.
std::vector<Case> coprime_cases() {
  const Participants rows = {&kTakt, &kSweep, &kLemon};
  return {{"strict_coprime_1e5", coprime(2, 2, 13), {&kTakt, &kSweep, &kResidue, &kUnfold, &kLemon}},
          {"strict_coprime_1e6", coprime(3, 2, 11), rows},
          {"strict_coprime_1e7", coprime(3, 2, 17), rows}};
}

std::vector<Case> hard_cases() {
  constexpr CountingFamily kLinks = support::equal_links_instance;
  constexpr CountingFamily kProcessors = support::equal_processors_instance;
  const Participants rows = {&kTakt, &kSweep};
  return {{"strict_formula_links", formula(kLinks), rows},
          {"strict_formula_processors", formula(kProcessors), rows},
          {"strict_congruences_links", congruences(kLinks), {&kTakt}},
          {"strict_congruences_processors", congruences(kProcessors), {&kTakt}}};
}

}  // namespace

std::vector<Case> all_cases() {
  std::vector<Case> cases = column_cases();
  append(cases, net_cases());
  append(cases, mapping_cases());
  append(cases, astronomic_cases());
  append(cases, hard_cases());
  append(cases, coprime_cases());
  return cases;
}

}  // namespace takt::bench
