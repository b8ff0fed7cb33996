// Every heuristic maps a problem with types of processors as it maps the same one written out.
#include <array>
#include <catch2/catch.hpp>
#include <string>
#include <variant>

#include "heuristics/registry.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/seeds.hpp"
#include "tests/support/typed_documents.hpp"
#include "tpn/errors.hpp"

namespace takt {
namespace {

using heuristics::Heuristic;
using heuristics::Proposal;

// What a heuristic answers, or that it asks for what the problem does not say.
std::string answer_of(const Heuristic& heuristic, const tpn::Document& problem, std::size_t& proposals) {
  try {
    const heuristics::Solution solution = heuristics::solve(heuristic, problem);
    const auto* proposal = std::get_if<Proposal>(&solution.result);
    if (proposal == nullptr) return std::holds_alternative<heuristics::Infeasible>(solution.result) ? "no" : "limit";
    ++proposals;
    std::string text = proposal->predicted_period.to_string();
    for (const tpn::Part& part : proposal->mapping) {
      text += " | " + std::to_string(part.first_stage) + "-" + std::to_string(part.last_stage) + ":";
      for (const std::size_t p : part.processors) text += " " + std::to_string(p);
    }
    return text;
  } catch (const tpn::InvalidInstance&) {
    return "refused";
  }
}

TEST_CASE("every heuristic gives the same mapping and prediction with types and without") {
  constexpr std::array kLinks = {support::Links::free, support::Links::equal, support::Links::unequal};
  constexpr std::array kSpeeds = {support::Speeds::equal, support::Speeds::unequal, support::Speeds::none};
  std::size_t proposals = 0;
  for (std::uint64_t seed = 0; seed < support::draws(18); ++seed) {
    const support::Shape shape{.stages = 1 + seed * 7 % 5,
                               .processors = 2 + seed * 5 % 4,
                               .speeds = kSpeeds[seed / 3 % 3],
                               .links = kLinks[seed % 3],
                               .ends = seed % 2 == 0,
                               .all_replicable = seed / 4 % 2 == 0};
    tpn::Document typed = support::with_random_types(support::random_problem(shape, seed), seed);
    // Without types there are no memories, which some heuristics mind.
    for (tpn::Stage& stage : typed.application.stages) {
      stage.memory.reset();
      stage.apart = false;
    }
    const tpn::Document plain = support::without_types(typed);
    for (const Heuristic& heuristic : heuristics::heuristics()) {
      INFO(heuristic.name << ", seed " << seed);
      REQUIRE(answer_of(heuristic, typed, proposals) == answer_of(heuristic, plain, proposals));
    }
  }
  CHECK(proposals > 60);
}

}  // namespace
}  // namespace takt
