// The neighborhood of a local search, and the loads that guide it.
#include "heuristics/search/moves.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include "evaluators/mappings/evaluator.hpp"
#include "heuristics/search/loads.hpp"
#include "tests/heuristics/problems.hpp"
#include "tpn/validate.hpp"

namespace takt::testing {
namespace {

using heuristics::RepeatedProcessors;
using maxplus::Rational;
using tpn::Mapping;

using Key = std::vector<std::size_t>;

Key key_of(const Mapping& mapping) {
  Key key;
  for (const tpn::Part& part : mapping) {
    key.push_back(part.last_stage);
    key.push_back(part.processors.size());
    key.insert(key.end(), part.processors.begin(), part.processors.end());
  }
  return key;
}

std::vector<Mapping> neighbors(const Mapping& mapping, std::size_t processors, RepeatedProcessors repetition) {
  std::vector<heuristics::Move> moves;
  heuristics::list_moves(mapping, processors, repetition, moves);
  std::vector<Mapping> found(moves.size());
  for (std::size_t k = 0; k < moves.size(); ++k) heuristics::apply(moves[k], mapping, found[k]);
  return found;
}

TEST_CASE("moves lead from any replicated mapping to every other, and to no others") {
  // 2 stages on 3 processors. One part: 3 + 6 + 6 sequences; two parts: 6 + 12 pairs of disjoint ones.
  const Mapping first{{0, 0, {2, 0}}, {1, 1, {1}}};
  std::set<Key> seen{key_of(first)};
  std::deque<Mapping> queue{first};
  for (; !queue.empty(); queue.pop_front()) {
    for (Mapping& mapping : neighbors(queue.front(), 3, RepeatedProcessors::none))
      if (seen.insert(key_of(mapping)).second) queue.push_back(std::move(mapping));
  }
  REQUIRE(seen.size() == 33);
}

TEST_CASE("moves keep every mapping valid and change it, and each has words") {
  const auto problem = random_problem({5, 6}, 1);
  const std::vector<Mapping> starts = {
      {{0, 4, {0}}},
      {{0, 1, {0, 1, 2}}, {2, 4, {3, 4}}},
      {{0, 1, {0, 1, 1}}, {2, 2, {1, 0}}, {3, 4, {5, 5}}},  // divided
      {{0, 0, {0}}, {1, 1, {1}}, {2, 2, {2}}, {3, 3, {3}}, {4, 4, {4, 5}}},
  };
  std::set<heuristics::MoveKind> kinds;
  for (const Mapping& start : starts) {
    for (const RepeatedProcessors repetition : {RepeatedProcessors::none, RepeatedProcessors::allowed}) {
      std::vector<heuristics::Move> moves;
      heuristics::list_moves(start, 6, repetition, moves);
      Mapping mapping;
      std::size_t same = 0;
      for (const heuristics::Move& move : moves) {
        kinds.insert(move.kind);
        heuristics::apply(move, start, mapping);
        tpn::Document document = problem;
        document.mapping = mapping;
        REQUIRE_NOTHROW(tpn::validate(document));
        REQUIRE_FALSE(heuristics::in_words(move, start, problem).empty());
        same += mapping == start ? 1 : 0;
      }
      REQUIRE(same * 10 <= moves.size());  // repeated entries can trade places to no effect
    }
  }
  REQUIRE(kinds.size() == static_cast<std::size_t>(heuristics::MoveKind::exchange) + 1);  // the last of them
}

TEST_CASE("a move in words names stages and processors") {
  const auto problem = random_problem({3, 4}, 1);
  const Mapping mapping{{0, 1, {0, 1}}, {2, 2, {2}}};
  using heuristics::MoveKind;
  const auto words = [&](const heuristics::Move& move) { return heuristics::in_words(move, mapping, problem); };
  REQUIRE(words({.kind = MoveKind::boundary, .part = 0, .where = 0}) == "S0..S1 | S2 cut behind S0");
  REQUIRE(words({.kind = MoveKind::add, .part = 1, .where = 1, .processor = 3}) == "P3 added to S2 at place 2");
  REQUIRE(words({.kind = MoveKind::swap, .part = 0, .entry = 1, .other = 1, .where = 0}) ==
          "P1 of S0..S1 and P2 of S2 swapped");
  const auto merged = [&](heuristics::Merge merge) {
    return words({.kind = MoveKind::merge, .merge = merge, .part = 0});
  };
  REQUIRE(merged(heuristics::Merge::first) == "S0..S1 | S2 merged on the processors of the former");
  REQUIRE(merged(heuristics::Merge::second) == "S0..S1 | S2 merged on the processors of the latter");
  REQUIRE(merged(heuristics::Merge::both) == "S0..S1 | S2 merged on the processors of both");
}

TEST_CASE("pressure is absent exactly where a cycle time is longer than the period, and falls with the loads") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const auto problem = random_problem({4, 6, Speeds::unequal, Links::unequal, seed % 2 == 0}, seed);
    const tpn::ProblemView view(problem);
    auto loads = heuristics::Loads::make(view).value();
    evaluators::MappingEvaluator evaluator(view);
    Mapping mapping{{0, 1, {0, 1, 2}}, {2, 2, {3, 4}}, {3, 3, {5}}};
    if (seed % 3 == 0) mapping.back().processors = {3, 5, 5};  // divided
    for (const auto model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      const Rational longest = evaluator.largest_cycle_time(mapping, model).value().rational();
      const auto at = loads.pressure(mapping, model, longest);
      const auto above = loads.pressure(mapping, model, longest * 2);
      REQUIRE(at.has_value());
      REQUIRE(above.has_value());
      REQUIRE(*above < *at);
      REQUIRE_FALSE(loads.pressure(mapping, model, longest * Rational::fraction(99, 100)).has_value());
    }
  }
}

}  // namespace
}  // namespace takt::testing
