// skeleton-pair: ranges and their ends, what is the same in larger draws, each choice.
#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "tests/experiments/drawn.hpp"

namespace takt::experiments {

namespace {

// A number at a time: how many, the least, the largest, the mean.
class DrawTally {
 public:
  void add(const Rational& value) {
    least_ = count_ == 0 ? value : std::min(least_, value);
    most_ = count_ == 0 ? value : std::max(most_, value);
    sum_ += value;
    values_.insert(value.to_string());
    ++count_;
  }
  std::string ends() const { return least_.to_string() + ".." + most_.to_string(); }
  std::size_t distinct() const { return values_.size(); }
  double mean() const { return *(sum_ / Rational(count_)).to_double(); }

 private:
  Rational least_;
  Rational most_;
  Rational sum_;
  std::uint64_t count_ = 0;
  std::set<std::string> values_;
};

}  // namespace

TEST_CASE("a skeleton pair's numbers fill their ranges evenly") {
  const Arguments arguments =
      arguments_of("skeleton-pair",
                   {{"works", "0.01..10 by 0.01"}, {"sizes", "1..100"}, {"links", "unequal"}, {"replicable", "half"}});
  DrawTally works;
  DrawTally sizes;
  DrawTally speeds;
  DrawTally bandwidths;
  DrawTally replicable;
  for (std::uint64_t draw = 0; draw < 1000; ++draw) {
    const tpn::Document pair = drawn(arguments, draw);
    sizes.add(*pair.application.input);
    for (const tpn::Stage& stage : pair.application.stages) {
      works.add(*stage.work);
      sizes.add(*stage.output);
      replicable.add(Rational(stage.replicable ? 1 : 0));
    }
    for (const tpn::Processor& processor : pair.platform.processors) speeds.add(*processor.speed);
    REQUIRE(pair.platform.links.size() == 45);
    for (const tpn::Link& link : pair.platform.links) bandwidths.add(*link.timing.bandwidth);
    REQUIRE(pair.platform.defaults.bandwidth == Rational(10));
  }
  CHECK(works.ends() == "1/100..10");
  CHECK(works.distinct() == 1000);
  CHECK(works.mean() == Approx(5.005).margin(0.12));  // four deviations of the mean of 10,000
  CHECK(sizes.ends() == "1..100");
  CHECK(sizes.distinct() == 100);
  CHECK(sizes.mean() == Approx(50.5).margin(1.2));
  CHECK(speeds.ends() == "1..20");
  CHECK(speeds.distinct() == 20);
  CHECK(speeds.mean() == Approx(10.5).margin(0.24));
  CHECK(bandwidths.ends() == "5..15");
  CHECK(bandwidths.distinct() == 11);
  CHECK(bandwidths.mean() == Approx(10).margin(0.07));
  CHECK(replicable.mean() == Approx(0.5).margin(0.02));
}

TEST_CASE("more processors, and more stages, leave the first ones of a skeleton pair as they are") {
  const std::vector<std::string> paired = {"processors", "stages"};
  for (const char* links : {"equal", "unequal"}) {
    for (std::uint64_t draw = 0; draw < 20; ++draw) {
      const Said small = {{"links", links}, {"replicable", "half"}};
      Said large = small;
      large.insert(large.end(), {{"processors", "100"}, {"stages", "30"}});
      const tpn::Document a = drawn(arguments_of("skeleton-pair", small), draw, paired);
      const tpn::Document b = drawn(arguments_of("skeleton-pair", large), draw, paired);
      CHECK(a.application.input == b.application.input);
      CHECK(std::ranges::equal(a.application.stages, std::span(b.application.stages).first(10)));
      CHECK(std::ranges::equal(a.platform.processors, std::span(b.platform.processors).first(10)));
      const std::size_t shared = links == std::string("equal") ? 0 : 45;
      REQUIRE(a.platform.links.size() == shared);
      CHECK(std::ranges::equal(a.platform.links, std::span(b.platform.links).first(shared)));
    }
  }
}

TEST_CASE("another choice for links, ends or replication leaves a skeleton pair's works, sizes and speeds") {
  const std::vector<std::string> paired = {"links", "ends", "replicable"};
  const tpn::Document plain = drawn(arguments_of("skeleton-pair"), 3, paired);
  const tpn::Document other =
      drawn(arguments_of("skeleton-pair", {{"links", "unequal"}, {"ends", "none"}, {"replicable", "none"}}), 3, paired);
  CHECK(plain.platform.processors == other.platform.processors);
  for (std::size_t k = 0; k < 10; ++k) {
    CHECK(plain.application.stages[k].work == other.application.stages[k].work);
    CHECK_FALSE(other.application.stages[k].replicable);
    if (k < 9) CHECK(plain.application.stages[k].output == other.application.stages[k].output);
  }
  CHECK_FALSE(other.application.stages[9].output);
  CHECK_FALSE(other.application.input);
  CHECK_FALSE(other.platform.source);
  CHECK_FALSE(other.platform.sink);
}

TEST_CASE("identical machines have one speed, unrelated ones a time for each stage, free links no time") {
  const tpn::Document identical = drawn(arguments_of("skeleton-pair", {{"machines", "identical"}}), 1);
  std::set<std::string> speeds;
  for (const tpn::Processor& processor : identical.platform.processors) speeds.insert(processor.speed->to_string());
  CHECK(speeds.size() == 1);

  const tpn::Document unrelated = drawn(arguments_of("skeleton-pair", {{"machines", "unrelated"}, {"works", "7"}}), 1);
  std::set<std::string> times;
  for (const tpn::Stage& stage : unrelated.application.stages) {
    CHECK_FALSE(stage.work);
    REQUIRE(stage.times.size() == 10);
    for (const tpn::StageTime& time : stage.times) {
      times.insert(time.time.to_string());
      const Rational speed = Rational(7) / time.time;
      CHECK(speed.is_integer());
      CHECK((Rational(1) <= speed && speed <= Rational(20)));
    }
  }
  CHECK(times.size() == 20);

  const tpn::Document free = drawn(arguments_of("skeleton-pair", {{"links", "free"}}), 1);
  CHECK(free.platform.defaults == tpn::LinkTiming{.bandwidth = {}, .latency = {}, .time = Rational(0)});
  const tpn::Document source = drawn(arguments_of("skeleton-pair", {{"ends", "source"}}), 1);
  CHECK((source.platform.source && !source.platform.sink));
  const tpn::Document sink = drawn(arguments_of("skeleton-pair", {{"ends", "sink"}}), 1);
  CHECK((!sink.platform.source && sink.platform.sink));
}

}  // namespace takt::experiments
