// The search for ratios over random maps of clocks: right in all numbers, and never less than it knows.
#include "evaluators/kernel/ratio_search.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <limits>
#include <optional>
#include <variant>
#include <vector>

#include "evaluators/kernel/numbers.hpp"
#include "maxplus/solvers.hpp"
#include "tests/support/draw.hpp"

namespace takt::evaluators {
namespace {

using maxplus::Integer;
using maxplus::Rational;
using support::Draw;

// What a path between two clocks of neighboring segments weighs, if there is one: segment s leads to s + 1, the
// last one to the first.
struct RandomMap {
  std::size_t tokens = 1;
  std::size_t segments = 1;
  std::vector<std::optional<Integer>> weights;  // (to * tokens) + token in the segment before

  std::size_t clocks() const { return tokens * segments; }
  std::uint32_t before(std::size_t to, std::size_t token) const {
    const std::size_t segment = to / tokens;
    return static_cast<std::uint32_t>((segment == 0 ? segments - 1 : segment - 1) * tokens + token);
  }

  // The largest ratio, by Howard.
  Rational largest() const {
    std::vector<maxplus::ListedArc> arcs;
    for (std::size_t to = 0; to < clocks(); ++to) {
      for (std::size_t token = 0; token < tokens; ++token) {
        const auto& weight = weights[to * tokens + token];
        if (weight) arcs.push_back({before(to, token), to, *weight, to < tokens ? 1U : 0U});
      }
    }
    const auto solved = maxplus::howard(maxplus::make_token_graph(clocks(), arcs));
    return std::get<maxplus::CriticalCycle>(solved).ratio;
  }
};

RandomMap random_map(Draw& draw, const Integer& unit) {
  RandomMap map;
  map.tokens = static_cast<std::size_t>(draw.between(1, 6));
  map.segments = draw.between(0, 2) == 0 ? 3 : 1;
  map.weights.resize(map.clocks() * map.tokens);
  for (std::size_t to = 0; to < map.clocks(); ++to) {
    for (std::size_t token = 0; token < map.tokens; ++token) {
      if (draw.between(0, 2) > 0) map.weights[to * map.tokens + token] = draw.between(0, 20) * unit;
    }
    // Every clock waits for another, and the clock of each token for itself.
    auto& own = map.weights[to * map.tokens + to % map.tokens];
    if (!own) own = draw.between(0, 20) * unit;
  }
  return map;
}

// Plays a map, in numbers of any size, and remembers the least upper bound that its passes showed.
template <typename Number>
struct MapPass {
  explicit MapPass(const RandomMap& of, std::size_t limit = std::numeric_limits<std::size_t>::max())
      : map(of), most(limit) {}

  const RandomMap& map;
  std::size_t most;  // passes before there is no more time
  std::optional<Rational> least;
  bool got_worse = false;
  std::size_t played = 0;

  PassOutcome operator()(const std::vector<Number>& x, const Number& factor, ClockArcs<Number>& arcs) {
    if (played == most) return PassOutcome::out_of_time;
    ++played;
    std::vector<Integer> rises(map.segments);
    for (std::size_t to = 0; to < map.clocks(); ++to) {
      std::optional<Integer> latest;
      for (std::size_t token = 0; token < map.tokens; ++token) {
        const auto& weight = map.weights[to * map.tokens + token];
        if (!weight) continue;
        const Integer end = widen(x[map.before(to, token)]) + *weight * widen(factor);
        if (latest && end <= *latest) continue;
        latest = end;
        arcs.origins[to] = map.before(to, token);
      }
      constexpr std::size_t kBits = sizeof(Number) == 8 ? 62 : 126;
      if (!std::is_same_v<Number, Integer> && mpz_sizeinbase(latest->get_mpz_t(), 2) > kBits) {
        return PassOutcome::too_wide;
      }
      arcs.values[to] = narrow<Number>(*latest);
      const Integer rise = *latest - widen(x[to]);
      Integer& most_risen = rises[to / map.tokens];
      if (to % map.tokens == 0 || rise > most_risen) most_risen = rise;
    }
    Integer sum = 0;
    for (const Integer& rise : rises) sum += rise;
    const Rational upper = Rational::fraction(sum, widen(factor));
    got_worse = got_worse || (least && upper > *least);
    if (!least || upper < *least) least = upper;
    return PassOutcome::done;
  }
};

template <typename Number>
Rational value(const ClockRatio<Number>& ratio) {
  return Rational::fraction(widen(ratio.weight), widen(ratio.tokens));
}

// Holds what a search that ended with a proof knows against the map.
template <typename Number>
void require_evidence(const RandomMap& map, const RatioSearch<Number, Evidence::kept>& search) {
  MapPass<Number> again(map);
  ClockArcs<Number> arcs;
  arcs.values.resize(map.clocks());
  arcs.origins.resize(map.clocks());
  REQUIRE(again(search.proven(), search.upper()->tokens, arcs) == PassOutcome::done);
  REQUIRE(*again.least == value(*search.upper()));
  if (search.circuit().empty()) return;
  Integer weight = 0;
  const auto& circuit = search.circuit();
  for (std::size_t k = 0; k < circuit.size(); ++k) {
    const std::uint32_t from = circuit[(k + 1) % circuit.size()];
    const auto& arc = map.weights[circuit[k] * map.tokens + from % map.tokens];
    REQUIRE(map.before(circuit[k], from % map.tokens) == from);
    REQUIRE(arc.has_value());
    weight += *arc;
  }
  REQUIRE(Rational::fraction(weight, circuit.size() / map.segments) == value(search.lambda()));
}

const auto kNeverStop = [](const auto&) { return false; };

}  // namespace

TEMPLATE_TEST_CASE("a search finds the largest ratio of a map and proves it, from any clocks", "", std::int64_t, Int128,
                   Integer) {
  using Number = TestType;
  RatioSearch<Number, Evidence::kept> search;  // its memory serves all
  RatioSearch<Number, Evidence::dropped> bare;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    const RandomMap map = random_map(draw, 1);
    const Rational largest = map.largest();
    std::vector<Number> start(map.clocks());
    for (Number& clock : start) clock = draw.between(0, seed % 2 == 0 ? 3 : 1000);
    search.prepare(map.clocks(), map.segments) = start;
    REQUIRE(search.run({0, 1}, MapPass<Number>(map), kNeverStop) == SearchEnd::proved);
    REQUIRE(value(search.lambda()) == largest);
    REQUIRE(value(*search.upper()) == largest);
    require_evidence(map, search);

    bare.prepare(map.clocks(), map.segments) = start;
    REQUIRE(bare.run({0, 1}, MapPass<Number>(map), kNeverStop) == SearchEnd::proved);
    REQUIRE(value(bare.lambda()) == largest);
    REQUIRE(bare.passes() == search.passes());

    // From a larger ratio there is nothing to find.
    const Number beyond = 21 * static_cast<std::int64_t>(map.segments);
    search.prepare(map.clocks(), map.segments) = start;
    REQUIRE(search.run({beyond, 1}, MapPass<Number>(map), kNeverStop) == SearchEnd::proved);
    REQUIRE(value(search.lambda()) == Rational(widen(beyond)));
    REQUIRE(search.circuit().empty());
    REQUIRE(value(*search.upper()) <= Rational(widen(beyond)));
  }
}

TEST_CASE("a search that ends early keeps the best of all bounds, where later passes have worse ones") {
  std::size_t worse = 0;
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    Draw draw(seed);
    const RandomMap map = random_map(draw, 1);
    const Rational largest = map.largest();
    std::vector<std::int64_t> start(map.clocks());
    for (std::int64_t& clock : start) clock = draw.between(0, 30);
    for (std::size_t most = 0; most < 6; ++most) {
      INFO("seed " << seed << ", " << most << " passes");
      RatioSearch<std::int64_t, Evidence::kept> search;
      search.prepare(map.clocks(), map.segments) = start;
      MapPass<std::int64_t> pass(map, most);
      const SearchEnd end = search.run({0, 1}, pass, kNeverStop);
      REQUIRE(search.passes() == pass.played);
      REQUIRE(search.upper().has_value() == pass.least.has_value());
      if (!pass.least) continue;
      REQUIRE(value(*search.upper()) == *pass.least);
      REQUIRE((end == SearchEnd::proved) == (value(search.lambda()) == *pass.least));
      REQUIRE(value(search.lambda()) <= largest);
      require_evidence(map, search);
      if (pass.got_worse) ++worse;
    }
  }
  REQUIRE(worse > 20);
}

TEST_CASE("a search stops with the ratio of a circuit that its caller asked for") {
  std::size_t stopped = 0;
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    INFO("seed " << seed);
    Draw draw(seed);
    const RandomMap map = random_map(draw, 1);
    const Rational largest = map.largest();
    const Rational enough(draw.between(0, 20) * static_cast<std::int64_t>(map.segments));
    RatioSearch<std::int64_t, Evidence::dropped> search;
    search.prepare(map.clocks(), map.segments);
    const auto stop = [&](const ClockRatio<std::int64_t>& ratio) { return value(ratio) >= enough; };
    const SearchEnd end = search.run({0, 1}, MapPass<std::int64_t>(map), stop);
    REQUIRE(value(search.lambda()) <= largest);
    const bool reached = largest >= enough && largest > Rational(0);
    REQUIRE((end == SearchEnd::stopped) == reached);
    REQUIRE((value(search.lambda()) >= enough || !reached));
    if (end == SearchEnd::proved) REQUIRE(value(search.lambda()) == largest);
    if (reached) ++stopped;
  }
  REQUIRE(stopped > 100);
}

TEMPLATE_TEST_CASE("a search whose numbers are too narrow says so, and is right up to there", "", std::int64_t,
                   Int128) {
  using Number = TestType;
  constexpr unsigned kBits = sizeof(Number) == 8 ? 60 : 124;
  RatioSearch<Number, Evidence::kept> search;
  std::size_t wide = 0;
  std::size_t right = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    for (unsigned bits = kBits - 14; bits < kBits; ++bits) {
      INFO("seed " << seed << ", " << bits << " bits");
      Draw draw(seed);
      const RandomMap map = random_map(draw, (Integer(1) << bits) - draw.between(0, 2));
      search.prepare(map.clocks(), map.segments);
      const SearchEnd end = search.run({0, 1}, MapPass<Number>(map), kNeverStop);
      if (end == SearchEnd::too_wide) {
        ++wide;
        continue;
      }
      ++right;
      REQUIRE(end == SearchEnd::proved);
      REQUIRE(value(search.lambda()) == map.largest());
      require_evidence(map, search);
    }
  }
  REQUIRE(wide > 100);
  REQUIRE(right > 100);
}

}  // namespace takt::evaluators
