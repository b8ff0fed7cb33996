// Paired tests against tables and seeded simulations; Holm's procedure by hand.
#include "experiments/statistics/sampling.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

namespace takt::experiments {

namespace {

TEST_CASE("the tail of paired differences is Student's") {
  // Means 1 and errors 1 / t of tables: t = 2.776 has 0.975 at 4 degrees of freedom.
  const double spread = std::sqrt(5.0) / 2.776445 * std::sqrt(4.0 / 10);
  const std::vector<double> differences = {1 - 2 * spread, 1 - spread, 1.0, 1 + spread, 1 + 2 * spread};
  CHECK(tail_of_differences(differences) == Approx(0.975).margin(1e-6));
  std::vector<double> opposite;
  for (const double difference : differences) opposite.push_back(-difference);
  CHECK(tail_of_differences(opposite) == Approx(0.025).margin(1e-6));
  CHECK(tail_of_differences(std::vector<double>{-1, -1, -1}) == 0);
  CHECK(tail_of_differences(std::vector<double>{1, 1}) == 1);
  CHECK(tail_of_differences(std::vector<double>{0, 0}) == 0.5);
  CHECK(tail_of_differences(std::vector<double>{-1}) == 1);
}

TEST_CASE("where the true mean is 0, a tail below 5 % is seen in 5 % of the samples") {
  std::mt19937_64 engine(1);
  std::normal_distribution<double> law(0, 3);
  int seen = 0;
  for (int sample = 0; sample < 20000; ++sample) {
    std::vector<double> differences(12);
    for (double& difference : differences) difference = law(engine);
    if (tail_of_differences(differences) <= 0.05) ++seen;
  }
  // 1000 are expected, of deviation 31.
  CHECK(seen > 870);
  CHECK(seen < 1130);
}

TEST_CASE("Holm's procedure by hand") {
  const auto rejected = [](const std::vector<double>& tails) { return holm_rejections(tails, 0.05); };
  // 0.05 / 4, / 3, / 2: the third of the ordered, 0.03, is above 0.025, and the last falls with it.
  CHECK(rejected({0.01, 0.04, 0.03, 0.005}) == std::vector<bool>{true, false, false, true});
  CHECK(rejected({0.02, 0.04}) == std::vector<bool>{true, true});
  CHECK(rejected({0.04, 0.03}) == std::vector<bool>{false, false});
  CHECK(rejected({0.05}) == std::vector<bool>{true});
  CHECK(rejected({}).empty());
}

}  // namespace

}  // namespace takt::experiments
