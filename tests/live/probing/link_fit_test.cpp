// Tests of latencies and bandwidths: planted ones are found, and nothing near has a smaller sum of squares.
#include "live/probing/link_fit.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <vector>

#include "maxplus/contract.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/seeds.hpp"

namespace takt::live {

namespace {

const std::vector<Rational> kSizes = {0, 1024, 16 * 1024, 256 * 1024, 4 * 1024 * 1024};

Rational ratio(long above, long below) { return Rational::fraction(above, below); }

std::vector<LinkSample> samples_of(const Rational& latency, const Rational& bandwidth) {
  std::vector<LinkSample> samples;
  for (const Rational& size : kSizes) samples.push_back({size, latency + size / bandwidth});
  return samples;
}

Rational sum_of_squares(const std::vector<LinkSample>& samples, const Rational& latency, const Rational& gap) {
  Rational sum;
  for (const LinkSample& sample : samples) {
    const Rational misfit = (latency + sample.size * gap) / sample.time - 1;
    sum += misfit * misfit;
  }
  return sum;
}

// The times of a link with noise of up to `percent` of each.
void disturb(std::vector<LinkSample>& samples, support::Draw& draw, int percent) {
  for (LinkSample& sample : samples) sample.time *= ratio(1000 + draw.whole(-10 * percent, 10 * percent), 1000);
}

}  // namespace

TEST_CASE("a planted latency and bandwidth are found") {
  for (const Rational& latency : {ratio(1, 20000), ratio(25, 1000000), Rational(3), ratio(1, 1000000000)}) {
    for (const Rational& bandwidth : {Rational(1'250'000'000), Rational(10), ratio(35, 100)}) {
      const LinkFit fit = fit_link(samples_of(latency, bandwidth));
      CHECK(fit.latency == latency);
      REQUIRE(fit.bandwidth.has_value());
      CHECK(*fit.bandwidth == bandwidth);
      CHECK(fit.worst_misfit == 0);
    }
  }
}

TEST_CASE("with noise the fit is near, and tells its worst sample") {
  support::Draw draw(2);
  for (std::uint64_t i = 0; i < support::draws(1000); ++i) {
    const Rational latency = ratio(draw.whole(1, 1000), 10'000'000);
    const Rational bandwidth = draw.between(1'000'000, 10'000'000'000);
    auto samples = samples_of(latency, bandwidth);
    disturb(samples, draw, 2);
    const LinkFit fit = fit_link(samples);
    REQUIRE(fit.bandwidth.has_value());
    // A prediction is a weighted mean of all samples, so what is off by 2 % each is off by little more together.
    for (const Rational& size : kSizes) {
      const Rational quotient = fit.time_of(size) / (latency + size / bandwidth);
      CHECK(quotient > ratio(96, 100));
      CHECK(quotient < ratio(104, 100));
    }
    std::vector<Rational> misfits;
    for (const LinkSample& sample : samples) {
      const Rational misfit = fit.time_of(sample.size) / sample.time - 1;
      misfits.push_back(std::max(misfit, -misfit));
    }
    CHECK(fit.worst_misfit == *std::ranges::max_element(misfits));
    CHECK(fit.worst_misfit == misfits[fit.worst_sample]);
    CHECK(fit.worst_misfit > 0);
  }
}

TEST_CASE("no latency and bandwidth near those of the fit have a smaller sum of squares") {
  support::Draw draw(3);
  int without_latency = 0;
  int without_bandwidth = 0;
  for (std::uint64_t i = 0; i < support::draws(1000); ++i) {
    std::vector<LinkSample> samples;
    for (std::size_t k = draw.count(2, 6); k > 0; --k) samples.push_back({draw.whole(0, 50), draw.fraction(100, 10)});
    samples.push_back({60, draw.fraction(100, 10)});
    const LinkFit fit = fit_link(samples);
    const Rational gap = fit.bandwidth ? Rational(1) / *fit.bandwidth : Rational(0);
    without_latency += fit.latency == 0;
    without_bandwidth += !fit.bandwidth;
    // By more than the rounding, whose sixth digit the sum sees squared.
    const Rational least = sum_of_squares(samples, fit.latency, gap);
    for (const Rational& step : {ratio(1, 100), ratio(-1, 100), ratio(1, 3), ratio(-1, 3), Rational(0)}) {
      for (const Rational& other : {ratio(1, 100), ratio(-1, 100), ratio(1, 3), ratio(-1, 3), Rational(0)}) {
        const Rational latency = std::max(Rational(0), fit.latency + step);
        const Rational nearby = std::max(Rational(0), gap + other / 50);
        CHECK(sum_of_squares(samples, latency, nearby) * ratio(1'000'001, 1'000'000) >= least);
      }
    }
  }
  CHECK(without_latency > 0);
  CHECK(without_bandwidth > 0);
}

TEST_CASE("times below a line through 0 have no latency, times that do not grow no bandwidth") {
  const LinkFit steep = fit_link(std::vector<LinkSample>{{1, 1}, {10, 20}});
  CHECK(steep.latency == 0);
  // y = 1 and 1/2: the mean weighted by them, 3/2 over 5/4 a unit of size.
  CHECK(steep.bandwidth == ratio(833333, 1000000));
  const LinkFit falling = fit_link(std::vector<LinkSample>{{1, 2}, {10, 1}});
  CHECK(!falling.bandwidth);
  // x = 1/2 and 1: 3/2 over 5/4.
  CHECK(falling.latency == ratio(12, 10));
  CHECK(falling.time_of(100) == ratio(12, 10));
  CHECK(falling.worst_misfit == ratio(4, 10));
  CHECK(falling.worst_sample == 0);
}

TEST_CASE("samples that tell nothing of a link are a caller's bug") {
  CHECK_THROWS_AS(fit_link({}), maxplus::ContractViolation);
  CHECK_THROWS_AS(fit_link(std::vector<LinkSample>{{4, 1}, {4, 2}}), maxplus::ContractViolation);
  CHECK_THROWS_AS(fit_link(std::vector<LinkSample>{{4, 1}, {5, 0}}), maxplus::ContractViolation);
  CHECK_THROWS_AS(fit_link(std::vector<LinkSample>{{-4, 1}, {5, 1}}), maxplus::ContractViolation);
}

}  // namespace takt::live
