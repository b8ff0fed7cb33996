// Orders in which a mapping's transfers are served, against all that there are.
#include "heuristics/search/served_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <optional>
#include <set>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "heuristics/registry.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/random_problems.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/folded_net.hpp"
#include "tpn/validate.hpp"
#include "tpn/workflow.hpp"
#include "tpn/writer.hpp"

namespace takt::heuristics {
namespace {

using tpn::Model;

Rational period_of(const tpn::Document& document, const Model& model) {
  const auto evaluation = evaluators::evaluate(std::get<tpn::FoldedNet>(tpn::fold(document, model)));
  REQUIRE(evaluation.exact());
  return evaluation.upper;
}

// Each stage a part of its own, on one or two processors.
tpn::Document random_mapped(std::uint64_t seed) {
  support::Draw draw(seed);
  tpn::Document document = support::random_workflow_problem(
      {.stages = 4, .processors = 8, .links = support::Links::unequal, .ends = draw.one_in(4)}, seed);
  document.mapping.emplace();
  std::size_t next = 0;
  for (std::size_t k = 0; k < 4; ++k) {
    tpn::Part part{k, k, {next++}};
    if (draw.coin()) part.processors.push_back(next++);
    document.mapping->push_back(part);
  }
  return document;
}

// The least period of all orders that the document may say.
std::optional<Rational> least_of_all(tpn::Document document, const Model& model) {
  document.order.clear();
  for (const tpn::FileRoute& route :
       tpn::routes_of(document.application, *document.mapping, tpn::outer_ends(document.platform)))
    document.order.push_back({route.from, route.to});
  if (document.order.size() > 6) return std::nullopt;
  std::ranges::sort(document.order);
  std::optional<Rational> least;
  do {
    try {
      tpn::validate(document);
    } catch (const tpn::InvalidInstance&) {
      continue;  // a part sends before it has all of its files
    }
    const Rational period = period_of(document, model);
    least = least ? std::min(*least, period) : period;
  } while (std::next_permutation(document.order.begin(), document.order.end()));
  return least;
}

TEST_CASE("the order found is valid, its period exact, and mostly the least of all orders") {
  int judged = 0;
  int attained = 0;
  int better = 0;
  for (std::uint64_t seed = 1; seed <= support::draws(150); ++seed) {
    tpn::Document document = random_mapped(seed);
    for (const Model& model : {Model(Model::kOverlap), Model(Model::kStrict)}) {
      CAPTURE(seed, tpn::label_of(model), tpn::write_document(document));
      const Rational before = period_of(document, model);
      const auto found = better_served(document, model, before, {}, 1'000'000);
      if (found) {
        ++better;
        tpn::Document served = document;
        served.order = found->transfers;
        REQUIRE_NOTHROW(tpn::validate(served));
        REQUIRE(period_of(served, model) == found->period);
        REQUIRE(found->period < before);
        REQUIRE(found->tried > 0);
      }
      const auto least = least_of_all(document, model);
      if (!least) continue;
      ++judged;
      const Rational reached = found ? found->period : before;
      REQUIRE(reached >= *least);
      attained += reached == *least ? 1 : 0;
    }
  }
  CAPTURE(judged, attained, better);
  CHECK(judged > 10);
  CHECK(better > 0);
  CHECK(10 * attained >= 9 * judged);
}

TEST_CASE("no order is tried without time, nor beyond the operations") {
  tpn::Document document;
  std::uint64_t seed = 1;
  std::optional<ServedOrder> found;
  Rational before;
  for (; !found; ++seed) {
    document = random_mapped(seed);
    before = period_of(document, Model::kStrict);
    found = better_served(document, Model::kStrict, before, {}, 1'000'000);
  }
  CHECK_FALSE(better_served(document, Model::kStrict, before, evaluators::Deadline::Clock::now(), 1'000'000));
  CHECK_FALSE(better_served(document, Model::kStrict, before, {}, 3));
}

TEST_CASE("polish writes the order that it found into the document, and predicts its period") {
  int other = 0;
  for (std::uint64_t seed = 1; seed <= 40 && other < 3; ++seed) {
    const tpn::Document problem = support::random_workflow_problem(
        {.stages = 8, .processors = 10, .links = support::Links::unequal, .ends = false, .all_replicable = false},
        seed);
    Settings settings;
    settings.model = Model::kStrict;
    settings.options = {{"moves", Rational(500)}, {"restarts", Rational(1)}};
    const Heuristic& polish = *find_heuristic("polish");
    const Solution solution = solve(polish, problem, settings);
    const auto& proposal = std::get<Proposal>(solution.result);
    const tpn::Document mapped = mapped_document(problem, polish, solution);
    REQUIRE_NOTHROW(tpn::validate(mapped));
    REQUIRE(mapped.order == proposal.served);
    REQUIRE(period_of(mapped, Model::kStrict) == proposal.predicted_period);
    if (!proposal.served.empty()) {
      ++other;
      REQUIRE(solution.log.improvements.back().period == proposal.predicted_period);
    }
  }
  CHECK(other > 0);
}

}  // namespace
}  // namespace takt::heuristics
