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

Figure period_of(const PlayedNet& net, std::uint64_t seed) {
  const Scenario saturated{};
  return figures_of(net, std::span(&saturated, 1), {}, short_plays(seed))->scenarios[0].period;
}

}  // namespace

TEST_CASE("no law beats the exact period of the means, and more variable times are no faster") {
  const std::uint64_t seeds = support::draws(200);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Document document = random_pipeline(seed);
    for (const tpn::Model& model : support::all_models()) {
      const auto folded = folded_if_any(document, model);
      if (!folded) continue;
      const tpn::FoldedNet& net = *folded;
      INFO("seed " << seed << ", " << tpn::label_of(model));
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
    }
  }
}

TEST_CASE("at a rate the mean latency with random times is no shorter than with constant ones") {
  const std::uint64_t seeds = support::draws(200);
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const tpn::Document document = random_pipeline(seed);
    for (const tpn::Model& model : {tpn::Model::kOverlap, tpn::Model::kStrict}) {
      const auto folded = folded_if_any(document, model);
      if (!folded) continue;
      const tpn::FoldedNet& net = *folded;
      const double exact = *evaluators::evaluate(net, {}).upper.to_double();
      const Scenario half{2 * exact};
      const auto mean_by = [&](const Law& law) {
        const PlayedNet played(net, times_of(document, net, law));
        return *figures_of(played, std::span(&half, 1), {}, short_plays(seed))->scenarios[0].mean;
      };
      INFO("seed " << seed << ", " << tpn::label_of(model));
      CHECK(mean_by({LawKind::exponential}).high() >= mean_by({}).value * (1 - 1e-9));
    }
  }
}

}  // namespace takt::vary
