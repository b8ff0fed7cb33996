// Tests of the least window: with it the period stays, with one data set fewer it does not.
#include "evaluators/insight/window.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <optional>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_documents.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/capacity.hpp"
#include "tpn/errors.hpp"
#include "tpn/models.hpp"
#include "tpn/window.hpp"

namespace takt::evaluators {

namespace {

Rational period_with(const tpn::FoldedNet& net, std::uint64_t window) {
  const auto limited = tpn::with_capacity(net, {.buffers = {}, .window = window});
  return evaluate(std::get<tpn::FoldedNet>(limited)).upper;
}

}  // namespace

TEST_CASE("the least window keeps the period, and one data set fewer does not") {
  for (const support::Kind kind : support::kKinds) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const tpn::Document document = support::random_document(kind, seed);
      for (const tpn::Model& model : tpn::default_models()) {
        const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, model));
        const Rational period = evaluate(net).upper;
        const auto window = least_window(net, period, 1000);
        REQUIRE(window.has_value());
        CHECK(period_with(net, *window) == period);
        if (*window > 1) {
          CHECK(period_with(net, *window - 1) > period);
          CHECK(least_window(net, period, *window - 1) == std::nullopt);
        }
      }
    }
  }
}

TEST_CASE("a window over several entries and exits is that between a source and a sink that cost nothing") {
  std::size_t compared = 0;
  for (std::uint64_t seed = 1; seed <= support::seeds_or("TAKT_WORKFLOWS", 60); ++seed) {
    const tpn::Document document = support::workflow_document(seed);
    if (document.platform.source || document.platform.sink) continue;
    if (std::get<tpn::Pipeline>(tpn::make_pipeline(document)).has_batches()) continue;  // files fill them, and wait
    tpn::Document with_ends = document;
    for (auto* const end : {&with_ends.platform.source, &with_ends.platform.sink}) {
      end->emplace();
      (*end)->ports = tpn::kUnlimitedPorts;
      (*end)->timing.time = 0;
    }
    for (const tpn::Model& model : tpn::default_models()) {
      const auto net = std::get<tpn::FoldedNet>(tpn::fold(document, model));
      const auto between = std::get<tpn::FoldedNet>(tpn::fold(with_ends, model));
      if (net.pipeline.entries().size() == 1 && net.pipeline.exits().size() == 1) continue;
      const std::uint64_t narrow = tpn::too_narrow_window(net.pipeline);
      CAPTURE(seed, tpn::name_of(model), narrow);
      CHECK(tpn::too_narrow_window(between.pipeline) == narrow);
      for (const std::uint64_t wider : {1U, 2U, 5U}) {
        CHECK(period_with(net, narrow + wider) == period_with(between, narrow + wider));
        ++compared;
      }
      if (narrow > 0) CHECK_THROWS_AS(period_with(net, narrow), tpn::InvalidInstance);
    }
  }
  CHECK(compared > 10);
}

}  // namespace takt::evaluators
