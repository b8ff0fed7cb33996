// Tests of the least window: with it the period stays, with one data set fewer it does not.
#include "evaluators/insight/window.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <variant>
#include <vector>

#include "evaluators/evaluate.hpp"
#include "evaluators/insight/latency.hpp"
#include "evaluators/insight/paced.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/host_documents.hpp"
#include "tests/support/random_nets.hpp"
#include "tests/support/seeds.hpp"
#include "tpn/capacity.hpp"
#include "tpn/errors.hpp"
#include "tpn/hosts.hpp"
#include "tpn/window.hpp"

namespace takt::evaluators {

namespace {

Rational period_with(const tpn::FoldedNet& net, std::uint64_t window) {
  const auto limited = tpn::with_capacity(net, {.buffers = {}, .window = window});
  return evaluate(std::get<tpn::FoldedNet>(limited)).upper;
}

Rational paced_stay(const tpn::FoldedNet& net, const Rational& period) {
  return latency_of(net, std::get<PacedSchedule>(paced_schedule(net, period))).paced;
}

// Whether no machine serves two parts, whose turns transfers from a source would take part in.
bool has_machines_of_one_part(const tpn::Document& document) {
  const std::vector<std::size_t> machines = tpn::machines_of(document.platform);
  std::map<std::size_t, std::size_t> part_of;
  for (std::size_t i = 0; i < document.mapping->size(); ++i)
    for (const std::size_t p : (*document.mapping)[i].processors)
      if (part_of.emplace(machines[p], i).first->second != i) return false;
  return true;
}

}  // namespace

TEST_CASE("the least window keeps the period, and one data set fewer does not") {
  support::for_each_net({3, 1}, tpn::default_models(), [](const tpn::FoldedNet& net) {
    const Rational period = evaluate(net).upper;
    const auto window = least_window(net, period, 1000);
    REQUIRE(window.has_value());
    CHECK(period_with(net, *window) == period);
    if (*window > 1) {
      CHECK(period_with(net, *window - 1) > period);
      CHECK(least_window(net, period, *window - 1) == std::nullopt);
    }
  });
}

TEST_CASE(
    "a window over several entries and exits, and a stay, is that between a source and a sink that cost nothing") {
  std::size_t compared = 0;
  std::size_t equal = 0;
  std::size_t stays = 0;  // compared, in an even stream
  for (std::uint64_t seed = 1; seed <= support::draws(1200); ++seed) {
    support::Draw draw(seed);
    const tpn::Document document = draw.coin() ? support::workflow_document(seed) : support::small_workflow(draw);
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
        const Rational period = period_with(net, narrow + wider);
        const Rational period_between = period_with(between, narrow + wider);
        CHECK(period <= period_between);
        ++compared;
        if (!has_machines_of_one_part(document)) continue;
        CHECK(period == period_between);
        ++equal;
      }
      const Rational period = evaluate(net).upper;
      if (has_machines_of_one_part(document) && document.transfers.empty()) {
        CHECK(evaluate(between).upper == period);
        CHECK(paced_stay(net, period) == paced_stay(between, period));
        ++stays;
      }
      if (narrow > 0) CHECK_THROWS_AS(period_with(net, narrow), tpn::InvalidInstance);
    }
  }
  CHECK(compared > 10);
  CHECK(equal > 10);
  CHECK(stays > 5);
}

}  // namespace takt::evaluators
