// Alike or not: by hand, and over random times of equal and unequal processors.
#include "live/probing/likeness.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "live/probing/probe.hpp"

namespace takt::live {
namespace {

using Times = std::vector<std::vector<std::vector<std::int64_t>>>;  // by stage, processor, repeat

std::optional<Likeness> likeness_of_times(const Times& times) { return live::likeness_of_times(times, 0.01); }

TEST_CASE("processors that differ by less than their repeats are alike, others are not") {
  const auto alike = likeness_of_times({{{1000, 1100, 900, 1050, 950}, {1020, 1110, 930, 980, 1080}}});
  REQUIRE(alike.has_value());
  CHECK(alike->is_alike);
  CHECK(alike->difference == 0);
  // Shares of 50, 50, 100 and 100 in 1000, of 40, 60, 90 and 90 in 1020: the two in the middle are 60 and 90 in 1020.
  CHECK(alike->spread == Approx(1.4826 * (60 + 90) / 2 / 1020));
  const auto apart = likeness_of_times({{{1000, 1100, 900, 1050, 950}, {2020, 2110, 1930, 1980, 2080}}});
  REQUIRE(apart.has_value());
  CHECK_FALSE(apart->is_alike);
  CHECK(apart->difference > 0.4);
  CHECK(apart->difference < std::log(2.02));
}

TEST_CASE("one stage on which processors differ is enough, and is named") {
  const Times times = {{{1000, 1100, 900}, {1020, 1110, 930}, {990, 1030, 940}},
                       {{500, 501, 502}, {500, 502, 499}, {800, 801, 799}},
                       {{70, 71, 72}, {70, 70, 71}, {71, 72, 70}}};
  const auto likeness = likeness_of_times(times);
  REQUIRE(likeness.has_value());
  CHECK_FALSE(likeness->is_alike);
  CHECK(likeness->worst == 1);
}

TEST_CASE("what is tolerated does not count, however little repeats spread") {
  CHECK(likeness_of_times({{{1000, 1000, 1000}, {1009, 1009, 1009}}})->is_alike);
  CHECK_FALSE(likeness_of_times({{{1000, 1000, 1000}, {1011, 1011, 1011}}})->is_alike);
  CHECK(likeness_of_times({{{0, 0, 0}, {1, 1, 1}}})->is_alike);
}

TEST_CASE("processors whose repeats overlap are alike, though most of those of one were disturbed") {
  const Times overlapping = {{{1000, 1001, 1002, 1001, 1000}, {1001, 3700, 3701, 3702, 3700}}};
  CHECK(likeness_of_times(overlapping)->is_alike);
  const Times apart = {{{1000, 1001, 1002, 1001, 1000}, {3700, 3700, 3701, 3702, 3700}}};
  CHECK_FALSE(likeness_of_times(apart)->is_alike);
}

TEST_CASE("a stall or two do not hide a difference") {
  const auto likeness = likeness_of_times({{{1000, 1001, 9000, 1002, 1000}, {1500, 1499, 1501, 30'000, 1500}}});
  CHECK_FALSE(likeness->is_alike);
}

TEST_CASE("where too little was measured nothing is said") {
  CHECK_FALSE(likeness_of_times({}).has_value());
  CHECK_FALSE(likeness_of_times({{{1000, 1000, 1000}}}).has_value());
  CHECK_FALSE(likeness_of_times({{{1000, 1000}, {1000, 1000}}}).has_value());
  CHECK_FALSE(likeness_of_times({{{1000, 1000, 1000}, {}}}).has_value());
  CHECK(likeness_of_times({{{1000, 1000, 1000}, {2000, 2000, 2000}}}).has_value());
}

TEST_CASE("the middle distance leaves out the median's own") {
  CHECK(middle_distance({7}) == 0);
  CHECK(middle_distance({5, 9}) == 4);
  CHECK(middle_distance({10, 20, 40}) == 10);
  CHECK(middle_distance({10, 20, 40, 80, 30}) == 10);
}

// How many of random probes are found alike: stages whose repeats spread by a tenth, processors by `apart` of that.
int found_alike(std::size_t processors, double apart) {
  std::mt19937_64 random(17);
  std::normal_distribution<double> normal;
  constexpr int kProbes = 200;
  int alike = 0;
  for (int probe = 0; probe < kProbes; ++probe) {
    Times times(5, std::vector<std::vector<std::int64_t>>(processors));
    for (auto& stage : times) {
      for (auto& repeats : stage) {
        const double own = 0.1 * apart * normal(random);
        for (int r = 0; r < 5; ++r) {
          repeats.push_back(static_cast<std::int64_t>(1e6 * std::exp(own + 0.1 * normal(random))));
        }
      }
    }
    if (likeness_of_times(times)->is_alike) ++alike;
  }
  return alike;
}

TEST_CASE("most equal processors are found alike, and hardly any that differ by three times the spread") {
  for (const std::size_t processors : {2U, 4U, 8U}) {
    CAPTURE(processors);
    CHECK(found_alike(processors, 0) >= 160);
    CHECK(found_alike(processors, 3) <= 12);
  }
}

}  // namespace
}  // namespace takt::live
