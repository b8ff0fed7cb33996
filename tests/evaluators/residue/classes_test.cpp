// The starts of residue's classes at the edge of their numbers: what 64 and 128 bits hold is held, what they may not
// hold is refused.
#include "evaluators/residue/classes.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace takt {
namespace {

using evaluators::Classes;
using evaluators::Precedence;
using evaluators::ResidueSystem;
using evaluators::Rises;
using maxplus::Int128;
using maxplus::Integer;
using maxplus::Rational;

// Nodes of one class each.
ResidueSystem system_of(std::size_t nodes, std::vector<Precedence> precedences) {
  ResidueSystem system;
  for (std::size_t v = 0; v < nodes; ++v) system.columns.push_back(v);
  system.least_moduli.assign(nodes, 1);
  system.incoming.resize(nodes);
  system.outgoing.resize(nodes);
  for (std::size_t k = 0; k < precedences.size(); ++k) {
    system.incoming[precedences[k].to].push_back(k);
    system.outgoing[precedences[k].from].push_back(k);
  }
  system.precedences = std::move(precedences);
  return system;
}

// A node that waits for its own last data set: at candidate period 0 its start rises by the weight in every row.
ResidueSystem loop(const Integer& weight) {
  return system_of(1, {{0,
                        0,
                        1,
                        1,
                        0,
                        std::make_shared<const tpn::DurationTable>(std::vector<Integer>{weight}),
                        {{tpn::ColumnIndex(0), 1}}}});
}

// What starts and weights stay below.
template <typename Number>
Integer edge() {
  return Integer(1) << (std::is_same_v<Number, std::int64_t> ? 62 : 126);
}

template <typename Number>
std::string start_of(const Classes<Number>& classes) {
  return evaluators::widen<Number>(classes.starts(0)[0]).get_str();
}

struct RolledLoop {
  bool rolled = false;
  std::string start;
  double visits = 0;
};

template <typename Number>
RolledLoop roll_loop(const Integer& weight, std::uint64_t rows) {
  const ResidueSystem system = loop(weight);
  Classes<Number> classes(system, system.least_moduli);
  Rises rises;
  rises.activate_none(1);
  REQUIRE(classes.set_candidate(Rational(0)));
  const auto rose = classes.roll(0, 0, rows, rises);
  REQUIRE(rises.is_active(0) == (rose == true));
  return {rose.has_value(), start_of(classes), classes.visits()};
}

TEMPLATE_TEST_CASE("weights of residue's precedences fit up to the edge of their numbers", "", std::int64_t, Int128) {
  const Integer limit = edge<TestType>();
  const auto fits = [](const Integer& weight, const Rational& candidate) {
    const ResidueSystem system = loop(weight);
    return Classes<TestType>(system, system.least_moduli).set_candidate(candidate);
  };
  CHECK(fits(limit - 1, Rational(0)));
  CHECK_FALSE(fits(limit, Rational(0)));
  CHECK(fits(1, Rational(limit)));
  CHECK(fits(0, Rational(Integer(limit - 1))));
  CHECK_FALSE(fits(0, Rational(limit)));
  CHECK_FALSE(fits(1, Rational(Integer(limit + 1))));
  // In units of a third of a net unit: 3 weight - 1, and 3 weight + 1.
  const Integer third = limit / 3;  // limit = 3 third + 1
  REQUIRE(3 * third + 1 == limit);
  CHECK(fits(third, Rational::fraction(1, 3)));
  CHECK_FALSE(fits(third, Rational::fraction(-1, 3)));
  // Numbers of any size have no edge.
  const ResidueSystem system = loop(limit * limit);
  CHECK(Classes<Integer>(system, system.least_moduli).set_candidate(Rational(0)));
}

TEMPLATE_TEST_CASE("residue's starts are not raised where a sum might leave their numbers", "", std::int64_t, Int128) {
  const Integer eighth = edge<TestType>() / 8;
  // After 6 rows no sum is beyond 7 eighths, after 7 rows 8 eighths are in sight.
  const RolledLoop six = roll_loop<TestType>(eighth, 6);
  CHECK(six.rolled);
  CHECK(six.start == Integer(6 * eighth).get_str());
  const RolledLoop seven = roll_loop<TestType>(eighth, 7);
  CHECK_FALSE(seven.rolled);
  CHECK(seven.start == "0");
  CHECK(seven.visits == 0);
  const RolledLoop just = roll_loop<TestType>(eighth - 1, 7);
  CHECK(just.rolled);
  CHECK(just.start == Integer(7 * (eighth - 1)).get_str());
  const RolledLoop any = roll_loop<Integer>(eighth, 70);
  CHECK(any.rolled);
  CHECK(any.start == Integer(70 * eighth).get_str());
}

TEMPLATE_TEST_CASE("residue's starts near the edge of their numbers are rolled and closed no further", "", std::int64_t,
                   Int128) {
  const Integer eighth = edge<TestType>() / 8;
  const ResidueSystem system = loop(eighth);
  Rises rises;
  rises.activate_none(1);
  for (const std::uint64_t rows : {5U, 6U}) {
    INFO(rows << " rows");
    Classes<TestType> rolling(system, system.least_moduli);
    REQUIRE(rolling.set_candidate(Rational(0)));
    REQUIRE(rolling.roll(0, 0, rows, rises) == true);
    CHECK(rolling.roll(0, 0, 1, rises).has_value() == (rows == 5));
    Classes<TestType> closing(system, system.least_moduli);
    REQUIRE(closing.set_candidate(Rational(0)));
    REQUIRE(closing.roll(0, 0, rows, rises) == true);
    CHECK(closing.close(rises).has_value() == (rows == 5));
    CHECK(start_of(closing) == Integer(6 * eighth).get_str());
  }
}

TEMPLATE_TEST_CASE("residue's starts that do not rise can be rolled for ever", "", std::int64_t, Int128) {
  const Integer eighth = edge<TestType>() / 8;
  // Node 0 waits for node 1, which waits for nothing.
  const ResidueSystem system = system_of(2, {{1,
                                              0,
                                              1,
                                              1,
                                              0,
                                              std::make_shared<const tpn::DurationTable>(std::vector<Integer>{eighth}),
                                              {{tpn::ColumnIndex(1), 1}}}});
  Classes<TestType> classes(system, system.least_moduli);
  Rises rises;
  rises.activate_none(2);
  REQUIRE(classes.set_candidate(Rational(0)));
  for (int k = 0; k < 10; ++k) {
    INFO("roll " << k);
    const auto rose = classes.roll(0, 0, 5, rises);
    REQUIRE(rose.has_value());
    REQUIRE(*rose == (k == 0));
    REQUIRE(start_of(classes) == eighth.get_str());
  }
}

TEMPLATE_TEST_CASE("residue's starts move to a finer beat where their numbers hold them", "", std::int64_t, Int128) {
  const Integer eighth = edge<TestType>() / 8;
  // Starts after 4 rows, to halves of a net unit.
  const auto halved = [](const Integer& weight) -> std::optional<std::string> {
    const ResidueSystem system = loop(weight);
    Classes<TestType> classes(system, system.least_moduli);
    Rises rises;
    rises.activate_none(1);
    REQUIRE(classes.set_candidate(Rational(0)));
    REQUIRE(classes.roll(0, 0, 4, rises) == true);
    if (!classes.set_candidate(Rational::fraction(1, 2))) return std::nullopt;
    return start_of(classes);
  };
  CHECK_FALSE(halved(eighth).has_value());
  CHECK(halved(eighth - 1) == Integer(8 * (eighth - 1)).get_str());
}

TEMPLATE_TEST_CASE("residue's starts are refused a beat whose denominator is beyond them", "", std::int64_t, Int128) {
  const Integer denominator = edge<TestType>() * 2;
  const Rational candidate = Rational::fraction(denominator - 1, denominator);  // 1 less it is 1 / denominator
  const ResidueSystem system = loop(1);
  Classes<TestType> classes(system, system.least_moduli);
  REQUIRE(classes.set_candidate(candidate));
  REQUIRE(classes.set_candidate(Rational(0)));
  Rises rises;
  rises.activate_none(1);
  REQUIRE(classes.roll(0, 0, 1, rises) == true);
  REQUIRE(start_of(classes) == "1");
  CHECK_FALSE(classes.set_candidate(candidate));
}

}  // namespace
}  // namespace takt
