// Percentiles of pooled latencies, and differences paired over copies.
#include "vary/figure.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "tests/support/seeds.hpp"
#include "tests/vary/known_nets.hpp"
#include "vary/percentiles.hpp"

namespace takt::vary {
namespace {

using Latencies = std::vector<std::vector<double>>;

// Copies whose latencies differ, with equal ones among them; each ascending.
Latencies random_latencies(std::uint64_t seed, std::size_t copies, std::size_t size) {
  std::mt19937_64 engine(seed);
  Latencies latencies(copies);
  for (auto& copy : latencies) {
    const double longer = static_cast<double>(engine() % 100) / 50;
    for (std::size_t i = 0; i < size; ++i) copy.push_back(longer + static_cast<double>(engine() % 1000) / 100);
    std::ranges::sort(copy);
  }
  return latencies;
}

PooledLatencies pooled(const Latencies& latencies, double confidence = kConfidence) {
  return {std::vector<std::span<const double>>(latencies.begin(), latencies.end()), confidence};
}

// The share within x and its interval, by the definition.
Figure share_within(const Latencies& latencies, double x) {
  std::vector<double> shares;
  for (const auto& copy : latencies) {
    const auto within = std::ranges::count_if(copy, [x](double latency) { return latency <= x; });
    shares.push_back(static_cast<double>(within) / static_cast<double>(copy.size()));
  }
  return figure_of(shares);
}

double next_below(const Latencies& latencies, double x) {
  double below = -1;
  for (const auto& copy : latencies) {
    for (const double latency : copy) {
      if (latency < x) below = std::max(below, latency);
    }
  }
  return below;
}

constexpr double kRounding = 1e-9;

const Law kMemoryless{LawKind::exponential};

KnownNet one_server(const std::string& work) { return {chain_text({work}, {1}), tpn::Model::kOverlap, kMemoryless}; }

std::vector<ScenarioFigures> played_beside(const KnownNet& first, const KnownNet& second, double rate,
                                           const std::vector<double>& shares, const VarySettings& settings) {
  const std::vector<NetScenarios> nets = {{&first.played(), {{1 / rate}}}, {&second.played(), {{1 / rate}}}};
  const auto figures = figures_of_each(nets, shares, settings);
  return {(*figures)[0].scenarios[0], (*figures)[1].scenarios[0]};
}

}  // namespace

TEST_CASE("latencies are sorted whatever they are: alike, with tails, below 0, few") {
  std::mt19937_64 engine(3);
  std::exponential_distribution<double> exponential;
  for (std::size_t size = 0; size < 3000; size = size * 2 + 1) {
    for (const int kind : {0, 1, 2, 3, 4}) {
      std::vector<double> numbers;
      for (std::size_t i = 0; i < size; ++i) {
        const double number = exponential(engine);
        numbers.push_back(kind == 0   ? number
                          : kind == 1 ? 5
                          : kind == 2 ? std::pow(number, 40)
                          : kind == 3 ? number - 1
                                      : (i == 0 ? -1e300 : std::floor(number * 3)));
      }
      std::vector<double> wanted = numbers;
      std::ranges::sort(wanted);
      sort_latencies(numbers);
      INFO("kind " << kind << ", " << size);
      REQUIRE(numbers == wanted);
    }
  }
}

TEST_CASE("a percentile is the least latency with that share, its interval those whose share may be it") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Latencies latencies = random_latencies(seed, 2 + seed % 20, 1 + seed * 7);
    const PooledLatencies all = pooled(latencies);
    for (const double share : {0.03, 0.5, 0.9, 0.99}) {
      INFO("seed " << seed << ", share " << share);
      const CopiesFigure found = all.percentile(share);
      CHECK(share_within(latencies, found.value).value >= share - kRounding);
      CHECK(share_within(latencies, next_below(latencies, found.value)).value < share);
      // One end is an end of the interval, the other no further off.
      const auto is_low_end = [&](double x) {
        return share_within(latencies, x).high() >= share - kRounding &&
               share_within(latencies, next_below(latencies, x)).high() < share + kRounding;
      };
      const auto is_high_end = [&](double x) {
        return share_within(latencies, x).low() >= share - kRounding ||
               x >= std::ranges::max(latencies, {}, [](const auto& copy) { return copy.back(); }).back() - kRounding;
      };
      const double longest = [&] {
        double most = 0;
        for (const auto& copy : latencies) most = std::max(most, copy.back());
        return most;
      }();
      const auto snapped = [&](double x) {
        double nearest = longest;
        for (const auto& copy : latencies) {
          for (const double latency : copy) {
            if (std::abs(latency - x) < std::abs(nearest - x)) nearest = latency;
          }
        }
        return nearest;
      };
      CHECK((is_low_end(snapped(found.low())) || is_high_end(snapped(found.high()))));
      // What each copy adds has the spread of the figure, unless all copies have the same share there.
      const double spread = figure_of(found.by_copy).margin;
      CHECK((spread == Approx(found.margin) || share_within(latencies, found.value).margin == 0));
    }
  }
}

TEST_CASE("a difference of means is that of paired numbers, and of a figure with itself none") {
  const CopiesFigure first = figure_of({1, 2, 4, 9});
  const CopiesFigure second = figure_of({2, 4, 5, 11});
  const Figure found = difference(first, second, kConfidence);
  const Figure wanted = figure_of({1, 2, 1, 2});
  CHECK(found.value == Approx(wanted.value));
  CHECK(found.margin == Approx(wanted.margin));
  CHECK(difference(first, first, kConfidence).value == 0);
  CHECK(difference(first, first, kConfidence).margin == 0);
  CHECK(rate_of(first, kConfidence).value == 0.25);
  CHECK(rate_of(first, kConfidence).margin == Approx(first.margin / 16));
}

TEST_CASE("a net beside itself has the same latencies, whatever the law") {
  const KnownNet net = one_server("1");
  const auto figures = played_beside(net, net, 0.8, {0.5, 0.99}, {});
  for (std::size_t i = 0; i < 2; ++i) {
    const Figure none = difference(figures[0].within[i], figures[1].within[i], kConfidence);
    CHECK(none.value == 0);
    CHECK(none.margin == 0);
  }
}

TEST_CASE("paired intervals hold the difference of two servers about as often as they say, and are narrower") {
  // M/M/1 with work 1 and 9/10 at rate 1/2: exponential latencies of rates 1/2 and 10/9 - 1/2.
  const KnownNet slower = one_server("1");
  const KnownNet faster = one_server("9/10");
  constexpr double kSlow = 0.5;
  constexpr double kFast = 10.0 / 9 - 0.5;
  const std::uint64_t seeds = support::draws(1200);
  const std::vector<double> shares = {0.5, 0.95};
  const std::vector<double> wanted = {1 / kFast - 1 / kSlow, std::log(2.0) * (1 / kFast - 1 / kSlow),
                                      std::log(20.0) * (1 / kFast - 1 / kSlow)};
  std::vector<std::uint64_t> held(wanted.size(), 0);
  std::uint64_t told = 0;
  double paired = 0;
  double unpaired = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    VarySettings settings;
    settings.seed = seed;
    settings.copies = 16;
    settings.data_sets = 4000;
    settings.arrivals = {ArrivalKind::poisson};
    const auto figures = played_beside(slower, faster, 0.5, shares, settings);
    const auto see = [&](std::size_t i, const CopiesFigure& first, const CopiesFigure& second) {
      const Figure found = difference(first, second, kConfidence);
      held[i] += std::abs(found.value - wanted[i]) <= found.margin ? 1 : 0;
      told += found.high() < 0 ? 1 : 0;
      paired += found.margin;
      unpaired += std::hypot(first.margin, second.margin);
    };
    see(0, *figures[0].mean, *figures[1].mean);
    for (std::size_t i = 0; i < shares.size(); ++i) see(i + 1, figures[0].within[i], figures[1].within[i]);
  }
  const double allowed = support::makes_all_draws() ? 0.02 : 0.05;
  for (std::size_t i = 0; i < held.size(); ++i) {
    INFO("figure " << i << ": " << held[i] << " of " << seeds);
    CHECK(std::abs(static_cast<double>(held[i]) / static_cast<double>(seeds) - 0.95) <= allowed);
  }
  INFO("paired margins " << paired << ", unpaired " << unpaired);
  CHECK(paired < 0.5 * unpaired);
  CHECK(told > 2 * seeds);
}

TEST_CASE("nets of the same application have the same luck: parts that are cut elsewhere, processors that are others") {
  // Both cut behind S1: the stages' draws are those of the whole part, and of two.
  const std::string whole = R"({"application":{"stages":[{"name":"S0","work":2,"output":0},{"name":"S1","work":3}]},
    "platform":{"processors":[{"name":"P0","speed":1},{"name":"P1","speed":1}],"bandwidth":1},
    "mapping":[{"stages":["S0","S1"],"processors":["P0"]}]})";
  const KnownNet together(whole, tpn::Model::kOverlap, kMemoryless);
  const KnownNet apart(chain_text({"2", "3"}, {1, 1}), tpn::Model::kOverlap, kMemoryless);
  VarySettings settings;
  settings.copies = kLanes;
  settings.data_sets = 50;
  settings.skipped = 0;
  // So far apart that nothing waits: a latency is the sum of the two stages' times.
  const std::vector<NetScenarios> nets = {{&together.played(), {{1e6}}}, {&apart.played(), {{1e6}}}};
  const auto figures = figures_of_each(nets, {}, settings, true);
  const auto& one = (*figures)[0].scenarios[0].latencies;
  const auto& two = (*figures)[1].scenarios[0].latencies;
  REQUIRE(one.size() == kLanes * 50);
  for (std::size_t i = 0; i < one.size(); ++i) REQUIRE(one[i] == Approx(two[i]).epsilon(1e-6));
}

TEST_CASE("no more latencies are kept than may be, and what is told then") {
  const KnownNet net = one_server("1");
  VarySettings settings;
  settings.copies = 32;
  settings.data_sets = 1000;
  CHECK(latencies_of(3, settings) == 3 * 32 * 800);
  settings.copies = 1'000'000;
  settings.data_sets = std::uint64_t{1} << 62;
  CHECK(latencies_of(8, settings) == ~std::uint64_t{0});
  settings.copies = 32;
  settings.data_sets = 1000;
  settings.precision = 1e-6;
  settings.most_latencies = 100 * 800;
  const Scenario half{2.0};
  const std::vector<double> shares = {0.5};
  const auto full = figures_of(net.played(), std::span(&half, 1), shares, settings);
  REQUIRE(full);
  CHECK(full->is_full);
  CHECK_FALSE(full->is_cut_short);
  CHECK(full->copies == 96);
  const Scenario saturated{};
  settings.most_copies = 80;
  const auto many = figures_of(net.played(), std::span(&saturated, 1), {}, settings);
  CHECK(many->is_full);
  CHECK(many->copies == 80);
  // What is precise enough makes room for the others.
  settings.precision = 0.5;
  const auto enough = figures_of(net.played(), std::span(&half, 1), shares, settings);
  CHECK_FALSE(enough->is_full);
  CHECK(enough->copies == 32);
}

TEST_CASE("copies grow longer until latencies have settled, of all nets that are fed so, and their bias goes") {
  const KnownNet busy = one_server("1");
  const KnownNet idle = one_server("1/2");
  // D/M/1 at 95 % of the limit: exponential with rate 1 - s, s = exp(-(1 - s) / 0.95).
  constexpr double kGap = 1 / 0.95;
  constexpr double kWanted = 46.8458;
  VarySettings settings;
  settings.copies = 64;
  settings.data_sets = 400;
  settings.confidence = 0.999;
  settings.precision = 0.05;
  const std::vector<double> shares = {0.99};
  const std::vector<Scenario> scenarios = {{kGap}, {4.0}};
  const std::vector<NetScenarios> nets = {{&busy.played(), scenarios}, {&idle.played(), {{kGap}}}};
  const auto brief = *figures_of_each(nets, shares, settings);
  const ScenarioFigures& biased = brief[0].scenarios[0];
  CHECK(biased.data_sets == 400);
  CHECK_FALSE(biased.is_settled);
  CHECK(biased.within[0].high() < kWanted);

  settings.lengthens = true;
  const auto longer = *figures_of_each(nets, shares, settings);
  const ScenarioFigures& settled = longer[0].scenarios[0];
  CHECK(settled.is_settled);
  CHECK(settled.data_sets >= 1600);
  CHECK(settled.within[0].low() <= kWanted);
  CHECK(settled.within[0].high() >= kWanted);
  CHECK(settled.within[0].margin <= 0.05 * settled.within[0].value);
  CHECK(longer[0].data_sets == 400);
  CHECK(longer[0].copies >= settled.copies);
  // Another rate keeps its copies; another net at the same rate has as many.
  CHECK(longer[0].scenarios[1].data_sets == 400);
  CHECK(longer[1].scenarios[0].data_sets == settled.data_sets);
  CHECK(longer[1].scenarios[0].copies == settled.copies);

  // As many latencies as may be kept: what has not settled is played on as it is.
  settings.most_latencies = 64 * 3 * 320;
  const auto kept = *figures_of_each(nets, shares, settings);
  CHECK(kept[0].scenarios[0].data_sets == 400);
  CHECK(kept[0].is_full);
}

}  // namespace takt::vary
