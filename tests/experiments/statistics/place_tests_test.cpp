// What draws decide, by hand and by seeded simulation: tests of means, quotients, shares, separations and divisions.
#include "experiments/statistics/place_tests.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "experiments/reports/report.hpp"
#include "experiments/statistics/fisher.hpp"
#include "experiments/studies/periods.hpp"
#include "tests/experiments/hand_made.hpp"

namespace takt::experiments {

namespace {

ByDraw by_draw(const std::vector<double>& values) {
  ByDraw result;
  for (std::size_t i = 0; i < values.size(); ++i) result.emplace(i, values[i]);
  return result;
}

TEST_CASE("Clopper and Pearson's interval has the values of tables") {
  const auto near = [](std::pair<double, double> found, double low, double high) {
    CHECK(found.first == Approx(low).margin(5e-5));
    CHECK(found.second == Approx(high).margin(5e-5));
  };
  near(share_interval(0, 10, 0.95), 0, 0.3085);
  near(share_interval(5, 10, 0.95), 0.1871, 0.8129);
  near(share_interval(10, 10, 0.95), 0.6915, 1);
  near(share_interval(1, 100, 0.95), 0.0003, 0.0545);
  // The upper end is the share of which so few are seen with the tail's probability.
  const auto [low, high] = share_interval(7, 500, 0.99);
  CHECK(tails_of_count(7, 500, high).at_most == Approx(0.005));
  CHECK(tails_of_count(7, 500, low).at_least == Approx(0.005));
}

TEST_CASE("intervals hold what is drawn from as often as they say") {
  std::mt19937_64 engine(7);
  int shares = 0;
  int means = 0;
  constexpr int kSamples = 4000;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::binomial_distribution<int> counts(40, 0.13);
    const auto [low, high] = share_interval(static_cast<std::uint64_t>(counts(engine)), 40, 0.95);
    if (low <= 0.13 && 0.13 <= high) ++shares;
    std::normal_distribution<double> law(3, 2);
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < 9; ++i) {
      const double value = law(engine);
      sum += value;
      squares += value * value;
    }
    const double margin = mean_margin(std::sqrt((squares - sum * sum / 9) / 8), 9, 0.95);
    if (std::abs(sum / 9 - 3) <= margin) ++means;
  }
  // 3800 of a deviation of 14; Clopper and Pearson's hold more often.
  CHECK(means > 3740);
  CHECK(means < 3860);
  CHECK(shares > 3740);
}

TEST_CASE("of the three answers to bounds each comes where it should") {
  const ByDraw ones = by_draw({1, 1, 1, 1});
  CHECK(tails_within(ones, 1, 1).of_met == 0);
  CHECK(tails_within(ones, 1, 2).of_met == 0);
  CHECK(tails_within(ones, 1, 2).of_not_met == 1);
  CHECK(tails_within(ones, 1.5, 2).of_not_met == 0);
  CHECK(tails_within(ones, 0, 0.5).of_not_met == 0);
  CHECK(tails_within(ones, 1.5, 2).of_met == 1);
  const ByDraw spread = by_draw({0.9, 1.1, 0.8, 1.2, 1, 1.05});
  CHECK(tails_within(spread, 0, 2).of_met < 0.01);
  CHECK(tails_within(spread, 1, 2).of_met > 0.5);
  CHECK(tails_within(spread, 1, 2).of_not_met > 0.5);
  // x / y is 1/2 in the mean, however x and y spread together.
  const ByDraw x = by_draw({1, 2, 3, 4, 5});
  const ByDraw y = by_draw({2.1, 4, 5.9, 8.05, 9.95});
  CHECK(tails_within(x, y, 0.45, 0.55).of_met < 0.03);
  CHECK(tails_within(x, y, 0.52, 0.55).of_not_met < 0.03);
  CHECK(tails_within(x, y, 0.5, 0.55).of_met > 0.1);
  CHECK(tails_within(std::uint64_t{0}, std::uint64_t{1000}, 0, 0.01).of_met < 0.001);
  CHECK(tails_within(std::uint64_t{50}, std::uint64_t{1000}, 0, 0.01).of_not_met < 0.001);
  CHECK(tails_within(std::uint64_t{10}, std::uint64_t{1000}, 0, 0.01).of_met > 0.1);
}

TEST_CASE("where a bound is the mean itself, an answer is wrong as seldom as its tail says") {
  std::mt19937_64 engine(3);
  std::normal_distribution<double> law(1, 0.3);
  int met = 0;
  int not_met = 0;
  constexpr int kSamples = 10000;
  for (int sample = 0; sample < kSamples; ++sample) {
    std::vector<double> values(15);
    for (double& value : values) value = law(engine);
    const AnswerTails tails = tails_within(by_draw(values), 0, 1);
    if (tails.of_met <= 0.05) ++met;
    if (tails.of_not_met <= 0.05) ++not_met;
  }
  // Half of 5 % of the first answer, a quarter of the second: its bound is one of two. Deviations of 16 and 11.
  CHECK(met > 190);
  CHECK(met < 310);
  CHECK(not_met > 80);
  CHECK(not_met < 170);
}

TEST_CASE("how far means lie apart, in deviations") {
  const ByDraw near = by_draw({1, 2, 3});
  const ByDraw far = by_draw({5, 6, 7});
  CHECK(*separation_of({&near, &far}) == Approx(4));
  const ByDraw still = by_draw({2, 2, 2});
  CHECK(*separation_of({&still, &still}) == 0);
  CHECK_FALSE(separation_of({&still, &far}));
  std::vector<double> a;
  std::vector<double> b;
  std::vector<double> c;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> law(0, 1);
  for (int i = 0; i < 100; ++i) {
    a.push_back(law(engine));
    b.push_back(law(engine) + 0.2);
    c.push_back(law(engine) + 4);
  }
  const ByDraw first = by_draw(a);
  const ByDraw second = by_draw(b);
  const ByDraw third = by_draw(c);
  CHECK(tails_of_separation({&first, &second}, 1).of_met < 0.01);
  CHECK(tails_of_separation({&first, &second, &third}, 1).of_not_met < 0.001);
  CHECK(tails_of_separation({&first, &second, &third}, 1).of_met == 1);
}

TEST_CASE("a sample's tails lie between those of its divisions") {
  // 500 draws of each cell, 0 and 7 of them; the paper's 1000 have none.
  const DividedSample sample{0, 1000, {{0, 500}, {7, 500}}};
  const DividedTails tails = divided_tails(sample);
  CHECK(tails.most_at_most == 1);
  CHECK(tails.least_at_most == Approx(sample_tails({0, 1000}, {7, 500}).at_most.to_double().value()));
  CHECK(tails.two_sided() == 1);
  // 0.986^n >= 0.005 up to n = 375.
  CHECK(second_cell_range(sample, 0.005) == std::pair<std::uint64_t, std::uint64_t>(0, 375));
  // At 1.719 % of a million: 305 of 1000, 31 %.
  CHECK(second_cell_range({0, 1000, {{0, 1'000'000}, {17'192, 1'000'000}}}, 0.005) ==
        std::pair<std::uint64_t, std::uint64_t>(0, 305));
  // 10 of 1000 take some draws of the cell that has them.
  const auto some = second_cell_range({10, 1000, {{0, 1'000'000}, {13'000, 1'000'000}}}, 0.005);
  REQUIRE(some);
  CHECK(some->second == 1000);
  CHECK(tails_of_count(10, some->first, 0.013).at_least >= 0.005);
  CHECK(tails_of_count(10, some->first - 1, 0.013).at_least < 0.005);
}

TEST_CASE("tests of values, quotients, crossings and separations reach their verdicts") {
  const auto rows = [](int draw, double spl, double bsl) {
    const auto row = [&](const std::string& heuristic, double period) {
      return R"({"draw": )" + std::to_string(draw) + R"(, "heuristic": ")" + heuristic +
             R"(", "model": "strict", "period": ")" + std::to_string(period) + "\"}";
    };
    return std::vector<std::string>{row("spl", spl), row("bsl", bsl)};
  };
  // Stages 2: spl far above bsl; 3: about equal; 4: far below.
  std::vector<HandMadeCell> cells;
  std::mt19937_64 engine(11);
  std::normal_distribution<double> law(0, 0.5);
  for (std::size_t cell = 0; cell < 3; ++cell) {
    cells.push_back({cell, {}});
    for (int draw = 0; draw < 30; ++draw) {
      for (const std::string& row : rows(draw, 10 - static_cast<double>(cell) + law(engine), 9 + law(engine))) {
        cells.back().rows.push_back(row);
      }
    }
  }
  const auto verdict = [&](const std::string& expectation) {
    const HandMadeRun run = hand_made_run(
        R"({"name": "by-hand", "study": "heuristics", "generator": "replicated-mapping",
            "grid": {"stages": [2, 3, 4], "draws": 30}, "heuristics": ["spl", "bsl"], "models": ["strict"],
            "measures": ["period"], "expect": [{"says": "so", "confidence": 0.95, )" +
            expectation + "}]}",
        cells);
    return verdict_of(*run.summary, run.description->expectations.front());
  };
  const auto outcomes = [](const ExpectationVerdict& found) {
    std::vector<ExpectationOutcome> result;
    for (const CheckedPlace& place : found.places) result.push_back(place.outcome);
    return result;
  };
  constexpr auto kMet = ExpectationOutcome::met;
  constexpr auto kNot = ExpectationOutcome::not_met;
  constexpr auto kOpen = ExpectationOutcome::undecided;
  CHECK(outcomes(verdict(R"("value": {"mean": "period", "heuristic": "spl"}, "within": [0, 9])")) ==
        std::vector{kNot, kOpen, kMet});
  CHECK(outcomes(verdict(R"("ratio": [{"mean": "period", "heuristic": "spl"}, {"mean": "period", "heuristic": "bsl"}],
                            "within": [0, 1])")) == std::vector{kNot, kOpen, kMet});
  CHECK(outcomes(verdict(R"("value": {"share": "period > 8", "heuristic": "spl"}, "within": [0, 0.5])")) ==
        std::vector{kNot, kNot, kOpen});
  const ExpectationVerdict crossing = verdict(
      R"("value": {"mean": "period"}, "crossing": "heuristic", "is": ["spl", "bsl"], "x": "stages", "within": [3, 4])");
  CHECK(outcomes(crossing) == std::vector{kMet});
  CHECK(crossing.places[0].remark == "(1 points without order)");
  CHECK(outcomes(verdict(R"("value": {"mean": "period"}, "apart": "heuristic", "within": [0, 1])")) ==
        std::vector{kNot, kMet, kNot});
}

TEST_CASE("a period below what none can undercut is no result") {
  ChosenHeuristic bound{.label = "lower-bound", .heuristic = nullptr, .special = Special::lower_bound, .options = {}};
  CHECK_FALSE(broken_bound(bound, 3, 3));
  CHECK(*broken_bound(bound, 3, 4) == "the period 3 is below lower-bound, 4, which none can undercut");
  bound.special = Special::none;
  CHECK_FALSE(broken_bound(bound, 3, 4));
}

}  // namespace

}  // namespace takt::experiments
