// The same numbers whatever plays them; latencies that fall with the rate, exactly; constant times give exact answers.
#include <omp.h>

#include <catch2/catch.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/seeds.hpp"
#include "tests/vary/known_nets.hpp"

namespace takt::vary {
namespace {

using evaluators::Instructions;

bool same(const VaryFigures& a, const VaryFigures& b) {
  bool result = a.copies == b.copies && a.scenarios.size() == b.scenarios.size();
  for (std::size_t s = 0; result && s < a.scenarios.size(); ++s) {
    result = a.scenarios[s].latencies == b.scenarios[s].latencies &&
             a.scenarios[s].period.value == b.scenarios[s].period.value &&
             a.scenarios[s].period.margin == b.scenarios[s].period.margin;
  }
  return result;
}

}  // namespace

TEST_CASE("figures depend neither on instructions nor on threads") {
  const std::vector<Scenario> scenarios = {{}, {40.0}, {60.0}};
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const tpn::Document document = random_mapping(seed);
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      const tpn::FoldedNet net = support::net_of(document, model);
      const PlayedNet played(net, times_of(document, net, Law{LawKind::lognormal, maxplus::Rational::fraction(1, 2)}));
      VarySettings settings;
      settings.data_sets = 200;
      settings.instructions = Instructions::portable;
      const auto wanted = figures_of(played, scenarios, {}, settings, true);
      REQUIRE(wanted);
      for (const Instructions instructions : evaluators::available_instructions()) {
        settings.instructions = instructions;
        REQUIRE(same(*wanted, *figures_of(played, scenarios, {}, settings, true)));
      }
      const int threads = omp_get_max_threads();
      omp_set_num_threads(1);
      REQUIRE(same(*wanted, *figures_of(played, scenarios, {}, settings, true)));
      omp_set_num_threads(threads);
      // Scenarios do not see each other.
      const auto alone = figures_of(played, std::span(scenarios).subspan(1, 1), {}, settings, true);
      REQUIRE(alone->scenarios[0].latencies == wanted->scenarios[1].latencies);
    }
  }
}

TEST_CASE("with the same luck every latency falls as the gaps grow") {
  const std::uint64_t seeds = support::seeds_or("TAKT_VARY_MAPPINGS", 40);
  std::vector<Scenario> scenarios;
  for (const double gap : {10.0, 15.0, 22.0, 33.0, 50.0, 75.0, 110.0}) scenarios.push_back({gap});
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Document document = random_mapping(seed);
    for (const tpn::Model& model : support::all_models()) {
      const tpn::FoldedNet net = support::net_of(document, model);
      for (const ArrivalKind kind : {ArrivalKind::periodic, ArrivalKind::poisson}) {
        const PlayedNet played(net, times_of(document, net, Law{LawKind::exponential}));
        VarySettings settings;
        settings.seed = seed;
        settings.copies = kLanes;
        settings.data_sets = 300;
        settings.arrivals = kind;
        const auto figures = figures_of(played, scenarios, {}, settings, true);
        REQUIRE(figures);
        for (std::size_t s = 1; s < scenarios.size(); ++s) {
          const auto& faster = figures->scenarios[s - 1].latencies;
          const auto& slower = figures->scenarios[s].latencies;
          for (std::size_t i = 0; i < faster.size(); ++i) {
            // Rounding: ends are as large as the last arrival.
            REQUIRE(slower[i] <= faster[i] + 1e-9);
          }
        }
      }
    }
  }
}

TEST_CASE("constant times have the exact period") {
  const std::uint64_t seeds = support::seeds_or("TAKT_VARY_MAPPINGS", 40);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Document document = random_mapping(seed);
    for (const tpn::Model& model : support::all_models()) {
      const tpn::FoldedNet net = support::net_of(document, model);
      const PlayedNet played(net, times_of(document, net, Law{}));
      const double exact = *evaluators::evaluate(net, {}).upper.to_double();
      // A circuit turns over at most so many laps of the rows before it repeats.
      const std::uint64_t rows = net.pipeline.rows.get_ui();
      VarySettings settings;
      settings.copies = kLanes;
      settings.skipped = 200 * rows;
      settings.data_sets = *settings.skipped + 840 * rows;
      const Scenario saturated{};
      const auto figures = figures_of(played, std::span(&saturated, 1), {}, settings);
      REQUIRE(figures);
      INFO("seed " << seed << ", " << tpn::label_of(model));
      REQUIRE(figures->scenarios[0].period.value == Approx(exact).epsilon(1e-9));
      REQUIRE(figures->scenarios[0].period.margin <= 1e-9 * exact);
    }
  }
}

}  // namespace takt::vary
