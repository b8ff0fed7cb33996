// Groups of processors change and get their turns; sequences become shorter and smoother at the same period.
#include "heuristics/search/rebuilds.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <vector>

#include "heuristics/search/tidying.hpp"
#include "tests/heuristics/problems.hpp"
#include "tpn/models.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using heuristics::Loads;
using heuristics::Rebuild;
using heuristics::RebuildKind;
using heuristics::TurnDealer;
using maxplus::Rational;
using tpn::Mapping;
using tpn::Model;

TEST_CASE("rebuilds keep every mapping valid, and each has words") {
  auto problem = random_problem({5, 6, Speeds::unequal, Links::unequal}, 1);
  const tpn::ProblemView view(problem);
  auto loads = Loads::make(view).value();
  TurnDealer dealer(problem, loads, Model::kStrict);
  const std::vector<Mapping> starts = {
      {{0, 4, {0}}},
      {{0, 1, {0, 1, 2}}, {2, 4, {3, 4}}},
      {{0, 1, {0, 1, 1}}, {2, 2, {1, 0}}, {3, 4, {5, 5}}},
      {{0, 0, {0}}, {1, 1, {1}}, {2, 2, {2}}, {3, 3, {3}}, {4, 4, {4, 5}}},
  };
  std::set<RebuildKind> kinds;
  for (const Mapping& start : starts) {
    std::vector<Rebuild> rebuilds;
    dealer.list(start, rebuilds);
    Mapping mapping;
    for (const Rebuild& rebuild : rebuilds) {
      kinds.insert(rebuild.kind);
      dealer.apply(rebuild, start, Rational(30), mapping);
      tpn::Document document = problem;
      document.mapping = mapping;
      REQUIRE_NOTHROW(tpn::validate(document));
      REQUIRE_FALSE(dealer.in_words(rebuild, start).empty());
    }
  }
  REQUIRE(kinds.size() == static_cast<std::size_t>(RebuildKind::gather_all) + 1);  // the last of them
}

TEST_CASE("rebuilds leave parts alone whose stages must stay on one processor") {
  const auto problem = free_problem({3, 4, 5}, {1}, {1, 2, 3, 4});
  const tpn::ProblemView view(problem);
  auto loads = Loads::make(view).value();
  TurnDealer dealer(problem, loads, Model::kOverlap);
  const Mapping start{{0, 0, {0, 1}}, {1, 1, {2}}, {2, 2, {3}}};
  std::vector<Rebuild> rebuilds;
  dealer.list(start, rebuilds);
  REQUIRE_FALSE(rebuilds.empty());
  Mapping mapping;
  for (const Rebuild& rebuild : rebuilds) {
    dealer.apply(rebuild, start, Rational(4), mapping);
    const auto part = std::ranges::find_if(mapping, [](const tpn::Part& p) { return p.last_stage >= 1; });
    REQUIRE(part->processors.size() == 1);
  }
}

TEST_CASE("turns are dealt so that all are busy alike, what they do elsewhere counted") {
  const auto problem = free_problem({18, 3}, {}, {7, 4, 4, 3});
  const tpn::ProblemView view(problem);
  auto loads = Loads::make(view).value();
  TurnDealer dealer(problem, loads, Model::kOverlap);
  Mapping mapping{{0, 1, {0}}};
  const auto turns = [&](std::size_t p) { return std::ranges::count(mapping.front().processors, p); };
  dealer.deal(mapping, 0, {0, 1, 2, 3}, 0, Rational(2));
  REQUIRE(mapping.front().processors.size() == 18);
  REQUIRE(std::vector{turns(0), turns(1), turns(2), turns(3)} == std::vector<std::ptrdiff_t>{7, 4, 4, 3});
  // The last one is busy for 1 of 2 time units with the second stage.
  mapping = {{0, 0, {0}}, {1, 1, {3}}};
  dealer.deal(mapping, 0, {1, 3}, 11, Rational(2));
  REQUIRE(std::vector{turns(1), turns(3)} == std::vector<std::ptrdiff_t>{8, 3});
}

TEST_CASE("sequences become as short and smooth as their period allows") {
  auto problem = free_problem({3, 3}, {}, {1, 1});
  const tpn::ProblemView view(problem);
  Mapping mapping{{0, 0, {}}, {1, 1, {}}};
  for (tpn::Part& part : mapping) {
    part.processors.assign(100, 0);
    std::fill(part.processors.begin() + 50, part.processors.end(), 1);
  }
  for (const Model model : {Model::kOverlap, Model::kStrict}) {
    const auto tidy = heuristics::tidied(view, model, {mapping, exact_period(problem, mapping, model)},
                                         heuristics::RepeatedProcessors::none, {});
    REQUIRE(tidy.mapping == Mapping{{0, 1, {0, 1}}});
    REQUIRE(tidy.period == evaluators::Period(Rational(3)));
  }
  // 7 of 10 and 3 of 10 need ten entries, and no run of seven.
  problem = free_problem({10}, {}, {7, 3});
  const tpn::ProblemView unequal(problem);
  mapping = {{0, 0, {0, 0, 0, 0, 0, 0, 0, 1, 1, 1}}};
  const auto tidy =
      heuristics::tidied(unequal, Model::kStrict, {mapping, Rational(1)}, heuristics::RepeatedProcessors::allowed, {});
  REQUIRE(tidy.period == evaluators::Period(Rational(1)));
  REQUIRE(tidy.mapping.front().processors == std::vector<std::size_t>{0, 1, 0, 0, 0, 1, 0, 0, 1, 0});
}

}  // namespace
}  // namespace takt::testing
