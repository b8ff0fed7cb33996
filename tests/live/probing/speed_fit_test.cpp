// Tests of works and speeds: planted ones are found, and nothing near has a smaller sum of squared logarithms.
#include "live/probing/speed_fit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <vector>

#include "maxplus/contract.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"

namespace takt::live {

namespace {

using Table = std::vector<std::vector<std::optional<Rational>>>;
using Numbers = std::vector<Rational>;

Rational fraction(long above, long below) { return Rational::fraction(above, below); }

Table table_of(const Numbers& works, const Numbers& speeds) {
  Table times;
  for (const Rational& work : works) {
    auto& row = times.emplace_back();
    for (const Rational& speed : speeds) row.emplace_back(work / speed);
  }
  return times;
}

double number(const Rational& value) { return *value.to_double(); }

double sum_of_squares(const Table& times, const std::vector<double>& works, const std::vector<double>& speeds) {
  double sum = 0;
  for (std::size_t k = 0; k < times.size(); ++k) {
    for (std::size_t p = 0; p < times[k].size(); ++p) {
      if (times[k][p]) sum += std::pow(std::log(works[k] / speeds[p] / number(*times[k][p])), 2);
    }
  }
  return sum;
}

// Works and speeds of three digits, the first speed 1.
struct Planted {
  Numbers works;
  Numbers speeds = {1};

  explicit Planted(support::Draw& draw) {
    for (std::size_t k = draw.count(1, 8); k > 0; --k) works.push_back(fraction(draw.whole(1, 999), 10));
    for (std::size_t p = draw.count(0, 7); p > 0; --p) speeds.push_back(fraction(draw.whole(1, 999), 100));
  }
};

// Takes times away at random, but none of the first stage and none on the first processor: what is left is connected.
void remove_some(Table& times, support::Draw& draw) {
  for (std::size_t k = 1; k < times.size(); ++k) {
    for (std::size_t p = 1; p < times[k].size(); ++p) {
      if (draw.coin()) times[k][p].reset();
    }
  }
}

}  // namespace

TEST_CASE("planted works and speeds are found, whatever was not measured") {
  support::Draw draw(1);
  for (std::uint64_t i = 0; i < support::draws(2000); ++i) {
    const Planted planted(draw);
    Table times = table_of(planted.works, planted.speeds);
    if (draw.coin()) remove_some(times, draw);
    const auto fit = fit_speeds(times);
    REQUIRE(fit.has_value());
    REQUIRE(fit->works.size() == planted.works.size());
    REQUIRE(fit->speeds.size() == planted.speeds.size());
    CHECK(std::ranges::equal(fit->works, planted.works));
    CHECK(std::ranges::equal(fit->speeds, planted.speeds));
    CHECK(fit->worst_misfit == 0);
  }
}

TEST_CASE("with noise the fit is near, nothing near is better, and its worst time is told") {
  support::Draw draw(2);
  for (std::uint64_t i = 0; i < support::draws(1000); ++i) {
    const Planted planted(draw);
    Table times = table_of(planted.works, planted.speeds);
    remove_some(times, draw);
    for (auto& row : times) {
      for (auto& time : row) {
        if (time) *time *= fraction(1000 + draw.whole(-20, 20), 1000);
      }
    }
    const auto fit = fit_speeds(times);
    REQUIRE(fit.has_value());
    CHECK(fit->speeds[0] == 1);
    std::vector<double> works;
    std::vector<double> speeds;
    for (const auto& work : fit->works) works.push_back(number(*work));
    for (const auto& speed : fit->speeds) speeds.push_back(number(*speed));
    const double least = sum_of_squares(times, works, speeds);
    for (auto* numbers : {&works, &speeds}) {
      for (double& value : *numbers) {
        for (const double factor : {0.5, 0.99, 0.999, 1.001, 1.01, 2.0}) {
          const double kept = value;
          value *= factor;
          CHECK(sum_of_squares(times, works, speeds) > least);
          value = kept;
        }
      }
    }
    Rational worst;
    for (std::size_t k = 0; k < times.size(); ++k) {
      for (std::size_t p = 0; p < times[k].size(); ++p) {
        if (!times[k][p]) continue;
        const Rational quotient = *fit->works[k] / *fit->speeds[p] / *times[k][p];
        worst = std::max({worst, quotient - 1, 1 - quotient});
      }
    }
    CHECK(fit->worst_misfit == worst);
    CHECK(fit->worst_misfit < fraction(1, 10));
    const Rational told = *fit->works[fit->worst_stage] / *fit->speeds[fit->worst_processor] /
                          *times[fit->worst_stage][fit->worst_processor];
    CHECK(std::max(told - 1, 1 - told) == worst);
  }
}

TEST_CASE("a misfit is shared evenly, in proportion") {
  // The second stage is four times as fast there as the first one says: each is off by a factor of 2^(1/2).
  const auto fit = fit_speeds(Table{{1, 1}, {1, fraction(1, 4)}});
  REQUIRE(fit.has_value());
  CHECK(fit->works[0] == fraction(141421, 100000));
  CHECK(fit->works[1] == fraction(707107, 1000000));
  CHECK(fit->speeds[1] == 2);
  CHECK(fit->worst_misfit == fraction(414214, 1000000));
  CHECK(fit->worst_stage == 1);
  CHECK(fit->worst_processor == 1);
}

TEST_CASE("one stage on all processors gives their speeds, and no work of the others") {
  const auto fit = fit_speeds(Table{{std::nullopt, std::nullopt, std::nullopt}, {std::nullopt, 4, 8}});
  REQUIRE(fit.has_value());
  CHECK(fit->works == std::vector<std::optional<Rational>>{std::nullopt, 4});
  CHECK(fit->speeds == std::vector<std::optional<Rational>>{std::nullopt, 1, fraction(1, 2)});
}

TEST_CASE("a chain of common stages compares all processors, two groups without one do not") {
  const auto nothing = std::optional<Rational>();
  const auto chain = fit_speeds(Table{{1, 2, nothing}, {nothing, 6, 3}});
  REQUIRE(chain.has_value());
  CHECK(chain->speeds == std::vector<std::optional<Rational>>{1, fraction(1, 2), 1});
  CHECK(chain->works == std::vector<std::optional<Rational>>{1, 3});
  CHECK(!fit_speeds(Table{{1, 2, nothing}, {nothing, nothing, 3}}));
  CHECK(!fit_speeds(Table{{nothing, nothing}}));
  CHECK(!fit_speeds(Table{}));
}

TEST_CASE("speeds beyond doubles have no fit, times that nobody measures are a caller's bug") {
  const Rational long_time = significant(Rational(maxplus::Integer("1" + std::string(29, '0'))));
  const Rational short_time = Rational(1) / long_time;
  // Each processor is 10^58 times as fast as the one before.
  Table chain(6, std::vector<std::optional<Rational>>(7));
  for (std::size_t k = 0; k < chain.size(); ++k) {
    chain[k][k] = long_time;
    chain[k][k + 1] = short_time;
  }
  CHECK(!fit_speeds(chain));
  chain.pop_back();
  for (auto& row : chain) row.pop_back();
  CHECK(fit_speeds(chain).has_value());
  CHECK_THROWS_AS(fit_speeds(Table{{0}}), maxplus::ContractViolation);
  CHECK_THROWS_AS(fit_speeds(Table{{long_time * 100}}), maxplus::ContractViolation);
  CHECK_THROWS_AS(fit_speeds(Table{{1, 1}, {1}}), maxplus::ContractViolation);
}

}  // namespace takt::live
