// What is proved of random times (docs/vary.md), on random mappings.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "tests/support/seeds.hpp"
#include "tests/vary/known_nets.hpp"

namespace takt::vary {
namespace {

// So sure that none of some hundreds is off by chance.
constexpr double kVerySure = 0.99999;

VarySettings short_plays(std::uint64_t seed) {
  VarySettings settings;
  settings.seed = seed;
  settings.copies = 32;
  settings.data_sets = 600;
  settings.confidence = kVerySure;
  return settings;
}

Figure period_of(const PlayedNet& net, std::uint64_t seed) { return figures_at(net, {}, short_plays(seed)).period; }

}  // namespace

TEST_CASE("no law beats the exact period of the means, and more variable times are no faster") {
  const auto hold = [](const tpn::FoldedNet& net, const tpn::Document& document, std::uint64_t seed) {
    const double exact = *evaluators::evaluate(net, {}).upper.to_double();
    const auto by = [&](const Law& law) { return period_of(PlayedNet(net, times_of(document, net, law)), seed); };
    const Figure erlang = by({LawKind::erlang, 4});
    const Figure exponential = by({LawKind::exponential});
    const Figure wide = by({LawKind::gamma, 2});
    // A play of so few data sets ends as its slowest copy does, which is no faster than in the long run.
    CHECK(erlang.high() >= exact * (1 - 1e-9));
    CHECK(exponential.high() >= exact * (1 - 1e-9));
    CHECK(wide.high() >= exact * (1 - 1e-9));
    // Erlang, exponential, gamma of variation 2: each more variable than the one before.
    CHECK(erlang.low() <= exponential.high());
    CHECK(exponential.low() <= wide.high());
  };
  support::for_each_net_of(random_pipeline, support::draws(200), support::all_models(), hold);
}

TEST_CASE("at a rate the mean latency with random times is no shorter than with constant ones") {
  const auto hold = [](const tpn::FoldedNet& net, const tpn::Document& document, std::uint64_t seed) {
    const double exact = *evaluators::evaluate(net, {}).upper.to_double();
    const auto mean_by = [&](const Law& law) {
      const PlayedNet played(net, times_of(document, net, law));
      return *figures_at(played, 2 * exact, short_plays(seed)).mean;
    };
    CHECK(mean_by({LawKind::exponential}).high() >= mean_by({}).value * (1 - 1e-9));
  };
  support::for_each_net_of(random_pipeline, support::draws(200), tpn::default_models(), hold);
}

}  // namespace takt::vary
