// Laws: their texts, their quantiles, their moments, and who is N.B.U.E.
#include "vary/law.hpp"

#include <boost/math/distributions/gamma.hpp>
#include <boost/math/distributions/lognormal.hpp>
#include <boost/math/distributions/normal.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace takt::vary {
namespace {

using maxplus::Rational;
using tpn::is_nbue;
using tpn::LawExpectation;
using tpn::parse_law;

Law law_of(const std::string& text) { return std::get<Law>(parse_law(text)); }

// Of tenths.
Law samples_of(const std::vector<int>& tenths) {
  std::vector<Rational> samples;
  for (const int tenth : tenths) samples.push_back(Rational::fraction(tenth, 10));
  return tpn::law_of_samples(samples).law;
}

const std::vector<std::string>& all_laws() {
  static const std::vector<std::string> kTexts = {
      "constant",   "exponential", "uniform:20%", "uniform:1",     "erlang:1",    "erlang:4",    "erlang:1000",
      "gamma:0.3",  "gamma:1.5",   "gamma:4",     "lognormal:0.5", "lognormal:1", "lognormal:3", "normal:0.1",
      "normal:0.5", "normal:0.74", "pareto:1.2",  "pareto:2.5",    "pareto:3.5"};
  return kTexts;
}

double uniform(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

}  // namespace

TEST_CASE("a law's text is read, and what is none is said") {
  CHECK(law_of("exponential") == Law{LawKind::exponential});
  CHECK(law_of("uniform:20%") == Law{LawKind::uniform, Rational::fraction(1, 5)});
  CHECK(law_of("uniform:0.2") == Law{LawKind::uniform, Rational::fraction(1, 5)});
  CHECK(law_of("erlang:4") == Law{LawKind::erlang, 4});
  for (const std::string text :
       {"",           "gauss",       "exponential:1", "uniform",     "uniform:0", "uniform:101%",
        "uniform:x",  "erlang:0",    "erlang:1.5",    "erlang:1e9",  "gamma:0",   "gamma:-1",
        "gamma:1e9",  "gamma:nan",   "lognormal:inf", "normal:0.75", "normal:0",  "pareto:1",
        "pareto:0.5", "lognormal: 1"}) {
    INFO(text);
    CHECK(std::holds_alternative<LawExpectation>(parse_law(text)));
  }
  CHECK(
      std::get<LawExpectation>(parse_law("gauss")).expected ==
      "a law, as in constant, exponential, uniform:20%, erlang:4, gamma:0.5, lognormal:0.5, normal:0.2 or pareto:2.5");
  CHECK(std::get<LawExpectation>(parse_law("pareto:1")).expected ==
        "an exponent above 1 and at most 1000000 (a law with a smaller one has no mean), as in pareto:2.5");
}

TEST_CASE("factors are quantiles to 1e-4 of the mean, or of the value where that is larger, and grow with the bits") {
  using boost::math::complement;
  using boost::math::quantile;
  std::mt19937_64 engine(1);
  const auto check = [&](const std::string& text, auto exact) {
    const LawSampler sampler(law_of(text));
    INFO(text);
    for (int i = 0; i < 5'000; ++i) {
      // All octaves of both ends.
      std::uint64_t bits = engine() >> (engine() % 60);
      if (engine() % 2 == 0) bits = ~bits;
      const bool is_upper = bits >> 63 != 0;
      const double distance = (static_cast<double>(is_upper ? ~bits : bits) + 0.5) * 0x1p-64;
      const double wanted = exact(distance, is_upper);
      REQUIRE(std::abs(sampler(bits) - wanted) <= 1e-4 * std::max(1.0, wanted));
    }
  };
  check("exponential", [](double p, bool upper) { return upper ? -std::log(p) : -std::log1p(-p); });
  const auto gamma = [](double shape) {
    return [law = boost::math::gamma_distribution<>(shape, 1 / shape)](double p, bool upper) {
      return upper ? quantile(complement(law, p)) : quantile(law, p);
    };
  };
  check("erlang:4", gamma(4));
  check("gamma:1.5", gamma(1 / 2.25));
  const auto lognormal = [](double variation) {
    const double variance = std::log1p(variation * variation);
    return [law = boost::math::lognormal_distribution<>(-variance / 2, std::sqrt(variance))](double p, bool upper) {
      return upper ? quantile(complement(law, p)) : quantile(law, p);
    };
  };
  check("lognormal:0.5", lognormal(0.5));
  check("lognormal:3", lognormal(3));
  check("pareto:1.2", [](double p, bool upper) {
    return 0.2 / 1.2 * (upper ? std::pow(p, -1 / 1.2) : std::exp(-std::log1p(-p) / 1.2));
  });
  for (const std::string& text : all_laws()) {
    const LawSampler sampler(law_of(text));
    INFO(text);
    for (int i = 0; i < 5'000; ++i) {
      const std::uint64_t one = engine() >> (engine() % 60);
      const std::uint64_t other = engine() % 2 == 0 ? one + (engine() >> (20 + engine() % 40)) : ~one;
      REQUIRE(sampler(std::min(one, other)) <= sampler(std::max(one, other)));
      REQUIRE(sampler(one) >= 0);
    }
    REQUIRE(std::isfinite(sampler(0)));
    REQUIRE(std::isfinite(sampler(~std::uint64_t{0})));
  }
}

TEST_CASE("factors have mean 1 and the variation that is said") {
  for (const std::string& text : all_laws()) {
    const Law law = law_of(text);
    const LawSampler sampler(law);
    INFO(text);
    // The middle of each of a million equal parts: the tails count as far as these go.
    constexpr int kParts = 1'000'000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < kParts; ++i) {
      const auto bits = static_cast<std::uint64_t>((static_cast<double>(i) + 0.5) / kParts * 0x1p64);
      const double factor = sampler(bits);
      sum += factor;
      squares += factor * factor;
    }
    const double mean = sum / kParts;
    const bool is_heavy = law.kind == LawKind::pareto || variation_of(law) > 2;
    CHECK(mean == Approx(1).epsilon(law == law_of("pareto:1.2") ? 0.15 : is_heavy ? 0.01 : 1e-4));
    if (is_heavy) continue;
    CHECK(std::sqrt(squares / kParts - mean * mean) == Approx(variation_of(law)).epsilon(0.01).margin(1e-9));
  }
}

TEST_CASE("samples are drawn each as often, and equal ones count twice") {
  const LawSampler sampler(samples_of({15, 5, 5, 15}));
  int small = 0;
  std::mt19937_64 engine(2);
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t bits = engine();
    REQUIRE(sampler(bits) == (uniform(bits) < 0.5 ? 0.5 : 1.5));
    small += sampler(bits) == 0.5 ? 1 : 0;
  }
  CHECK(std::abs(small - 5000) < 300);
}

TEST_CASE("N.B.U.E. are those whose rest is on average no longer than a new duration") {
  for (const std::string text :
       {"constant", "exponential", "uniform:20%", "uniform:1", "erlang:4", "gamma:0.3", "gamma:1", "normal:0.5"}) {
    CHECK(is_nbue(law_of(text)));
  }
  for (const std::string text : {"gamma:1.1", "lognormal:0.5", "lognormal:3", "pareto:2.5"}) {
    CHECK_FALSE(is_nbue(law_of(text)));
  }
  CHECK(is_nbue(samples_of({10})));
  CHECK(is_nbue(samples_of({5, 15})));           // behind 0.5 there is 1 more
  CHECK_FALSE(is_nbue(samples_of({2, 2, 26})));  // behind 0.2 there are 2.4 more
  CHECK_FALSE(is_nbue(samples_of({0, 0, 30})));
  CHECK_FALSE(is_nbue(samples_of({0, 20})));  // behind 0 there are 2
}

}  // namespace takt::vary
