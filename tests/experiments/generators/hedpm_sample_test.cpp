// hedpm-sample: its two laws, its light communication.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <set>
#include <string>

#include "tests/experiments/drawn.hpp"

namespace takt::experiments {

TEST_CASE("normal samples have thousandths from 1 on, their mean and their deviation") {
  const Arguments arguments = arguments_of("hedpm-sample", {{"stages", "40"}, {"processors", "10"}});
  double sum = 0;
  double squares = 0;
  double least = 100;
  int count = 0;
  const auto add = [&](const Rational& value) {
    CHECK((value * 1000).is_integer());
    const double number = *value.to_double();
    sum += number;
    squares += number * number;
    least = std::min(least, number);
    ++count;
  };
  for (std::uint64_t draw = 0; draw < 400; ++draw) {
    const tpn::Document sample = drawn(arguments, draw);
    for (const tpn::Stage& stage : sample.application.stages) add(*stage.work);
    for (const tpn::Processor& processor : sample.platform.processors) add(*processor.speed);
    for (const tpn::Link& link : sample.platform.links) add(*link.timing.bandwidth / 10);
  }
  // Normal (10, 5), cut off 1.8 deviations below: the mean rises by 5 phi(1.8) / Phi(1.8).
  const double mean = sum / count;
  CHECK(count == 38000);
  CHECK(least >= 1);
  CHECK(least < 1.05);
  CHECK(mean == Approx(10.4095).margin(0.1));
  CHECK(squares / count - mean * mean == Approx(21.15).margin(0.7));
}

TEST_CASE("uniform samples are whole numbers from 1 to 19") {
  const Arguments arguments = arguments_of("hedpm-sample", {{"law", "uniform"}});
  std::set<long> numbers;
  for (std::uint64_t draw = 0; draw < 200; ++draw) {
    const tpn::Document sample = drawn(arguments, draw);
    for (const tpn::Stage& stage : sample.application.stages) {
      REQUIRE(stage.work->is_integer());
      numbers.insert(stage.work->numerator().get_si());
    }
  }
  CHECK(numbers.size() == 19);
  CHECK(*numbers.begin() == 1);
  CHECK(*numbers.rbegin() == 19);
}

TEST_CASE("links of a sample: one bandwidth each, ends included, or 100 for all") {
  const tpn::Document unequal = drawn(arguments_of("hedpm-sample"), 0);
  CHECK(unequal.platform.links.size() == 6);
  REQUIRE((unequal.platform.source && unequal.platform.sink));
  CHECK(unequal.platform.source->links.size() == 4);
  CHECK(unequal.platform.sink->links.size() == 4);
  const tpn::Document equal = drawn(arguments_of("hedpm-sample", {{"links", "equal"}}), 0);
  CHECK(equal.platform.links.empty());
  CHECK(equal.platform.defaults.bandwidth == Rational(100));
  const tpn::Document heavy = drawn(arguments_of("hedpm-sample", {{"links", "equal"}, {"communication", "1"}}), 0);
  CHECK(heavy.platform.defaults.bandwidth == Rational(10));
}

}  // namespace takt::experiments
