// Arrivals from a table, against Lindley's recursion by hand.
#include <algorithm>
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "evaluators/play/play.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/seeds.hpp"
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

// When each data set is delivered if all are there at 0.
std::vector<double> completions(const tpn::FoldedNet& net, std::uint64_t data_sets) {
  std::vector<double> result(data_sets, 0);
  const std::vector<tpn::PartIndex> exits = net.pipeline.exits();
  evaluators::play(net, evaluators::played_data_sets(net, data_sets), [&](const evaluators::Firing& firing) {
    const tpn::Column& column = net.pipeline.columns[firing.operation.column];
    if (column.kind != tpn::ColumnKind::compute || std::ranges::find(exits, column.part) == exits.end()) return true;
    const std::uint64_t last = net.pipeline.data_set_of(firing.operation);
    const std::uint64_t size = net.pipeline.parts[column.part].computed_at(last);
    for (std::uint64_t j = last + 1 - size; j <= last && j < data_sets; ++j)
      result[j] = std::max(result[j], *firing.end.to_double());
    return true;
  });
  return result;
}

}  // namespace

TEST_CASE("one constant server takes the arrivals of a table one after the other, and again behind its end") {
  const KnownNet net(chain_text({"1"}, {1}), tpn::Model::kOverlap, {});
  // A burst of three, a gap, and so on; mean gap 1 would be 5 at the last of 6.
  const std::vector<double> times = {0, 0, 0, 3.5, 4.25, 5};
  for (const double gap : {0.5, 1.0, 3.0}) {
    const std::uint64_t laps = 4;
    const std::vector<double> found = latencies_at(net.played(), gap, table_settings(times, laps * times.size()));
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
  VarySettings settings = table_settings(times, 200);
  const std::vector<double> by_table = latencies_at(net.played(), 2.0, settings);
  settings.arrivals = {ArrivalKind::periodic};
  CHECK(by_table == latencies_at(net.played(), 2.0, settings));
}

TEST_CASE("behind the end of a table nothing exists: transfers that are ahead wait for nothing there") {
  const KnownNet net(
      R"({"application": {"stages": [{"name": "A", "work": 1, "output": 0}, {"name": "B", "work": 2, "output": 0},
                                    {"name": "C", "work": 1}]},
    "platform": {"processors": [{"name": "P", "speed": 1}, {"name": "Q", "speed": 1}], "bandwidth": 1},
    "mapping": [{"stages": ["A"], "processors": ["P"]}, {"stages": ["B"], "processors": ["Q"]},
                {"stages": ["C"], "processors": ["P"]}],
    "transfers": [{"from": 1, "to": 2, "ahead": 2}]})",
      tpn::Model::kOverlap, {});
  const std::vector<double> found = latencies_at(net.played(), 1.0, table_settings({0, 100, 200}, 3));
  CHECK(std::vector<double>(found.begin(), found.begin() + 3) == std::vector<double>{202, 103, 4});
}

TEST_CASE("a table of data sets that are all there at once is played as takt simulate plays them") {
  std::size_t played_nets = 0;
  const auto drawn = [](std::uint64_t seed) {
    return seed % 2 == 0 ? support::ahead_document(seed) : support::batch_document(seed);
  };
  const auto hold = [&](const tpn::FoldedNet& net, const tpn::Document& document, std::uint64_t seed) {
    if (net.pipeline.rows > 12) return;
    const PlayedNet played(net, times_of(document, net, Law{}));
    for (const std::uint64_t data_sets : {std::uint64_t{2}, std::uint64_t{3}, 20 + seed}) {
      INFO(data_sets << " data sets");
      const std::vector<double> wanted = completions(net, data_sets);
      // With those that fill the last batch.
      const std::vector<double> times(data_sets + 100, 0);
      const std::vector<double> found = latencies_at(played, 1.0, table_settings(times, data_sets));
      for (std::uint64_t j = 0; j < data_sets; ++j) REQUIRE(found[j] == Approx(wanted[j]));
      ++played_nets;
    }
  };
  support::for_each_net_of(drawn, support::draws(60), tpn::default_models(), hold);
  CHECK(played_nets > support::draws(60));
}

}  // namespace takt::vary
