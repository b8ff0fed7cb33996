// planted-pdm: the planted mapping is there, and nothing is better; counts of divisible stages.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "tests/experiments/drawn.hpp"

namespace takt::experiments {

namespace {

std::size_t divisible_in(const tpn::Document& problem) {
  return static_cast<std::size_t>(std::ranges::count_if(problem.application.stages, &tpn::Stage::replicable));
}

Rational total_work(const tpn::Document& problem) {
  Rational sum;
  for (const tpn::Stage& stage : problem.application.stages) sum += *stage.work;
  return sum;
}

// Is each processor full at total work over total speed, in this order, no stage cut that may not be?
bool divides_perfectly(const tpn::Document& problem, const std::vector<Rational>& speeds) {
  const Rational period = total_work(problem) / std::accumulate(speeds.begin(), speeds.end(), Rational());
  std::vector<Rational> ends = {Rational()};
  for (const tpn::Stage& stage : problem.application.stages) ends.push_back(ends.back() + *stage.work);
  Rational boundary;
  for (std::size_t u = 0; u + 1 < speeds.size(); ++u) {
    boundary += period * speeds[u];
    for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
      const bool is_within = ends[k] < boundary && boundary < ends[k + 1];
      if (is_within && !problem.application.stages[k].replicable) return false;
    }
  }
  return true;
}

bool some_order_divides_perfectly(const tpn::Document& problem) {
  std::vector<Rational> speeds;
  for (const tpn::Processor& processor : problem.platform.processors) speeds.push_back(*processor.speed);
  std::ranges::sort(speeds);
  do {
    if (divides_perfectly(problem, speeds)) return true;
  } while (std::next_permutation(speeds.begin(), speeds.end()));
  return false;
}

}  // namespace

TEST_CASE("a planted problem has a perfectly divided mapping for some order of processors") {
  std::size_t by_chance = 0;
  for (std::uint64_t draw = 0; draw < 60; ++draw) {
    const Said size = {{"stages", "12"}, {"processors", "5"}, {"divisible", std::to_string(2 + draw % 4)}};
    CHECK(some_order_divides_perfectly(drawn(arguments_of("planted-pdm", size), draw)));
    Said not_planted = size;
    not_planted.emplace_back("planted", "no");
    by_chance += some_order_divides_perfectly(drawn(arguments_of("planted-pdm", not_planted), draw)) ? 1 : 0;
  }
  CHECK(by_chance < 30);
}

TEST_CASE("the paper's cases have the numbers of divisible stages that it gives") {
  for (std::uint64_t draw = 0; draw < 30; ++draw) {
    CHECK(divisible_in(drawn(arguments_of("planted-pdm"), draw)) == 13);
    const Said large = {{"stages", "100"}, {"processors", "32"}, {"divisible", "28"}};
    const tpn::Document problem = drawn(arguments_of("planted-pdm", large), draw);
    CHECK(problem.application.stages.size() == 100);
    CHECK(problem.platform.processors.size() == 32);
    CHECK(divisible_in(problem) == 28);
  }
}

TEST_CASE("without planting no two neighbors are divisible, all choices equally likely") {
  // 5 stages, 2 of them: 1 3, 1 4, 1 5, 2 4, 2 5, 3 5.
  const Arguments arguments =
      arguments_of("planted-pdm", {{"stages", "5"}, {"processors", "3"}, {"divisible", "2"}, {"planted", "no"}});
  std::vector<int> counts(32);
  for (std::uint64_t draw = 0; draw < 3000; ++draw) {
    const tpn::Document problem = drawn(arguments, draw);
    std::size_t bits = 0;
    for (std::size_t k = 0; k < 5; ++k) bits |= problem.application.stages[k].replicable ? std::size_t{1} << k : 0;
    ++counts[bits];
  }
  for (const std::size_t bits : {5U, 9U, 17U, 10U, 18U, 20U}) {
    INFO(bits);
    CHECK(std::abs(counts[bits] - 500) < 82);  // four deviations
    counts[bits] = 0;
  }
  CHECK(std::ranges::count(counts, 0) == 32);
}

TEST_CASE("more divisible stages than boundaries leave the planted mapping; fewer than possible are as few as found") {
  const tpn::Document many =
      drawn(arguments_of("planted-pdm", {{"stages", "10"}, {"processors", "4"}, {"divisible", "8"}}), 0);
  CHECK(divisible_in(many) == 8);
  CHECK(some_order_divides_perfectly(many));
  // Six boundaries in ten stages of equal work on equal processors: 10/7, 20/7, ... are all within stages.
  const tpn::Document few =
      drawn(arguments_of("planted-pdm",
                         {{"stages", "10"}, {"processors", "7"}, {"divisible", "2"}, {"works", "1"}, {"speeds", "1"}}),
            0);
  CHECK(divisible_in(few) == 6);
  CHECK(some_order_divides_perfectly(few));
}

TEST_CASE("what cannot be is refused with the reason") {
  const Generator& generator = *find_generator("planted-pdm");
  CHECK(generator.objection(arguments_of("planted-pdm", {{"stages", "12"}})) ==
        "no more stages than there are can be divisible: \"divisible\" is above \"stages\"");
  CHECK(generator.objection(arguments_of("planted-pdm", {{"stages", "24"}, {"planted", "no"}})) ==
        "no two neighbors are divisible where no mapping is planted: \"divisible\" is above half of \"stages\"");
  CHECK_FALSE(generator.objection(arguments_of("planted-pdm", {{"stages", "25"}, {"planted", "no"}})));
}

}  // namespace takt::experiments
