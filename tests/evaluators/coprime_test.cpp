// What docs/complexity.md proves of pairwise coprime replica counts, on mappings whose period is known by counting.
#include <algorithm>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/evaluate.hpp"
#include "tests/evaluators/judged_nets.hpp"
#include "tests/support/coprime_families.hpp"
#include "tests/support/counted_clock.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::Evaluation;
using evaluators::Method;
using maxplus::integer_of;
using maxplus::Rational;
using support::CountingInstance;
using support::Formula;
using tpn::FoldedNet;
using tpn::Model;

// More rows take too long to prove.
constexpr std::uint64_t kMostProvedRows = 25'000;
// More rows take too long to sweep, for hundreds of nets.
constexpr std::uint64_t kMostRows = 10'000'000;

Rational counted_period(const CountingInstance& instance, std::uint64_t count) {
  return instance.candidate + Rational::fraction(integer_of(count), instance.data_sets);
}

bool are_pairwise_coprime(const tpn::Mapping& mapping) {
  maxplus::Integer product = 1;
  std::uint64_t multiple = 1;
  for (const tpn::Part& part : mapping) {
    product *= integer_of(part.processors.size());
    multiple = std::lcm(multiple, part.processors.size());
  }
  return product == integer_of(multiple);
}

TEST_CASE("with coprime replica counts the STRICT period counts the assignments that satisfy a term") {
  for (std::uint64_t seed = 0; seed < support::draws(60); ++seed) {
    INFO("seed " << seed);
    const Formula terms = support::random_formula(1 + seed % 3, 1 + seed % 4, seed);
    const CountingInstance instance = support::coprime_counting_instance(terms, 5);
    REQUIRE(are_pairwise_coprime(*instance.document.mapping));
    const FoldedNet net =
        support::require_counted(instance, Model::kStrict, support::satisfying_some_term(terms), kMostProvedRows);
    REQUIRE(evaluators::largest_cycle_time(net) == instance.candidate);
  }
}

TEST_CASE("with coprime replica counts a formula can be satisfied just if a resource is not critical") {
  std::size_t satisfied = 0;
  std::size_t unsatisfied = 0;
  for (std::uint64_t seed = 0; seed < support::draws(50); ++seed) {
    INFO("seed " << seed);
    const Formula formula = support::random_formula(1 + seed % 2, 1 + seed % 3, seed);
    const bool is_satisfiable = support::satisfying_assignments(formula) > 0;
    const CountingInstance instance = support::coprime_deciding_instance(formula, 5);
    if (instance.data_sets > kMostRows) continue;
    REQUIRE(are_pairwise_coprime(*instance.document.mapping));
    const FoldedNet net = support::net_of(instance.document, Model::kStrict);
    REQUIRE(evaluators::largest_cycle_time(net) == instance.candidate);
    const Evaluation evaluation = evaluators::evaluate(net);
    REQUIRE(evaluation.exact());
    if (tpn::repetition_of(net) <= kMostProvedRows) support::require_proof(net, evaluation);
    const Rational& period = evaluation.upper;
    REQUIRE(period >= instance.candidate);
    REQUIRE((period > instance.candidate) == is_satisfiable);
    ++(is_satisfiable ? satisfied : unsatisfied);
  }
  REQUIRE(satisfied > 0);
  REQUIRE(unsatisfied > 0);
}

TEST_CASE("with a far processor behind a toll the STRICT period is larger than all cycle times above a threshold") {
  std::size_t above = 0;
  for (std::uint64_t seed = 0; seed < support::draws(80); ++seed) {
    INFO("seed " << seed);
    const Formula terms = support::random_formula(1 + seed % 2, 1 + seed % 3, seed);
    const std::uint64_t count = support::satisfying_some_term(terms);
    const std::uint64_t threshold = seed / 2 % 5;
    const CountingInstance instance = support::coprime_threshold_instance(terms, threshold, 5);
    const FoldedNet net =
        support::require_counted(instance, Model::kStrict, std::max(threshold, count), kMostProvedRows);
    REQUIRE(evaluators::largest_cycle_time(net) == counted_period(instance, threshold));
    if (count > threshold) ++above;
  }
  REQUIRE(above > 0);
}

constexpr std::uint64_t kNever = 1'000'000'000;

// The method's answer, if its time is up at that question to the clock, holds the period; whether it is exact.
bool holds_period(const FoldedNet& net, Method method, std::uint64_t questions, const Rational& period) {
  const support::CountedClock clock(std::chrono::milliseconds(1));
  evaluators::Options options = support::options_of(method);
  options.deadline = clock.at_question(questions);
  const Evaluation found = evaluators::evaluate(net, options);
  REQUIRE(found.lower <= period);
  REQUIRE(found.upper >= period);
  return found.exact();
}

TEST_CASE("residue and the bounds by potentials are right where replica counts are coprime") {
  for (std::uint64_t seed = 0; seed < support::draws(30); ++seed) {
    INFO("seed " << seed);
    const Formula terms = support::random_formula(1 + seed % 2, 1 + seed % 2, seed);
    const CountingInstance instance = support::coprime_counting_instance(terms, 5);
    const FoldedNet net = support::net_of(instance.document, Model::kStrict);
    const Rational period = counted_period(instance, support::satisfying_some_term(terms));
    const bool is_small = tpn::repetition_of(net) <= 2'000;
    const bool is_exact = holds_period(net, Method::residue, is_small ? kNever : 100, period);
    REQUIRE((is_exact || !is_small));
    holds_period(net, Method::potentials, 100, period);
  }
}

TEST_CASE("a coprime net of more than 100,000 rows is solved exactly") {
  const Formula terms = support::random_formula(2, 3, 2);
  const CountingInstance instance = support::coprime_counting_instance(terms, 17);
  const FoldedNet net = support::net_of(instance.document, Model::kStrict);
  REQUIRE(tpn::repetition_of(net) > 100'000);
  const Rational period = counted_period(instance, support::satisfying_some_term(terms));
  for (const Method method : {Method::automatic, Method::sweep}) REQUIRE(holds_period(net, method, kNever, period));
  for (const Method method : {Method::residue, Method::potentials}) holds_period(net, method, 300, period);
}

}  // namespace
}  // namespace takt
