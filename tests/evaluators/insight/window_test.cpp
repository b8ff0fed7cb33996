// Tests of the least window: with it the period stays, with one data set fewer it does not.
#include "evaluators/insight/window.hpp"

#include <catch2/catch.hpp>

#include <optional>
#include <variant>

#include "evaluators/evaluate.hpp"
#include "tests/support/random_documents.hpp"
#include "tpn/capacity.hpp"
#include "tpn/models.hpp"

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

}  // namespace takt::evaluators
