// What is done for each type of a catalogue once the time is up: one question to the clock.
#include <catch2/catch.hpp>
#include <chrono>
#include <string>

#include "plan/counted/fastest.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/evaluations.hpp"
#include "tpn/expansion.hpp"

namespace takt::plan {

TEST_CASE("with no time left no change of the machines is looked at") {
  tpn::Document problem = support::document_of("examples/catalogue.json");
  const tpn::ProcessorType type = problem.platform.types.front();
  for (int k = 0; k < 60; ++k) {
    problem.platform.types.push_back(type);
    problem.platform.types.back().name += std::to_string(k);
  }
  const Catalogue catalogue = catalogue_of(problem);
  const support::CountedClock clock(std::chrono::milliseconds(1));
  CountedQuery asked;
  asked.query.period = 1;
  asked.deadline = clock.at_question(1);
  const std::vector<std::uint64_t> used(catalogue.types.size(), 1);
  for (const auto& changes : {upgrades(catalogue, asked, used), replans(catalogue, asked, used)}) {
    REQUIRE(changes.size() == used.size());
    for (const PlanChange& change : changes) CHECK(!(change.is_proved || change.point));
  }
  CHECK(clock.questions() <= 2 * used.size());
}

}  // namespace takt::plan
