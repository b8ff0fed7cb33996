// What the checker may spend, counted.
#include "evaluators/proof/check_budget.hpp"

#include <catch2/catch.hpp>
#include <variant>

namespace takt {
namespace {

using evaluators::CheckBudget;
using evaluators::Integer;

tpn::TooLarge limit_of(const CheckBudget& budget) {
  REQUIRE(std::holds_alternative<tpn::TooLarge>(budget.unchecked()));
  return std::get<tpn::TooLarge>(budget.unchecked());
}

TEST_CASE("a budget is spent to the last operation") {
  CheckBudget budget(10);
  REQUIRE(budget.spend(std::uint64_t{4}));
  REQUIRE(budget.allows(Integer(6)));
  REQUIRE_FALSE(budget.allows(Integer(7)));
  REQUIRE(budget.spend(Integer(6)));
  REQUIRE(budget.spend(std::uint64_t{0}));
  REQUIRE_FALSE(budget.spend(std::uint64_t{1}));
  CHECK(limit_of(budget).kind == tpn::LimitKind::checked_operations);
  CHECK(limit_of(budget).needed == 11);
  CHECK(limit_of(budget).limit == 10);
  REQUIRE_FALSE(budget.spend(UINT64_MAX));
  REQUIRE_FALSE(budget.spend(Integer(1) << 200));
  CHECK(limit_of(budget).needed == (Integer(1) << 200) + 10);
}

TEST_CASE("numbers count by their length, products by that of both") {
  const Integer one = 1;
  const Integer long_number = Integer(1) << (5 * evaluators::kPieceBits - 1);
  CHECK(evaluators::pieces(Integer(0)) == 1);
  CHECK(evaluators::pieces(one) == 1);
  CHECK(evaluators::pieces(Integer((Integer(1) << evaluators::kPieceBits) - 1)) == 1);
  CHECK(evaluators::pieces(-(Integer(1) << evaluators::kPieceBits)) == 2);
  CHECK(evaluators::pieces(long_number) == 5);
  CHECK(evaluators::product_cost(one, long_number) == 5);
  CHECK(evaluators::product_cost(long_number, long_number) == 25);
  CHECK(evaluators::divisor_cost(one, one) == 16);
}

TEST_CASE("numbers that would take more than the memory of a check are a limit") {
  CheckBudget budget(10);
  REQUIRE(budget.keep(1 << 10, 1 << 23));
  REQUIRE_FALSE(budget.keep(1 << 10, (1 << 23) + 1));
  CHECK(limit_of(budget).kind == tpn::LimitKind::denominator_bits);
  CHECK(limit_of(budget).needed == (1 << 23) + 1);
  CHECK(limit_of(budget).limit == 1 << 23);
}

TEST_CASE("time is asked for now and then, and remembered when it is over") {
  int asked = 0;
  CheckBudget budget({evaluators::kCheckedOperations, [&] { return ++asked > 1; }});
  REQUIRE(budget.spend(std::uint64_t{1}));
  REQUIRE(asked == 0);
  REQUIRE(budget.spend(std::uint64_t{1'000'000}));
  REQUIRE(asked == 1);
  REQUIRE_FALSE(budget.has_time(1'000'000));
  REQUIRE(asked == 2);
  CHECK(std::holds_alternative<evaluators::CheckTimeout>(budget.unchecked()));
}

}  // namespace
}  // namespace takt
