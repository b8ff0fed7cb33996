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
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using heuristics::Infeasible;
using heuristics::Settings;
using maxplus::Rational;
using tpn::Model;

const std::array<Model, 2> kPolished = {Model::kOverlap, Model::kStrict};

Settings polish_settings(const std::string& start, Model model, int restarts = 5) {
  Settings settings;
  settings.model = model;
  settings.options = {{"start", start}, {"restarts", Rational(restarts)}};
  return settings;
}

std::string reason_of(const tpn::Document& problem, const Settings& settings) {
  return std::get<Infeasible>(solve_checked("polish", problem, settings).result).reason;
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
      Settings exhaustive;
      exhaustive.model = model;
      exhaustive.options = {{"class", std::string("replicated")}};
      const auto best = proposal_of(solve_checked("exhaustive", problem, exhaustive)).predicted_period;
      Settings settings;
      settings.model = model;
      settings.options = {{"weighted", false}};
      const auto polished = proposal_of(solve_checked("polish", problem, settings)).predicted_period;
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

struct Known {
  const char* file;
  Model model;
  const char* best_other;  // the least exact period that any other heuristic found in 20 seconds
};

TEST_CASE("polish is at or below the best of others on problems where it was above") {
  for (const Known& known : {Known{"p9200", Model::kOverlap, "5/2"}, {"p9200", Model::kStrict, "5/2"},
                             {"p9201", Model::kOverlap, "54/47"},    {"p9201", Model::kStrict, "21/8"},
                             {"p9202", Model::kOverlap, "6/5"},      {"p9202", Model::kStrict, "6/5"},
                             {"p9203", Model::kOverlap, "2"},        {"p9203", Model::kStrict, "16582/4725"},
                             {"p9204", Model::kOverlap, "15/11"},    {"p9204", Model::kStrict, "15/11"},
                             {"p9205", Model::kOverlap, "76/15"},    {"p9205", Model::kStrict, "31/4"},
                             {"p9206", Model::kOverlap, "85/38"},    {"p9206", Model::kStrict, "85/38"},
                             {"p9207", Model::kOverlap, "45/19"},    {"p9207", Model::kStrict, "175/38"},
                             {"p9208", Model::kOverlap, "59/49"},    {"p9208", Model::kStrict, "59/49"},
                             {"p9209", Model::kOverlap, "8/5"},      {"p9209", Model::kStrict, "292/85"},
                             {"transcode", Model::kOverlap, "25/7"}}) {
    INFO(known.file << ", " << tpn::label_of(known.model));
    const auto problem = known_problem(known.file);
    Settings settings = polish_settings("auto", known.model, 1);
    settings.options.emplace_back("moves", Rational(5000));
    REQUIRE(proposal_of(solve_checked("polish", problem, settings)).predicted_period <=
            std::get<Rational>(maxplus::parse_fraction(known.best_other)));
  }
}

TEST_CASE("polish spreads turns: no processor of a long sequence has two in a row") {
  const auto problem = known_problem("transcode");
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
  Settings settings = polish_settings("auto", Model::kStrict);
  settings.deadline = std::chrono::steady_clock::time_point::min();  // 121 million rows, and no time
  const auto solution = solve_checked("polish", problem, settings);
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
  REQUIRE(reason_of(problem, polish_settings("auto", Model::kStrict)) ==
          "no chain of linked processors leads through at most 3 stages from the source to the sink, and every mapping "
          "needs "
          "one");
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
  REQUIRE(reason_of(problem, polish_settings("given", Model::kStrict)) ==
          "the document has no mapping, and the start \"given\" needs one");
}

TEST_CASE("polish returns its start when time is up at once, and says so") {
  auto problem = random_problem({4, 5}, 2);
  problem.mapping = tpn::Mapping{{0, 1, {0, 1}}, {2, 3, {2, 3, 4}}};
  Settings settings = polish_settings("given", Model::kStrict);
  settings.deadline = std::chrono::steady_clock::time_point::min();
  const auto& solution = solve_checked("polish", problem, settings);
  REQUIRE(proposal_of(solution).mapping == *problem.mapping);
  REQUIRE(proposal_of(solution).cut_short);
}

TEST_CASE("polish says that time is up only where it would have gone on without a limit") {
  const auto problem = known_problem("p9207");
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
