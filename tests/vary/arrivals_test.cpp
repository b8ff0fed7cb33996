// Arrivals from a table, against Lindley's recursion by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <span>
#include <vector>

#include "tests/vary/known_nets.hpp"

namespace takt::vary {
namespace {

VarySettings table_settings(std::vector<double> times, std::uint64_t data_sets) {
  VarySettings settings;
  settings.copies = kLanes;
  settings.data_sets = data_sets;
  settings.skipped = 0;
  settings.arrivals = {ArrivalKind::table, std::make_shared<const std::vector<double>>(std::move(times))};
  return settings;
}

}  // namespace

TEST_CASE("one constant server takes the arrivals of a table one after the other, and again behind its end") {
  const KnownNet net(chain_text({"1"}, {1}), tpn::Model::kOverlap, {});
  // A burst of three, a gap, and so on; mean gap 1 would be 5 at the last of 6.
  const std::vector<double> times = {0, 0, 0, 3.5, 4.25, 5};
  for (const double gap : {0.5, 1.0, 3.0}) {
    const Scenario scenario{gap};
    const std::uint64_t laps = 4;
    const auto figures =
        figures_of(net.played(), std::span(&scenario, 1), {}, table_settings(times, laps * times.size()), true);
    REQUIRE(figures);
    const std::vector<double>& found = figures->scenarios[0].latencies;
    REQUIRE(found.size() == kLanes * laps * times.size());
    double free = 0;
    for (std::size_t j = 0; j < laps * times.size(); ++j) {
      const double arrival = gap * (times[j % times.size()] + static_cast<double>(j / times.size() * times.size()));
      free = std::max(free, arrival) + 1;
      INFO("gap " << gap << ", data set " << j);
      REQUIRE(found[j] == Approx(free - arrival));
    }
  }
}

TEST_CASE("a table of even times is as periodic arrivals are, to the bit") {
  const KnownNet net(chain_text({"1", "2"}, {1, 3}), tpn::Model::kStrict,
                     {LawKind::lognormal, maxplus::Rational::fraction(7, 10)});
  std::vector<double> times;
  for (int j = 0; j < 50; ++j) times.push_back(j);
  const Scenario scenario{2.0};
  VarySettings settings = table_settings(times, 200);
  const auto by_table = figures_of(net.played(), std::span(&scenario, 1), {}, settings, true);
  settings.arrivals = {ArrivalKind::periodic};
  const auto periodic = figures_of(net.played(), std::span(&scenario, 1), {}, settings, true);
  CHECK(by_table->scenarios[0].latencies == periodic->scenarios[0].latencies);
}

}  // namespace takt::vary
