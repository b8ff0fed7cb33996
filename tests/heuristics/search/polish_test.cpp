// polish: never worse than its start, near the best of small problems, and at home with every kind of mapping.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <vector>

#include "heuristics/registry.hpp"
#include "heuristics/search/moves.hpp"
#include "tests/heuristics/problems.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using heuristics::Settings;
using maxplus::Rational;
using tpn::Model;

const std::array<Model, 2> kPolished = {Model::kOverlap, Model::kStrict};

Settings polish_settings(const std::string& start, Model model, int restarts = 5) {
  return under(model, {{"start", start}, {"restarts", Rational(restarts)}});
}

// Parts on any processors, repeated or not, in other parts as well or not; one processor where a stage needs it.
tpn::Mapping any_mapping(const tpn::Document& problem, std::uint64_t seed) {
  support::Draw random(seed);
  const auto below = [&](std::size_t n) { return random.index(n); };
  tpn::Mapping mapping;
  for (std::size_t stage = 0; stage < problem.application.stages.size(); ++stage) {
    const bool alone = !problem.application.stages[stage].replicable;
    if (!mapping.empty() && below(3) == 0 && (!alone || mapping.back().processors.size() == 1)) {
      mapping.back().last_stage = stage;
      continue;
    }
    tpn::Part part{stage, stage, {}};
    const std::size_t length = alone ? 1 : 1 + below(3);
    for (std::size_t k = 0; k < length; ++k) part.processors.push_back(below(problem.platform.processors.size()));
    mapping.push_back(part);
  }
  return mapping;
}

TEST_CASE("polish is never worse than a given mapping, whatever its kind, and predicts its exact period") {
  std::size_t better = 0;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    auto problem = random_problem({2 + seed % 4, 3 + seed % 3, Speeds::unequal,
                                   seed % 2 == 0 ? Links::equal : Links::unequal, seed % 3 != 0, seed % 4 != 0},
                                  seed);
    problem.mapping = any_mapping(problem, seed);
    INFO("seed " << seed);
    for (const Model model : kPolished) {
      const auto before = exact_period(problem, *problem.mapping, model);
      const auto solution = solve_checked("polish", problem, polish_settings("given", model, 1));
      const auto& proposal = proposal_of(solution);
      REQUIRE(proposal.predicted_period <= before);
      REQUIRE(exact_period(problem, proposal.mapping, model).to_string() == proposal.predicted_period.to_string());
      REQUIRE_FALSE(proposal.cut_short);
      better += proposal.predicted_period < before ? 1 : 0;
    }
  }
  REQUIRE(better >= 20);
}

TEST_CASE("polish comes within 5 % of the best replicated mapping on nine small problems in ten") {
  for (const Model model : kPolished) {
    std::size_t near = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      const auto problem = random_problem(
          {1 + seed % 4, 2 + seed / 4 % 4, Speeds::unequal, Links::unequal, seed % 3 != 0, seed % 5 != 0}, seed);
      const auto best =
          proposal_of(solve_checked("exhaustive", problem, of_class("replicated", model))).predicted_period;
      const auto polished =
          proposal_of(solve_checked("polish", problem, under(model, {{"weighted", false}}))).predicted_period;
      REQUIRE(polished >= best);
      near += polished * 100 <= best * 105 ? 1 : 0;
    }
    REQUIRE(near >= 36);
  }
}

TEST_CASE("polish repeats a processor where that helps, and only if it may") {
  const auto problem = free_problem({3}, {}, {3, 1});
  // In turn, the slower processor works 3 on every second data set; after three on the faster one, 3 on every fourth.
  Settings settings = polish_settings("auto", Model::kStrict);
  const auto weighted = solve_checked("polish", problem, settings);
  REQUIRE(proposal_of(weighted).predicted_period == Rational::fraction(3, 4));
  REQUIRE(weighted.log.notes.back().starts_with("Proved: no mapping has a shorter period"));
  settings.options.emplace_back("weighted", false);
  REQUIRE(proposal_of(solve_checked("polish", problem, settings)).predicted_period == 1);
}

TEST_CASE("polish goes over mappings that are no better, one tied part after the other") {
  // Six equal parts set the period together; processors for six more replicas are free.
  auto problem = free_problem({4, 4, 4, 4, 4, 4}, {}, std::vector<Rational>(12, Rational(1)));
  problem.mapping.emplace();
  for (std::size_t k = 0; k < 6; ++k) problem.mapping->push_back({k, k, {k}});
  for (const Model model : kPolished) {
    const auto solution = solve_checked("polish", problem, polish_settings("given", model, 0));
    REQUIRE(proposal_of(solution).predicted_period == 2);
  }
}

// Processors in a row, each linked with the next by a link that takes no time, the last ones fast; stages that are not
// replicable, mapped one by one onto the first processors.
tpn::Document row_of_processors(std::size_t stages, std::size_t processors) {
  std::vector<std::size_t> fixed;
  for (std::size_t k = 0; k < stages; ++k) fixed.push_back(k);
  std::vector<Rational> speeds(processors, Rational(1));
  for (std::size_t k = 0; k < stages; ++k) speeds[processors - 1 - k] = 2;
  auto problem = free_problem(std::vector<Rational>(stages, Rational(4)), fixed, speeds);
  problem.platform.defaults = {};
  for (std::size_t u = 0; u + 1 < processors; ++u) {
    tpn::Link link{u, u + 1, {}, false};
    link.timing.time = 0;
    problem.platform.links.push_back(std::move(link));
  }
  problem.mapping.emplace();
  for (std::size_t k = 0; k < stages; ++k) problem.mapping->push_back({k, k, {k}});
  return problem;
}

TEST_CASE("polish wanders over mappings of one period to a better one that is far away") {
  // All mappings between the first processors and the last have the period 4, as long as one stage is on a slow one.
  const auto problem = row_of_processors(4, 10);
  std::size_t arrived = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Settings settings = polish_settings("given", Model::kStrict, 100);
    settings.seed = seed;
    arrived += proposal_of(solve_checked("polish", problem, settings)).predicted_period == 2 ? 1 : 0;
  }
  REQUIRE(arrived >= 17);  // a search that kept to its mapping where it found no better one: some 8
}

TEST_CASE("a descent takes no move that keeps the period and relieves no resource") {
  // Works 3, 3, 3 on two equal processors: {3, 6} can become {6, 3} or change processors, and nothing is gained.
  auto problem = free_problem({3, 3, 3}, {0, 1, 2}, {1, 1});
  problem.mapping = tpn::Mapping{{0, 1, {0}}, {2, 2, {1}}};
  std::vector<heuristics::Move> moves;
  heuristics::list_moves(*problem.mapping, 2, heuristics::RepeatedProcessors::none, moves);
  for (const Model model : kPolished) {
    Settings settings = polish_settings("given", model, 0);
    settings.options.emplace_back("weighted", false);
    settings.options.emplace_back("moves", Rational(1000));
    const auto solution = solve_checked("polish", problem, settings);
    REQUIRE(proposal_of(solution).mapping == *problem.mapping);
    const std::string tried = "Moves tried: " + std::to_string(moves.size()) + ";";
    REQUIRE_THAT(solution.log.notes.at(1), Catch::StartsWith(tried));
  }
}

TEST_CASE("polish logs improvements, each below the one before") {
  std::size_t improved = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    auto problem = random_problem({5, 6}, seed);
    problem.mapping = tpn::Mapping{{0, 4, {0}}};
    Settings settings = polish_settings("given", Model::kOverlap);
    settings.options.emplace_back("weighted", false);  // larger changes would need fewer
    const auto solution = solve_checked("polish", problem, settings);
    const auto& rows = solution.log.tables.back().rows;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      REQUIRE(std::stod(rows[k][2]) < std::stod(rows[k][1]));
      if (k > 0) REQUIRE(rows[k][1] == rows[k - 1][2]);
    }
    const auto& improvements = solution.log.improvements;
    REQUIRE(improvements.size() == rows.size() + 1);
    REQUIRE(improvements.front() ==
            heuristics::Improvement{0, exact_period(problem, *problem.mapping, Model::kOverlap)});
    REQUIRE(improvements.back().period == proposal_of(solution).predicted_period);
    improved += rows.size();
  }
  REQUIRE(improved >= 20);
}

TEST_CASE("polish starts from a heuristic of that name, and from the given mapping where that is best") {
  auto problem = random_problem({4, 4}, 3);
  const auto interval = proposal_of(solve_checked("exhaustive", problem)).predicted_period;
  const auto solution = solve_checked("polish", problem, polish_settings("exhaustive", Model::kStrict));
  REQUIRE(proposal_of(solution).predicted_period <= interval);
  REQUIRE(solution.log.notes.front().starts_with("Starts from the mapping \"exhaustive\""));
  problem.mapping = tpn::Mapping{{0, 3, {1}}};
  REQUIRE_FALSE(solve_checked("polish", problem).log.notes.front().starts_with("Starts from the mapping \"given\""));
  problem.mapping = proposal_of(solve_checked("polish", problem)).mapping;
  REQUIRE(solve_checked("polish", problem).log.notes.front().starts_with("Starts from the mapping \"given\""));
}

// Every quick heuristic's mapping is a start, so not even a search without a move is above any.
TEST_CASE("polish is never above another heuristic, nor above the given mapping") {
  for (std::uint64_t seed = 1; seed <= 16; ++seed) {
    auto problem = random_problem(
        {2 + seed % 5, 3 + seed % 4, Speeds::unequal, Links::unequal, seed % 2 == 0, seed % 3 != 0}, seed);
    problem.mapping = any_mapping(problem, seed);
    for (const Model model : kPolished) {
      Settings settings = polish_settings("auto", model, 0);
      settings.options.emplace_back("moves", Rational(0));
      const auto polished = proposal_of(solve_checked("polish", problem, settings)).predicted_period;
      REQUIRE(polished <= exact_period(problem, *problem.mapping, model));
      for (const heuristics::Heuristic& heuristic : heuristics::heuristics()) {
        INFO("seed " << seed << ", " << heuristic.name);
        if (!heuristic.is_quick) continue;
        const auto solution = heuristics::solve(heuristic, problem);
        const auto* other = std::get_if<heuristics::Proposal>(&solution.result);
        if (other != nullptr && heuristic.model_use == heuristics::ModelUse::none)
          REQUIRE(polished <= exact_period(problem, other->mapping, model));
      }
    }
  }
}

TEST_CASE("polish starts from mappings that are known, in place of asking for them") {
  const auto problem = random_problem({4, 5}, 3);
  Settings settings = polish_settings("auto", Model::kStrict);
  settings.known = {{"someone", {{0, 3, {0}}}}};
  const auto solution = heuristics::solve(*heuristics::find_heuristic("polish"), problem, settings);
  const auto& starts = solution.log.tables.front().rows;
  REQUIRE(starts.size() == 1);
  REQUIRE(starts.front().front() == "someone");
}

// A chain whose stages are all replicable; with as many files more than stages as there are, a source and a sink, whose
// bandwidths are 5.
struct HardForPolish {
  std::vector<Rational> works;
  std::vector<Rational> files;
  std::vector<Rational> speeds;
  int bandwidth;
  // The least exact periods that any other heuristic found in 20 seconds.
  const char* best_overlap;
  const char* best_strict;

  tpn::Document problem() const {
    tpn::Document result = free_problem(works, {}, speeds);
    result.platform.defaults = {.bandwidth = bandwidth, .latency = {}, .time = {}};
    const bool has_ends = files.size() > works.size();
    if (has_ends) {
      result.application.input = files.front();
      result.platform.source.emplace().timing.bandwidth = 5;
      result.platform.sink.emplace().timing.bandwidth = 5;
    }
    for (std::size_t k = has_ends ? 1 : 0; k < files.size(); ++k)
      result.application.stages[has_ends ? k - 1 : k].output = files[k];
    return result;
  }
};

// Where a local search from the interval heuristics alone ended 4 to 38 percent above the divided ones on most.
const std::vector<HardForPolish> kHardForPolish = {
    {{3, 2, 11, 20, 5, 4}, {2, 2, 10, 5, 8}, {7, 4, 4, 3}, 9, "5/2", "5/2"},
    {{16, 19, 8, 4, 7}, {4, 2, 1, 4, 6, 5}, {1, 3, 8, 9, 8, 5, 2, 9, 2}, 8, "54/47", "21/8"},
    {{2, 19, 3, 6}, {1, 6, 4}, {1, 8, 4, 1, 6, 1, 4}, 6, "6/5", "6/5"},
    {{16, 18, 8, 20}, {10, 8, 7, 10, 8}, {6, 9, 8, 5, 3, 5, 7, 2}, 4, "2", "16582/4725"},
    {{18, 9, 18}, {8, 10}, {6, 2, 9, 1, 6, 2, 7}, 8, "15/11", "15/11"},
    {{10, 2, 18, 15, 12, 19}, {1, 8, 7, 5, 4, 1, 8}, {1, 4, 1, 5, 4}, 6, "76/15", "31/4"},
    {{19, 11, 13, 5, 7, 17, 13}, {8, 8, 5, 4, 3, 9}, {2, 5, 9, 5, 1, 7, 9}, 9, "85/38", "85/38"},
    {{2, 7, 11, 19, 6}, {10, 10, 1, 5, 5, 5}, {2, 6, 6, 5}, 4, "45/19", "175/38"},
    {{7, 10, 1, 8, 19, 14}, {9, 9, 2, 3, 1}, {6, 5, 9, 6, 6, 6, 2, 9}, 6, "59/49", "59/49"},
    {{4, 19, 1}, {6, 10, 9, 8}, {3, 5, 4, 4, 1}, 4, "8/5", "292/85"},
};

tpn::Document transcode() { return support::document_of("tests/data/problems/transcode.json"); }

TEST_CASE("polish is at or below the best of others on problems where it was above") {
  const auto check = [](const tpn::Document& problem, const Model& model, const char* best_other) {
    INFO(tpn::label_of(model));
    Settings settings = polish_settings("auto", model, 1);
    settings.options.emplace_back("moves", Rational(5000));
    REQUIRE(proposal_of(solve_checked("polish", problem, settings)).predicted_period <=
            std::get<Rational>(maxplus::parse_fraction(best_other)));
  };
  for (std::size_t k = 0; k < kHardForPolish.size(); ++k) {
    INFO("problem " << k);
    check(kHardForPolish[k].problem(), Model::kOverlap, kHardForPolish[k].best_overlap);
    check(kHardForPolish[k].problem(), Model::kStrict, kHardForPolish[k].best_strict);
  }
  check(transcode(), Model::kOverlap, "25/7");
}

TEST_CASE("polish spreads turns: no processor of a long sequence has two in a row") {
  const auto problem = transcode();
  const auto solution = solve_checked("polish", problem, polish_settings("auto", Model::kOverlap));
  REQUIRE(proposal_of(solution).predicted_period == Rational::fraction(25, 7));
  for (const tpn::Part& part : proposal_of(solution).mapping) {
    if (part.processors.size() > 1) REQUIRE(std::ranges::adjacent_find(part.processors) == part.processors.end());
  }
}

TEST_CASE("polish starts from a heuristic where the given mapping is too much to evaluate") {
  auto problem = random_problem({3, 2}, 4);
  tpn::Mapping mapping;
  for (const std::size_t length : {499U, 497U, 491U}) {
    tpn::Part part{mapping.size(), mapping.size(), {}};
    for (std::size_t k = 0; k < length; ++k) part.processors.push_back(k * k % 7 % 2);
    mapping.push_back(part);
  }
  problem.mapping = mapping;
  // 121 million rows, and no time.
  const auto solution = solve_checked("polish", problem, too_late(polish_settings("auto", Model::kStrict)));
  const auto& starts = solution.log.tables.front().rows;
  REQUIRE(starts.front()[0] == "given");
  REQUIRE(starts.front()[2] ==
          "the period of the given mapping is beyond the limits of exact evaluation, and a start needs it");
  const auto& proposal = proposal_of(solution);
  REQUIRE(proposal.predicted_period == exact_period(problem, proposal.mapping, Model::kStrict));
}

TEST_CASE("polish finds a mapping wherever links allow one") {
  // The source reaches P0, P0 reaches P2, P2 the sink; nothing else is linked.
  auto problem = random_problem({3, 3, Speeds::unequal, Links::unequal}, 1);
  problem.platform.defaults = {};
  problem.platform.links = {{0, 2, {.bandwidth = Rational(2), .latency = {}, .time = {}}, true}};
  problem.platform.source->links = {{0, {.bandwidth = Rational(3), .latency = {}, .time = {}}}};
  problem.platform.sink->links = {{2, {.bandwidth = Rational(3), .latency = {}, .time = {}}}};
  for (const Model model : kPolished) {
    const auto solution = solve_checked("polish", problem, polish_settings("auto", model));
    const auto& mapping = proposal_of(solution).mapping;
    REQUIRE(mapping.size() == 2);
    REQUIRE(mapping.front().processors == std::vector<std::size_t>{0});
    REQUIRE(mapping.back().processors == std::vector<std::size_t>{2});
  }
  problem.platform.links.front().to = 1;
  REQUIRE(reason_of(solve_checked("polish", problem, polish_settings("auto", Model::kStrict))) ==
          "no chain of linked processors leads through at most 3 stages from the source to the sink, and every mapping "
          "needs one");
}

TEST_CASE("polish keeps to the links that there are") {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    auto problem = random_problem({3, 5, Speeds::unequal, Links::unequal}, seed);
    for (std::size_t k = 0; k < problem.platform.links.size(); ++k)
      if ((k + seed) % 3 == 0) problem.platform.links[k].directed = true;
    problem.platform.defaults.bandwidth.reset();
    for (auto* end : {&problem.platform.source, &problem.platform.sink}) (*end)->timing.bandwidth = Rational(8);
    for (const Model model : kPolished) {
      const auto solution = solve_checked("polish", problem, polish_settings("auto", model));
      const auto& proposal = proposal_of(solution);  // a missing link would be Infeasible
      REQUIRE(exact_period(problem, proposal.mapping, model) == proposal.predicted_period);
    }
  }
}

TEST_CASE("polish shortens sequences that have too many neighbors to list") {
  auto problem = free_problem({1, 1}, {}, {1, 1, 2});
  tpn::Mapping mapping = {{0, 0, {0, 1}}, {1, 1, {2}}};
  mapping.front().processors.resize(2000, 1);
  problem.mapping = mapping;
  for (const Model model : kPolished) {
    const auto solution = solve_checked("polish", problem, polish_settings("given", model));
    REQUIRE(proposal_of(solution).predicted_period == Rational::fraction(1, 2));
  }
}

TEST_CASE("polish leaves platforms alone that have too many neighbors to list") {
  auto problem = free_problem({1, 1}, {}, std::vector<Rational>(2001, Rational(1)));
  problem.mapping = tpn::Mapping{{0, 0, {0}}, {1, 1, {1}}};
  const auto solution = solve_checked("polish", problem, polish_settings("given", Model::kOverlap));
  REQUIRE(proposal_of(solution).mapping == *problem.mapping);
  REQUIRE(solution.log.notes.back() ==
          "Left as it is: the platform has 2001 processors, and changes are tried up to 2000.");
}

TEST_CASE("polish tries no more moves than it may, and says so") {
  const auto problem = random_problem({5, 6}, 7);
  Settings settings = polish_settings("bsc", Model::kStrict);
  settings.options.emplace_back("moves", Rational(10));
  const auto solution = solve_checked("polish", problem, settings);
  REQUIRE_FALSE(proposal_of(solution).cut_short);
  REQUIRE(solution.log.notes[1].starts_with("Moves tried: 10;"));
  REQUIRE(solution.log.notes.back() == "More moves (--moves) might find a better mapping.");
}

TEST_CASE("polish says why it has no start") {
  const auto problem = random_problem({2, 2}, 1);
  REQUIRE(reason_of(solve_checked("polish", problem, polish_settings("given", Model::kStrict))) ==
          "the document has no mapping, and the start \"given\" needs one");
}

TEST_CASE("polish returns its start when time is up at once, and says so") {
  auto problem = random_problem({4, 5}, 2);
  problem.mapping = tpn::Mapping{{0, 1, {0, 1}}, {2, 3, {2, 3, 4}}};
  const auto solution = solve_checked("polish", problem, too_late(polish_settings("given", Model::kStrict)));
  REQUIRE(proposal_of(solution).mapping == *problem.mapping);
  REQUIRE(proposal_of(solution).cut_short);
}

TEST_CASE("polish says that time is up only where it would have gone on without a limit") {
  const auto problem = kHardForPolish[7].problem();
  Settings settings = polish_settings("auto", Model::kStrict, 1);
  settings.options.emplace_back("moves", Rational(100));
  settings.uses_all_time = true;
  const support::CountedClock clock(std::chrono::milliseconds(1));
  settings.deadline = clock.at_question(50'000);
  const auto without_limit = solve_checked("polish", problem, polish_settings("auto", Model::kStrict, 1));
  const auto solution = solve_checked("polish", problem, settings);
  const auto& proposal = proposal_of(solution);
  REQUIRE(proposal.predicted_period <= proposal_of(without_limit).predicted_period);
  REQUIRE_FALSE(proposal.cut_short);
}

TEST_CASE("polish answers on a platform of 100 processors") {
  const auto problem = random_problem({30, 100, Speeds::unequal, Links::unequal}, 1);
  Settings settings = polish_settings("auto", Model::kOverlap);
  const support::CountedClock clock(std::chrono::milliseconds(1));
  settings.deadline = clock.at_question(1000);
  const auto& solution = solve_checked("polish", problem, settings);
  const auto& proposal = proposal_of(solution);
  REQUIRE(exact_period(problem, proposal.mapping, Model::kOverlap) == proposal.predicted_period);
}

}  // namespace
}  // namespace takt::testing
