// The same numbers whatever plays them; latencies that fall with the rate, exactly; constant times give exact answers.
#include <omp.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/paced.hpp"
#include "tests/support/evaluations.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tests/vary/known_nets.hpp"
#include "tpn/capacity.hpp"

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

// Times that do not vary: the period in the long run, and latencies at a rate once nothing is left of the beginning.
void require_exact(const tpn::Document& document, const tpn::FoldedNet& net) {
  constexpr double kCloseTo = 1e-9;
  const PlayedNet played(net, times_of(document, net, Law{}));
  const maxplus::Rational exact = evaluators::evaluate(net, {}).upper;
  const double period = *exact.to_double();
  const std::uint64_t rows = net.pipeline.rows.get_ui();
  VarySettings settings;
  settings.copies = kLanes;
  settings.skipped = std::max<std::uint64_t>(400, 20 * rows);
  settings.data_sets = *settings.skipped + std::max<std::uint64_t>(840 / std::gcd(rows, std::uint64_t{840}), 1) * rows;
  REQUIRE(figures_at(played, {}, settings).period.value == Approx(period).epsilon(kCloseTo));
  for (const maxplus::Rational& slower : {maxplus::Rational(1), maxplus::Rational::fraction(9, 8)}) {
    // The net is filled by rounds before the first data set, and at its own rate it never settles.
    if (net.pipeline.is_shifted() && slower == maxplus::Rational(1)) continue;
    const maxplus::Rational gap = exact * slower;
    const auto schedule = evaluators::paced_schedule(net, gap);
    REQUIRE(std::holds_alternative<evaluators::PacedSchedule>(schedule));
    const evaluators::Latency paced = evaluators::latency_of(net, std::get<evaluators::PacedSchedule>(schedule));
    const std::vector<double> found = latencies_at(played, *gap.to_double(), settings);
    const std::size_t measured = settings.data_sets - *settings.skipped;
    // Ends are as large as the last arrival, in doubles.
    const double tolerance = kCloseTo * period + 1e-15 * *gap.to_double() * static_cast<double>(settings.data_sets);
    for (std::size_t i = 0; i < measured; ++i) {
      const std::size_t j = (*settings.skipped + i) % paced.paced_by_class.size();
      const double wanted = *paced.paced_by_class[j].to_double();
      INFO("gap " << gap.to_string() << ", data set " << *settings.skipped + i);
      REQUIRE(std::abs(found[i] - wanted) <= tolerance + kCloseTo * wanted);
    }
  }
}

}  // namespace

TEST_CASE("constant times have the paced latencies with transfers ahead and with batches, in the last part, too") {
  std::size_t ahead = 0;
  std::size_t last = 0;
  const auto drawn = [](std::uint64_t seed) {
    return seed % 3 == 0 ? support::ahead_document(seed) : support::batch_document(seed);
  };
  const auto hold = [&](const tpn::FoldedNet& net, const tpn::Document& document, std::uint64_t) {
    if (net.pipeline.rows > 12 || support::period_of(net).sign() == 0) return;
    require_exact(document, net);
    ahead += net.pipeline.is_shifted() ? 1 : 0;
    const auto has_batches = [&](tpn::PartIndex part) { return net.pipeline.parts[part].largest_batch() > 1; };
    last += std::ranges::any_of(net.pipeline.exits(), has_batches) ? 1 : 0;
  };
  support::for_each_net_of(drawn, support::draws(60), tpn::default_models(), hold);
  CHECK(ahead > 0);
  CHECK(last > 0);
}

TEST_CASE("figures depend neither on instructions nor on threads") {
  const std::vector<Scenario> scenarios = {{}, {40.0}, {60.0}};
  const auto hold = [&](const tpn::FoldedNet& net, const tpn::Document& document, std::uint64_t) {
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
  };
  support::for_each_net_of(random_mapping, 10, tpn::default_models(), hold);
}

TEST_CASE("with the same luck every latency falls as the gaps grow") {
  const std::uint64_t seeds = support::draws(200);
  std::vector<Scenario> scenarios;
  for (const double gap : {10.0, 15.0, 22.0, 33.0, 50.0, 75.0, 110.0}) scenarios.push_back({gap});
  std::size_t nets = 0;
  const auto hold = [&](const tpn::FoldedNet& net, const tpn::Document& document, std::uint64_t seed) {
    // Of what is ahead, or in batches, later arrivals count.
    if (net.pipeline.is_shifted() || net.pipeline.has_batches()) return;
    ++nets;
    for (const ArrivalKind kind : {ArrivalKind::periodic, ArrivalKind::poisson}) {
      const PlayedNet played(net, times_of(document, net, Law{LawKind::exponential}));
      VarySettings settings;
      settings.seed = seed;
      settings.copies = kLanes;
      settings.data_sets = 200;
      settings.arrivals = {kind};
      const auto figures = figures_of(played, scenarios, {}, settings, true);
      REQUIRE(figures);
      for (std::size_t s = 1; s < scenarios.size(); ++s) {
        const auto& faster = figures->scenarios[s - 1].latencies;
        const auto& slower = figures->scenarios[s].latencies;
        // Rounding: ends are as large as the last arrival.
        REQUIRE(std::ranges::equal(slower, faster, [](double less, double more) { return less <= more + 1e-9; }));
      }
    }
  };
  support::for_each_net_of(random_pipeline, seeds, support::all_models(), hold);
  CHECK(nets >= 2 * seeds);
}

TEST_CASE("with the same luck no latency is longer with more room, or with a wider window") {
  const std::uint64_t seeds = support::draws(40);
  const auto hold = [](const std::vector<tpn::FoldedNet>& nets, const tpn::Document& document, std::uint64_t seed) {
    std::vector<std::unique_ptr<PlayedNet>> played;
    std::vector<NetScenarios> scenarios;
    for (const tpn::FoldedNet& net : nets) {
      played.push_back(std::make_unique<PlayedNet>(net, times_of(document, net, {LawKind::exponential})));
      scenarios.push_back({played.back().get(), {{}, {25.0}, {60.0}}});
    }
    VarySettings settings;
    settings.seed = seed;
    settings.copies = kLanes;
    settings.data_sets = 300;
    const auto figures = figures_of_each(scenarios, {}, settings, true);
    REQUIRE(figures);
    for (std::size_t n = 1; n < nets.size(); ++n) {
      for (std::size_t s = 0; s < 3; ++s) {
        const ScenarioFigures& less = (*figures)[n - 1].scenarios[s];
        const ScenarioFigures& more = (*figures)[n].scenarios[s];
        REQUIRE(std::ranges::equal(more.latencies, less.latencies, std::less_equal<>()));
      }
    }
  };
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    INFO("seed " << seed);
    const tpn::Document document = random_mapping(seed);
    std::vector<tpn::FoldedNet> rooms;
    for (const std::uint64_t room : {1U, 2U, 4U}) rooms.push_back(support::net_of(document, tpn::bounded_model(room)));
    rooms.push_back(support::net_of(document, tpn::Model::kOverlap));
    hold(rooms, document, seed);
    std::vector<tpn::FoldedNet> windows;
    for (const std::uint64_t window : {1U, 3U, 9U}) {
      auto limited =
          tpn::with_capacity(support::net_of(document, tpn::Model::kStrict), {.buffers = {}, .window = window});
      windows.push_back(std::get<tpn::FoldedNet>(std::move(limited)));
    }
    windows.push_back(support::net_of(document, tpn::Model::kStrict));
    hold(windows, document, seed);
  }
}

TEST_CASE("constant times have the exact period") {
  const auto hold = [](const tpn::FoldedNet& net, const tpn::Document& document, std::uint64_t) {
    const PlayedNet played(net, times_of(document, net, Law{}));
    const double exact = *evaluators::evaluate(net, {}).upper.to_double();
    // A circuit turns over at most so many laps of the rows before it repeats.
    const std::uint64_t rows = net.pipeline.rows.get_ui();
    VarySettings settings;
    settings.copies = kLanes;
    settings.skipped = 200 * rows;
    settings.data_sets = *settings.skipped + 840 * rows;
    const Figure found = figures_at(played, {}, settings).period;
    REQUIRE(found.value == Approx(exact).epsilon(1e-9));
    REQUIRE(found.margin <= 1e-9 * exact);
  };
  support::for_each_net_of(random_mapping, support::draws(40), support::all_models(), hold);
}

TEST_CASE("constant times have the exact period of every example, and at a rate the latencies of the paced schedule") {
  const std::set<std::string> few = {"batches.json", "video-analytics.json", "example-a.json"};
  std::size_t nets = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(TAKT_SOURCE_DIR) + "/examples")) {
    if (entry.path().extension() != ".json") continue;
    if (!support::makes_all_draws() && !few.contains(entry.path().filename().string())) continue;
    const tpn::Document document = support::document_of("examples/" + entry.path().filename().string());
    if (!document.mapping) continue;
    for (const tpn::Model& model : support::all_models()) {
      INFO(entry.path().filename().string() << ", " << tpn::label_of(model));
      const auto folded = support::unless_refused([&] { return support::net_of(document, model); });
      if (!folded) continue;
      ++nets;
      require_exact(document, *folded);
    }
  }
  CHECK(nets >= (support::makes_all_draws() ? 40 : 2 * few.size()));
}

}  // namespace takt::vary
