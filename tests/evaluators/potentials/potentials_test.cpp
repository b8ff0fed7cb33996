// Potentials: what they prove is never below the exact period, and the independent checker proves it again.
#include "evaluators/potentials/potentials.hpp"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <vector>

#include "evaluators/bounds.hpp"
#include "evaluators/potentials/attempts.hpp"
#include "evaluators/potentials/step_control.hpp"
#include "evaluators/proof/certify.hpp"
#include "evaluators/proof/check.hpp"
#include "evaluators/proof/check_potentials.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"

namespace takt {
namespace {

using evaluators::AttemptResult;
using evaluators::Evaluation;
using evaluators::FixpointEnd;
using evaluators::Method;
using evaluators::PotentialAttempts;
using maxplus::Rational;
using tpn::FoldedNet;
using tpn::Model;

// Parts that are nearly as tight as one another, three to five of them; numbers of processors with common divisors.
tpn::Document tight_document(std::uint64_t seed) {
  support::Draw draw(seed);
  std::vector<std::size_t> replication(draw.count(3, 5));
  const std::size_t common = draw.one_in(4) ? 2 : 1;
  for (std::size_t& count : replication) count = common * draw.count(1, 6 / common);
  constexpr std::array<int, 3> kUnits = {1, 1000, 7};
  const Rational unit = Rational::fraction(1, kUnits[draw.index(kUnits.size())]);
  return draw.coin() ? support::balanced_document(replication, seed)
                     : support::uniform_document(replication, draw.one_in(3) ? 0 : 10, 100, seed, unit);
}

struct TightNet {
  FoldedNet net;
  Rational period;
};

template <typename Visit>
void for_each_tight_net(std::uint64_t all, Visit visit) {
  std::uint64_t nets = 0;
  for (std::uint64_t seed = 0, wanted = support::draws(all); nets < wanted; ++seed) {
    INFO("seed " << seed);
    TightNet tight{support::net_of(tight_document(seed), Model::kStrict), {}};
    tight.period = support::period_of(tight.net);
    if (tight.period <= 0) continue;
    visit(tight);
    ++nets;
  }
}

AttemptResult attempted(const TightNet& tight, const Rational& factor) {
  constexpr evaluators::AttemptBudget kBudget = {.expected = 100'000, .most = 500'000};
  return PotentialAttempts(tight.net, tight.period).attempt(tight.period * factor, kBudget, {});
}

TEST_CASE(
    "potentials prove no candidate period below the exact period, and the checker proves each candidate period that "
    "they do") {
  std::uint64_t nets = 0;
  std::uint64_t above = 0;  // nets whose period is above the largest cycle time
  std::uint64_t closed = 0;
  for_each_tight_net(60, [&](const TightNet& tight) {
    ++nets;
    above += tight.period > evaluators::largest_cycle_time(tight.net) ? 1 : 0;
    for (const auto& [numerator, denominator] : {std::pair{99, 100}, std::pair{999, 1000}, std::pair{9999, 10'000}}) {
      CHECK(attempted(tight, Rational::fraction(numerator, denominator)).end != FixpointEnd::found);
    }
    const Rational candidate = tight.period * Rational::fraction(1001, 1000);
    const AttemptResult result = attempted(tight, Rational::fraction(1001, 1000));
    if (result.end != FixpointEnd::found) return;
    ++closed;
    CHECK(std::holds_alternative<evaluators::Proven>(
        evaluators::check_potentials(tight.net, result.schedule, candidate, {})));
    CHECK_FALSE(std::holds_alternative<evaluators::Proven>(
        evaluators::check_potentials(tight.net, result.schedule, tight.period * Rational::fraction(999, 1000), {})));
  });
  CHECK(above > nets / 8);
  CHECK(closed > nets * 98 / 100);
}

TEST_CASE("potentials come down the gaps nearly as far as all they may spend would bring them at once") {
  const auto by_power = [](double power) { return [power](double gap) { return 1e4 * std::pow(gap, -power); }; };
  const std::vector<std::function<double(double)>> costs = {by_power(3), by_power(6), by_power(9),
                                                            [](double gap) { return 1e4 * std::exp(0.3 / gap); }};
  for (std::size_t k = 0; k < costs.size(); ++k) {
    for (const double all : {1e7, 1e9, 1e11}) {
      INFO("costs " << k << ", " << all);
      double best = 0.25;
      if (costs[k](best) > all) continue;
      while (best > 1e-4 && costs[k](best * 0.99) < all) best *= 0.99;
      double left = all;
      double proved = 1;
      evaluators::StepControl steps(0.25, left);
      while (steps.next()) {
        const evaluators::StepControl::Attempt attempt = *steps.next();
        CHECK(attempt.gap < proved);
        const double cost = costs[k](attempt.gap);
        left -= std::min(cost, attempt.most);
        if (cost > attempt.most) {
          steps.failed(attempt.most, left);
        } else {
          proved = attempt.gap;
          steps.proved(cost, left, all);
        }
      }
      CHECK(left > -1e-6 * all);
      CHECK(proved < 1.5 * best);
    }
  }
}

TEST_CASE("potentials answer with an interval that holds the period and a certificate that the checker accepts") {
  std::uint64_t nets = 0;
  std::uint64_t near = 0;
  for_each_tight_net(40, [&](const TightNet& tight) {
    ++nets;
    REQUIRE(!evaluators::why_unfit(Method::potentials, tight.net));
    const Evaluation evaluation = evaluators::evaluate(tight.net, support::options_of(Method::potentials));
    CHECK(evaluation.lower <= tight.period);
    CHECK(evaluation.upper >= tight.period);
    CHECK(support::proved(tight.net, evaluation));
    near += evaluation.upper <= evaluation.lower * Rational::fraction(101, 100) ? 1 : 0;
  });
  CHECK(near > nets * 9 / 10);
}

TEST_CASE("potentials bound a pipeline of millions of rows within a percent, the same at each call") {
  const FoldedNet net = support::net_of(support::dealt_document(9, 120, 10, 100, 3), Model::kStrict);
  const Evaluation evaluation = evaluators::evaluate(net, support::options_of(Method::potentials));
  CHECK(evaluation.upper <= evaluation.lower * Rational::fraction(101, 100));
  CHECK(support::proved(net, evaluation));
  const Evaluation again = evaluators::evaluate(net, support::options_of(Method::potentials));
  CHECK(again.lower == evaluation.lower);
  CHECK(again.upper == evaluation.upper);
  CHECK(std::get<evaluators::PotentialSchedule>(again.witness) ==
        std::get<evaluators::PotentialSchedule>(evaluation.witness));
}

TEST_CASE("potentials keep what is proved when time or memory run out") {
  const FoldedNet net = support::net_of(support::dealt_document(9, 120, 10, 100, 3), Model::kStrict);
  evaluators::Options options = support::options_of(Method::potentials);
  options.deadline = maxplus::Deadline::Clock::now();
  const Evaluation hurried = evaluators::evaluate(net, options);
  CHECK(std::holds_alternative<evaluators::OutOfTime>(hurried.limit));
  CHECK(support::proved(net, hurried));
  options = support::options_of(Method::potentials);
  options.max_memory = 1 << 20;
  const Evaluation small = evaluators::evaluate(net, options);
  REQUIRE(std::holds_alternative<tpn::TooLarge>(small.limit));
  CHECK(std::get<tpn::TooLarge>(small.limit).kind == tpn::LimitKind::potential_bytes);
  CHECK(support::proved(net, small));
}

TEST_CASE("potentials say which nets they are not for") {
  const auto reason = [](const tpn::Document& document, const Model& model) {
    return evaluators::why_unfit(Method::potentials, support::net_of(document, model)).value_or("");
  };
  tpn::Document plain = support::uniform_document(std::array<std::size_t, 3>{2, 3, 2}, 1, 9, 1);
  CHECK(reason(plain, Model::kStrict).empty());
  CHECK_THAT(reason(plain, Model::kOverlap), Catch::Contains("the model strict"));
  CHECK_THAT(reason(support::uniform_document(std::array<std::size_t, 2>{2, 3}, 1, 9, 1), Model::kStrict),
             Catch::Contains("at least 3 parts"));
  std::vector<std::size_t>& sequence = plain.mapping->at(1).processors;
  sequence.push_back(sequence.front());
  CHECK_THAT(reason(plain, Model::kStrict), Catch::Contains("once"));
}

}  // namespace
}  // namespace takt
